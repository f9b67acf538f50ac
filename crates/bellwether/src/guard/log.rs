//! What the guard stopped, read back: its lines, and whether the chain they make holds.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bellwether_flock::Reader;
use bellwether_hook::guard::Verdict;
use bellwether_hook::guard::audit::Entry;
use bellwether_spine::chain::{self, Verified};
use bellwether_spine::{Home, clock, text};

use crate::{demo, exit, output};

/// So much of its hash names a stop, here and behind `guard allow --id`.
const ID: usize = 12;

/// The whole chain; empty when nothing was ever stopped.
pub(crate) fn read(home: &Home) -> anyhow::Result<String> {
    let path = home.audit();
    match std::fs::read(&path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error).with_context(|| format!("read {}", path.display())),
    }
}

/// What the chain comes to, held against what the daemon has kept of it. A store that cannot be read
/// keeps nothing, and that is the second part of the answer.
pub(crate) fn verify(home: &Home) -> anyhow::Result<(Verified, Option<String>)> {
    let (heads, trouble) = match kept(home) {
        Ok(heads) => (heads, None),
        Err(error) => (Vec::new(), Some(exit::told(&error))),
    };
    Ok((chain::verify(&read(home)?, &heads), trouble))
}

fn kept(home: &Home) -> anyhow::Result<Vec<chain::Head>> {
    let reader = Reader::open(&home.database())?;
    let heads = reader.map(|reader| reader.audit_heads()).transpose()?;
    Ok(heads.unwrap_or_default())
}

/// A line as a person reads it; one that is none of ours is shown as it is.
pub(crate) fn shown(line: &str) -> String {
    let Ok(entry) = serde_json::from_str::<Entry>(line) else {
        return text::shown(line, 200);
    };
    let said = match (entry.said, entry.verdict) {
        (Verdict::Deny, Verdict::Ask) => "refused unasked",
        (Verdict::Deny, _) => "refused",
        (Verdict::Silent, _) => "passed: yes",
        (Verdict::Ask, _) => "asked",
    };
    let at = clock::parse_utc(&entry.at).map_or(entry.at, output::moment);
    let id: String = entry.subject_hash.chars().take(ID).collect();
    let is_demo = entry.session.as_deref().is_some_and(demo::is_its);
    let of_demo = if is_demo { "  [demo]" } else { "" };
    text::shown(
        &format!(
            "{at}  {id}  {said:15}  {:20}  {} {}  ({}){of_demo}",
            entry.rules.join(","),
            entry.tool,
            entry.subject,
            entry.reason
        ),
        400,
    )
}

/// The subject of an entry whose id begins with this: its hash and its text, masked.
pub(crate) fn by_id(home: &Home, id: &str) -> anyhow::Result<Entry> {
    let text = read(home)?;
    let entries = text.lines().rev();
    let mut entries = entries.filter_map(|line| serde_json::from_str::<Entry>(line).ok());
    entries
        .find(|entry| !id.is_empty() && entry.subject_hash.starts_with(id))
        .with_context(|| {
            format!("nothing with the id {id} was stopped: see `bellwether guard log`")
        })
}

/// Reads on in the chain as it grows.
pub(crate) struct Follow {
    path: PathBuf,
    at: u64,
    rest: String,
}

impl Follow {
    /// From behind what has been read.
    pub(crate) fn new(path: &Path, at: usize) -> Self {
        Self {
            path: path.to_owned(),
            at: at as u64,
            rest: String::new(),
        }
    }

    /// The lines that have come since.
    pub(crate) fn lines(&mut self) -> anyhow::Result<Vec<String>> {
        let Ok(mut file) = File::open(&self.path) else {
            return Ok(Vec::new());
        };
        if file.metadata()?.len() < self.at {
            // It was cut or made anew: all of it is news.
            (self.at, self.rest) = (0, String::new());
        }
        file.seek(SeekFrom::Start(self.at))?;
        let mut bytes = Vec::new();
        self.at += file.read_to_end(&mut bytes)? as u64;
        self.rest.push_str(&String::from_utf8_lossy(&bytes));
        let Some(end) = self.rest.rfind('\n') else {
            return Ok(Vec::new());
        };
        let whole: String = self.rest.drain(..=end).collect();
        let lines = whole.lines().filter(|line| !line.is_empty());
        Ok(lines.map(str::to_owned).collect())
    }
}
