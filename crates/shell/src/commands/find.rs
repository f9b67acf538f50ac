//! `find` and `fd`: they delete, and run other programs, on what they find.

use std::collections::BTreeSet;

use super::xargs::replaced;
use crate::effect::{Effect, Reach};
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::target::{Place, Target};
use crate::text::{Fill, Text};

/// From so many places the commands of a search are followed.
const STARTS: usize = 64;

pub(super) const PROGRAMS: &[Program] = &[
    program("find gfind", "", find),
    program("fd fdfind", "", fd),
];

fn find(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let (starts, expression) = split(&call.words);
    let found = Search {
        name: name(&expression),
        depth: depth(&expression),
    };
    // Nothing is lost with what is empty.
    let empty = expression.iter().any(|word| word.is("-empty"))
        && !expression
            .iter()
            .any(|word| matches!(word.lead(), "-o" | "-or" | "," | "!" | "-not"));
    if expression.iter().any(|word| word.is("-delete")) && !empty {
        let targets = starts
            .iter()
            .map(|start| found.target(runner, start))
            .collect();
        runner.note(
            Effect::Delete {
                targets,
                reach: Reach::Trees,
            },
            call,
        );
    }
    for command in executed(&expression) {
        for start in &followed(&starts) {
            let item = found.item(start);
            let words: Vec<Text> = command
                .iter()
                .map(|word| replaced(word, "{}", &item))
                .collect();
            runner.run_words_with(&words, Vec::new(), Stream::Nothing);
        }
    }
    writes(runner, &expression);
    let mut out = Text::default();
    for start in &starts {
        out.append(found.item(start));
        out.push_plain("\n");
    }
    Stream::Text(out)
}

/// What a search finds below a start.
struct Search {
    /// The pattern of `-name`, when it narrows the search.
    name: Option<String>,
    /// Whether the start itself is found too.
    depth: bool,
}

impl Search {
    /// Something that is found, as `find` prints it.
    fn item(&self, start: &Text) -> Text {
        // Without a pattern the start itself is found first.
        if self.name.is_none() && !self.depth {
            return start.clone();
        }
        let mut item = start.clone();
        if !item.shown().ends_with('/') {
            item.push_plain("/");
        }
        item.append(Text::hole("{}", Fill::Below(self.name.clone())));
        item
    }

    fn target(&self, runner: &mut Runner<'_>, start: &Text) -> Target {
        let mut target = runner.target(start);
        target.follows = true;
        if let Place::At(folder) = target.place.clone() {
            let pattern = self.name.clone().unwrap_or_else(|| "*".to_owned());
            target.shown = match &self.name {
                Some(name) => format!("{} in {}", name, folder.display()),
                None => folder.display().to_string(),
            };
            target.place = if self.name.is_none() && !self.depth {
                Place::At(folder)
            } else {
                Place::Within {
                    folder,
                    pattern,
                    deep: true,
                }
            };
        }
        target
    }
}

/// The folders to search and the expression.
fn split(words: &[Text]) -> (Vec<Text>, Vec<Text>) {
    let options = words
        .iter()
        .take_while(|word| {
            matches!(
                word.lead(),
                "-H" | "-L" | "-P" | "-X" | "-E" | "-d" | "-s" | "-x"
            ) || word.lead().starts_with("-O")
                || word.is("-f")
        })
        .count();
    let rest = &words[options..];
    let starts = rest
        .iter()
        .take_while(|word| {
            let lead = word.lead();
            let is_test = lead.starts_with('-') && lead.len() > 1;
            !is_test && !matches!(lead, "(" | ")" | "!" | ",")
        })
        .count();
    let expression = rest[starts..].to_vec();
    let starts = if starts == 0 {
        vec![Text::plain(".")]
    } else {
        distinct(&rest[..starts])
    };
    (starts, expression)
}

/// Each start once.
fn distinct(starts: &[Text]) -> Vec<Text> {
    let mut seen = BTreeSet::new();
    let differs = |start: &&Text| seen.insert(start.shown());
    starts.iter().filter(differs).cloned().collect()
}

/// The starts from which commands are followed; where they are too many, the rest may be anything.
fn followed(starts: &[Text]) -> Vec<Text> {
    let mut kept = starts.to_vec();
    if kept.len() > STARTS {
        kept.truncate(STARTS);
        kept.push(Text::hole("$__starts", Fill::Anything));
    }
    kept
}

