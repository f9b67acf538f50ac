//! The flock on the desktop: each agent a creature at the edge of the screen, with a bubble and a menu.
//!
//! Architecture Invariant: what is shown is decided without a window system. [`stage`] turns what the daemon tells and what
//! the mouse does into panels; a [`desktop`] puts panels on a screen and reports the mouse. X11 and Wayland are one
//! such desktop each and know nothing of agents.
//!
//! Nothing wakes while nothing changes: the stage says when it wants to be called again, and that is never while all
//! creatures stand still.

pub mod autostart;
pub mod desktop;
pub mod drawn;
pub mod flock;
pub mod frames;
pub mod geometry;
pub mod layout;
pub mod link;
pub mod options;
pub mod picture;
pub mod places;
pub mod run;
pub mod settings;
pub mod stage;
pub mod terminal;
pub mod text;
pub mod tray;
pub mod wayland;
pub mod words;
pub mod x11;
