//! Small repeatable randomness: splitmix64. A run that found something is repeated by its seed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A source of random numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The source that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A seed that nobody chose.
    pub fn fresh_seed() -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.map_or(1, |now| {
            now.as_secs() ^ (u64::from(now.subsec_nanos()) << 20)
        })
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 when there is none.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.number() % end).unwrap_or(0)
    }

    /// A time below `end`.
    pub fn time_below(&mut self, end: Duration) -> Duration {
        let nanos = u64::try_from(end.as_nanos()).unwrap_or(u64::MAX).max(1);
        Duration::from_nanos(self.number() % nanos)
    }

    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> Option<&'a T> {
        of.get(self.below(of.len())).copied()
    }

    /// Puts things into another order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_bounds_hold() {
        let (mut one, mut two) = (Random::new(7), Random::new(7));
        for end in [1, 2, 3, 1000, 0] {
            let number = one.below(end);
            assert_eq!(number, two.below(end));
            assert!(number < end.max(1));
        }
        assert_ne!(Random::new(1).number(), Random::new(2).number());
    }

    #[test]
    fn shuffling_keeps_everything() {
        let mut things: Vec<usize> = (0..20).collect();
        Random::new(3).shuffle(&mut things);
        assert_ne!(things, (0..20).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..20).collect::<Vec<_>>());
    }
}
