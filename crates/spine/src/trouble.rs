//! Troubles: what we could not do, kept until a person has been told.
//!
//! A hook that fails must not say so by failing. It appends one line here; the next session's
//! start, `status` and `doctor` tell. Each trouble is told once a session. A trouble that goes on is
//! noted again every few minutes, which bounds the file: what is older than a day is forgotten.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;

use serde::{Deserialize, Serialize};

use crate::{Home, SpineError, clock, place};

/// A trouble that goes on is noted again after this long.
const AGAIN_MS: u64 = 10 * 60 * 1000;
/// A trouble older than this is over.
const LIFE_MS: u64 = 24 * 3600 * 1000;

/// So much of one is kept.
const LONGEST: usize = 2000;

/// One kind of trouble, as it stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trouble {
    /// A short name, the same for each trouble of a kind.
    pub code: String,
    /// What happened and what to do, for a person.
    pub text: String,
    /// When it happened last, milliseconds since 1970.
    pub at_ms: u64,
    /// How often it was noted; at most once every few minutes.
    pub count: usize,
}

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TroubleLine {
    Happened {
        at_ms: u64,
        code: String,
        text: String,
    },
    Told {
        at_ms: u64,
        session: String,
        codes: Vec<String>,
    },
}

/// The file of troubles of one home.
#[derive(Debug, Clone, Copy)]
pub struct Troubles<'a>(pub &'a Home);

impl Troubles<'_> {
    /// Notes a trouble. The same kind is noted at most every few minutes, and new kinds always.
    pub fn note(self, code: &str, text: &str) -> Result<(), SpineError> {
        let now = clock::wall_ms();
        let recent = |trouble: &Trouble| trouble.code == code && now < trouble.at_ms + AGAIN_MS;
        if self.recent().iter().any(recent) {
            return Ok(());
        }
        self.append(&TroubleLine::Happened {
            at_ms: now,
            code: code.to_owned(),
            // Paths and what others said stand in it, and it is shown in a terminal.
            text: crate::text::shown(text, LONGEST),
        })
    }

    /// The troubles of the last day, each kind once, in the order of their first appearance.
    pub fn recent(self) -> Vec<Trouble> {
        let mut troubles: Vec<Trouble> = Vec::new();
        for line in self.lines() {
            let TroubleLine::Happened { at_ms, code, text } = line else {
                continue;
            };
            match troubles.iter_mut().find(|trouble| trouble.code == code) {
                Some(trouble) => {
                    (trouble.at_ms, trouble.text) = (at_ms, text);
                    trouble.count += 1;
                }
                None => troubles.push(Trouble {
                    code,
                    text,
                    at_ms,
                    count: 1,
                }),
            }
        }
        troubles
    }

    /// The troubles that a session has not been told of.
    pub fn untold(self, session: &str) -> Vec<Trouble> {
        let mut troubles = self.recent();
        if troubles.is_empty() {
            return troubles;
        }
        for line in self.lines() {
            let TroubleLine::Told {
                session: other,
                codes,
                ..
            } = line
            else {
                continue;
            };
            if other == session {
                troubles.retain(|trouble| !codes.contains(&trouble.code));
            }
        }
        troubles
    }

    /// Whether a session has been told of a kind of trouble.
    pub fn is_told(self, session: &str, code: &str) -> bool {
        self.lines().iter().any(|line| {
            matches!(line, TroubleLine::Told { session: other, codes, .. } if other == session && codes.iter().any(|told| told == code))
        })
    }

    /// Remembers that a session has been told.
    pub fn told(self, session: &str, troubles: &[Trouble]) -> Result<(), SpineError> {
        self.append(&TroubleLine::Told {
            at_ms: clock::wall_ms(),
            session: session.to_owned(),
            codes: troubles
                .iter()
                .map(|trouble| trouble.code.clone())
                .collect(),
        })
    }

    /// Forgets what is over. A line that is appended in just that moment may be lost.
    pub fn tidy(self) -> Result<(), SpineError> {
        let path = self.0.troubles();
        let all = std::fs::read(&path).unwrap_or_default();
        let kept = self.lines();
        if kept.len() == memchr::memchr_iter(b'\n', &all).count() {
            return Ok(());
        }
        if kept.is_empty() {
            return std::fs::remove_file(&path)
                .map_err(|source| SpineError::io("tidy", &path, source));
        }
        let text: String = kept.iter().filter_map(|line| text_of(line).ok()).collect();
        place::replace_private(&path, text.as_bytes())
    }

    /// Forgets everything.
    pub fn forget(self) -> Result<(), SpineError> {
        match std::fs::remove_file(self.0.troubles()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(SpineError::io("remove", &self.0.troubles(), error))
            }
            _ => Ok(()),
        }
    }

    fn lines(self) -> Vec<TroubleLine> {
        let oldest = clock::wall_ms().saturating_sub(LIFE_MS);
        let Ok(text) = std::fs::read(self.0.troubles()) else {
            return Vec::new();
        };
        text.split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .filter(|line| match line {
                TroubleLine::Happened { at_ms, .. } | TroubleLine::Told { at_ms, .. } => {
                    *at_ms >= oldest
                }
            })
            .collect()
    }

    fn append(self, line: &TroubleLine) -> Result<(), SpineError> {
        let path = self.0.troubles();
        let failed = |source| SpineError::io("note a trouble in", &path, source);
        let open = || {
            File::options()
                .create(true)
                .append(true)
                .mode(0o600)
                .open(&path)
        };
        let mut file = match open() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                self.0.create()?;
                open()
            }
            opened => opened,
        }
        .map_err(failed)?;
        file.write_all(
            text_of(line)
                .map_err(|error| failed(error.into()))?
                .as_bytes(),
        )
        .map_err(failed)
    }
}

