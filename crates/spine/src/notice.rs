//! Notices: what a person should hear of once, and that is no trouble. The daemon notes one, the next session tells it.
//!
//! A notice has a key and is noted once for it, over restarts. It stands until somebody has acted on it.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;

use serde::{Deserialize, Serialize};

use crate::{Home, SpineError, clock, place, text};

/// So many lines are kept when another is noted.
const KEPT: usize = 60;
/// So much of the file is read: nobody but us writes into it, and never as much.
const MOST: u64 = 256 * 1024;
/// So much of one is kept.
const LONGEST: usize = 1000;

/// Something to be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub key: String,
    /// For a person: what has changed, and what to do.
    pub text: String,
    /// When it was noted, milliseconds since 1970.
    pub at_ms: u64,
}

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum NoticeLine {
    Noted(Notice),
    /// A person was told of the one with this key.
    Told(String),
    /// All before has been acted on.
    Settled,
}

/// The file of notices of one home.
#[derive(Debug, Clone, Copy)]
pub struct Notices<'a>(pub &'a Home);

impl Notices<'_> {
    /// Notes something, once for its key; true when it is new.
    pub fn note(self, key: &str, text: &str) -> Result<bool, SpineError> {
        let mut lines = VecDeque::from(self.lines());
        let is_known =
            |line: &NoticeLine| matches!(line, NoticeLine::Noted(known) if known.key == key);
        if lines.iter().any(is_known) {
            return Ok(false);
        }
        let notice = Notice {
            key: key.to_owned(),
            text: text::shown(text, LONGEST),
            at_ms: clock::wall_ms(),
        };
        if lines.len() < KEPT {
            return self.append(&NoticeLine::Noted(notice)).map(|()| true);
        }
        lines.drain(..lines.len() - KEPT / 2);
        lines.push_back(NoticeLine::Noted(notice));
        let text: String = lines.iter().filter_map(|line| as_text(line).ok()).collect();
        place::replace_private(&self.0.notices(), text.as_bytes()).map(|()| true)
    }

    /// What nobody has been told, and nobody has acted on.
    pub fn untold(self) -> Vec<Notice> {
        let lines = self.lines();
        let mut notices = standing(&lines);
        let told = |key: &str| {
            lines
                .iter()
                .any(|line| matches!(line, NoticeLine::Told(told) if told == key))
        };
        notices.retain(|notice| !told(&notice.key));
        notices
    }

    /// What nobody has acted on.
    pub fn standing(self) -> Vec<Notice> {
        standing(&self.lines())
    }

    /// Remembers that a person was told.
    pub fn told(self, notices: &[Notice]) -> Result<(), SpineError> {
        let mut told = notices.iter();
        told.try_for_each(|notice| self.append(&NoticeLine::Told(notice.key.clone())))
    }

    /// Remembers that what stands has been acted on.
    pub fn settle(self) -> Result<(), SpineError> {
        if self.standing().is_empty() {
            return Ok(());
        }
        self.append(&NoticeLine::Settled)
    }

    fn lines(self) -> Vec<NoticeLine> {
        let Ok(file) = File::open(self.0.notices()) else {
            return Vec::new();
        };
        let mut text = Vec::new();
        let _ = file.take(MOST).read_to_end(&mut text);
        text.split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect()
    }

    fn append(self, line: &NoticeLine) -> Result<(), SpineError> {
        let path = self.0.notices();
        place::create_private(self.0.state())?;
        let mut options = File::options();
        let file = options.append(true).create(true).mode(0o600).open(&path);
        file.and_then(|mut file| file.write_all(as_text(line)?.as_bytes()))
            .map_err(|source| SpineError::io("append to", &path, source))
    }
}

fn standing(lines: &[NoticeLine]) -> Vec<Notice> {
    let settled = lines
        .iter()
        .rposition(|line| matches!(line, NoticeLine::Settled));
    let since = settled.map_or(0, |at| at + 1);
    let noted = lines[since..].iter().filter_map(|line| match line {
        NoticeLine::Noted(notice) => Some(notice.clone()),
        NoticeLine::Told(_) | NoticeLine::Settled => None,
    });
    noted.collect()
}

fn as_text(line: &NoticeLine) -> std::io::Result<String> {
    Ok(format!("{}\n", serde_json::to_string(line)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        (folder, home)
    }

    fn texts(notices: &[Notice]) -> Vec<&str> {
        notices.iter().map(|notice| notice.text.as_str()).collect()
    }

    #[test]
    fn a_notice_is_told_once_and_stands_until_it_is_settled() {
        let (_folder, home) = home();
        let notices = Notices(&home);
        assert!(notices.untold().is_empty());
        assert!(notices.note("a", "first\u{1b}[31m").unwrap());
        assert!(!notices.note("a", "first again").unwrap());
        assert!(notices.note("b", "second").unwrap());
        assert_eq!(texts(&notices.untold()), ["first", "second"]);
        notices.told(&notices.untold()[..1]).unwrap();
        assert_eq!(texts(&notices.untold()), ["second"]);
        assert_eq!(texts(&notices.standing()), ["first", "second"]);
        notices.settle().unwrap();
        assert!(notices.untold().is_empty() && notices.standing().is_empty());
        assert!(!notices.note("b", "second").unwrap(), "it was told once");
        assert!(notices.note("c", "third").unwrap());
        assert_eq!(texts(&notices.standing()), ["third"]);
    }

    #[test]
    fn the_file_stays_small_and_damage_costs_only_its_line() {
        let (_folder, home) = home();
        let notices = Notices(&home);
        for number in 0..200 {
            assert!(notices.note(&number.to_string(), "x").unwrap());
        }
        assert!(notices.standing().len() <= KEPT);
        let text = std::fs::read_to_string(home.notices()).unwrap();
        std::fs::write(home.notices(), format!("{{]\n\n{text}")).unwrap();
        assert!(notices.standing().iter().any(|notice| notice.key == "199"));
    }
}
