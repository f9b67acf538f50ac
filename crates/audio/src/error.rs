//! What can go wrong on the way to the ears.

use std::path::PathBuf;

/// Why something is not heard.
#[derive(Debug, thiserror::Error)]
pub enum AudioError {
    /// Nothing that plays sound was found at this seat.
    #[error("no sound here: {0}")]
    NoPlayer(String),
    /// A player was found and failed.
    #[error("{player} cannot play: {reason}")]
    Player {
        /// Which one.
        player: &'static str,
        /// What it said.
        reason: String,
    },
    /// A sound file cannot be read.
    #[error("cannot play {}: {reason}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A voice failed.
    #[error("{engine} cannot speak: {reason}")]
    Voice {
        /// Which engine.
        engine: &'static str,
        /// Why, without anything secret.
        reason: String,
    },
}
