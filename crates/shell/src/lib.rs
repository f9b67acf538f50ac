//! What a shell command would do: parsed, resolved, and told as effects with their targets.
//!
//! Architecture Invariant: pure. Nothing here opens a file, starts a process or reads the clock; what
//! must be known of the machine is asked through [`World`]. Nothing is decided either: which effect is
//! acceptable is for rules to say.

mod analysis;
mod base64;
pub mod bounds;
mod calls;
mod commands;
pub mod effect;
pub mod foreign;
pub mod git;
mod interest;
mod lookup;
mod matching;
mod options;
mod parse;
mod path;
mod program;
mod run;
mod state;
mod stream;
pub mod target;
#[cfg(test)]
mod tests;
pub mod text;
mod word;
pub mod world;

pub use analysis::{Analysis, Opaque, Ran, StagingStep, analyse};
pub use effect::{Act, Code, CodeFile, Effect, How, Laid, Reach};
pub use interest::is_interesting;
pub use matching::{matches, matches_path};
pub use path::normal;
pub use program::DISCARDED;
pub use target::{Place, Target};
pub use text::Text;
pub use world::{Entry, Unreadable, World};
