//! Commands and what they would do, in a world of memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::effect::{Code, Effect, Reach};
use crate::{Analysis, Entry, Unreadable, World, analyse};

/// A small machine: `/home/ann/app` is where we are.
#[derive(Default)]
struct Memory {
    files: BTreeMap<PathBuf, String>,
}

impl World for Memory {
    fn variable(&self, name: &str) -> Option<String> {
        (name == "HOME").then(|| "/home/ann".to_owned())
    }
    fn home_of(&self, user: &str) -> Option<PathBuf> {
        (user == "bob").then(|| "/home/bob".into())
    }
    fn look(&self, path: &Path) -> Entry {
        let folders = [
            "/",
            "/tmp",
            "/home/ann",
            "/home/ann/app",
            "/home/ann/app/src",
        ];
        if self.files.contains_key(path) {
            Entry::File
        } else if folders.iter().any(|folder| Path::new(folder) == path) {
            Entry::Folder
        } else {
            Entry::Missing
        }
    }
    fn real(&self, path: &Path) -> Option<PathBuf> {
        Some(path.to_owned())
    }
    fn names(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }
    fn read(&self, path: &Path) -> Result<String, Unreadable> {
        self.files.get(path).cloned().ok_or(Unreadable::Missing)
    }
    fn git_alias(&self, _: &Path, name: &str) -> Option<String> {
        let aliases = [
            ("nuke", "reset --hard"),
            ("ci", "commit -v"),
            ("save", "!git add -A && git commit -m"),
            ("echoed", "!echo git commit"),
        ];
        let alias = aliases.iter().find(|(known, _)| *known == name);
        alias.map(|(_, alias)| (*alias).to_owned())
    }
    fn is_late(&self) -> bool {
        false
    }
}

fn look(command: &str) -> Analysis {
    let files = [
        ("/home/ann/app/wipe.sh", "#!/bin/bash\nrm -rf \"$HOME\"\n"),
        ("/home/ann/app/args.sh", "rm -rf \"$1\"\n"),
        (
            "/home/ann/app/del.py",
            "import shutil\nshutil.rmtree('/srv')\n",
        ),
        (
            "/home/ann/app/Makefile",
            "OUT = /srv/out\nall: nuke\nnuke:\n\trm -rf $(OUT)\nsave:\n\t@git add src && git commit -m save\n",
        ),
        (
            "/home/ann/app/package.json",
            "{\"name\":\"x\",\"scripts\":{\"clean\":\"rm -rf dist\",\"wipe\":\"rm -rf ~\",\"release\":\"git commit -am release\"}}",
        ),
        (
            "/home/ann/app/save.sh",
            "#!/bin/sh\nset -e\ngit add -A\ngit commit -m \"$1\"\n",
        ),
        (
            "/home/ann/app/save.py",
            "import subprocess\nsubprocess.run(['git', 'commit', '-m', 'x'])\n",
        ),
    ];
    let memory = Memory {
        files: files
            .iter()
            .map(|(path, text)| (PathBuf::from(path), (*text).to_owned()))
            .collect(),
    };
    analyse(command, Some(Path::new("/home/ann/app")), &memory)
}

/// The rows of a table: what is read, and what is expected of it.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = (String, String)> {
    let rows = table.lines();
    let rows = rows.filter(|row| !row.is_empty() && !row.starts_with('#'));
    rows.map(|row| {
        let (given, expected) = row.split_once('\t').unwrap_or((row, ""));
        (unescaped(given), unescaped(expected))
    })
}

fn unescaped(text: &str) -> String {
    let mut characters = text.chars();
    let mut out = String::new();
    while let Some(character) = characters.next() {
        out.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                other => other.unwrap_or('\\'),
            },
            plain => plain,
        });
    }
    out
}

/// The effects in a few words.
fn effects(command: &str) -> String {
    let analysis = look(command);
    let mut all: Vec<String> = analysis.acts.iter().map(|act| told(&act.effect)).collect();
    all.dedup();
    all.join("; ")
}

