//! Troubles: what we could not do, kept until a person has been told.
//!
//! A hook that fails must not say so by failing. It appends one line here; the next session's
//! start, `status` and `doctor` tell. Each trouble is told once a session. The file is bounded:
//! past its limit the first troubles stand for the later ones.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;

use serde::{Deserialize, Serialize};

use crate::{Home, SpineError, clock};

/// More than this is not kept: it is some hundred lines, all likely the same.
const LIMIT: u64 = 64 * 1024;
/// A trouble older than this is over.
const LIFE_MS: u64 = 24 * 3600 * 1000;

/// One kind of trouble, as it stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trouble {
    /// A short name, the same for each trouble of a kind.
    pub code: String,
    /// What happened and what to do, for a person.
    pub text: String,
    /// When it happened last, milliseconds since 1970.
    pub at_ms: u64,
    /// How often it was noted.
    pub count: usize,
}

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
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
    /// Notes a trouble.
    pub fn note(self, code: &str, text: &str) -> Result<(), SpineError> {
        self.append(&Line::Happened {
            at_ms: clock::wall_ms(),
            code: code.to_owned(),
            text: text.to_owned(),
        })
    }

    /// The troubles of the last day, each kind once, in the order of their first appearance.
    pub fn recent(self) -> Vec<Trouble> {
        let mut troubles: Vec<Trouble> = Vec::new();
        for line in self.lines() {
            let Line::Happened { at_ms, code, text } = line else {
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
            let Line::Told {
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

    /// Remembers that a session has been told.
    pub fn told(self, session: &str, troubles: &[Trouble]) -> Result<(), SpineError> {
        self.append(&Line::Told {
            at_ms: clock::wall_ms(),
            session: session.to_owned(),
            codes: troubles
                .iter()
                .map(|trouble| trouble.code.clone())
                .collect(),
        })
    }

    /// Forgets what is over. A line that is appended meanwhile may be lost: it would come again.
    pub fn tidy(self) -> Result<(), SpineError> {
        let path = self.0.troubles();
        if !path.exists() {
            return Ok(());
        }
        let kept = self.lines();
        let written = if kept.is_empty() {
            std::fs::remove_file(&path)
        } else {
            let text: String = kept.iter().filter_map(|line| text_of(line).ok()).collect();
            let fresh = path.with_extension("new");
            std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, &path))
        };
        written.map_err(|source| SpineError::io("tidy", &path, source))
    }

    /// Forgets all troubles: the person has seen them.
    pub fn forget(self) -> Result<(), SpineError> {
        let path = self.0.troubles();
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(SpineError::io("delete", &path, source))
            }
            _ => Ok(()),
        }
    }

    fn lines(self) -> Vec<Line> {
        let oldest = clock::wall_ms().saturating_sub(LIFE_MS);
        let Ok(text) = std::fs::read(self.0.troubles()) else {
            return Vec::new();
        };
        text.split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .filter(|line| match line {
                Line::Happened { at_ms, .. } | Line::Told { at_ms, .. } => *at_ms >= oldest,
            })
            .collect()
    }

    fn append(self, line: &Line) -> Result<(), SpineError> {
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
        // What was told is kept past the limit too, else it would be told for ever.
        let full = file.metadata().map_err(failed)?.len() >= LIMIT;
        if full && matches!(line, Line::Happened { .. }) {
            return Ok(());
        }
        file.write_all(
            text_of(line)
                .map_err(|error| failed(error.into()))?
                .as_bytes(),
        )
        .map_err(failed)
    }
}

fn text_of(line: &Line) -> Result<String, serde_json::Error> {
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
        troubles.note("disk", "the disk is still full").unwrap();
        let untold = troubles.untold("a");
        assert_eq!(untold.len(), 1);
        assert_eq!(
            (untold[0].count, untold[0].text.as_str()),
            (2, "the disk is still full")
        );
        troubles.told("a", &untold).unwrap();
        assert!(troubles.untold("a").is_empty());
        assert_eq!(troubles.untold("b").len(), 1);
        troubles.note("journal", "another").unwrap();
        assert_eq!(troubles.untold("a")[0].code, "journal");
    }

    #[test]
    fn a_flood_is_bounded_and_garbage_is_passed_over() {
        let (_folder, home) = home();
        let troubles = Troubles(&home);
        troubles.note("first", "kept").unwrap();
        let mut file = File::options().append(true).open(home.troubles()).unwrap();
        file.write_all(b"\xff\xfe not json\n").unwrap();
        for _ in 0..2000 {
            troubles.note("flood", &"x".repeat(100)).unwrap();
        }
        assert!(std::fs::metadata(home.troubles()).unwrap().len() < LIMIT + 1024);
        assert_eq!(troubles.recent()[0].code, "first");
        let untold = troubles.untold("s");
        troubles.told("s", &untold).unwrap();
        assert!(troubles.untold("s").is_empty());
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
