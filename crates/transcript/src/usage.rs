//! What one line tells of its session, for whoever reads a transcript as it grows: what its message has used, and what the
//! session is called.

use bellwether_prices::{Speed, Tokens};

use crate::raw::RawLine;
use crate::shown;

/// A branch or a title is no longer than this.
const NAME: usize = 200;

#[derive(Debug, Clone, PartialEq)]
pub struct LineUsage {
    /// The message; its other lines say the same.
    pub message: String,
    pub model: String,
    pub tokens: Tokens,
    pub speed: Speed,
    /// When it was written, milliseconds since 1970.
    pub at_ms: Option<u64>,
    /// The branch that was checked out.
    pub branch: Option<String>,
    /// What the client itself says that it costs; older ones do.
    pub cost_usd: Option<f64>,
    /// Whether it is a subagent's.
    pub is_sidechain: bool,
}

impl LineUsage {
    pub fn of(line: &[u8]) -> Option<Self> {
        // Most lines, and all the longest, are about something else; looking costs less than reading.
        memchr::memmem::find(line, b"\"usage\"")?;
        let line = RawLine::parse(line.trim_ascii())?;
        let usage = line.usage()?;
        let branch = line.text("gitBranch").map(|name| shown::line(&name, NAME));
        Some(Self {
            message: usage.message.into_owned(),
            model: shown::line(&usage.model, NAME),
            tokens: usage.tokens,
            speed: usage.speed,
            at_ms: line.at_ms(),
            branch: branch.filter(|name| !name.is_empty()),
            cost_usd: usage.cost_usd,
            is_sidechain: line.is_sidechain(),
        })
    }
}

/// What a session is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineTitle {
    /// By the person.
    Given(String),
    /// By the client, which has read what was asked.
    Found(String),
}

impl LineTitle {
    pub fn of(line: &[u8]) -> Option<Self> {
        memchr::memmem::find(line, b"-title\"")?;
        let line = RawLine::parse(line.trim_ascii())?;
        let named = |field: &str| {
            let title = shown::line(&line.text(field)?, NAME);
            (!title.is_empty()).then_some(title)
        };
        match line.kind.as_ref() {
            "custom-title" => named("customTitle").map(Self::Given),
            "ai-title" => named("aiTitle").map(Self::Found),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_what_the_session_is_called() {
        let of = |line: &str| LineTitle::of(line.as_bytes());
        assert_eq!(
            of(r#"{"type":"ai-title","aiTitle":"Mend the test"}"#),
            Some(LineTitle::Found("Mend the test".into()))
        );
        assert_eq!(
            of(r#"{"type":"custom-title","customTitle":"Friday"}"#),
            Some(LineTitle::Given("Friday".into()))
        );
        assert_eq!(of(r#"{"type":"ai-title","aiTitle":""}"#), None);
        assert_eq!(of(r#"{"type":"user","message":"an \"ai-title\""}"#), None);
    }

    #[test]
    fn a_line_tells_when_where_and_how_fast() {
        let line = r#"{"type":"assistant","timestamp":"1970-01-01T00:00:01.500Z","gitBranch":"fix/cart","message":{"id":"m","model":"x","usage":{"output_tokens":3,"speed":"fast"}}}"#;
        let told = LineUsage::of(line.as_bytes()).unwrap();
        assert_eq!(
            (told.at_ms, told.branch.as_deref(), told.speed),
            (Some(1_500), Some("fix/cart"), Speed::Fast)
        );
    }
}
