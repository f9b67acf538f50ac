//! What the message of one line has used, for whoever reads a transcript as it grows.

use bellwether_prices::Tokens;

use crate::raw::RawLine;

#[derive(Debug, Clone, PartialEq)]
pub struct LineUsage {
    /// The message; its other lines say the same.
    pub message: String,
    pub model: String,
    pub tokens: Tokens,
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
        Some(Self {
            message: usage.message.into_owned(),
            model: usage.model.into_owned(),
            tokens: usage.tokens,
            cost_usd: usage.cost_usd,
            is_sidechain: line.is_sidechain(),
        })
    }
}
