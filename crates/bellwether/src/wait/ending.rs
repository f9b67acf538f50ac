//! How `hook --wait` may end: its lines and its exit codes.

use bellwether_announce::Silence;
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
    /// The person wants to hear nothing now.
    Silenced(Silence),
    /// It was not over in time: what it was doing.
    TimeUp(&'static str),
    /// What came on stdin is no event: why, where it is JSON all the same.
    BadInput(Option<&'static str>),
    /// The transcript cannot be used: why, where it is there.
    NoTranscript(String, Option<String>),
    /// No voice is set up.
    NoVoice,
    /// Every voice failed: the last one's reason.
    Unspoken(String),
    /// Nothing plays sound: why.
    Unheard(String),
}

/// How grave a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Info,
    Warning,
    Error,
}

impl Level {
    fn write(self, line: &str) {
        let name = match self {
            Self::Info => "INFO",
            Self::Warning => "WARNING",
            Self::Error => "ERROR",
        };
        note!("[{name}] {line}");
    }
}

/// Tells what is being done.
pub(super) fn info(line: &str) {
    Level::Info.write(line);
}

pub(super) fn warn(line: &str) {
    Level::Warning.write(line);
}

impl Ending {
    /// 0 when nothing was wrong, else 1; never more.
    pub(super) fn code(&self) -> u8 {
        match self {
            Self::Heard
            | Self::TooShort
            | Self::NothingSaid
            | Self::Silenced(_)
            | Self::TimeUp(_) => 0,
            Self::BadInput(_)
            | Self::NoTranscript(..)
            | Self::NoVoice
            | Self::Unspoken(_)
            | Self::Unheard(_) => 1,
        }
    }

    /// Tells it, in the words of the contract; what lies behind it stands on a line of its own.
    pub(super) fn tell(&self) {
        let (level, line) = self.line();
        let cause = self.cause();
        // A warning is the last line, whatever is known.
        match (level, cause) {
            (Level::Warning, Some(cause)) => {
                info(&cause);
                level.write(&line);
            }
            (_, Some(cause)) => {
                level.write(&line);
                level.write(&cause);
            }
            (_, None) => level.write(&line),
        }
    }

    /// The same in one line.
    pub(super) fn in_short(&self) -> String {
        let (_, line) = self.line();
        match self.cause() {
            Some(cause) => format!("{line}: {cause}"),
            None => line,
        }
    }

    fn line(&self) -> (Level, String) {
        let (level, line) = match self {
            Self::Heard => (Level::Info, "Speech playback completed"),
            Self::TooShort => (Level::Info, "Assistant message too short, skipping TTS"),
            Self::Silenced(silence) => {
                return (Level::Info, format!("Skipping TTS: {silence}"));
            }
            Self::NothingSaid => (Level::Warning, "No assistant message found in transcript"),
            Self::TimeUp(_) => (Level::Warning, "Hook timeout approaching, aborting"),
            Self::BadInput(_) => (Level::Error, "Failed to parse hook input"),
            Self::NoTranscript(path, _) => {
                let path = text::shown(path, 400);
                return (Level::Error, format!("Transcript file not found: {path}"));
            }
            Self::NoVoice => (Level::Error, "Voice configuration not found"),
            Self::Unspoken(_) => (Level::Error, "TTS synthesis failed"),
            Self::Unheard(_) => (Level::Error, "Audio device unavailable"),
        };
        (level, line.to_owned())
    }

    fn cause(&self) -> Option<String> {
        match self {
            Self::TimeUp(doing) => Some(format!("Still {doing}")),
            Self::BadInput(cause) => cause.map(str::to_owned),
            Self::NoTranscript(_, cause) => cause.clone(),
            Self::Unspoken(reason) | Self::Unheard(reason) => Some(reason.clone()),
            _ => None,
        }
    }
}
