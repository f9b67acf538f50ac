//! Text split as git splits it: an alias into words, `GIT_CONFIG_PARAMETERS` into settings, a
//! reference at its colon.

use crate::text::{Piece, Text};

/// The words of an alias: separated by blanks, unless quotes or backslashes keep them together.
pub(super) fn words(alias: &str) -> Vec<Text> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut quote = None;
    let mut letters = alias.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => {
                let next = letters.next();
                word.get_or_insert_default().extend(next);
            }
            (mark, Some(open)) if mark == open => quote = None,
            (mark @ ('\'' | '"'), None) => {
                quote = Some(mark);
                word.get_or_insert_default();
            }
            (blank, None) if blank.is_whitespace() => words.extend(word.take().map(Text::from)),
            (other, _) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word.map(Text::from));
    words
}

/// Both sides of the first `mark` anywhere in the known text; what is not known before it stays.
pub(super) fn at(text: &Text, mark: char) -> Option<(Text, Text)> {
    let (mut before, mut behind) = (Text::default(), None::<Text>);
    for piece in text.pieces() {
        match (piece, &mut behind) {
            (piece, Some(behind)) => behind.push(piece.clone()),
            (Piece::Plain(plain), None) => match plain.split_once(mark) {
                Some((left, right)) => {
                    before.push_plain(left);
                    behind = Some(Text::plain(right));
                }
                None => before.push_plain(plain),
            },
            (piece, None) => before.push(piece.clone()),
        }
    }
    behind.map(|behind| (before, behind))
}
