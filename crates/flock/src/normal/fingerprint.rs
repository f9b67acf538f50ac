//! Whether the same event came twice: to two registrations of the hook, by a hook and by a forwarder, or from a
//! sender that tried again. Only the recent past is looked at.
//!
//! Two events are the same when they say the same and happened at the same time. A hook says when it was called, and
//! a forwarder says it in `_meta`; of an event that says nothing of the kind only the time of its arrival is known.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hash, Hasher};

use bellwether_protocol::fields::Fields;
use bellwether_spine::meta::INGEST;
use sha2::{Digest as _, Sha256};

/// How long an event is remembered.
const REMEMBERED_MS: u64 = 10 * 60 * 1000;
/// So many are remembered at the most, and so many that say the same.
const REMEMBERED: usize = 65_536;
const ALIKE: usize = 16;
/// One event that comes by two ways comes by both within this time: a forwarder may have to start the daemon first.
/// So does one that is sent again and does not say when it happened.
const APART_MS: u64 = 10_000;
/// Two forwarders that are called for one event read the clock within this time.
const SAME_MOMENT_MS: u64 = 1_000;
/// What a forwarder adds to an event, which is not the event's own.
const ADDED: &str = "_meta";

/// What an event says, whenever it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fingerprint([u8; 16]);

impl Hash for Fingerprint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.0);
    }
}

impl Fingerprint {
    /// Of an event that is known by these parts.
    pub(crate) fn of(parts: &[&str]) -> Self {
        Self::end(begin(parts))
    }

    /// Of an event that is known by these parts and by everything that it says, however that is spaced and in
    /// whatever order its fields come.
    pub(crate) fn of_content(parts: &[&str], payload: &str) -> Self {
        let mut hash = begin(parts);
        match Fields::parse(payload) {
            Ok(fields) => add_fields(&mut hash, &fields),
            Err(_) => add(&mut hash, payload.as_bytes()),
        }
        Self::end(hash)
    }

    fn end(hash: Sha256) -> Self {
        let bytes: [u8; 32] = hash.finalize().into();
        let mut half = [0; 16];
        half.copy_from_slice(&bytes[..16]);
        Self(half)
    }
}

fn begin(parts: &[&str]) -> Sha256 {
    let mut hash = Sha256::new();
    for part in parts {
        add(&mut hash, part.as_bytes());
    }
    hash
}

/// With its length, so that parts do not run into each other.
fn add(hash: &mut Sha256, part: &[u8]) {
    hash.update((part.len() as u64).to_le_bytes());
    hash.update(part);
}

fn add_fields(hash: &mut Sha256, fields: &Fields<'_>) {
    let mut fields: Vec<(&str, &str)> = fields
        .iter()
        .filter(|(name, _)| *name != ADDED)
        .map(|(name, value)| (name, value.get()))
        .collect();
    fields.sort_by_key(|(name, _)| *name);
    for (at, (name, value)) in fields.iter().enumerate() {
        // Of a name that stands twice the last counts, as for whoever reads it.
        if fields.get(at + 1).is_none_or(|(next, _)| next != name) {
            add(hash, name.as_bytes());
            add(hash, &compact(value));
        }
    }
}

/// A JSON value without the spaces between its parts.
fn compact(value: &str) -> Vec<u8> {
    let (mut quoted, mut escaped) = (false, false);
    let keep = |byte: &u8| {
        let is_end = *byte == b'"' && !escaped;
        escaped = quoted && *byte == b'\\' && !escaped;
        quoted ^= is_end;
        quoted || !byte.is_ascii_whitespace()
    };
    value.bytes().filter(keep).collect()
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

/// How an event came.
#[derive(Debug, Clone, Copy)]
pub struct Came<'a> {
    /// The registration of a hook, or the ingest.
    pub way: &'a str,
    /// When it came; of a hook, when that was called.
    pub at_ms: u64,
    /// When it happened, as whoever sent it says.
    pub own_ms: Option<u64>,
}

/// An event that came.
#[derive(Debug, Clone, Copy)]
struct Seen {
    at_ms: u64,
    own_ms: Option<u64>,
    /// The ways by which it came.
    ways: u32,
}

impl Seen {
    fn moment(&self) -> u64 {
        self.own_ms.unwrap_or(self.at_ms)
    }

