//! A transcript as it stood at a moment: of an event that happened yesterday, what was written today says nothing.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::time::UNIX_EPOCH;

use bellwether_protocol::fields::Fields;

use crate::entry::moment;

/// When each line of a transcript was written.
#[derive(Debug, Default)]
pub struct Past {
    /// The moment of a line that says it, and where the line begins.
    lines: Vec<(u64, u64)>,
    length: u64,
    /// When the file was written to for the last time, in milliseconds since 1970.
    changed_ms: u64,
}

impl Past {
    pub fn read(file: &File) -> io::Result<Self> {
        let changed = file.metadata()?.modified()?;
        let changed = changed.duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut past = Self {
            changed_ms: u64::try_from(changed.as_millis()).unwrap_or(u64::MAX),
            ..Self::default()
        };
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            past.add(&line);
            line.clear();
        }
        Ok(past)
    }

    fn add(&mut self, line: &[u8]) {
        let begins = self.length;
        self.length += line.len() as u64;
        let fields = std::str::from_utf8(line.trim_ascii())
            .ok()
            .map(Fields::parse);
        let at = fields.and_then(|fields| fields.ok()?.get::<Cow<'_, str>>("timestamp"));
        let at = at.and_then(|at| moment(&at));
        self.lines.extend(at.map(|at| (at, begins)));
    }

    /// How long the transcript was at a moment, as far as its lines tell. Where none of them does, it was as long as now
    /// if nothing was written since.
    pub fn length_at(&self, at_ms: u64) -> u64 {
        if self.lines.is_empty() {
            return if self.changed_ms <= at_ms {
                self.length
            } else {
                0
            };
        }
        let later = self.lines.iter().find(|(at, _)| *at > at_ms);
        later.map_or(self.length, |(_, begins)| *begins)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::{Ending, Whose};

    fn said(at: &str, words: &str) -> String {
        format!(
            r#"{{"type":"assistant","timestamp":"{at}","message":{{"content":[{{"type":"text","text":"{words}"}}]}}}}"#
        ) + "\n"
    }

    fn file_of(text: &str) -> (tempfile::NamedTempFile, Past) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let past = Past::read(&File::open(file.path()).unwrap()).unwrap();
        (file, past)
    }

    #[test]
    fn later_lines_say_nothing() {
        let text = [
            "{\"type\":\"summary\"}\n",
            &said("2026-02-20T15:00:00.100Z", "Yesterday."),
            "{\"type\":\"progress\"}\n",
            &said("2026-02-21T15:00:00.000Z", "Today."),
        ]
        .concat();
        let (file, past) = file_of(&text);
        let words = |at: &str| {
            let length = past.length_at(moment(at).unwrap());
            let ending =
                Ending::of_file_to(file.as_file(), length, file.path(), Whose::Main).unwrap();
            ending.and_then(|ending| ending.last.text)
        };
        assert_eq!(words("2026-02-20T15:00:00.099Z"), None);
        assert_eq!(words("2026-02-20T15:00:00.100Z").unwrap(), "Yesterday.");
        assert_eq!(words("2026-02-21T14:59:59.999Z").unwrap(), "Yesterday.");
        assert_eq!(words("2026-02-22T00:00:00.000Z").unwrap(), "Today.");
    }

    #[test]
    fn lines_without_a_time_count_while_the_file_is_no_newer() {
        let text = "{\"role\":\"assistant\",\"content\":\"Hm.\"}\n";
        let (_file, past) = file_of(text);
        assert_eq!(past.length_at(1), 0);
        assert_eq!(past.length_at(past.changed_ms), text.len() as u64);
    }
}
