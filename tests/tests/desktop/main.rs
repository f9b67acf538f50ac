//! The overlay on real desktops without a screen. `./test` installs them.

mod display;
mod terminal;
mod tray;
mod wayland;
mod x11;
