//! The desktop of a Wayland compositor with layer shell.
//!
//! Each panel is a layer surface of its own, on the layer that full-screen windows cover; keyboards never reach it. A
//! panel's pixels are those of its buffer: the compositor's units times the whole number that an output is scaled by.
//!
//! Architecture Invariant: nothing here waits but [`Wayland::wait`](crate::desktop::Desktop::wait), and that wakes only
//! for what the compositor says, or once after a picture that nobody saw.

mod canvas;
mod connection;
mod desktop;
mod face;
mod handlers;
mod offered;
mod panel;
mod panels;
mod pointer;
mod screens;
mod shade;
mod sight;
mod state;
mod units;

pub use connection::Wayland;
