//! What is seen on a desktop: real window systems without a screen.

mod display;
mod terminal;
mod tray;
