//! The id of what was told: a place in the store and one in the order of changes. Later daemons know
//! both.

use std::fmt;

use crate::http::answer::Fault;
use crate::http::state::State;

/// The id of something that was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Id {
    /// The last stored event that was told.
    pub seq: i64,
    /// The last change that was told.
    pub change: u64,
}

impl Id {
    /// The id behind all that there is.
    pub(crate) async fn now(state: &State) -> Result<Self, Fault> {
        let change = state.shared.live.last();
        let seq = state.newest().await?;
        Ok(Self { seq, change })
    }

    /// Reads one; anything else is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (seq, change) = text.split_once('-')?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        (is_number(seq) && is_number(change)).then_some(())?;
        Some(Self {
            seq: seq.parse().ok()?,
            change: change.parse().ok()?,
        })
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.seq, self.change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_back() {
        let id = Id { seq: 12, change: 3 };
        assert_eq!(id.to_string(), "12-3");
        assert_eq!(Id::parse("12-3"), Some(id));
        for wrong in [
            "",
            "12",
            "12-",
            "-3",
            "12-3-4",
            "a-3",
            "12-+3",
            "12-3 ",
            "99999999999999999999-1",
        ] {
            assert_eq!(Id::parse(wrong), None, "{wrong}");
        }
    }
}
