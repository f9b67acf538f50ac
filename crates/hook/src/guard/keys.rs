//! What opens the page: the token, and the daemon's socket, which gives out codes for it. An agent that reads them
//! could answer its own questions.
//!
//! Reading is no effect that the analysis knows, so commands are looked at as texts: for the folder that the keys are in,
//! however its beginning is written, and for their names. A command that hides both on purpose is not noticed.

use std::path::Path;

use bellwether_protocol::event::Deed;
use bellwether_shell::matches_path;

use super::files::KEY;
use super::machine::{self, Spot};
use super::paths;
use super::verdict::{Finding, Verdict};

/// Words that take all that is in a folder.
const WHOLE: [&str; 12] = [
    "tar",
    "zip",
    "rsync",
    "xargs",
    "rg",
    "-r",
    "-R",
    "-a",
    "-rn",
    "-ri",
    "-exec",
    "--recursive",
];

/// Whether a text may name a key: most do not, and end here.
pub(crate) fn may_name(text: &str) -> bool {
    ["token", "control.sock", "bellwether", "/state"]
        .iter()
        .any(|part| text.contains(part))
}

/// What there is against a tool that reads files.
pub(super) fn on_reading(spot: Spot<'_>, deed: &Deed<'_>) -> Option<Finding> {
    let (path, searches) = match deed {
        Deed::Read(path) => (path, false),
        Deed::Search(path) => (path, true),
        Deed::Command(_) | Deed::Change(_) | Deed::Other => return None,
    };
    let path = Path::new(path.as_ref());
    let ground = machine::ground(spot);
    let keys = [spot.home.token(), spot.home.control_socket()];
    let hit = ground.spellings(path).iter().any(|path| {
        keys.iter().any(|key| {
            let folder = key.parent().unwrap_or(key);
            let whole = searches && paths::parts(path) == paths::parts(folder);
            whole || paths::is_below(path, key)
        })
    });
    hit.then(|| finding(Verdict::Deny, &path.display().to_string()))
}

/// What there is against a command that names a key.
pub(super) fn on_command(spot: Spot<'_>, command: &str) -> Option<Finding> {
    may_name(command).then_some(())?;
    let keys = [spot.home.token(), spot.home.control_socket()];
    let verdict = keys
        .iter()
        .filter_map(|key| named(spot, key, command))
        .max();
    verdict.map(|verdict| finding(verdict, command))
}

fn named(spot: Spot<'_>, key: &Path, command: &str) -> Option<Verdict> {
    let (folder, name) = (key.parent()?, key.file_name()?.to_str()?);
    let written = spot
        .user
        .and_then(|user| folder.strip_prefix(user).ok())
        .unwrap_or(folder);
    let written = written.to_str()?;
    let inside = paths::is_below(spot.cwd, folder);
    let behind: Vec<&str> = command
        .match_indices(written)
        .map(|(at, found)| &command[at + found.len()..])
        .collect();
    if behind.is_empty() && !inside {
        return None;
    }
    let is_name = |word: &str| word == name || is_pattern_of(word, name);
    let mut words = command.split(|char: char| !is_of_word(char));
    if words.any(is_name) {
        return Some(Verdict::Deny);
    }
    let is_all = |rest: &&str| {
        let next = rest.trim_start_matches('/').chars().next();
        next.is_none_or(|next| !is_of_word(next))
    };
    let takes_all = command
        .split_whitespace()
        .any(|word| WHOLE.contains(&word) || word.ends_with("/tar"));
    let globbed = behind.iter().any(|rest| rest.starts_with("/*"));
    (globbed || (takes_all && behind.iter().any(is_all))).then_some(Verdict::Ask)
}

/// A pattern that says something of the name.
fn is_pattern_of(word: &str, name: &str) -> bool {
    let says = word.chars().any(char::is_alphanumeric);
    says && word.contains(['*', '?', '[']) && matches_path(word, name)
}

fn is_of_word(char: char) -> bool {
    char.is_alphanumeric() || "._-*?[]".contains(char)
}

fn finding(verdict: Verdict, subject: &str) -> Finding {
    Finding {
        rule: KEY.id.to_owned(),
        severity: KEY.severity,
        verdict,
        reason: "it would read what opens bellwether's page, where only the person answers"
            .to_owned(),
        lost: None,
        instead: Some("say what you need and why, and let the person decide".to_owned()),
        subject: subject.to_owned(),
        via: Vec::new(),
    }
}
