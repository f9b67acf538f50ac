//! What the person thinks of the guard's stops: right or wrong. It stays on this machine and changes no rule.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;

use anyhow::Context as _;
use bellwether_hook::guard::Verdict;
use bellwether_hook::guard::audit::Entry;
use bellwether_spine::{Home, clock};
use serde::{Deserialize, Serialize};

use crate::demo;

/// One line of the file. The last one about a stop counts.
#[derive(Serialize, Deserialize)]
struct Review {
    /// The hash that the stop has in the guard's record.
    stop: String,
    right: bool,
    at: String,
}

/// A stop as it stands in the guard's record.
pub(crate) struct Stopped<'a> {
    pub(crate) line: &'a str,
    pub(crate) entry: Entry,
    hash: String,
}

impl<'a> Stopped<'a> {
    /// Reads a line; `None` when it is no stop, such as what passed because of an earlier yes.
    pub(crate) fn parse(line: &'a str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Sealed {
            hash: String,
        }
        let Sealed { hash } = serde_json::from_str(line).ok()?;
        let entry: Entry = serde_json::from_str(line).ok()?;
        (entry.said > Verdict::Silent).then_some(Self { line, entry, hash })
    }

    /// Whether nobody wanted it: the demo shows what a stop is like.
    pub(crate) fn is_demo(&self) -> bool {
        self.entry.session.as_deref().is_some_and(demo::is_its)
    }
}

/// All that was reviewed.
pub(crate) struct Reviews(HashMap<String, bool>);

impl Reviews {
    pub(crate) fn load(home: &Home) -> anyhow::Result<Self> {
        let path = home.reviews();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("read {}", path.display())),
        };
        // A line that was torn says nothing of a stop.
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let known = lines.map(|review: Review| (review.stop, review.right));
        Ok(Self(known.collect()))
    }

    /// Whether a stop was right, if the person has said so.
    pub(crate) fn of(&self, stopped: &Stopped<'_>) -> Option<bool> {
        self.0.get(&stopped.hash).copied()
    }

    /// Keeps what the person says of a stop.
    pub(crate) fn add(
        &mut self,
        home: &Home,
        stopped: &Stopped<'_>,
        right: bool,
    ) -> anyhow::Result<()> {
        let review = Review {
            stop: stopped.hash.clone(),
            right,
            at: clock::utc(clock::wall_ms()),
        };
        let line = serde_json::to_string(&review)? + "\n";
        let path = home.reviews();
        let mut options = File::options();
        let file = options.create(true).append(true).mode(0o600).open(&path);
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .with_context(|| format!("write {}", path.display()))?;
        self.0.insert(review.stop, right);
        Ok(())
    }
}
