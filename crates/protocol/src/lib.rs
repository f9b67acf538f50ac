//! What an agent's client sends to its hooks, and what it obeys in return.
//!
//! The rest of the program sees [`event::Event`], [`reply::Reply`] and [`client::Client`] only. What one client writes,
//! reads and calls its tools is one module below `client/products`, and its line in the list there.
//!
//! Architecture Invariant: nothing here touches the file system, the environment, the clock or
//! stdio, and nothing panics on foreign input. A client's event names, tool names and variables are
//! written nowhere else; `tests/` reads the tree for them.

pub mod client;
pub mod error;
pub mod event;
pub mod fields;
pub mod reply;
