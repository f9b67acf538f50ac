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
        player: &'static str,
        reason: String,
    },
    /// A sound file cannot be read.
    #[error("cannot play {}: {reason}", path.display())]
    File { path: PathBuf, reason: String },
    /// A voice failed.
    #[error("{engine} cannot speak: {reason}")]
    Voice {
        engine: &'static str,
        /// Why, without anything secret.
        reason: String,
        /// Whether it is worth asking again.
        lasting: Lasting,
    },
    /// No voice of the chain can say a line in this language.
    #[error("no voice speaks {language}: {advice}")]
    NoVoice {
        /// The language that the line is in, as `ko`.
        language: String,
        /// What to do about it.
        advice: String,
    },
    /// A character's profile is not as it should be.
    #[error("the character {name} cannot be used: {reason}")]
    Profile {
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// For how long a failure of a voice will last, as far as one can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasting {
    /// This line alone: the next may succeed.
    Line,
    /// A while: too many requests, a service that does not answer.
    While,
    /// Until somebody does something: a wrong key, no credit, a missing program.
    UntilMended,
}

impl AudioError {
    /// Whether a voice is to blame, and not what plays it.
    pub fn is_of_voice(&self) -> bool {
        matches!(
            self,
            Self::Voice { .. } | Self::NoVoice { .. } | Self::Profile { .. }
        )
    }

    /// A failure of a voice. Everything that a service or a program says passes here: one line,
    /// masked, short.
    pub(crate) fn voice(engine: &'static str, lasting: Lasting, reason: impl AsRef<str>) -> Self {
        Self::Voice {
            engine,
            reason: bellwether_spine::text::shown(reason.as_ref(), 300),
            lasting,
        }
    }
}
