//! Makes new bytes of recorded ones.

use bellwether_tests::Random;

/// What has made trouble for somebody before.
pub(super) const TOKENS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b":",
    b",",
    b"null",
    b"-0",
    b"1e999",
    b"18446744073709551616",
    b"\\u0000",
    b"\\ud800",
    b"\\udc00\\ud800",
    b"\x00",
    b"\x1e",
    b"\n",
    b"\r\n",
    b"\x1e{}\n",
    b"\x1b[31m",
    b"\x1b]0;",
    b"\x9b",
    b"\xc2\x9b",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"password=",
    b"TOKEN: ",
    b"Authorization: Bearer ",
    b"sk-ant-api03-",
    b"-----BEGIN RSA PRIVATE KEY-----",
    b"://user:pw@",
    b"\"hook_event_name\":",
    b"\"hook_type\":",
    b"\"meta\":{",
    b"\"payload\":",
    b"\"id\":",
    b"$(",
    b"'",
];
/// Longer inputs are cut: time is better spent on many.
const LONGEST: usize = 64 * 1024;

/// A source of damaged inputs.
pub(super) struct Mutator {
    random: Random,
    seeds: Vec<Vec<u8>>,
    tokens: &'static [&'static [u8]],
}

impl Mutator {
    /// Begins with some undamaged ones, and puts in what has made trouble.
    pub(super) fn new(
        random: Random,
        seeds: Vec<Vec<u8>>,
        tokens: &'static [&'static [u8]],
    ) -> Self {
        Self {
            random,
            seeds,
            tokens,
        }
    }

    /// The next input: one of the seeds, damaged one to eight times.
    pub(super) fn next(&mut self) -> Vec<u8> {
        let mut bytes = self.seed();
        for _ in 0..=self.random.below(8) {
            self.damage(&mut bytes);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn seed(&mut self) -> Vec<u8> {
        let at = self.random.below(self.seeds.len());
        self.seeds.get(at).cloned().unwrap_or_default()
    }

    fn damage(&mut self, bytes: &mut Vec<u8>) {
        let (from, to) = self.range(bytes.len());
        match self.random.below(8) {
            0 => self.flip(bytes),
            1 => drop(bytes.drain(from..to)),
            2 => bytes.truncate(to),
            3 => {
                let copied = bytes[from..to].to_vec();
                self.insert(bytes, &copied);
            }
            4 => {
                let other = self.seed();
                let (from, to) = self.range(other.len());
                self.insert(bytes, &other[from..to]);
            }
            5 => {
                let token = self.token();
                let times = 1 << self.random.below(13);
                self.insert(bytes, &token.repeat(times));
            }
            _ => {
                let token = self.token();
                self.insert(bytes, token);
            }
        }
    }

    /// A part of something so long; short ones are as likely as long ones.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let from = self.random.below(length + 1);
        let most = (length - from).min(1 << self.random.below(12));
        (from, from + self.random.below(most + 1))
    }

    fn token(&mut self) -> &'static [u8] {
        self.random.pick(self.tokens).unwrap_or_default()
    }

    fn flip(&mut self, bytes: &mut [u8]) {
        let at = self.random.below(bytes.len());
        let bit = 1 << self.random.below(8);
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= bit;
        }
    }

    fn insert(&mut self, bytes: &mut Vec<u8>, new: &[u8]) {
        let at = self.random.below(bytes.len() + 1);
        bytes.splice(at..at, new.iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_its_inputs_and_all_are_bounded() {
        let mutator = || Mutator::new(Random::new(5), vec![b"{\"a\":1}".to_vec(), vec![]], TOKENS);
        let (mut one, mut two) = (mutator(), mutator());
        for _ in 0..2000 {
            let input = one.next();
            assert_eq!(input, two.next());
            assert!(input.len() <= LONGEST);
        }
    }
}
