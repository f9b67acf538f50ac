//! What a word of a command became: text that is known, with holes where it is not.
//!
//! Nothing is guessed. What a variable or a command would give is either known exactly or a hole that
//! says what it stands for, so that whoever judges can tell "this" from "something".

use std::borrow::Cow;

/// What the shell splits words at unless it is told otherwise.
pub const BLANKS: &[char] = &[' ', '\t', '\n'];

/// The most pieces that a text has.
const MOST_PIECES: usize = 256;
/// How much is shown of a text that had more.
const LONGEST_SHOWN: usize = 200;

/// The text of one word, after quotes and expansions.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text {
    pieces: Vec<Piece>,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// Known text that means itself.
    Plain(String),
    /// Unquoted pattern characters, which the shell matches against files: `*`, `?`, `[a-z]`.
    Pattern(String),
    /// Something that is not known.
    Hole(Hole),
}

/// A place whose text is not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hole {
    /// What stands there in the command: `$X`, `$(date)`.
    pub shown: String,
    pub fill: Fill,
}

/// What a hole may hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fill {
    /// Anything, also nothing, slashes and spaces.
    Anything,
    /// The same, given to a file by whoever runs it.
    Given,
    /// Part of a name: not empty, without a slash or a space. `$$`, `$(date +%s)`, a commit.
    Name,
    /// What the network sends.
    Downloaded,
    /// The folder for temporary files, if somebody has set it.
    Temporary,
    /// The relative path of something below what stands before it, as `find` prints them; when a
    /// name pattern is known, only of what matches it.
    Below(Option<String>),
}

impl Text {
    pub fn plain(text: impl Into<String>) -> Self {
        let mut new = Self::default();
        new.push_plain(&text.into());
        new
    }

    /// Text of which nothing is known but what stands for it.
    pub fn hole(shown: impl Into<String>, fill: Fill) -> Self {
        Self {
            pieces: vec![Piece::Hole(Hole {
                shown: shown.into(),
                fill,
            })],
        }
    }

