//! Words that end in a dot and go on.

/// Never the end of a sentence.
const ALWAYS: &[&str] = &[
    "approx", "cf", "dr", "eq", "esp", "fig", "incl", "mr", "mrs", "ms", "prof", "resp", "st",
    "viz", "vs",
];
/// Not the end of a sentence before a number: "No. 5", "p. 12".
const BEFORE_NUMBERS: &[&str] = &["art", "ch", "no", "nos", "p", "pp", "sec", "vol"];
/// The end of a sentence only before a capital letter.
const SOMETIMES: &[&str] = &["al", "corp", "etc", "inc", "jr", "ltd", "sr"];

/// Whether the dot behind `before` belongs to an abbreviation and the sentence goes on with `rest`.
pub(super) fn ends(before: &str, rest: &str) -> bool {
    let word = before
        .rsplit(|char: char| char.is_whitespace() || matches!(char, '(' | '[' | '"' | '\'' | '“'))
        .next()
        .unwrap_or_default();
    let small = word.to_lowercase();
    let follows = |wanted: fn(char) -> bool| rest.starts_with(wanted);
    ALWAYS.contains(&small.as_str())
        || is_dotted(word)
        || is_initial(word)
        || (BEFORE_NUMBERS.contains(&small.as_str()) && follows(|char| char.is_ascii_digit()))
        || (SOMETIMES.contains(&small.as_str()) && !follows(char::is_uppercase))
}

/// "e.g", "i.e", "a.m": single letters with dots between them.
fn is_dotted(word: &str) -> bool {
    let mut parts = word.split('.');
    let single = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
    word.contains('.') && parts.all(single)
}

/// "J" in "J. Doe"; "I" is a word.
fn is_initial(word: &str) -> bool {
    let mut chars = word.chars();
    let first = chars.next();
    chars.next().is_none()
        && first.is_some_and(|char| char.is_uppercase() && char.is_alphabetic() && char != 'I')
}
