//! Server-sent events, one at a time.

use std::io::{BufRead, BufReader, Read};

/// An event that is longer is dropped: no agent is so long.
const LONGEST: usize = 4 << 20;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub name: String,
    pub data: String,
}

pub(super) struct Events<R>(BufReader<R>);

impl<R: Read> Events<R> {
    pub(super) fn new(from: R) -> Self {
        Self(BufReader::new(from))
    }

    /// The next one; none when there are no more.
    pub(super) fn next(&mut self) -> std::io::Result<Option<Told>> {
        let mut told = Told::default();
        let mut line = String::new();
        loop {
            line.clear();
            if self.0.by_ref().take(LONGEST as u64).read_line(&mut line)? == 0 {
                return Ok(None);
            }
            match line.trim_end_matches(['\n', '\r']) {
                "" if told != Told::default() => return Ok(Some(told)),
                "" => {}
                field => told.add(field),
            }
        }
    }
}

impl Told {
    fn add(&mut self, field: &str) {
        let (name, value) = field.split_once(':').unwrap_or((field, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                if !self.data.is_empty() {
                    self.data.push('\n');
                }
                self.data.push_str(value);
            }
            // Comments, ids and how to begin again: whoever lost the daemon asks for everything anew.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_told_apart_and_comments_are_none() {
        let text = "retry: 1000\n\n: \n\nid: 1-2\nevent: a\ndata: {\"x\":1}\n\nevent: b\r\ndata: 1\r\ndata: 2\r\n\r\nevent: cut";
        let mut events = Events::new(text.as_bytes());
        let next =
            |events: &mut Events<&[u8]>| events.next().unwrap().map(|told| (told.name, told.data));
        assert_eq!(next(&mut events), Some(("a".into(), "{\"x\":1}".into())));
        assert_eq!(next(&mut events), Some(("b".into(), "1\n2".into())));
        assert_eq!(next(&mut events), None);
    }
}
