//! A file of JSON lines in which each names the hash of the one before it.
//!
//! A line is an object that ends in `"prev"` and `"hash"`: `prev` is the `hash` of the line before
//! it, and `hash` is the SHA-256 of the line as it would stand without its own `hash`. So a line that
//! is changed, left out or put in later breaks the chain. Whoever can write the file can also make a
//! new chain: only a head that was kept elsewhere tells the two apart.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::SpineError;
use crate::digest::sha256;

/// What the first line names as the one before it.
pub const BEGINNING: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// How long others are waited for.
const PATIENCE: Duration = Duration::from_millis(50);
/// How often we check whether they are done.
const LOOK_EVERY: Duration = Duration::from_millis(1);
/// A line is shorter than this: so much of the end of the file is read to find the last one.
const LONGEST: usize = 32 * 1024;
/// How many of the last lines may be the same as a new one.
const RECENT: usize = 16;
/// What stands before a line's own hash.
const HASH: &str = r#","hash":""#;

/// The last line of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Head {
    /// Its number; lines count from one.
    pub seq: u64,
    pub hash: String,
}

/// What became of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Appended {
    /// It is the last line now.
    Written(Head),
    /// One of the last lines says the same; this is the last of all.
    Known(Head),
}

impl Appended {
    pub fn head(self) -> Head {
        match self {
            Self::Written(head) | Self::Known(head) => head,
        }
    }
}

/// Appends an entry, unless one of the last lines is the same, and returns the new head. Writers wait for each other, a
/// little. What went wrong before this line is told in it as `gap`.
pub fn append(
    path: &Path,
    gaps: &Path,
    entry: &impl Serialize,
    is_same: impl Fn(&str) -> bool,
) -> Result<Appended, SpineError> {
    let failed = |source| SpineError::io("append to", path, source);
    let entry = fields_of(entry)?;
    let mut file = open(path)?;
    lock(&file, path)?;
    let tail = tail(&mut file).map_err(failed)?;
    let end = End::of(&tail);
    if let Some(head) = end.head.as_ref().filter(|_| !end.broken && !end.torn) {
        let mut lines = tail.rsplit(|byte| *byte == b'\n').take(RECENT);
        if lines.any(|line| str::from_utf8(line).is_ok_and(&is_same)) {
            return Ok(Appended::Known(head.clone()));
        }
    }
    let missing = std::fs::metadata(gaps).map_or(0, |seen| seen.len());
    let head = end.head.unwrap_or(Head {
        seq: 0,
        hash: BEGINNING.to_owned(),
    });
    let seq = head.seq + 1;
    let gap = gap(missing, end.broken).map_or_else(String::new, |gap| format!(r#","gap":"{gap}""#));
    let (line, hash) = sealed(&format!(
        r#"{{"seq":{seq},{entry}{gap},"prev":"{}"}}"#,
        head.hash
    ));
    // Half a line that somebody left behind must not swallow this one.
    let line = if end.torn { format!("\n{line}") } else { line };
    let written = file.write(line.as_bytes()).map_err(failed)?;
    if written < line.len() {
        return Err(SpineError::ShortWrite {
            path: path.to_owned(),
            written,
            wanted: line.len(),
        });
    }
    if missing > 0 {
        // What cannot be forgotten is told again.
        let _ = std::fs::remove_file(gaps);
    }
    Ok(Appended::Written(Head { seq, hash }))
}

/// Remembers that a line could not be appended, for the next one to tell.
pub fn miss(gaps: &Path) -> Result<(), SpineError> {
    let failed = |source| SpineError::io("append to", gaps, source);
    open(gaps)?.write_all(b".").map_err(failed)
}

fn gap(missing: u64, broken: bool) -> Option<String> {
    match (missing, broken) {
        (0, false) => None,
        (0, true) => Some("what stands before this cannot be read".to_owned()),
        (missing, false) => Some(format!("{missing} before this could not be written")),
        (missing, true) => Some(format!(
            "{missing} before this could not be written, and what stands there cannot be read"
        )),
    }
}

fn open(path: &Path) -> Result<File, SpineError> {
    File::options()
        .create(true)
        .append(true)
        .read(true)
        .mode(0o600)
        .open(path)
        .map_err(|source| SpineError::io("open", path, source))
}

fn lock(file: &File, path: &Path) -> Result<(), SpineError> {
    let until = Instant::now() + PATIENCE;
    loop {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK) if Instant::now() < until => std::thread::sleep(LOOK_EVERY),
            Err(Errno::INTR) => {}
            Err(source) => return Err(SpineError::io("lock", path, source)),
        }
    }
}

