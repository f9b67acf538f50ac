//! Whether files are what a repository held of them at some moment.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use bellwether_shell::git::Site;
use bellwether_spine::clock;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::git::Git;
use super::{GitAnswer, Silence};

/// A file that is longer is taken for another one.
const LARGEST: u64 = 4 * 1024 * 1024;

/// A moment in the history of a repository, in git's words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    rev: String,
    /// When it was, unless it is now.
    time: Option<SystemTime>,
}

impl Moment {
    /// What is committed now.
    pub fn now() -> Self {
        Self {
            rev: "HEAD".to_owned(),
            time: None,
        }
    }

    /// What was checked out then, as the repository's own log says.
    pub fn at(time: SystemTime) -> Option<Self> {
        let passed = time.duration_since(UNIX_EPOCH).ok()?;
        let shown = clock::utc(u64::try_from(passed.as_millis()).ok()?);
        Some(Self {
            rev: format!("HEAD@{{{shown}}}"),
            time: Some(time),
        })
    }

    /// Whether nobody has touched a file since: the time of its last change is the system's, and nobody can set it back.
    pub fn is_after(&self, path: &Path) -> bool {
        let Ok(found) = path.metadata() else {
            return false;
        };
        let passed = |time: SystemTime| time.duration_since(UNIX_EPOCH).ok();
        let (time, changed) = (self.time.and_then(passed), u64::try_from(found.ctime()));
        matches!((time, changed), (Some(time), Ok(changed)) if changed < time.as_secs())
    }
}

/// What a repository held at a moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// Whether it was there before that moment; otherwise this is what it began with.
    pub is_older: bool,
    /// The id of each file that was asked for, when it was held.
    pub ids: Vec<Option<String>>,
}

impl Git {
    /// What a repository held of some paths, which are relative to its work tree, at a moment; when it has no log of that,
    /// what is committed now.
    pub(super) fn held_at(
        &self,
        root: &Path,
        moment: &Moment,
        paths: &[String],
    ) -> GitAnswer<Held> {
        let rev = &moment.rev;
        let mut input = format!("{rev}^{{tree}}\n");
        for path in paths {
            // What git would take for two questions is not asked.
            let path = if path.contains('\n') { "" } else { path };
            input.extend([rev, ":./", path, "\n"]);
        }
        let words = ["cat-file", "--batch-check=%(objectname)"];
        let said = self.ask_of(&Site::of(root), &words, input.as_bytes())?;
        let text = String::from_utf8_lossy(&said.out);
        let mut lines = text.lines().map(id);
        match lines.next() {
            Some(Some(_)) => {}
            _ if *moment != Moment::now() => return self.held_at(root, &Moment::now(), paths),
            _ => return Err(Silence::Trouble("nothing is committed yet".to_owned())),
        }
        let ids: Vec<Option<String>> = lines.collect();
        let is_complete = ids.len() == paths.len();
        is_complete
            .then(|| Held {
                is_older: !said.complaint.contains("only goes back to"),
                ids,
            })
            .ok_or_else(|| Silence::Trouble("git did not answer everything".to_owned()))
    }

    /// The text that a repository held of a path at a moment.
    pub(super) fn text_at(&self, root: &Path, moment: &Moment, path: &str) -> GitAnswer<String> {
        let name = format!("{}:./{path}", moment.rev);
        let words = ["cat-file", "blob", &name];
        let said = self.ask_of(&Site::of(root), &words, b"")?;
        match said.code {
            Some(0) => Ok(String::from_utf8_lossy(&said.out).into_owned()),
            _ => Err(Silence::Trouble("git has no such file".to_owned())),
        }
    }
}

/// The id in an answer; what is not held is `… missing`.
fn id(line: &str) -> Option<String> {
    let is_id = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| line.to_owned())
}

/// Whether a file on the disk is the one that git knows by an id, also where its lines end as on Windows.
pub(in crate::guard) fn is_blob(path: &Path, id: &str) -> bool {
    let Some(bytes) = read(path) else {
        return false;
    };
    if hash(&bytes, id.len()) == id {
        return true;
    }
    let ends_otherwise = bytes.windows(2).any(|two| two == b"\r\n");
    ends_otherwise && {
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        hash(text.as_bytes(), id.len()) == id
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let found = path.metadata().ok()?;
    (found.is_file() && found.len() <= LARGEST).then_some(())?;
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The id that git gives to a file. Newer repositories have longer ones.
fn hash(bytes: &[u8], length: usize) -> String {
    let start = format!("blob {}\0", bytes.len());
    if length == 64 {
        return hex(&Sha256::new()
            .chain_update(start)
            .chain_update(bytes)
            .finalize());
    }
    hex(&Sha1::new()
        .chain_update(start)
        .chain_update(bytes)
        .finalize())
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = digits.filter_map(|digit| char::from_digit(u32::from(digit), 16));
    digits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_git() {
        assert_eq!(
            hash(b"hello\n", 40),
            "ce013625030ba8dba906f756967f9e9ca394464a"
        );
        assert_eq!(
            hash(b"", 64),
            "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
        );
    }
}
