//! The client's transcripts: found, read, and shown.
//!
//! A transcript grows without end. What the agent said last is read from its end backwards and no further than the
//! answer; a whole session is read in two passes, one line in memory at a time. Lines that are torn or foreign are passed
//! over.
//!
//! Architecture Invariant: what leaves this crate is masked, sanitised and bounded already; who renders it only escapes.

mod answer;
mod backward;
pub mod call;
mod calls;
mod ending;
mod entry;
mod error;
mod export;
mod find;
mod hooks;
mod image;
mod item;
mod line;
mod lines;
mod page;
mod past;
mod projects;
mod prompt;
mod raw;
pub mod render;
mod session;
mod settings;
mod shown;
mod stops;
mod usage;
mod whose;
mod written;

pub use answer::has_run;
pub use calls::{PastCall, past_calls};
pub use ending::{Ending, LastWords, Message};
pub use entry::{Entry, EntryKind, EntryRole};
pub use error::TranscriptError;
pub use export::{Form, INDEX, file_name, write_index};
pub use hooks::{CommandLine, HookCost, HookRun, hook_costs, hook_runs};
pub use image::Image;
pub use item::{AgentHead, Item, MessageHead, Note, NoteKind, Prompt, PromptFrom, Turn, Words};
pub use page::Page;
pub use past::Past;
pub use projects::Projects;
pub use session::{ModelUse, Overview, Session, Surroundings, Transcript};
pub use settings::Settings;
pub use shown::Limits;
pub use stops::{Stop, StopHow, Stops};
pub use usage::{LineTitle, LineUsage};
pub use whose::Whose;