    /// Its pieces, of which no two neighbours are both plain.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub fn push_plain(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Plain(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.pieces.push(Piece::Plain(text.to_owned())),
        }
    }

    /// Adds a piece. What has more than anybody could follow is one hole.
    pub fn push(&mut self, piece: Piece) {
        if self.pieces.len() >= MOST_PIECES {
            let shown: String = self.shown().chars().take(LONGEST_SHOWN).collect();
            *self = Self::hole(format!("{shown}…"), Fill::Anything);
        }
        match piece {
            Piece::Plain(text) => self.push_plain(&text),
            other => self.pieces.push(other),
        }
    }

    pub fn append(&mut self, other: Self) {
        for piece in other.pieces {
            self.push(piece);
        }
    }

    /// How many bytes of it are known.
    pub fn len(&self) -> usize {
        let known = self.pieces.iter().map(|piece| match piece {
            Piece::Plain(text) | Piece::Pattern(text) => text.len(),
            Piece::Hole(_) => 0,
        });
        known.sum()
    }

    /// Whether it is the empty text.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The whole text, when all of it is known. A pattern is not: it stands for names of files.
    pub fn known(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Plain(text)] => Some(text),
            _ => None,
        }
    }

    /// Whether the whole text is known to be `text`.
    pub fn is(&self, text: &str) -> bool {
        self.known() == Some(text)
    }

    /// The known text before the first pattern or hole.
    pub fn lead(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Plain(text)) => text,
            _ => "",
        }
    }

    /// Whether some of it is not known.
    pub fn has_hole(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Hole(_)))
    }

    /// Whether some of it was given to a file from outside.
    pub fn is_given(&self) -> bool {
        let given = |piece: &Piece| matches!(piece, Piece::Hole(hole) if hole.fill == Fill::Given);
        self.pieces.iter().any(given)
    }

    /// The same text as a file gets it: what was not known outside is not the file's own doing.
    #[must_use]
    pub fn given(&self) -> Self {
        let given = |piece: &Piece| match piece {
            Piece::Hole(hole) if hole.fill == Fill::Anything => Piece::Hole(Hole {
                fill: Fill::Given,
                ..hole.clone()
            }),
            other => other.clone(),
        };
        Self {
            pieces: self.pieces.iter().map(given).collect(),
        }
    }

    /// Where some of it is downloaded from.
    pub fn downloaded(&self) -> Option<&str> {
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Hole(hole) if hole.fill == Fill::Downloaded => Some(hole.shown.as_str()),
            _ => None,
        })
    }

    /// The text with patterns as their characters, when it has no hole.
    pub fn literal(&self) -> Option<Cow<'_, str>> {
        if let Some(known) = self.known() {
            return Some(Cow::Borrowed(known));
        }
        let texts: Option<Vec<&str>> = self
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Plain(text) | Piece::Pattern(text) => Some(text.as_str()),
                Piece::Hole(_) => None,
            })
            .collect();
        texts.map(|texts| Cow::Owned(texts.concat()))
    }

    /// How it is shown to a person: holes as what stands for them.
    pub fn shown(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| match piece {
                Piece::Plain(text) | Piece::Pattern(text) => text.as_str(),
                Piece::Hole(hole) => hole.shown.as_str(),
            })
            .collect()
    }

    /// The text after `prefix`, when it begins with that known text.
    pub fn strip_prefix(&self, prefix: &str) -> Option<Self> {
        if prefix.is_empty() {
            return Some(self.clone());
        }
        let rest = self.lead().strip_prefix(prefix)?;
        let mut stripped = Self::plain(rest);
        for piece in self.pieces.iter().skip(1) {
            stripped.push(piece.clone());
        }
        Some(stripped)
    }

    /// Both sides of the first `mark` in the known lead: `--option=value`.
    pub fn split_once(&self, mark: char) -> Option<(&str, Self)> {
        let at = self.lead().find(mark)?;
        let (left, _) = self.lead().split_at(at);
        self.strip_prefix(&self.lead()[..at + mark.len_utf8()])
            .map(|right| (left, right))
    }

    pub fn split_blanks(&self) -> Vec<Self> {
        self.split(BLANKS)
    }

    /// Its parts between marks, as the shell splits what stands unquoted. Holes do not split.
    pub fn split(&self, marks: &[char]) -> Vec<Self> {
        let (mut fields, mut field) = (Vec::new(), None::<Self>);
        for piece in &self.pieces {
            match piece {
                Piece::Plain(text) => {
                    for (at, part) in text.split(marks).enumerate() {
                        if at > 0 {
                            fields.extend(field.take());
                        }
                        if !part.is_empty() {
                            field.get_or_insert_default().push_plain(part);
                        }
                    }
                }
                other => field.get_or_insert_default().push(other.clone()),
            }
        }
        fields.extend(field);
        fields
    }

    pub fn lines(&self) -> Vec<Self> {
        let mut lines = vec![Self::default()];
        for piece in &self.pieces {
            match piece {
                Piece::Plain(text) => {
                    for (at, part) in text.split('\n').enumerate() {
                        if at > 0 {
                            lines.push(Self::default());
                        }
                        if let Some(line) = lines.last_mut() {
                            line.push_plain(part);
                        }
                    }
                }
                other => {
                    if let Some(line) = lines.last_mut() {
                        line.push(other.clone());
                    }
                }
            }
        }
        if lines.last().is_some_and(Self::is_empty) {
            lines.pop();
        }
        lines
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::plain(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::plain(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed() -> Text {
        let mut text = Text::plain("--dir=/a b");
        text.push(Piece::Pattern("*".into()));
        text.append(Text::hole("$X", Fill::Anything));
        text.push_plain("c d");
        text
    }

    #[test]
    fn a_text_is_known_only_as_a_whole() {
        assert_eq!(Text::default().known(), Some(""));
        assert_eq!(Text::plain("a").known(), Some("a"));
        assert_eq!(mixed().known(), None);
        assert_eq!(mixed().lead(), "--dir=/a b");
        assert_eq!(mixed().shown(), "--dir=/a b*$Xc d");
        assert_eq!(mixed().literal(), None);
    }

    #[test]
    fn a_text_of_too_many_pieces_becomes_a_hole() {
        let mut text = Text::plain("/a");
        for number in 0..2000 {
            text.push(Piece::Pattern("*".into()));
            text.push_plain(&number.to_string());
        }
        assert!(text.pieces().len() <= MOST_PIECES);
        assert!(text.has_hole() && text.shown().starts_with("/a*0*1"));
    }

    #[test]
    fn it_is_split_at_what_is_known() {
        let text = mixed();
        let (option, value) = text.split_once('=').unwrap();
        assert_eq!((option, value.shown().as_str()), ("--dir", "/a b*$Xc d"));
        let fields: Vec<String> = text.split_blanks().iter().map(Text::shown).collect();
        assert_eq!(fields, ["--dir=/a", "b*$Xc", "d"]);
        let lines: Vec<String> = Text::plain("a\n\nb\n")
            .lines()
            .iter()
            .map(Text::shown)
            .collect();
        assert_eq!(lines, ["a", "", "b"]);
    }
}
