//! Which files may have a character.
//!
//! `fc-match` knows what the person has set, in milliseconds and from a cache, and is wherever GTK or Qt are. Without it
//! the usual folders are searched.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use fontdb::{Database, Source};

use super::Style;

/// A face of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    pub(super) index: u32,
}

/// A text may hold one character of every script there is; after so many questions the rest stays blank.
const SEARCHES: u8 = 32;
/// Fonts come in the order of how well they fit: what these do not have is not worth opening more.
const WORTH_OPENING: usize = 24;

#[derive(Debug)]
pub(super) struct Finder {
    /// Tells which forms of a Chinese character are wanted.
    language: &'static str,
    left: u8,
    /// What the folders hold, once `fc-match` turned out to be missing.
    folders: Option<Vec<(Candidate, Kind)>>,
}

/// What a face without `fc-match` is chosen by; the best comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    is_mono: bool,
    is_bold: bool,
    /// Made for screens, and found on most systems.
    is_usual: bool,
}

impl Finder {
    pub(super) const fn new(language: &'static str) -> Self {
        Self {
            language,
            left: SEARCHES,
            folders: None,
        }
    }

    #[cfg(test)]
    pub(super) const fn give_up(&mut self) {
        self.left = 0;
    }

    /// The faces for a style, the best first.
    pub(super) fn for_style(&mut self, style: Style) -> Vec<Candidate> {
        self.search(style, pattern(style))
    }

    /// The faces that may have a character, the best first.
    pub(super) fn for_char(&mut self, style: Style, c: char) -> Vec<Candidate> {
        let pattern = pattern(style);
        let wanted = format!(
            "{pattern}:charset={:x}:lang={}",
            u32::from(c),
            self.language
        );
        self.search(style, &wanted)
    }

    fn search(&mut self, style: Style, pattern: &str) -> Vec<Candidate> {
        let Some(left) = self.left.checked_sub(1) else {
            return Vec::new();
        };
        self.left = left;
        if self.folders.is_none()
            && let Some(found) = ask(pattern)
        {
            return found;
        }
        let faces = self.folders.get_or_insert_with(look_into_folders);
        faces.sort_by_key(|(_, kind)| {
            (
                kind.is_mono != (style == Style::Mono),
                kind.is_bold != (style == Style::Bold),
                !kind.is_usual,
            )
        });
        faces.iter().map(|(face, _)| face.clone()).collect()
    }
}

const fn pattern(style: Style) -> &'static str {
    match style {
        Style::Plain => "sans-serif",
        Style::Bold => "sans-serif:bold",
        Style::Mono => "monospace",
    }
}

/// What fontconfig says to a pattern; `None` where it is not installed.
fn ask(pattern: &str) -> Option<Vec<Candidate>> {
    let asked = Command::new("fc-match")
        .args(["--sort", "--format", "%{index}|%{file}\n", pattern])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let told = String::from_utf8_lossy(&asked.stdout);
    let found: Vec<_> = told
        .lines()
        .filter_map(candidate)
        .take(WORTH_OPENING)
        .collect();
    (!found.is_empty()).then_some(found)
}

fn candidate(line: &str) -> Option<Candidate> {
    let (index, path) = line.split_once('|')?;
    let index: u32 = index.parse().ok()?;
    Some(Candidate {
        path: path.into(),
        // The upper half names an instance of a variable font.
        index: index & 0xffff,
    })
}

fn look_into_folders() -> Vec<(Candidate, Kind)> {
    let mut database = Database::new();
    database.load_system_fonts();
    database.faces().filter_map(listed).collect()
}

fn listed(face: &fontdb::FaceInfo) -> Option<(Candidate, Kind)> {
    const USUAL: [&str; 5] = [
        "Noto Sans",
        "DejaVu Sans",
        "Liberation Sans",
        "Ubuntu",
        "Cantarell",
    ];
    let Source::File(path) = &face.source else {
        return None;
    };
    if face.style != fontdb::Style::Normal {
        return None;
    }
    let family = face.families.first().map_or("", |(name, _)| name);
    let kind = Kind {
        is_mono: face.monospaced,
        is_bold: face.weight >= fontdb::Weight::SEMIBOLD,
        is_usual: USUAL.iter().any(|usual| family.starts_with(usual)),
    };
    let face = Candidate {
        path: path.clone(),
        index: face.index,
    };
    Some((face, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_fontconfig_names_a_face() {
        let expected = Candidate {
            path: "/f/a|b.ttc".into(),
            index: 1,
        };
        assert_eq!(candidate("1|/f/a|b.ttc"), Some(expected.clone()));
        assert_eq!(
            candidate("262145|/f/a|b.ttc"),
            Some(expected),
            "a named instance"
        );
        assert_eq!(candidate(""), None);
    }

    #[test]
    fn searches_come_to_an_end() {
        let mut finder = Finder::new("en");
        finder.give_up();
        assert_eq!(finder.for_char(Style::Plain, 'x'), []);
    }
}
