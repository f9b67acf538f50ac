//! `find` and `fd`: they delete, and run other programs, on what they find.

mod expression;

use std::collections::BTreeSet;

use self::expression::{Deed, Found};
use super::xargs::replaced;
use crate::effect::{Effect, Reach};
use crate::matching::matches;
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::target::{Place, Target};
use crate::text::{Fill, Text};
use crate::world::Entry;

/// From so many places the commands of a search are followed.
const STARTS: usize = 64;
/// The most entries of one folder that are named one by one.
const MOST_ENTRIES: usize = 64;

pub(super) const PROGRAMS: &[Program] = &[
    program("find gfind", "", find),
    program("fd fdfind", "", fd),
];

fn find(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let (starts, expression) = split(&call.words);
    let levels = Levels::of(&expression);
    let mut out = Text::default();
    for action in expression::actions(&expression) {
        let search = Search {
            found: action.found,
            levels,
        };
        match action.does {
            Deed::Delete => search.deletes(runner, call, &starts),
            Deed::Run(command) => search.runs(runner, &command, &starts),
            Deed::Print => {
                for item in starts.iter().flat_map(|start| search.items(start)) {
                    out.append(item);
                    out.push_plain("\n");
                }
            }
        }
    }
    writes(runner, &expression);
    Stream::Text(out)
}

/// What a search finds below a start.
struct Search {
    found: Found,
    levels: Levels,
}

/// How far down a search goes.
#[derive(Debug, Clone, Copy, Default)]
struct Levels {
    least: usize,
    most: Option<usize>,
}

impl Levels {
    fn of(expression: &[Text]) -> Self {
        let mut levels = Self::default();
        for pair in expression.windows(2) {
            let number = pair[1].known().and_then(|number| number.parse().ok());
            match pair[0].lead() {
                "-mindepth" => levels.least = number.unwrap_or(0),
                "-maxdepth" => levels.most = number,
                _ => {}
            }
        }
        levels
    }
}

impl Search {
    /// `-delete`.
    fn deletes(&self, runner: &mut Runner<'_>, call: &Call, starts: &[Text]) {
        // Nothing is lost with what is empty.
        if self.found.empty {
            return;
        }
        let mut targets = Vec::new();
        for start in starts {
            match self.entries(runner, start) {
                Some(entries) => targets.extend(runner.targets(&entries)),
                None => targets.push(self.target(runner, start)),
            }
        }
        let reach = Reach::Trees;
        if !targets.is_empty() {
            runner.note(Effect::Delete { targets, reach }, call);
        }
    }

    /// `-exec`.
    fn runs(&self, runner: &mut Runner<'_>, command: &[Text], starts: &[Text]) {
        for start in &followed(starts) {
            let items = match self.entries(runner, start) {
                Some(entries) if entries.is_empty() => continue,
                Some(entries) => entries,
                None => self.items(start),
            };
            let words = command.iter().flat_map(|word| {
                if word.is("{}") {
                    return items.clone();
                }
                vec![replaced(word, "{}", &items[0])]
            });
            let words: Vec<Text> = words.collect();
            runner.run_words_with(&words, Vec::new(), Stream::Nothing);
        }
    }

    /// What is found directly in a folder, when no deeper level is searched.
    fn entries(&self, runner: &mut Runner<'_>, start: &Text) -> Option<Vec<Text>> {
        let shallow = self.levels.most == Some(1) && (self.levels.least == 1 || self.is_narrow());
        let folder = runner.path(start).filter(|_| shallow)?;
        let mut names = runner.world.names(&folder);
        names.sort();
        names.retain(|name| self.fits(name, runner.world.look(&folder.join(name))));
        if names.len() > MOST_ENTRIES {
            return None;
        }
        let paths = names.iter().map(|name| folder.join(name));
        let texts = paths.map(|path| Text::plain(path.display().to_string()));
        Some(texts.collect())
    }

    /// Whether the start itself is not found.
    fn is_narrow(&self) -> bool {
        self.found.files || self.found.names.is_some() || self.levels.least > 0
    }

    fn fits(&self, name: &str, entry: Entry) -> bool {
        let one_of = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, name));
        let is_file = !matches!(entry, Entry::Folder | Entry::Missing);
        self.found.names.as_deref().is_none_or(one_of)
            && !one_of(&self.found.not)
            && (!self.found.files || is_file)
    }

    /// The pattern of what is found, when it narrows the search.
    fn pattern(&self) -> Option<String> {
        let narrowed = self.found.narrowed.then(|| "*".to_owned());
        let names = self.found.names.as_ref().map(|names| names.join("|"));
        names.or(narrowed)
    }

    /// What is found: where nothing narrows it the start, and all that is below.
    fn items(&self, start: &Text) -> Vec<Text> {
        let item = self.item(start);
        if item != *start || self.levels.most == Some(0) {
            return vec![item];
        }
        let mut below = start.clone();
        if !below.shown().ends_with('/') {
            below.push_plain("/");
        }
        below.append(Text::hole("{}", Fill::Below(None)));
        vec![item, below]
    }

    /// Something that is found, as `find` prints it.
    fn item(&self, start: &Text) -> Text {
        let pattern = self.pattern();
        // Without a pattern the start itself is found first.
        if pattern.is_none() && !self.is_narrow() {
            return start.clone();
        }
        let mut item = start.clone();
        if !item.shown().ends_with('/') {
            item.push_plain("/");
        }
        item.append(Text::hole("{}", Fill::Below(pattern)));
        item
    }

    fn target(&self, runner: &mut Runner<'_>, start: &Text) -> Target {
        let mut target = runner.target(start);
        target.follows = true;
        if let Place::At(folder) = target.place.clone() {
            let pattern = self.pattern();
            target.shown = match &self.found.names {
                Some(names) => format!("{} in {}", names.join("|"), folder.display()),
                None => folder.display().to_string(),
            };
            target.place = if pattern.is_none() && !self.is_narrow() {
                Place::At(folder)
            } else {
                Place::Within {
                    folder,
                    pattern: pattern.unwrap_or_else(|| "*".to_owned()),
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

/// `-fprint file` writes.
fn writes(runner: &mut Runner<'_>, expression: &[Text]) {
    for pair in expression.windows(2) {
        if matches!(pair[0].lead(), "-fprint" | "-fprint0" | "-fls" | "-fprintf") {
            runner.wrote(&pair[1], false);
        }
    }
}

const FD: &str = "e|extension= t|E|d|c|j|S|o|type|exclude|max-depth|min-depth|exact-depth|color|threads|size|owner|\
     changed-within|changed-before|max-results|base-directory|format=";

/// `fd PATTERN FOLDER -x COMMAND`.
fn fd(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let at = call
        .words
        .iter()
        .position(|word| matches!(word.lead(), "-x" | "-X" | "--exec" | "--exec-batch"));
    let before = &call.words[..at.unwrap_or(call.words.len())];
    let options = Options::read(before, FD);
    let operands = &options.operands;
    let ending = options.value("extension");
    let pattern = match ending {
        Some(ending) => Some(format!("*.{}", ending.shown())),
        None => operands.first().map(|word| format!("*{}*", word.shown())),
    };
    let start = operands.get(1).cloned();
    let start = start.unwrap_or_else(|| Text::plain("."));
    let pattern = pattern.filter(|pattern| !matches!(pattern.as_str(), "*.*" | "**"));
    let found = Search {
        found: Found {
            names: pattern.map(|pattern| vec![pattern]),
            ..Found::default()
        },
        levels: Levels {
            least: 1,
            most: None,
        },
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
