//! Announcements: what is said when. Today their settings, with the same keys as the notification
//! kit that people bring along, so that its `config.yaml` loads unchanged.

mod global;
pub mod handlers;
mod preset;
mod sound;
mod summary;
mod voice;

pub use global::Global;
pub use handlers::Hooks;
pub use preset::{Preset, Presets};
pub use sound::Sound;
pub use summary::{Mode, Start, Summary};
pub use voice::Voice;

/// What an untrusted project file cannot set: it names files and folders, or switches on what
/// writes them. `*` stands for every key.
pub const NEEDS_TRUST: &[&[&str]] = &[
    &["global", "debug"],
    &["global", "debug_dir"],
    &["global", "project_dir"],
    &["hooks", "*", "sound", "file"],
];
