//! The overlay on real desktops without a screen. `./test` installs them.

mod display;
mod wayland;
mod x11;
