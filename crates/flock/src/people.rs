//! Lists of agents and sessions, in pages.

use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Presence {
    #[default]
    Present,
    /// Also those that have gone.
    All,
}

/// Which agents to read, the last heard of first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AgentFilter {
    /// Those that are there, or all.
    pub presence: Presence,
    /// Only those of this session.
    pub session: Option<String>,
    /// Only those behind this place.
    pub after: Option<PersonPlace>,
}

/// A place in a list of agents or sessions: when it was last heard of the one that stands there, and its
/// id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonPlace {
    /// When, milliseconds since 1970.
    pub last_ms: u64,
    pub id: String,
}

impl fmt::Display for PersonPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.last_ms, self.id)
    }
}

/// A text that is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoPlace;

impl FromStr for PersonPlace {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let (last_ms, id) = text.split_once('-').ok_or(NoPlace)?;
        let last_ms: u64 = last_ms.parse().map_err(|_| NoPlace)?;
        i64::try_from(last_ms).map_err(|_| NoPlace)?;
        Ok(Self {
            last_ms,
            id: id.to_owned(),
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct People<T> {
    pub some: Vec<T>,
    /// Where the next page begins, when there is one.
    pub next: Option<PersonPlace>,
}

impl<T> Default for People<T> {
    fn default() -> Self {
        Self {
            some: Vec::new(),
            next: None,
        }
    }
}

/// The words of a search: all of them must be found, in whatever order and letters.
pub fn search_terms(search: &str) -> Vec<String> {
    search
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether all words of a search stand somewhere in some texts.
pub fn has_all(terms: &[String], texts: &[&str]) -> bool {
    let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    let has = |term: &String| texts.iter().any(|text| text.contains(term.as_str()));
    !terms.is_empty() && terms.iter().all(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_can_be_written_and_read() {
        let place = PersonPlace {
            last_ms: 7,
            id: "team/a-b".into(),
        };
        assert_eq!(place.to_string().parse(), Ok(place));
        for wrong in [
            "",
            "7",
            "x-y",
            "-y",
            "99999999999999999999-a",
            "9999999999999999999-a",
        ] {
            assert_eq!(wrong.parse::<PersonPlace>(), Err(NoPlace), "{wrong}");
        }
    }

    #[test]
    fn all_words_must_be_found() {
        let terms = search_terms("Mend, the GATE");
        assert!(has_all(&terms, &["the gates", "mended"]));
        assert!(!has_all(&terms, &["the gate"]));
        assert!(!has_all(&search_terms(" - "), &["anything"]));
    }
}
