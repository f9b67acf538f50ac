//! What a session has been told of in the last minute: a set of markers and the last words, with one
//! clock for both. Whatever is written starts the clock anew; reading does not.

use std::collections::BTreeSet;

/// How long markers live; after exactly so long they still do.
const LIFE_MS: u64 = 60_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Marker {
    AskUser,
    /// A wish for a permission.
    Permission,
    /// That the agent waits.
    NotificationIdle,
    /// The end of a subagent.
    SubagentStop,
    /// The failure of a tool.
    ToolFailure,
    /// A question of a server.
    Elicitation,
}

/// The markers of one session.
#[derive(Debug, Clone, Default)]
pub struct Markers {
    at_ms: u64,
    set: BTreeSet<Marker>,
    spoken: Option<String>,
}

impl Markers {
    pub fn mark(&mut self, marker: Marker, now_ms: u64) {
        self.write(now_ms).set.insert(marker);
    }

    /// Whether a marker is set.
    pub fn has(&self, marker: Marker, now_ms: u64) -> bool {
        self.lives(now_ms) && self.set.contains(&marker)
    }

    pub fn any(&self, now_ms: u64) -> bool {
        self.lives(now_ms) && !self.set.is_empty()
    }

    /// Keeps what was said last.
    pub fn speak(&mut self, words: &str, now_ms: u64) {
        self.write(now_ms).spoken = Some(words.to_owned());
    }

    /// Whether this was said last.
    pub fn spoke(&self, words: &str, now_ms: u64) -> bool {
        self.lives(now_ms) && self.spoken.as_deref() == Some(words)
    }

    fn lives(&self, now_ms: u64) -> bool {
        now_ms.saturating_sub(self.at_ms) <= LIFE_MS
    }

    fn write(&mut self, now_ms: u64) -> &mut Self {
        if !self.lives(now_ms) {
            *self = Self::default();
        }
        self.at_ms = now_ms;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_live_for_a_minute_and_writing_prolongs_them() {
        let mut markers = Markers::default();
        markers.mark(Marker::Permission, 1_000);
        assert!(
            markers.has(Marker::Permission, 61_000) && !markers.has(Marker::Permission, 61_001)
        );
        assert!(!markers.has(Marker::AskUser, 1_000));
        markers.speak("A", 51_000);
        assert!(
            markers.has(Marker::Permission, 101_000),
            "speaking prolongs it"
        );
        assert!(
            markers.spoke("A", 111_000)
                && !markers.spoke("B", 60_000)
                && !markers.spoke("A", 111_001)
        );
        markers.mark(Marker::AskUser, 200_000);
        assert!(
            !markers.has(Marker::Permission, 200_000),
            "what was dead stays dead"
        );
        assert!(markers.any(260_000) && !markers.any(260_001));
    }
}
