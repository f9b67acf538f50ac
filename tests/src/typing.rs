//! A person at a terminal: sees what a program shows there, and types back what it asks for.

/// Runs a line in a terminal of its own and answers what it asks. `bash` and `script` do all of it, so that a test can start
/// it like any program; those of the page start it too.
pub const PERSON: &str = include_str!("person.sh");

/// The words of a program that plays a person who runs this line.
pub fn words(line: &str) -> [String; 4] {
    ["-c", PERSON, "person", line].map(str::to_owned)
}

/// A word as a shell takes it for itself.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
