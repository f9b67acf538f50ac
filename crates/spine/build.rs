//! Makes static tables of `tables/secrets.tsv`, so that nothing is read or sorted while a text is masked.
//! The first three columns count here; the others are for the test.

use std::fmt::Write as _;
use std::path::PathBuf;

const TABLE: &str = "tables/secrets.tsv";

fn main() -> Result<(), String> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={TABLE}");
    let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let table = std::fs::read_to_string(folder.join(TABLE)).map_err(|error| error.to_string())?;
    let mut tables = Tables::default();
    for (number, line) in table.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let taken = tables.take(line);
        taken.map_err(|error| format!("{TABLE}:{}: {error}", number + 1))?;
    }
    let out = PathBuf::from(variable("OUT_DIR")?).join("secrets.rs");
    std::fs::write(out, tables.code()).map_err(|error| error.to_string())
}

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|error| format!("{name}: {error}"))
}

/// The code of the rows of each table.
struct Tables {
    /// By their first byte.
    starts: Vec<Vec<String>>,
    shortest: usize,
    forms: Vec<String>,
    urls: Vec<String>,
    /// By the last letter of their last word.
    names: Vec<Vec<String>>,
    options: Vec<String>,
    /// Options of any program.
    others: Vec<String>,
    /// Programs that are fed by a pipe.
    fed: Vec<String>,
    phrases: Vec<String>,
    foreign: Vec<String>,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            starts: vec![Vec::new(); 128],
            shortest: usize::MAX,
            forms: Vec::new(),
            urls: Vec::new(),
            names: vec![Vec::new(); 26],
            options: Vec::new(),
            others: Vec::new(),
            fed: Vec::new(),
            phrases: Vec::new(),
            foreign: Vec::new(),
        }
    }
}

impl Tables {
    fn take(&mut self, line: &str) -> Result<(), String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[_, how, rule, _, _] = columns.as_slice() else {
            return Err("a row has five columns".to_owned());
        };
        let words: Vec<&str> = rule.split(' ').collect();
        match how {
            "start" => self.start(&words)?,
            "form" => self.forms.push(form(&words)?),
            "url" => {
                let at = rule.find('/').ok_or("an address has a path")?;
                self.urls.push(format!("{:?}", rule.split_at(at)));
            }
            "name" => self.name(rule)?,
            // Rows for any program come last: those that name one know better.
            // A program that takes secrets from a pipe without an option.
            "option" if words.get(1) == Some(&"-") => self.fed.push(format!("{:?}", words[0])),
            "option" if rule.starts_with('*') => self.others.push(option(&words)?),
            "option" => self.options.push(option(&words)?),
            "phrase" => self.phrases.push(phrase(&words)?),
            "foreign" => self.foreign.push(format!("{rule:?}")),
            // What no table can say is code; the row has its examples.
            "code" => {}
            other => return Err(format!("there is no kind of rule {other:?}")),
        }
        Ok(())
    }

    /// `ghp_ 20`: how a key begins and how long the rest is, at least or (`=20`) exactly; then what it is made of.
    fn start(&mut self, words: &[&str]) -> Result<(), String> {
        let [start, length, flags @ ..] = words else {
            return Err("give how it begins and how long the rest is".to_owned());
        };
        let (least, most) = lengths(length)?;
        let (mut letters, mut mixed, mut dotted, mut padded) = ("Run", false, false, false);
        for flag in flags {
            match *flag {
                "hex" => letters = "Hex",
                "upper" => letters = "Upper",
                "alnum" => letters = "Alnum",
                "mixed" => mixed = true,
                "dotted" => dotted = true,
                "padded" => padded = true,
                other => return Err(format!("unknown flag {other:?}")),
            }
        }
        let first = start.bytes().next().filter(u8::is_ascii);
        let place = first.ok_or("a key begins with ASCII")?;
        self.shortest = self.shortest.min(start.len() + least);
        let most = most.map_or_else(|| "usize::MAX".to_owned(), |most| most.to_string());
        self.starts[usize::from(place)].push(format!(
            "Start {{ prefix: {start:?}, least: {least}, most: {most}, letters: Letters::{letters}, \
             mixed: {mixed}, dotted: {dotted}, padded: {padded} }}"
        ));
        Ok(())
    }

    /// `end:account key line 12`: how the words are compared, the words, and what the value must be.
    fn name(&mut self, rule: &str) -> Result<(), String> {
        let (how, rest) = rule.split_once(':').ok_or("say how names are compared")?;
        let how = match how {
            "any" => "Any",
            "last" => "Last",
            "end" => "End",
            "pair" => "Pair",
            "is" => "Is",
            other => return Err(format!("names are not compared by {other:?}")),
        };
        let (mut words, mut least, mut line, mut query) = (Vec::new(), 0, false, false);
        for word in rest.split(' ') {
            match word {
                "@line" => line = true,
                "@query" => query = true,
                _ => match word.strip_prefix('@') {
                    Some(number) => least = parsed(number)?,
                    None => words.push(word),
                },
            }
        }
        let letter = words.last().and_then(|word| word.bytes().last());
        let place = letter
            .filter(u8::is_ascii_lowercase)
            .ok_or("a name ends in a small letter")?;
        self.names[usize::from(place - b'a')].push(format!(
            "Name {{ how: Compared::{how}, words: &{words:?}, least: {least}, line: {line}, query: {query} }}"
        ));
        Ok(())
    }

    fn code(&self) -> String {
        let mut code = String::new();
        let rows = |rows: &[String]| format!("&[{}]", rows.join(",\n"));
        let tables = |tables: &[Vec<String>]| {
            let all: Vec<String> = tables.iter().map(|table| rows(table)).collect();
            all.join(",\n")
        };
        let _ = write!(
            code,
            "/// No kind of key is shorter.\npub(super) const SHORTEST_KEY: usize = {};\n\
             pub(super) static STARTS: [&[Start]; 128] = [{}];\n\
             pub(super) static NAMES: [&[Name]; 26] = [{}];\n\
             pub(super) static FORMS: &[&[Part]] = {};\n\
             pub(super) static URLS: &[(&str, &str)] = {};\n\
             pub(super) static OPTIONS: &[OptionRow] = {};\n\
             pub(super) const FED: &[&str] = {};\n\
             pub(super) const PHRASES: &[Phrase] = {};\n\
             pub(super) static FOREIGN: &[&str] = {};\n",
            self.shortest,
            tables(&self.starts),
            tables(&self.names),
            rows(&self.forms),
            rows(&self.urls),
            rows(&[self.options.clone(), self.others.clone()].concat()),
            rows(&self.fed),
            rows(&self.phrases),
            rows(&self.foreign),
        );
        code
    }
}

