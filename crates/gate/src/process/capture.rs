//! What a process says: its beginning and its end. What lies between is counted and dropped, however much it is.

use std::collections::VecDeque;

/// Bytes that are kept: so many from the beginning, so many from the end.
#[derive(Debug, Clone)]
pub(crate) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    most: (usize, usize),
    total: u64,
}

impl Capture {
    /// Of a check: the first errors are near the beginning, sums are at the end.
    pub(crate) fn of_step() -> Self {
        Self::new(192 * 1024, 64 * 1024)
    }

    /// Of git, whose answer is of use only when it is whole.
    pub(crate) fn of_git() -> Self {
        Self::new(64 * 1024 * 1024, 0)
    }

    fn new(head: usize, tail: usize) -> Self {
        Self {
            head: Vec::new(),
            tail: VecDeque::new(),
            most: (head, tail),
            total: 0,
        }
    }

    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = self.most.0 - self.head.len();
        let (head, tail) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        let tail = &tail[tail.len().saturating_sub(self.most.1)..];
        self.tail.extend(tail);
        let surplus = self.tail.len().saturating_sub(self.most.1);
        self.tail.drain(..surplus);
    }

    /// How much was said in all.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// All of it, or nothing where some was dropped.
    pub(crate) fn whole(self) -> Option<Vec<u8>> {
        (self.total == self.head.len() as u64).then_some(self.head)
    }

    /// What was kept, with a line for what was not.
    pub(crate) fn text(&self) -> String {
        let (front, back) = self.tail.as_slices();
        let tail = [front, back].concat();
        let left_out = self.total - self.head.len() as u64 - tail.len() as u64;
        let head = String::from_utf8_lossy(&self.head);
        let tail = String::from_utf8_lossy(&tail);
        if left_out == 0 {
            return format!("{head}{tail}");
        }
        format!("{head}\n[… {left_out} bytes left out …]\n{tail}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_stay_and_the_rest_is_counted() {
        let mut capture = Capture::new(4, 3);
        for part in ["ab", "cdef", "g", "", "hij"] {
            capture.take(part.as_bytes());
        }
        assert_eq!(capture.text(), "abcd\n[… 3 bytes left out …]\nhij");
        assert_eq!(capture.total(), 10);
        assert_eq!(capture.whole(), None);
        let mut short = Capture::new(4, 3);
        short.take(b"abcdef");
        assert_eq!(short.text(), "abcdef");
    }

    #[test]
    fn memory_is_bounded_whatever_is_said() {
        let mut capture = Capture::of_step();
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..64 {
            capture.take(&chunk);
        }
        assert_eq!(capture.total(), 64 << 20);
        assert!(capture.text().len() < 300 * 1024);
    }
}
