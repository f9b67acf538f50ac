//! What is read again after two seconds: a file that was changed is obeyed soon, and a thousand events do not read it a
//! thousand times.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

const GOOD_FOR: Duration = Duration::from_secs(2);

/// Values by their keys, each with when it was read; without that it is read again.
pub(crate) struct Fresh<K, V>(HashMap<K, (Option<Instant>, V)>);

impl<K, V> Default for Fresh<K, V> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash, V> Fresh<K, V> {
    /// The value of a key. If it has to be read, `read` is told what it was.
    pub(crate) fn get(&mut self, key: K, read: impl FnOnce(Option<V>) -> V) -> &V {
        let is_fresh = |at: &Option<Instant>| at.is_some_and(|at| at.elapsed() < GOOD_FOR);
        let current = match self.0.remove(&key) {
            Some((at, value)) if is_fresh(&at) => (at, value),
            old => {
                let value = read(old.map(|(_, value)| value));
                (Some(Instant::now()), value)
            }
        };
        &self.0.entry(key).insert_entry(current).into_mut().1
    }

    /// Has everything read again.
    pub(crate) fn expire(&mut self) {
        self.0.values_mut().for_each(|(at, _)| *at = None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_once_and_again_when_it_is_old() {
        let mut fresh = Fresh::default();
        assert_eq!(*fresh.get("a", |_| 1), 1);
        assert_eq!(*fresh.get("a", |_| 2), 1);
        assert_eq!(*fresh.get("b", |_| 3), 3);
        fresh.expire();
        assert_eq!(*fresh.get("a", |old| old.unwrap_or_default() + 10), 11);
    }
}