    /// Whether one that says the same is the same. By one way a hook comes once for each event; what is sent may be
    /// sent again.
    fn is(&self, other: &Self) -> bool {
        if self.ways & other.ways == 0 {
            return self.moment().abs_diff(other.moment()) <= APART_MS;
        }
        let sent = other.ways & (1 << REPEATING) != 0;
        sent && match (self.own_ms, other.own_ms) {
            (Some(one), Some(two)) => one.abs_diff(two) <= SAME_MOMENT_MS,
            _ => self.at_ms.abs_diff(other.at_ms) <= APART_MS,
        }
    }
}

/// Events that say the same, the oldest first. Nearly always there is one.
#[derive(Debug)]
struct Alike {
    first: Seen,
    more: Vec<Seen>,
}

impl Alike {
    fn find(&mut self, came: &Seen) -> Option<&mut Seen> {
        let mut all = std::iter::once(&mut self.first).chain(&mut self.more);
        all.find(|seen| seen.is(came))
    }

    fn add(&mut self, came: Seen) {
        if self.more.len() + 1 == ALIKE {
            self.first = self.more.remove(0);
        }
        self.more.push(came);
    }
}

#[derive(Debug, Default)]
pub struct Window {
    seen: HashMap<Fingerprint, Alike, BuildHasherDefault<AsItIs>>,
    order: VecDeque<(u64, Fingerprint)>,
    ways: Vec<String>,
}

impl Window {
    /// Notes an event, and says whether it had come before.
    pub fn is_double(&mut self, print: Fingerprint, came: Came<'_>) -> bool {
        self.forget(came.at_ms);
        let came = Seen {
            at_ms: came.at_ms,
            own_ms: came.own_ms,
            ways: self.way(came.way),
        };
        match self.seen.entry(print) {
            Entry::Vacant(entry) => {
                entry.insert(Alike {
                    first: came,
                    more: Vec::new(),
                });
            }
            Entry::Occupied(mut entry) => {
                let alike = entry.get_mut();
                if let Some(seen) = alike.find(&came) {
                    seen.ways |= came.ways;
                    return true;
                }
                alike.add(came);
            }
        }
        self.order.push_back((came.at_ms, print));
        false
    }

    fn forget(&mut self, now_ms: u64) {
        while let Some((then, print)) = self.order.front().copied() {
            // A clock that was set back makes the difference large too.
            let old = now_ms.abs_diff(then) > REMEMBERED_MS || self.order.len() > REMEMBERED;
            if !old {
                return;
            }
            self.order.pop_front();
            self.drop_oldest(print, then);
        }
    }

    /// Forgets the oldest of those that say the same, unless a younger one has taken its place.
    fn drop_oldest(&mut self, print: Fingerprint, then: u64) {
        let Entry::Occupied(mut entry) = self.seen.entry(print) else {
            return;
        };
        let alike = entry.get_mut();
        if alike.first.at_ms != then {
            return;
        }
        if alike.more.is_empty() {
            entry.remove();
        } else {
            alike.first = alike.more.remove(0);
        }
    }

    /// A bit for each way; there are a handful, and the first is that of the ingest.
    fn way(&mut self, way: &str) -> u32 {
        if self.ways.is_empty() {
            self.ways.push(INGEST.to_owned());
        }
        let known = self.ways.iter().position(|known| known == way);
        let number = known.unwrap_or_else(|| {
            self.ways.push(way.to_owned());
            self.ways.len() - 1
        });
        1 << number.min(31)
    }
}

