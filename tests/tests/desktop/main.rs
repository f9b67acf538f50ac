//! The overlay on real desktops. `./test` installs them.

mod wayland;
