//! The desktop of an X server.
