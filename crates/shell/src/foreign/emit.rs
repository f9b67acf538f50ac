//! How the texts of deeds are told: the home folder, and the folder that the code went to.

use super::value::HOME;
use crate::text::{Fill, Hole, Piece, Text};

/// A path, seen from a folder.
pub(super) fn path(text: &Text, folder: Option<&Text>) -> Text {
    let relative = match text.pieces().first() {
        Some(Piece::Plain(plain)) => !plain.starts_with(['/', HOME]),
        Some(Piece::Pattern(_)) => true,
        // An empty path is no path, and what a hole begins with is not known.
        None | Some(Piece::Hole(_)) => false,
    };
    match folder {
        Some(folder) if relative => {
            let mut whole = folder.clone();
            whole.push_plain("/");
            whole.append(text.clone());
            word(&whole)
        }
        _ => word(text),
    }
}

/// A word of an argument list: only a leading tilde is the home folder.
pub(super) fn word(text: &Text) -> Text {
    if let Some(rest) = text.strip_prefix(&HOME.to_string()) {
        let mut home = Text::plain("~");
        home.append(replace(&rest, |_| false));
        return home;
    }
    let mut told = Text::default();
    if text.lead().starts_with('~') {
        told.push_plain("./");
    }
    told.append(replace(text, |_| false));
    told
}

/// A command line, run in a folder.
pub(super) fn line(text: &Text, folder: Option<&Text>) -> Text {
    let mut whole = Text::default();
    if let Some(folder) = folder {
        whole.push_plain("cd ");
        whole.append(quote(folder));
        whole.push_plain(" && ");
    }
    whole.append(text.clone());
    // Between other characters the shell would not expand a tilde.
    replace(&whole, |before| {
        matches!(before, None | Some(' ' | '\t' | '\n' | ';' | '&' | '|'))
    })
}

/// A command line of words.
pub(super) fn quoted(words: &[Text]) -> Text {
    let mut line = Text::default();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            line.push_plain(" ");
        }
        line.append(quote(word));
    }
    line
}

fn quote(text: &Text) -> Text {
    let mut quoted = Text::default();
    let home = text.strip_prefix(&HOME.to_string());
    if home.is_some() {
        quoted.push_plain(&HOME.to_string());
    }
    for piece in home.as_ref().unwrap_or(text).pieces() {
        match piece {
            Piece::Plain(plain) if plain.chars().all(is_tame) => quoted.push_plain(plain),
            Piece::Plain(plain) => {
                quoted.push_plain(&format!("'{}'", plain.replace('\'', r"'\''")));
            }
            other => quoted.push(other.clone()),
        }
    }
    if quoted.is_empty() {
        quoted.push_plain("''");
    }
    quoted
}

fn is_tame(c: char) -> bool {
    c.is_ascii_alphanumeric() || "/.-_+=:,@".contains(c)
}

/// The text with the home folder as a tilde where that is possible, as a hole where it is not.
fn replace(text: &Text, possible: impl Fn(Option<char>) -> bool) -> Text {
    let (mut told, mut before) = (Text::default(), None);
    for piece in text.pieces() {
        let Piece::Plain(plain) = piece else {
            told.push(piece.clone());
            before = Some('x');
            continue;
        };
        for (at, part) in plain.split(HOME).enumerate() {
            if at > 0 && possible(before) {
                told.push_plain("~");
            } else if at > 0 {
                told.push(Piece::Hole(Hole {
                    shown: "$HOME".to_owned(),
                    fill: Fill::Anything,
                }));
            }
            told.push_plain(part);
            before = part
                .chars()
                .last()
                .or(if at > 0 { Some('x') } else { before });
        }
    }
    told
}
