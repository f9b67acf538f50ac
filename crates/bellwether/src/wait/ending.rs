//! How `hook --wait` may end: its lines and its exit codes.

use bellwether_spine::text;

/// How it ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The message was heard to its end.
    Heard,
    /// The message is too short to be worth a word.
    TooShort,
    /// Nobody has said anything.
    NothingSaid,
    /// It was not over in time.
    TimeUp,
    /// What came on stdin is no event.
    BadInput,
    /// There is no such transcript.
    NoTranscript(String),
    /// No voice is set up.
    NoVoice,
    /// Every voice failed: the last one's reason.
    Unspoken(String),
    /// Nothing plays sound: why.
    Unheard(String),
}

/// Tells what is being done.
pub(super) fn info(line: &str) {
    note!("[INFO] {line}");
}

pub(super) fn warn(line: &str) {
    note!("[WARNING] {line}");
}

impl Ending {
    /// 0 when nothing was wrong, else 1; never more.
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Heard | Self::TooShort | Self::NothingSaid | Self::TimeUp => 0,
            Self::BadInput
            | Self::NoTranscript(_)
            | Self::NoVoice
            | Self::Unspoken(_)
            | Self::Unheard(_) => 1,
        }
    }

    /// Tells it, in the words of the contract; what lies behind it stands on a line of its own.
    pub(super) fn tell(&self) {
        let error = |line: &str| note!("[ERROR] {line}");
        match self {
            Self::Heard => info("Speech playback completed"),
            Self::TooShort => info("Assistant message too short, skipping TTS"),
            Self::NothingSaid => warn("No assistant message found in transcript"),
            Self::TimeUp => warn("Hook timeout approaching, aborting"),
            Self::BadInput => error("Failed to parse hook input"),
            Self::NoTranscript(path) => {
                error(&format!(
                    "Transcript file not found: {}",
                    text::shown(path, 400)
                ));
            }
            Self::NoVoice => error("Voice configuration not found"),
            Self::Unspoken(reason) => {
                error("TTS synthesis failed");
                error(reason);
            }
            Self::Unheard(reason) => {
                error("Audio device unavailable");
                error(reason);
            }
        }
    }
}
