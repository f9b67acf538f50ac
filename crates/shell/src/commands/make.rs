//! `make` and similar tools: the recipe of a target is what will run.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::options::Options;
use crate::program::{Program, program, unknown};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "make gmake",
        "C|directory= f|file|makefile= I= o= W= j|jobs? l|load-average? E|eval= \
         e|environment-overrides n|dry-run|just-print|recon q|question help version",
        |runner, call, options| {
            made(
                runner,
                call,
                options,
                &["GNUmakefile", "makefile", "Makefile"],
            )
        },
    )
    .dry("--dry-run; --question; --help; --version"),
    program(
        "just",
        "f|justfile|file= d|working-directory= set= shell= n|dry-run help version l|list",
        |runner, call, options| {
            made(
                runner,
                call,
                options,
                &["justfile", "Justfile", ".justfile"],
            )
        },
    )
    .dry("--dry-run; --help; --version; --list"),
    program("task", "", unknown),
];

fn made(runner: &mut Runner<'_>, call: &Call, options: &Options, names: &[&str]) -> Stream {
    let folder = options
        .value("directory")
        .or(options.value("working-directory"));
    runner.with_marked(|runner| {
        if let Some(folder) = folder {
            runner.state.folders = runner.path(folder).into_iter().collect();
        }
        let file = options.value("file").or(options.value("justfile"));
        let Some(source) = source(runner, file, names, call) else {
            return;
        };
        let mut sources = Vec::new();
        let mut text = included(runner, source, &mut sources);
        for more in options.values("eval") {
            text = format!("{}\n{text}", more.shown());
        }
        let (mut targets, mut variables) = (Vec::new(), Vec::new());
        for operand in &options.operands {
            // The number of `-j 4` is no target.
            let counts = options.has("jobs") || options.has("load-average");
            if counts && operand.shown().parse::<f64>().is_ok() {
                continue;
            }
            match operand.split_once('=') {
                Some((name, value)) => variables.push((name.to_owned(), value)),
                None => targets.push(operand.shown()),
            }
        }
        let mut file = Makefile {
            sources,
            ..Makefile::read(&text)
        };
        // What is said on the command line counts more than what the file says, also where it is not known.
        let said = |name: &String| variables.iter().any(|(given, _)| given == name);
        file.variables.retain(|(name, _)| !said(name));
        let known = variables
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), value.known()?.to_owned())));
        file.variables.extend(known);
        let outside = call
            .variables
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), value.known()?.to_owned())));
        if options.has("environment-overrides") {
            file.variables.extend(outside);
        } else {
            file.variables.splice(0..0, outside);
        }
        file.run(runner, &targets, variables, call);
    });
    Stream::Unknown(call.shown())
}

/// A makefile: where it is, unless it comes in by a pipe, and what stands in it.
#[derive(Default)]
struct Source {
    path: Option<PathBuf>,
    text: String,
}

/// The file that is used.
fn source(
    runner: &mut Runner<'_>,
    file: Option<&Text>,
    names: &[&str],
    call: &Call,
) -> Option<Source> {
    if file.is_some_and(|file| file.is("-")) {
        let text = call.stdin.text().known()?.to_owned();
        return Some(Source { path: None, text });
    }
    let files = match file {
        Some(file) => vec![file.clone()],
        None => names.iter().map(|name| Text::plain(*name)).collect(),
    };
    let found = files.iter().find_map(|file| read(runner, file));
    Some(found.unwrap_or_default())
}

fn read(runner: &mut Runner<'_>, file: &Text) -> Option<Source> {
    let path = runner.path(file)?;
    let text = runner.content(&path).ok()?.text().known()?.to_owned();
    let path = Some(path);
    Some(Source { path, text })
}

/// The most makefiles that are read for one call.
const MOST_FILES: usize = 16;

/// A makefile with those that it includes; each of them is kept. What a variable names is left out.
fn included(runner: &mut Runner<'_>, source: Source, read_before: &mut Vec<Source>) -> String {
    let mut all = String::with_capacity(source.text.len());
    let text = source.text.clone();
    read_before.push(source);
    for line in text.lines() {
        let start = ["include ", "-include ", "sinclude ", "import "]
            .iter()
            .find_map(|start| line.strip_prefix(start));
        for name in start.into_iter().flat_map(str::split_whitespace) {
            let name = Text::plain(name.trim_matches(['\'', '"']));
            let more = read(runner, &name);
            let is_new = |more: &Source| read_before.iter().all(|known| known.path != more.path);
            if let Some(more) = more.filter(is_new)
                && read_before.len() < MOST_FILES
            {
                all.push_str(&included(runner, more, read_before));
            }
        }
        all.push_str(line);
        all.push('\n');
    }
    all
}

/// How many variables of one file are worked out.
const MOST_LOOK_UPS: usize = 1000;

/// The rules and variables of a makefile, as far as they are plain.
#[derive(Default)]
struct Makefile {
    rules: Vec<Rule>,
    variables: Vec<(String, String)>,
    sources: Vec<Source>,
    /// How often a variable was looked up: those that name each other many times would never end.
    looked_up: std::cell::Cell<usize>,
}

struct Rule {
    name: String,
    needs: Vec<String>,
    recipe: Vec<String>,
}