/// The place of the way by which a sender may try again.
const REPEATING: usize = 0;

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE_MS: u64 = 60_000;

    fn stop() -> Fingerprint {
        Fingerprint::of(&["Stop", "s", "a"])
    }

    fn by(way: &str, at_ms: u64) -> Came<'_> {
        Came {
            way,
            at_ms,
            own_ms: None,
        }
    }

    /// Something that was sent, and says when it happened.
    fn sent(own_ms: u64, at_ms: u64) -> Came<'static> {
        Came {
            way: INGEST,
            at_ms,
            own_ms: Some(own_ms),
        }
    }

    /// Which of these that say the same are stored.
    fn stored(all: &[Came<'_>]) -> Vec<bool> {
        let mut window = Window::default();
        let came = |came: &Came<'_>| !window.is_double(stop(), *came);
        all.iter().map(came).collect()
    }

    #[test]
    fn the_same_event_by_two_ways_is_one() {
        let mut window = Window::default();
        let print = |name: &str| Fingerprint::of(&[name, "s", "a", "t1"]);
        assert!(!window.is_double(print("Stop"), by("user", 5_500)));
        assert!(!window.is_double(print("Stop"), by("user", 5_501)));
        assert!(window.is_double(print("Stop"), by("project", 5_502)));
        assert!(!window.is_double(print("PreToolUse"), by("project", 5_502)));
    }

    #[test]
    fn a_second_that_ends_between_two_ways_does_not_part_them() {
        let all = [
            (by("user", 1_990), true),
            (by("managed", 2_003), false),
            // The same words again, by both ways again.
            (by("user", 2_600), true),
            (by("managed", 2_601), false),
            (by("managed", 5_999), true),
            (by("user", 6_002), false),
            (by("user", 8_000), true),
        ];
        assert_eq!(
            stored(&all.map(|(came, _)| came)),
            all.map(|(_, kept)| kept)
        );
    }

    #[test]
    fn a_hook_and_a_forwarder_tell_one_event() {
        // The forwarder had to start a daemon first.
        assert_eq!(
            stored(&[by("user", 900), sent(1_100, 6_500)]),
            [true, false]
        );
        assert_eq!(
            stored(&[sent(1_100, 1_200), by("user", 900)]),
            [true, false]
        );
        assert_eq!(stored(&[by("user", 900), by(INGEST, 6_500)]), [true, false]);
        // Two of each are two.
        let twice = [
            by("user", 0),
            by("user", 3_000),
            sent(100, 3_100),
            sent(3_100, 3_200),
        ];
        assert_eq!(stored(&twice), [true, true, false, false]);
        assert_eq!(
            stored(&[by("user", 0), sent(MINUTE_MS, MINUTE_MS)]),
            [true, true]
        );
    }

    #[test]
    fn what_is_sent_again_is_one_and_what_happens_again_is_two() {
        for (all, kept) in [
            // It does not say when it happened: a retry comes soon.
            ([by(INGEST, 900), by(INGEST, 1_200)], false),
            ([by(INGEST, 0), by(INGEST, 9_000)], false),
            ([by(INGEST, 0), by(INGEST, 2 * MINUTE_MS)], true),
            // It does: a retry may come late, and another one soon.
            ([sent(500, 600), sent(500, 5 * MINUTE_MS)], false),
            ([sent(500, 600), sent(900, 910)], false),
            ([sent(500, 600), sent(2_500, 2_600)], true),
            ([sent(500, 600), by(INGEST, 700)], false),
            // The clock was set back: nothing counts any more.
            ([by(INGEST, 20 * MINUTE_MS), by(INGEST, 1)], true),
        ] {
            assert_eq!(stored(&all), [true, kept], "{all:?}");
        }
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut window = Window::default();
        for number in 0..1_000 {
            assert!(!window.is_double(stop(), by("user", number)));
        }
        assert_eq!(window.seen.len(), 1);
        assert_eq!(window.seen[&stop()].more.len() + 1, ALIKE);
        for number in 0..REMEMBERED + 100 {
            window.is_double(Fingerprint::of(&[&number.to_string()]), by("user", 1_000));
        }
        assert!(window.seen.len() <= REMEMBERED + 1 && window.order.len() <= REMEMBERED + 1);
        window.is_double(stop(), by("user", 1_000 + 2 * REMEMBERED_MS));
        assert_eq!((window.seen.len(), window.order.len()), (1, 1));
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(Fingerprint::of(&["ab", "c"]), Fingerprint::of(&["a", "bc"]));
    }

    #[test]
    fn what_an_event_says_counts_and_not_how_it_is_written() {
        let of = |payload| Fingerprint::of_content(&["Stop"], payload);
        let plain = of(r#"{"a":"x \" y","b":{"c":[1,2]}}"#);
        for same in [
            r#"{ "b" : { "c" : [1, 2] }, "a":"x \" y" }"#,
            r#"{"a":"x \" y","b":{"c":[1,2]},"_meta":{"collected_at":"2026-02-20T15:00:00Z"}}"#,
            r#"{"a":"z","a":"x \" y","b":{"c":[1,2]}}"#,
        ] {
            assert_eq!(of(same), plain, "{same}");
        }
        for other in [
            r#"{"a":"x \"  y","b":{"c":[1,2]}}"#,
            r#"{"a":"x \" y","b":{"c":[12]}}"#,
            r#"{"a":"x \" y"}"#,
            "no JSON",
        ] {
            assert_ne!(of(other), plain, "{other}");
        }
    }
}