fn tail(file: &mut File) -> std::io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST as u64)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    Ok(tail)
}

struct End {
    head: Option<Head>,
    /// The last line has no end.
    torn: bool,
    /// Something behind the head, or all of it, is no line of a chain.
    broken: bool,
}

impl End {
    fn of(tail: &[u8]) -> Self {
        let torn = tail.last().is_some_and(|byte| *byte != b'\n');
        let mut broken = false;
        for line in tail.rsplit(|byte| *byte == b'\n') {
            if line.is_empty() {
                continue;
            }
            match std::str::from_utf8(line).ok().and_then(ChainLine::read) {
                Some(line) if !torn || broken || line.holds => {
                    return Self {
                        head: Some(line.head),
                        torn,
                        broken,
                    };
                }
                _ => broken = true,
            }
        }
        Self {
            head: None,
            torn,
            broken,
        }
    }
}

/// The fields of an entry as they stand between the braces.
fn fields_of(entry: &impl Serialize) -> Result<String, SpineError> {
    let text =
        serde_json::to_string(entry).map_err(|error| SpineError::Record(error.to_string()))?;
    let fields = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    fields
        .filter(|fields| !fields.is_empty() && fields.len() < LONGEST / 2)
        .map(str::to_owned)
        .ok_or_else(|| SpineError::Record("no entry for a chain".to_owned()))
}

/// A line with its hash and its end, and that hash.
fn sealed(line: &str) -> (String, String) {
    let hash = sha256(line.as_bytes());
    let open = &line[..line.len() - 1];
    (format!("{open}{HASH}{hash}\"}}\n"), hash)
}

/// A line of a chain as it was found.
struct ChainLine {
    head: Head,
    prev: String,
    gap: bool,
    holds: bool,
}

impl ChainLine {
    fn read(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Fields {
            seq: u64,
            prev: String,
            gap: Option<String>,
        }
        let at = text.rfind(HASH)?;
        let hash = text[at + HASH.len()..].strip_suffix("\"}")?;
        let fields: Fields = serde_json::from_str(text).ok()?;
        let without = format!("{}}}", &text[..at]);
        Some(Self {
            head: Head {
                seq: fields.seq,
                hash: hash.to_owned(),
            },
            prev: fields.prev,
            gap: fields.gap.is_some(),
            holds: sha256(without.as_bytes()) == hash,
        })
    }
}

/// What a chain comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many lines there are.
    pub lines: u64,
    pub head: Option<Head>,
    /// How many lines tell of a gap before them.
    pub gaps: u64,
    /// What does not hold, with the line of the file that it is in.
    pub faults: Vec<(u64, &'static str)>,
    /// Heads that were kept elsewhere and are not in it: the chain was cut, or made anew.
    pub missing: Vec<Head>,
}

impl Verified {
    /// Whether nothing is wrong with it.
    pub fn holds(&self) -> bool {
        self.faults.is_empty() && self.missing.is_empty()
    }
}