fn text_of(line: &TroubleLine) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        (folder, home)
    }

    #[test]
    fn a_trouble_is_told_once_a_session() {
        let (_folder, home) = home();
        let troubles = Troubles(&home);
        assert!(troubles.untold("a").is_empty());
        troubles.note("disk", "the disk is full").unwrap();
        let untold = troubles.untold("a");
        assert_eq!(
            (untold.len(), untold[0].text.as_str()),
            (1, "the disk is full")
        );
        troubles.told("a", &untold).unwrap();
        assert!(troubles.untold("a").is_empty());
        assert_eq!(troubles.untold("b").len(), 1);
        troubles.note("journal", "another").unwrap();
        assert_eq!(troubles.untold("a")[0].code, "journal");
        troubles.forget().unwrap();
        assert!(troubles.recent().is_empty());
    }

    #[test]
    fn a_flood_is_noted_once_and_does_not_hide_a_new_kind() {
        let (_folder, home) = home();
        let troubles = Troubles(&home);
        for _ in 0..200 {
            troubles.note("flood", &"x".repeat(100)).unwrap();
        }
        let mut file = File::options().append(true).open(home.troubles()).unwrap();
        file.write_all(b"\xff\xfe not json\n").unwrap();
        troubles.note("new", "heard all the same").unwrap();
        let recent = troubles.recent();
        let codes: Vec<&str> = recent.iter().map(|trouble| trouble.code.as_str()).collect();
        assert_eq!((codes, recent[0].count), (vec!["flood", "new"], 1));
    }

    #[test]
    fn what_the_person_has_seen_is_forgotten() {
        let (_folder, home) = home();
        Troubles(&home).note("disk", "full").unwrap();
        Troubles(&home).forget().unwrap();
        assert!(Troubles(&home).recent().is_empty());
        Troubles(&home).forget().unwrap();
    }

    #[test]
    fn what_is_over_is_forgotten() {
        let (_folder, home) = home();
        home.create().unwrap();
        let old = r#"{"happened":{"at_ms":1000,"code":"old","text":"long ago"}}"#;
        std::fs::write(home.troubles(), format!("{old}\n")).unwrap();
        assert!(Troubles(&home).recent().is_empty());
        Troubles(&home).tidy().unwrap();
        assert!(!home.troubles().exists());
    }
}
