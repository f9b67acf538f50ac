//! Markdown: markdownlint on the Markdown files that the commit adds or changes, by the project's own rules.
//!
//! It applies where the project has rules for it or has installed it: by the rules that come with it hardly any text passes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Found, Place};

pub(super) const ABOUT: &str =
    "markdownlint on committed .md files, where the project has rules for it";
pub(super) const MANIFESTS: &[&str] = &[];

const RULES: &[&str] = &[
    ".markdownlint.jsonc",
    ".markdownlint.json",
    ".markdownlint.yaml",
    ".markdownlint.yml",
    ".markdownlint.cjs",
    ".markdownlint.mjs",
    ".markdownlintrc",
];

const RULES_OF_CLI2: &[&str] = &[
    ".markdownlint-cli2.jsonc",
    ".markdownlint-cli2.yaml",
    ".markdownlint-cli2.cjs",
    ".markdownlint-cli2.mjs",
];

const NAME: &str = "markdown";
/// The two programs, the usual one first.
const PROGRAMS: [&str; 2] = ["markdownlint", "markdownlint-cli2"];
/// More files than this are not written on a command line.
const MOST: usize = 1000;

pub(super) fn find(place: Place<'_>) -> Vec<Found> {
    let files: Vec<&str> = markdown_files(place).take(MOST).collect();
    let rules = [RULES, RULES_OF_CLI2].concat();
    let rules = rules.into_iter().find(|name| place.has(name));
    if files.is_empty() || (rules.is_none() && local(place).is_none()) {
        return Vec::new();
    }
    let how = match rules {
        Some(rules) => format!("the commit has Markdown files and the project {rules}"),
        None => "the commit has Markdown files and the project has installed it".to_owned(),
    };
    vec![step(place, rules, &files, how)]
}

fn step(place: Place<'_>, rules: Option<&str>, files: &[&str], how: String) -> Found {
    let Some((name, program)) = program(place, rules) else {
        let advice = "add markdownlint-cli to the project, or install it for yourself";
        return place.missing(NAME, "markdownlint", how, ("markdownlint", advice));
    };
    let is_second = name == PROGRAMS[1];
    let words = match program.file_name() {
        Some(name) if name == "npx" => "npx --yes markdownlint-cli".to_owned(),
        _ if is_second => format!("{name} --no-globs"),
        _ => name.to_owned(),
    };
    let mut step = place.step(NAME, &program, &words, how);
    step.words
        .extend(files.iter().map(|file| literal(file, is_second)));
    step.shown = format!(
        "{words} {}",
        crate::stage::first_of(&files.iter().map(ToString::to_string).collect::<Vec<_>>())
    );
    Found::Step(step)
}

/// A file's name as the program takes it for a name, not for a pattern or an option.
fn literal(file: &str, is_second: bool) -> OsString {
    if is_second {
        format!(":{file}").into()
    } else {
        format!("./{file}").into()
    }
}

/// The program: the project's own first; the second of them first where the rules are written for it.
fn program(place: Place<'_>, rules: Option<&str>) -> Option<(&'static str, PathBuf)> {
    let mut names = PROGRAMS;
    if rules.is_some_and(|rules| RULES_OF_CLI2.contains(&rules)) {
        names.reverse();
    }
    let on_path = |name: &'static str| Some((name, place.scene.tools.find(name)?));
    let locally = names.iter().find_map(|name| of_project(place, name));
    let found = locally.or_else(|| names.iter().copied().find_map(on_path));
    let npx = || {
        place
            .scene
            .tools
            .find("npx")
            .filter(|_| place.scene.config.download)
    };
    found.or_else(|| Some((PROGRAMS[0], npx()?)))
}

fn local(place: Place<'_>) -> Option<PathBuf> {
    let mut found = PROGRAMS.iter().filter_map(|name| of_project(place, name));
    found.next().map(|(_, program)| program)
}

fn of_project(place: Place<'_>, name: &'static str) -> Option<(&'static str, PathBuf)> {
    let program = place.local(&format!("node_modules/.bin/{name}"))?;
    Some((name, program))
}

fn markdown_files(place: Place<'_>) -> impl Iterator<Item = &str> {
    let changed = place.scene.within(place.scene.changed);
    let inside = changed.filter_map(move |file| Path::new(file).strip_prefix(place.folder).ok());
    inside
        .filter(|file| {
            file.extension()
                .is_some_and(|ending| ending == "md" || ending == "markdown")
        })
        .filter_map(Path::to_str)
}
