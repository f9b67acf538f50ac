//! A sound that the person asks for, to hear how it is.

use bellwether_audio::Effect;
use tokio::sync::oneshot;

/// What is to be heard.
#[derive(Debug)]
pub(crate) enum TrialWish {
    Effect(&'static Effect),
    /// Words, by an engine or a voice of that name; empty for whoever speaks usually.
    Words {
        /// The words, masked and sanitised.
        text: String,
        /// Who is to say them.
        voice: String,
    },
}

/// A wish, and who waits for it. Nothing is answered when the daemon ends first.
#[derive(Debug)]
pub(crate) struct Trial {
    /// What is to be heard.
    pub wish: TrialWish,
    /// Hears whether it was, or why not.
    pub answer: oneshot::Sender<Result<(), String>>,
}
