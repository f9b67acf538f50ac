//! What an agent's client sends to its hooks, and what it obeys in return.
//!
//! The rest of the program sees [`event::Event`] and [`reply::Reply`] only. The wire format of one
//! client is one module tree ([`claude`]); another client is one more module beside it.
//!
//! Architecture invariant: nothing here touches the file system, the environment, the clock or
//! stdio, and nothing panics on foreign input.

pub mod claude;
pub mod error;
pub mod event;
pub mod fields;
pub mod reply;