/// The pattern that names must match. Alternatives widen the search again.
fn name(expression: &[Text]) -> Option<String> {
    let expression = &without_exclusions(expression);
    if expression
        .iter()
        .any(|word| matches!(word.lead(), "-o" | "-or" | "!" | "-not"))
    {
        let all: Vec<String> = expression
            .windows(2)
            .filter(|pair| matches!(pair[0].lead(), "-name" | "-iname"))
            .map(|pair| pair[1].shown())
            .collect();
        let plain = expression
            .iter()
            .all(|word| !matches!(word.lead(), "!" | "-not"));
        return (plain && !all.is_empty()).then(|| all.join("|"));
    }
    expression
        .windows(2)
        .find(|pair| {
            matches!(
                pair[0].lead(),
                "-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-regex" | "-iregex"
            )
        })
        .map(|pair| pair[1].shown())
        .filter(|pattern| !matches!(pattern.as_str(), "*" | "**" | ".*" | "?*" | "*.*"))
        .or_else(|| narrowed(expression))
}

/// The expression without what is only left out: `-not -path './.git/*'`.
fn without_exclusions(expression: &[Text]) -> Vec<Text> {
    let mut kept = Vec::new();
    let mut words = expression.iter().peekable();
    while let Some(word) = words.next() {
        let excludes = matches!(word.lead(), "!" | "-not")
            && words
                .peek()
                .is_some_and(|next| matches!(next.lead(), "-path" | "-wholename" | "-ipath"));
        if excludes {
            words.nth(1);
        } else {
            kept.push(word.clone());
        }
    }
    kept
}

/// Searches that find only some things although no name is given.
fn narrowed(expression: &[Text]) -> Option<String> {
    let narrows = [
        "-empty", "-newer", "-mtime", "-mmin", "-atime", "-ctime", "-size", "-user", "-perm",
    ];
    expression
        .iter()
        .find(|word| narrows.contains(&word.lead()))
        .map(|_| "*".to_owned())
}

fn depth(expression: &[Text]) -> bool {
    expression
        .windows(2)
        .any(|pair| pair[0].is("-mindepth") && !pair[1].is("0"))
        || expression
            .windows(2)
            .any(|pair| pair[0].is("-type") && !pair[1].shown().contains('d'))
}

/// The commands of `-exec` and the like.
fn executed(expression: &[Text]) -> Vec<Vec<Text>> {
    let mut commands = Vec::new();
    let mut words = expression.iter();
    while let Some(word) = words.next() {
        if matches!(word.lead(), "-exec" | "-execdir" | "-ok" | "-okdir") {
            let command: Vec<Text> = words
                .by_ref()
                .take_while(|word| !matches!(word.lead(), ";" | "+"))
                .cloned()
                .collect();
            commands.push(command);
        }
    }
    commands
}

/// `-fprint file` writes.
fn writes(runner: &mut Runner<'_>, expression: &[Text]) {
    for pair in expression.windows(2) {
        if matches!(pair[0].lead(), "-fprint" | "-fprint0" | "-fls" | "-fprintf") {
            runner.wrote(&pair[1], false);
        }
    }
}

/// `fd PATTERN FOLDER -x COMMAND`.
fn fd(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let at = call
        .words
        .iter()
        .position(|word| matches!(word.lead(), "-x" | "-X" | "--exec" | "--exec-batch"));
    let before = &call.words[..at.unwrap_or(call.words.len())];
    let operands: Vec<&Text> = before
        .iter()
        .filter(|word| !word.lead().starts_with('-'))
        .collect();
    let pattern = operands.first().map(|word| format!("*{}*", word.shown()));
    let start = operands
        .get(1)
        .map_or_else(|| Text::plain("."), |word| (*word).clone());
    let found = Search {
        name: pattern.filter(|pattern| !matches!(pattern.as_str(), "*.*" | "**")),
        depth: true,
    };
    let item = found.item(&start);
    if let Some(at) = at {
        let mut words: Vec<Text> = call.words[at + 1..]
            .iter()
            .map(|word| replaced(word, "{}", &item))
            .collect();
        if !call.words[at + 1..]
            .iter()
            .any(|word| word.shown().contains("{}"))
        {
            words.push(item.clone());
        }
        runner.run_words_with(&words, Vec::new(), Stream::Nothing);
    }
    Stream::Text(item)
}