/// Looks whether every line of a chain holds and follows the one before it, and whether the heads that
/// were kept elsewhere are in it.
pub fn verify(text: &str, kept: &[Head]) -> Verified {
    let mut found = Verified::default();
    let mut missing: HashSet<&Head> = kept.iter().collect();
    for (number, text) in (1..).zip(text.split('\n')) {
        if text.is_empty() {
            continue;
        }
        found.lines += 1;
        let Some(line) = ChainLine::read(text) else {
            found.faults.push((number, "it is no line of a chain"));
            continue;
        };
        if !line.holds {
            found.faults.push((number, "it was changed"));
        }
        let (seq, prev) = found
            .head
            .as_ref()
            .map_or((0, BEGINNING), |head| (head.seq, head.hash.as_str()));
        if line.prev != prev || line.head.seq != seq + 1 {
            found.faults.push((
                number,
                "it does not follow the one before it: lines were taken out or put in",
            ));
        }
        found.gaps += u64::from(line.gap);
        if line.holds {
            missing.remove(&line.head);
        }
        found.head = Some(line.head);
    }
    let missing = kept.iter().filter(|head| missing.contains(head));
    found.missing = missing.cloned().collect();
    found
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    struct ChainFolder(tempfile::TempDir);

    impl ChainFolder {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn file(&self) -> PathBuf {
            self.0.path().join("chain.jsonl")
        }

        fn append(&self, word: &str) -> Result<Head, SpineError> {
            let entry = serde_json::json!({ "word": word });
            let gaps = self.0.path().join("gaps");
            append(&self.file(), &gaps, &entry, |_| false).map(Appended::head)
        }

        fn text(&self) -> String {
            std::fs::read_to_string(self.file()).unwrap()
        }
    }

    fn faults(text: &str) -> Vec<u64> {
        let found = verify(text, &[]);
        found.faults.iter().map(|(line, _)| *line).collect()
    }

    #[test]
    fn a_chain_holds_and_tells_what_was_done_to_it() {
        let place = ChainFolder::new();
        let heads: Vec<Head> = ["one", "two", "three", "four"]
            .iter()
            .map(|word| place.append(word).unwrap())
            .collect();
        let text = place.text();
        let found = verify(&text, &heads);
        assert_eq!((found.lines, found.head.as_ref()), (4, heads.last()));
        assert!(found.holds(), "{found:?}");
        assert_eq!(faults(&text.replace("two", "too")), [2]);
        let without = |gone: usize| -> String {
            let lines = text.lines().enumerate();
            let lines = lines.filter(|(at, _)| *at != gone);
            lines.map(|(_, line)| [line, "\n"].concat()).collect()
        };
        assert_eq!(faults(&without(0)), [1]);
        assert_eq!(faults(&without(2)), [3]);
        assert_eq!(faults(&format!("rubbish\n{text}")), [1]);
        // What was cut off at the end is seen only by who has kept the head.
        assert_eq!(faults(&without(3)), [0; 0]);
        assert_eq!(verify(&without(3), &heads).missing, [heads[3].clone()]);
    }

    #[test]
    fn anyone_can_check_a_line_by_hand() {
        let place = ChainFolder::new();
        let head = place.append("x").unwrap();
        let line = format!(r#"{{"seq":1,"word":"x","prev":"{BEGINNING}"}}"#);
        assert_eq!(sha256(line.as_bytes()), head.hash);
    }

    #[test]
    fn half_a_line_costs_only_itself_and_is_told() {
        let place = ChainFolder::new();
        place.append("one").unwrap();
        let mut torn = place.text();
        torn.push_str(r#"{"seq":2,"word":"tw"#);
        std::fs::write(place.file(), torn).unwrap();
        assert_eq!(place.append("three").unwrap().seq, 2);
        let text = place.text();
        assert!(
            text.lines().last().unwrap().contains(r#""gap":"what"#),
            "{text}"
        );
        assert_eq!(faults(&text), [2]);
        assert_eq!(place.append("four").unwrap().seq, 3);
    }

    #[test]
    fn what_could_not_be_written_is_told_by_the_next() {
        let place = ChainFolder::new();
        let gaps = place.0.path().join("gaps");
        let held = open(&place.file()).unwrap();
        flock(&held, FlockOperation::LockExclusive).unwrap();
        let begun = Instant::now();
        assert!(place.append("one").is_err());
        assert!(begun.elapsed() < Duration::from_secs(5));
        miss(&gaps).unwrap();
        miss(&gaps).unwrap();
        drop(held);
        place.append("two").unwrap();
        place.append("three").unwrap();
        let text = place.text();
        assert!(text.contains(r#""gap":"2 before this"#), "{text}");
        let found = verify(&text, &[]);
        assert_eq!((found.gaps, found.faults.len()), (1, 0));
    }

    #[test]
    fn many_writers_make_one_chain() {
        let place = ChainFolder::new();
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let place = &place;
                scope.spawn(move || {
                    for turn in 0..25 {
                        while place.append(&format!("{writer}.{turn}")).is_err() {}
                    }
                });
            }
        });
        let found = verify(&place.text(), &[]);
        assert_eq!((found.lines, found.faults.len()), (200, 0));
    }
}
