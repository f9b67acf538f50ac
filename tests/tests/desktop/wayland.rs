//! Panels under sway.

mod clicks;
mod drags;
mod outputs;
mod program;
mod seen;
mod stage;
mod window;
