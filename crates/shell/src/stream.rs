//! What flows through a pipe or stands in a file, as far as it is known.

use crate::text::{Fill, Text};

/// What a command writes, or reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Nothing that is known to matter: a terminal, an empty file.
    #[default]
    Nothing,
    Text(Text),
    /// What the network sends: from where.
    Download(String),
    /// Something: what it stands for.
    Unknown(String),
}

impl Stream {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self::Text(Text::plain(text))
    }

    /// Its text; a hole where it is not known.
    pub(crate) fn text(&self) -> Text {
        match self {
            Self::Nothing => Text::default(),
            Self::Text(text) => text.clone(),
            Self::Download(from) => Text::hole(from.clone(), Fill::Downloaded),
            Self::Unknown(what) => Text::hole(what.clone(), Fill::Anything),
        }
    }

    /// The same, when the stream is of no more use.
    fn into_text(self) -> Text {
        match self {
            Self::Text(text) => text,
            other => other.text(),
        }
    }

    pub(crate) fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Nothing, other) | (other, Self::Nothing) => other,
            (Self::Download(from), _) | (_, Self::Download(from)) => Self::Download(from),
            (Self::Text(mut first), Self::Text(second)) => {
                first.append(second);
                Self::Text(first)
            }
            (first, second) => {
                let mut text = first.into_text();
                // What a program prints ends with its line.
                text.push_plain("\n");
                text.append(second.into_text());
                Self::Text(text)
            }
        }
    }
}
