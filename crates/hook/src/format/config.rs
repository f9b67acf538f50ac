//! What a person can say about formatting.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::formatters;

/// The name of this section in the configuration.
pub const SECTION: &str = "format";

/// What stands for the changed file in a command.
const FILE: &str = "{file}";

/// Formatting of files that an agent has changed; only in projects that you trust.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Format files after an edit, each with what the project uses: see docs/sessions.md.
    pub enabled: bool,
    /// Your own formatters, by the files they are for: `"*.sql": sqlfluff fix {file}`. They take the place of those that would be found; an empty
    /// command leaves such files alone. A pattern without `/` fits a name in any folder, others a path in the project.
    pub formatters: BTreeMap<String, FormatCommand>,
    /// Formatters that are not used although they are found, by their names: `markdownlint`.
    #[serde(deserialize_with = "known_names")]
    pub skip: Vec<String>,
    /// How many seconds all formatters of one file may take; what takes longer is stopped.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 8)))]
    pub timeout: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: false,
            formatters: BTreeMap::new(),
            skip: Vec::new(),
            timeout: 5,
        }
    }
}

/// The words of a command, in one of which the file is named; or none. No shell reads them, so a file's name cannot do harm.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
#[serde(try_from = "String", into = "String")]
pub struct FormatCommand {
    written: String,
    words: Vec<String>,
}

impl FormatCommand {
    /// Its words, with the file in its place; none when files are left alone.
    pub(super) fn words(&self, file: &str) -> Vec<String> {
        let words = self.words.iter();
        words.map(|word| word.replace(FILE, file)).collect()
    }

    /// The program it starts.
    pub fn program(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }
}

impl TryFrom<String> for FormatCommand {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let words = split(&written)
            .ok_or_else(|| format!("a quote in the command \"{written}\" is not closed"))?;
        if !words.is_empty() && !words.iter().skip(1).any(|word| word.contains(FILE)) {
            return Err(format!(
                "the command \"{written}\" must say where the file goes: {FILE}"
            ));
        }
        Ok(Self { written, words })
    }
}

impl From<FormatCommand> for String {
    fn from(command: FormatCommand) -> Self {
        command.written
    }
}

/// The words of a line, as a shell would divide it; `None` when a quote is not closed.
fn split(line: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), character) if character == open => quote = None,
            (Some('\''), character) => word.get_or_insert_default().push(character),
            (_, '\\') => word.get_or_insert_default().push(characters.next()?),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (_, character) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Names of formatters that there are. What the hook reads was checked when it was made, perhaps by another version.
fn known_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let checked = deserializer.is_human_readable();
    let names = Vec::<String>::deserialize(deserializer)?;
    let known: Vec<&str> = formatters::ALL.iter().map(|known| known.name).collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) if checked => Err(de::Error::custom(format!(
            "`{name}` is no formatter; known are {}",
            known.join(", ")
        ))),
        _ => Ok(names),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(command: &str) -> Result<Vec<String>, String> {
        FormatCommand::try_from(command.to_owned()).map(|command| command.words("/p/it's $x.md"))
    }

    #[test]
    fn a_file_is_one_word_whatever_its_name() {
        for (command, words) in [
            ("", &[][..]),
            ("  ", &[]),
            ("fmt {file}", &["fmt", "/p/it's $x.md"]),
            ("fmt  '{file}' ", &["fmt", "/p/it's $x.md"]),
            ("fmt --path=\"{file}\"", &["fmt", "--path=/p/it's $x.md"]),
            (
                r#"fmt "a \" b" c\ d '' {file}"#,
                &["fmt", "a \" b", "c d", "", "/p/it's $x.md"],
            ),
            (
                r#"sh -c 'one "$1" | two' sh {file}"#,
                &["sh", "-c", "one \"$1\" | two", "sh", "/p/it's $x.md"],
            ),
        ] {
            assert_eq!(read(command).unwrap(), words, "{command}");
        }
        for wrong in [
            "fmt",
            "{file}",
            "fmt 'x {file}",
            "fmt {file} \\",
            "make format",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_section_is_checked_where_a_person_wrote_it() {
        let read =
            |text: &str| serde_json::from_str::<Config>(text).map_err(|error| error.to_string());
        assert_eq!(read("{}").unwrap(), Config::default());
        assert!(read(r#"{"skip":["prettier"]}"#).is_ok());
        let error = read(r#"{"skip":["pretier"]}"#).unwrap_err();
        assert!(
            error.contains("known are prettier, markdownlint"),
            "{error}"
        );
        let error = read(r#"{"formatters":{"*.go":"gofumpt -w"}}"#).unwrap_err();
        assert!(error.contains("{file}"), "{error}");
        let own = read(r#"{"formatters":{"*.go":"gofumpt -w {file}"}}"#).unwrap();
        let text = serde_json::to_string(&own).unwrap();
        assert!(text.contains(r#""*.go":"gofumpt -w {file}""#), "{text}");
    }
}
