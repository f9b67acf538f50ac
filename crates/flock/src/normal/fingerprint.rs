//! Whether the same event came twice: to two registrations of the hook, or from a forwarder that
//! tried again. Only the recent past is looked at; nothing of it is kept in the store.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hash, Hasher};

use sha2::{Digest as _, Sha256};

/// How long ago the same event may have come.
const WINDOW_MS: u64 = 10_000;
/// So many are remembered at the most.
const REMEMBERED: usize = 65_536;
/// Times are compared by the second.
const SECOND_MS: u64 = 1_000;

/// What makes two events the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fingerprint {
    what: u128,
    second: u64,
}

impl Hash for Fingerprint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.what.to_le_bytes());
        state.write(&self.second.to_le_bytes());
    }
}

impl Fingerprint {
    /// Of an event by its name, session, agent, second, and its tool call or else its payload.
    pub(crate) fn of(parts: &[&str], at_ms: u64) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        let bytes: [u8; 32] = hash.finalize().into();
        let mut half = [0; 16];
        half.copy_from_slice(&bytes[..16]);
        Self {
            what: u128::from_le_bytes(half),
            second: at_ms / SECOND_MS,
        }
    }

    /// The same in the second before and in the one after.
    fn beside(self) -> [Self; 2] {
        [-1, 1].map(|step| Self {
            second: self.second.wrapping_add_signed(step),
            ..self
        })
    }
}

/// A fingerprint is a hash already: some of its bits serve as they are.
#[derive(Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let number = part
                .iter()
                .fold(0, |sum, byte| (sum << 8) | u64::from(*byte));
            self.0 ^= number;
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// An event that came.
#[derive(Debug, Clone, Copy)]
struct Seen {
    at_ms: u64,
    /// The ways by which it came.
    ways: u32,
}

#[derive(Debug, Default)]
pub struct Window {
    seen: HashMap<Fingerprint, Seen, BuildHasherDefault<AsItIs>>,
    order: VecDeque<(u64, Fingerprint)>,
    ways: Vec<String>,
}

impl Window {
    /// Notes an event that came by this way (the registration of a hook, or the ingest), and says
    /// whether it came by another before: then it is the same one. By the ingest it may not even come
    /// twice.
    pub fn is_double(&mut self, print: Fingerprint, way: &str, at_ms: u64) -> bool {
        self.forget(at_ms);
        let way = self.way(way);
        let repeats = 1 << REPEATING;
        if let Some(seen) = self.seen.get_mut(&print) {
            let by_other = seen.ways & !way != 0;
            let again = seen.ways & way & repeats != 0;
            seen.ways |= way;
            return by_other || again;
        }
        if self.came_beside(print, way, at_ms) {
            return true;
        }
        self.seen.insert(print, Seen { at_ms, ways: way });
        self.order.push_back((at_ms, print));
        false
    }

    /// Two hooks that are started for one event may stand on both sides of a second's end.
    fn came_beside(&mut self, print: Fingerprint, way: u32, at_ms: u64) -> bool {
        for beside in print.beside() {
            let Some(seen) = self.seen.get_mut(&beside) else {
                continue;
            };
            if seen.ways & way == 0 && seen.at_ms.abs_diff(at_ms) < SECOND_MS {
                seen.ways |= way;
                return true;
            }
        }
        false
    }

    fn forget(&mut self, at_ms: u64) {
        while let Some((then, print)) = self.order.front().copied() {
            // A clock that was set back makes the difference large too.
            let old = at_ms.abs_diff(then) > WINDOW_MS || self.order.len() > REMEMBERED;
            if !old {
                return;
            }
            self.order.pop_front();
            self.seen.remove(&print);
        }
    }

    /// A bit for each way; there are a handful, and the first is that of the ingest.
    fn way(&mut self, way: &str) -> u32 {
        if self.ways.is_empty() {
            self.ways.push("ingest".to_owned());
        }
        let known = self.ways.iter().position(|known| known == way);
        let number = known.unwrap_or_else(|| {
            self.ways.push(way.to_owned());
            self.ways.len() - 1
        });
        1 << number.min(31)
    }
}

/// The place of the way by which a forwarder may try again.
const REPEATING: usize = 0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_event_by_two_ways_is_one() {
        let mut window = Window::default();
        let print = |name: &str| Fingerprint::of(&[name, "s", "a", "t1"], 5_500);
        assert!(!window.is_double(print("Stop"), "user", 5_500));
        assert!(!window.is_double(print("Stop"), "user", 5_501));
        assert!(window.is_double(print("Stop"), "project", 5_502));
        assert!(!window.is_double(print("PreToolUse"), "project", 5_502));
    }

    #[test]
    fn a_second_that_ends_between_two_ways_does_not_part_them() {
        let mut window = Window::default();
        let mut came =
            |way: &str, at_ms| window.is_double(Fingerprint::of(&["Stop", "s"], at_ms), way, at_ms);
        assert!(!came("user", 1_990));
        assert!(came("managed", 2_003));
        // The same words again, by both ways again.
        assert!(!came("user", 2_600));
        assert!(came("managed", 2_601));
        assert!(!came("managed", 5_999));
        assert!(came("user", 6_002));
        assert!(!came("user", 8_000), "that is another one");
    }

    #[test]
    fn a_forwarder_may_try_again() {
        let mut window = Window::default();
        let print = Fingerprint::of(&["Stop"], 0);
        assert!(!window.is_double(print, "ingest", 0));
        assert!(window.is_double(print, "ingest", 900));
        assert!(!window.is_double(print, "ingest", 60_000));
        // The clock was set back: nothing counts any more.
        assert!(!window.is_double(print, "ingest", 1));
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(
            Fingerprint::of(&["ab", "c"], 0),
            Fingerprint::of(&["a", "bc"], 0)
        );
        assert_ne!(Fingerprint::of(&["a"], 999), Fingerprint::of(&["a"], 1_000));
    }
}
