//! What a shell command would do: parsed, resolved, and told as effects with their targets.
//!
//! Architecture Invariant: pure. Nothing here opens a file, starts a process or reads the clock; what
//! must be known of the machine is asked through [`World`]. Nothing is decided either: which effect is
//! acceptable is for rules to say.

mod base64;
pub mod effect;
pub mod foreign;
pub mod git;
pub mod target;
pub mod text;
pub mod world;

pub use effect::{Act, Code, Effect, How, Reach};
pub use target::{Place, Target};
pub use text::Text;
pub use world::{Entry, Unreadable, World};
