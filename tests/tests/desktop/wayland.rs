//! Panels under sway.

mod clicks;
mod drags;
mod outputs;
mod seen;
mod stage;
mod window;