fn told(effect: &Effect) -> String {
    let names = |targets: &[crate::Target]| {
        let names: Vec<&str> = targets.iter().map(|target| target.shown.as_str()).collect();
        names.join(" ")
    };
    match effect {
        Effect::Delete { targets, reach } => {
            let how = if *reach == Reach::Trees {
                "rm -r"
            } else {
                "rm"
            };
            format!("{how} {}", names(targets))
        }
        Effect::Overwrite { target, how } => format!("{how:?} {}", target.shown).to_lowercase(),
        Effect::Move { from, to } => format!("mv {} {}", names(from), to.shown),
        Effect::Permission { targets, what, .. } => format!("chmod {what} {}", names(targets)),
        Effect::Device { device, how } => format!("{how} {device}"),
        Effect::Git(git) => format!("git {}", git.act),
        Effect::Run(Code::Downloaded(from)) => format!("run download {from}"),
        Effect::Run(Code::Unknown(what)) => format!("run {what}"),
        Effect::Run(Code::Unreadable(what) | Code::Beyond(what)) => format!("run? {what}"),
        Effect::Bomb => "bomb".to_owned(),
        Effect::Publish { what } => format!("publish {what}"),
        Effect::Remote { what } => format!("remote {what}"),
        Effect::System { what } => format!("system {what}"),
        Effect::Own { what } => format!("own {what}"),
        Effect::Lay { from, to } => format!("lay {from} {}", to.shown),
        Effect::Displace { targets, how } => format!("{how} {}", names(targets)),
        Effect::Client { without } => format!("client without {without}"),
        Effect::Startup { what } => format!("startup {what}"),
    }
}

#[test]
fn commands_are_resolved_to_effects() {
    let rows = include_str!("../tables/effects.tsv");
    let mut wrong = Vec::new();
    for row in rows
        .lines()
        .filter(|row| !row.is_empty() && !row.starts_with('#'))
    {
        let (command, expected) = row.split_once('\t').unwrap_or((row, ""));
        let command = command.replace("\\n", "\n");
        let found = effects(&command);
        if found != expected {
            wrong.push(format!(
                "{command}\n  expected: {expected}\n  found:    {found}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// What is staged and committed, each with where it is done when that is not where we are.
fn staging(command: &str) -> String {
    let analysis = look(command);
    let steps = analysis.staging.iter().map(|step| {
        let place = match &step.staged.site {
            None => " somewhere".to_owned(),
            Some(site) if site.folder == Path::new("/home/ann/app") => String::new(),
            Some(site) => format!(" in {}", site.folder.display()),
        };
        let named = step
            .staged
            .site
            .as_ref()
            .and_then(|site| site.git_dir.as_ref());
        let named = named.map_or_else(String::new, |path| format!(" of {}", path.display()));
        format!("{}{place}{named}", step.staged.act)
    });
    steps.collect::<Vec<_>>().join("; ")
}

#[test]
fn commits_and_what_they_hold_are_found() {
    let (mut count, mut commits, mut wrong) = (0, 0, Vec::new());
    for (command, expected) in rows(include_str!("../tables/staging.tsv")) {
        count += 1;
        let found = staging(&command);
        commits += usize::from(found.contains("commit"));
        if found != expected {
            wrong.push(format!(
                "{command}\n  expected: {expected}\n  found:    {found}"
            ));
        }
        if !found.is_empty() {
            assert!(crate::is_interesting(&command), "{command}");
        }
    }
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        commits >= 70 && count - commits >= 60,
        "{commits} of {count}"
    );
}

#[test]
fn a_step_knows_what_was_done_before_it() {
    let analysis = look("echo a > a.txt; git add a.txt; rm b.txt; git commit -am x");
    let after: Vec<usize> = analysis.staging.iter().map(|step| step.after).collect();
    assert_eq!((after, analysis.acts.len()), (vec![1, 2], 2));
    let many = "git add a\n".repeat(300);
    let steps = look(&format!("{many} git commit -m x")).staging;
    let last = steps.last().map(|step| step.staged.act.to_string());
    assert_eq!(
        last.as_deref(),
        Some("unknown index by a command of many steps")
    );
}

#[test]
fn every_command_with_an_effect_is_interesting() {
    let rows = include_str!("../tables/effects.tsv");
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let (command, expected) = row.split_once('\t').unwrap_or((row, ""));
        if !expected.is_empty() {
            assert!(crate::is_interesting(command), "{command}");
        }
    }
    for plain in [
        "ls -la src",
        "cargo-x test",
        "echo hello",
        "FOO=1 pytest -q",
        "grep -rn 'x y' src",
    ] {
        assert!(!crate::is_interesting(plain), "{plain}");
    }
}

#[test]
fn effects_beyond_the_limit_are_reported() {
    let many: Vec<String> = (0..300).map(|number| format!("rm f{number}")).collect();
    let shown = effects(&format!("{}\nrm -rf /", many.join("\n")));
    assert!(shown.contains("run? more effects"), "{shown}");
    assert!(!effects(&many[..200].join("\n")).contains("run?"));
}

#[test]
fn no_builtin_hides_a_program_of_the_table() {
    for name in crate::lookup::names() {
        assert!(!crate::run::hides(&Memory::default(), name), "{name}");
    }
}
