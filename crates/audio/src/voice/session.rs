//! A voice of its own for each session, by its pitch: the one thing that every engine can change.

use sha2::{Digest as _, Sha256};

/// Pitches that are told apart by ear and still sound like speech; the first is the voice's own.
const PITCHES: [f32; 6] = [1.0, 0.88, 1.12, 0.94, 1.18, 0.82];

/// The pitch of a session: always the same one for the same id.
pub fn pitch_of(session: &str) -> f32 {
    let hash = Sha256::digest(session.as_bytes());
    PITCHES[usize::from(hash[0]) % PITCHES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_keeps_its_pitch_and_sessions_differ() {
        assert_eq!(pitch_of("a").to_bits(), pitch_of("a").to_bits());
        let ids = (0..40).map(|number| pitch_of(&format!("session-{number}")).to_bits());
        let different: std::collections::BTreeSet<u32> = ids.collect();
        assert_eq!(different.len(), PITCHES.len());
    }
}