impl Makefile {
    fn read(text: &str) -> Self {
        let text = text.replace("\\\n", " ");
        let mut file = Self::default();
        for line in text.lines() {
            let is_recipe = line.starts_with('\t') || line.starts_with("    ");
            if is_recipe && !file.rules.is_empty() {
                let name = file.rules.last().map(|rule| rule.name.clone());
                for rule in file
                    .rules
                    .iter_mut()
                    .filter(|rule| Some(&rule.name) == name.as_ref())
                {
                    rule.recipe.push(line.trim_start().to_owned());
                }
            } else if let Some((name, value)) = assignment(line) {
                file.variables.push((name, value));
            } else {
                file.rule(line);
            }
        }
        file
    }

    fn rule(&mut self, line: &str) {
        let line = line.split('#').next().unwrap_or_default();
        let Some((names, needs)) = line.split_once(':') else {
            return;
        };
        let (needs, inline) = needs.split_once(';').unwrap_or((needs, ""));
        for name in names.split_whitespace() {
            self.rules.push(Rule {
                name: name.trim_start_matches('@').to_owned(),
                needs: needs
                    .trim_start_matches(':')
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect(),
                recipe: (!inline.is_empty())
                    .then(|| inline.trim().to_owned())
                    .into_iter()
                    .collect(),
            });
        }
    }

    fn run(
        &self,
        runner: &mut Runner<'_>,
        targets: &[String],
        given: Vec<(String, Text)>,
        call: &Call,
    ) {
        let first = self.rules.iter().find(|rule| !rule.name.starts_with('.'));
        let mut open: Vec<String> = if targets.is_empty() {
            first.map(|rule| rule.name.clone()).into_iter().collect()
        } else {
            targets.to_vec()
        };
        for (name, value) in given {
            runner.set(&name, value.given());
        }
        for (name, value) in &self.variables {
            if !runner.state.variables.contains_key(name) {
                let value = self.expanded(value, "", 0);
                let text = crate::word::quoted(runner, &value);
                runner.set(name, text);
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) || seen.len() > 64 {
                continue;
            }
            for rule in self.rules.iter().filter(|rule| rule.name == name) {
                open.extend(rule.needs.iter().cloned());
                let by = format!("{} {name}", call.name);
                for line in &rule.recipe {
                    runner.through(&by, |runner| self.line(runner, &name, line));
                }
            }
        }
    }

    /// Runs one line of a recipe.
    fn line(&self, runner: &mut Runner<'_>, target: &str, line: &str) {
        let bare = line.trim_start_matches(['@', '-', '+', ' ']);
        let expanded = self.expanded(bare, target, 0);
        let run = |runner: &mut Runner<'_>| {
            runner.apart(|runner| runner.source(&expanded, &Stream::Nothing));
        };
        // A line that was joined of several is looked for by its beginning.
        let start = bare.split("  ").next().unwrap_or(bare);
        let mut sources = self.sources.iter();
        let source = sources.find(|source| source.text.contains(start));
        match source.and_then(|source| source.path.as_deref()) {
            Some(path) => {
                let code = runner.code_file(path, Some(bare));
                runner.in_file(code, run);
            }
            None => run(runner),
        }
    }

    /// A line with the file's own variables worked out; what make has from elsewhere is left to the
    /// shell as a variable of that name.
    fn expanded(&self, line: &str, target: &str, depth: usize) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            let (value, length) = match after.chars().next() {
                Some('$') => ("$".to_owned(), 1),
                Some('@') => (target.to_owned(), 1),
                Some(open @ ('(' | '{')) => {
                    let close = if open == '(' { ')' } else { '}' };
                    let end = after.find(close).unwrap_or(after.len());
                    (self.value(&after[1..end], target, depth), end + 1)
                }
                Some(letter) => (
                    self.value(&letter.to_string(), target, depth),
                    letter.len_utf8(),
                ),
                None => ("$".to_owned(), 0),
            };
            out.push_str(&value);
            rest = &after[length.min(after.len())..];
        }
        out.push_str(rest);
        out
    }

    fn value(&self, name: &str, target: &str, depth: usize) -> String {
        if let Some(command) = name.strip_prefix("shell ") {
            return format!("$({command})");
        }
        self.looked_up.set(self.looked_up.get() + 1);
        let follows = depth < 8 && self.looked_up.get() < MOST_LOOK_UPS;
        match self.variables.iter().rev().find(|(known, _)| known == name) {
            Some((_, value)) if follows => self.expanded(value, target, depth + 1),
            // Of make itself.
            _ => match name {
                "RM" => "rm -f".to_owned(),
                "MAKE" => "make".to_owned(),
                "CURDIR" => "$PWD".to_owned(),
                _ if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                    format!("${{{name}}}")
                }
                _ => "${__make}".to_owned(),
            },
        }
    }
}

/// `NAME = value`, `NAME := value`, `NAME ?= value`.
fn assignment(line: &str) -> Option<(String, String)> {
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (name, value) = line.split_once('=')?;
    let name = name.trim().trim_end_matches([':', '?', '+', '!']).trim();
    let plain = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "_-.".contains(c));
    plain.then(|| {
        let value = value.trim().trim_matches(|c| c == '"' || c == '\'');
        (name.to_owned(), value.to_owned())
    })
}
