//! Announcements: what is said when. An event of a session becomes words, an effect and a voice, or
//! silence with its reason. The settings have the same keys as the notification kit that people bring
//! along, so that its `config.yaml` loads unchanged.
//!
//! Architecture Invariant: nothing here makes a sound. What is to be heard waits in a [`Queue`] for
//! whoever does.

mod announcement;
mod error;
mod global;
pub mod handlers;
pub mod language;
mod mute;
mod preset;
pub mod quiet;
mod sound;
pub mod speech;
pub mod summarise;
mod summary;
mod tell;
pub mod template;
mod voice;

pub use error::AnnounceError;
pub use global::Global;
pub use handlers::Hooks;
pub use language::Language;
pub use mute::{Mute, Muted, Mutes};
pub use preset::{Preset, Presets};
pub use quiet::Quiet;
pub use sound::Sound;
pub use summary::{Mode, Start, Summary};
pub use tell::{
    Announcement, Announcer, Heard, Marker, Markers, Outcome, Popped, Priority, Pushed, Queue,
    Settings, Silence, Told, Transcripts, goes_on, is_typed, silenced,
};
pub use voice::Voice;

/// What an untrusted project file cannot set: it names files and folders, or switches on what
/// writes them. `*` stands for every key.
pub const NEEDS_TRUST: &[&[&str]] = &[
    &["global", "debug"],
    &["global", "debug_dir"],
    &["global", "project_dir"],
    &["hooks", "*", "sound", "file"],
];
