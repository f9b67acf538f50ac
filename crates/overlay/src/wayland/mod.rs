//! The desktop of a Wayland compositor with layer shell.
