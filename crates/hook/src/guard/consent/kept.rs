//! Questions that wait for their end, and those that were answered with yes, as files.
//!
//! A question is a file named by its session and its call; a yes is one in a folder of its session, named by its print.
//! Both say which process of a client they come from. What cannot be read counts for nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bellwether_spine::ancestry::Began;
use bellwether_spine::digest::sha256;
use bellwether_spine::{Home, SpineError, clock, place};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::print::Print;
use super::rests::Lasts;

/// No yes counts for longer, however long a session is.
const LONGEST: Duration = Duration::from_hours(12);
/// How long a yes to something counts that cannot be looked at.
const MOMENTS: Duration = Duration::from_mins(10);
/// More entries than this are not kept.
const MOST: usize = 512;
/// A file of ours is never longer.
const LARGEST: u64 = 4096;

/// A question that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The client that it was asked through.
    pub client: Began,
    /// The agent of the session, where it is not the main one.
    pub agent: Option<String>,
    /// The hash of what it was about, as it was written.
    pub subject: String,
    pub print: Print,
    /// How long a yes counts, in milliseconds.
    pub counts_ms: u64,
}

/// A yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    pub client: Began,
    /// The call that was asked about.
    pub call: String,
    /// When it had run, milliseconds since 1970.
    pub at_ms: u64,
    pub until_ms: u64,
}

impl Lasts {
    pub fn milliseconds(self) -> u64 {
        let long = match self {
            Self::Session => LONGEST,
            Self::Moments => MOMENTS,
        };
        u64::try_from(long.as_millis()).unwrap_or_default()
    }
}

impl Question {
    /// Leaves it until its call has ended.
    pub fn keep(&self, home: &Home, session: &str, call: &str) -> Result<(), SpineError> {
        place::create_private(&home.consents())?;
        tidy(&home.consents());
        write(&file_of(home, session, call), self)
    }

    /// The question that was asked about a call. For most calls there is none, and that costs one look.
    pub fn find(home: &Home, session: &str, call: &str) -> Option<Self> {
        read(&file_of(home, session, call))
    }

    /// Keeps it as answered with yes.
    pub fn answered(&self, home: &Home, session: &str, call: &str) -> Result<(), SpineError> {
        let at_ms = clock::wall_ms();
        let consent = Consent {
            client: self.client,
            call: call.to_owned(),
            at_ms,
            until_ms: at_ms.saturating_add(self.counts_ms),
        };
        let folder = folder_of(home, session);
        place::create_private(&folder)?;
        write(&folder.join(self.print.name()), &consent)?;
        // Whether it goes or stays, nobody asks for it again.
        let _ = fs::remove_file(file_of(home, session, call));
        Ok(())
    }
}

/// Whether a session has any yes: without one nothing has to be looked at.
pub fn is_open(home: &Home, session: &str) -> bool {
    folder_of(home, session).is_dir()
}

/// The yes that counts for a print, given through a client; through any where none is named.
pub fn find(home: &Home, session: &str, print: &Print, client: Option<Began>) -> Option<Consent> {
    let found: Consent = read(&folder_of(home, session).join(print.name()))?;
    let now = clock::wall_ms();
    // A clock that was set back must not make ten minutes last a year.
    let counts = found.at_ms <= now && now < found.until_ms;
    let is_of_client = client.is_none_or(|client| client == found.client);
    (counts && is_of_client).then_some(found)
}

fn folder_of(home: &Home, session: &str) -> PathBuf {
    home.consents().join(name(&["session", session]))
}

fn file_of(home: &Home, session: &str, call: &str) -> PathBuf {
    home.consents().join(name(&["call", session, call]))
}

/// A name for what others have named.
fn name(parts: &[&str]) -> String {
    let mut name = sha256(parts.join("\0").as_bytes());
    name.truncate(32);
    name
}

/// Writes it without waiting for the disk: what a power failure cuts short counts for nothing.
fn write(path: &Path, what: &impl Serialize) -> Result<(), SpineError> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let failed = |error| SpineError::io("write", path, error);
    let text = serde_json::to_vec(what).map_err(|error| failed(error.into()))?;
    let file = fs::File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path);
    file.and_then(|mut file| file.write_all(&text))
        .map_err(failed)
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    use std::io::Read as _;
    let file = fs::File::open(path).ok()?;
    let mut text = Vec::new();
    file.take(LARGEST).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Removes what no longer counts, and the oldest of too many.
fn tidy(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut dated: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    dated.sort();
    let surplus = dated.len().saturating_sub(MOST);
    let now = SystemTime::now();
    for (at, (modified, path)) in dated.iter().enumerate() {
        let age = now.duration_since(*modified).unwrap_or_default();
        if at < surplus || age > LONGEST {
            // What stays is found next time; it counts for nothing by its own time.
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
        }
    }
}