/// `hex:32 -us digit:1-2`: a whole word, part by part.
fn form(words: &[&str]) -> Result<String, String> {
    let mut parts = Vec::new();
    for word in words {
        let part = match word.split_once(':') {
            None => format!("Part::Text({word:?})"),
            Some((letters, count)) => {
                let letters = match letters {
                    "hex" => "Hex",
                    "upper" => "Upper",
                    "alnum" => "Alnum",
                    "digit" => "Digit",
                    "b64" => "Base64",
                    other => return Err(format!("unknown letters {other:?}")),
                };
                let (least, most) = match count.split_once('-') {
                    Some((least, most)) => (parsed(least)?, parsed(most)?),
                    None => (parsed(count)?, parsed(count)?),
                };
                format!("Part::Some(Letters::{letters}, {least}, {most})")
            }
        };
        parts.push(part);
    }
    Ok(format!("&[{}]", parts.join(", ")))
}

/// `docker+login,podman+login -p next`: programs, the option, and where the secret stands.
fn option(words: &[&str]) -> Result<String, String> {
    let [programs, option, place @ ..] = words else {
        return Err("give programs, an option and where the secret stands".to_owned());
    };
    let place = match place {
        ["attached"] => "Attached".to_owned(),
        ["next"] => "Next".to_owned(),
        ["either"] => "Either".to_owned(),
        ["last"] => "Last".to_owned(),
        ["before"] => "Before".to_owned(),
        ["piped"] => "Piped".to_owned(),
        ["shown"] => "Shown".to_owned(),
        ["behind", mark] => format!("Behind({mark:?})"),
        ["after", mark] => format!("After({mark:?})"),
        other => return Err(format!("unknown place {other:?}")),
    };
    let programs: Vec<String> = programs
        .split(',')
        .map(|program| match program.split_once('+') {
            Some((program, sub)) => format!("({program:?}, {sub:?})"),
            None => format!("({program:?}, \"\")"),
        })
        .collect();
    Ok(format!(
        "OptionRow {{ programs: &[{}], option: {option:?}, place: Place::{place} }}",
        programs.join(", ")
    ))
}

/// `password is loose`: the word, what follows it, and how the secret must look.
fn phrase(words: &[&str]) -> Result<String, String> {
    let &[word, then, look] = words else {
        return Err("give the word, what follows it, and how the secret looks".to_owned());
    };
    let look = match look {
        "loose" => "Loose",
        "strict" => "Strict",
        "quoted" => "Quoted",
        other => return Err(format!("unknown look {other:?}")),
    };
    Ok(format!(
        "Phrase {{ word: {word:?}, then: {then:?}, look: Look::{look} }}"
    ))
}

/// The least and the most, if there is one.
fn lengths(text: &str) -> Result<(usize, Option<usize>), String> {
    match text.strip_prefix('=') {
        Some(exact) => Ok((parsed(exact)?, Some(parsed(exact)?))),
        None => Ok((parsed(text)?, None)),
    }
}

fn parsed(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{text:?} is no number"))
}
