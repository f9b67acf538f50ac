//! git: what it destroys and runs is read in a module of its own.

use super::patch;
use crate::effect::{Effect, How};
use crate::git::{self, Run, Started};
use crate::options::Options;
use crate::program::{Does, Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::{Fill, Text};

mod steps;

pub(super) const PROGRAMS: &[Program] = &[
    program("git", "", read),
    program("hub", "", read).does(&[Does::Remote("delete")]),
];

fn read(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let folder = runner.folder();
    let mut environment: Vec<(String, Text)> = runner.git_variables();
    environment.extend(call.variables.iter().cloned());
    let words = steps::answered(after_switch(runner, call), &call.stdin);
    let before = steps::before(runner, folder.as_deref());
    let reading = git::read(&git::GitCall {
        words: &words,
        environment: &environment,
        folder: folder.as_deref(),
        world: runner.world,
    });
    for act in unusual(runner, call) {
        let site = folder.clone().map(git::Site::of);
        runner.note(Effect::Git(git::GitEffect { site, act, before }), call);
    }
    for effect in reading.effects {
        let effect = git::GitEffect { before, ..effect };
        runner.note(Effect::Git(effect), call);
    }
    steps::remember(runner, folder, &words);
    for staged in reading.staging {
        runner.stage(staged);
    }
    for touched in reading.touched {
        note_touched(runner, call, touched);
    }
    patch::applied(runner, call, "apply", &words);
    for run in reading.runs {
        if run.is_later {
            runner.elsewhere(|runner| follow(runner, call, run));
        } else {
            follow(runner, call, run);
        }
    }
    printed(runner, call)
}

/// Follows what git runs.
fn follow(runner: &mut Runner<'_>, call: &Call, run: Run) {
    runner.through(&run.by, |runner| {
        runner.apart(|runner| {
            runner.state.folders = run.folder.into_iter().collect();
            match run.ran {
                Started::Script { text, arguments } => {
                    runner.state.arguments = arguments;
                    runner.source_text(&text, &call.stdin)
                }
                Started::Words(words) => {
                    runner.run_words_with(&words, Vec::new(), call.stdin.clone())
                }
            }
        })
    });
}

fn note_touched(runner: &mut Runner<'_>, call: &Call, touched: git::Touched) {
    let text = |path: std::path::PathBuf| Text::plain(path.display().to_string());
    match touched {
        git::Touched::Written(file) => runner.overwrite(&text(file), How::Written, call),
        git::Touched::Filled(folder) => {
            runner.fill_folder(Some(&text(folder)), &call.shown(), call);
        }
        git::Touched::Command(what) => runner.note(Effect::Startup { what }, call),
    }
}

/// The words of a call, with the branch that was switched to on the way where a push names none.
fn after_switch(runner: &mut Runner<'_>, call: &Call) -> Vec<Text> {
    const BRANCH: &str = "__branch";
    let mut words = call.words.clone();
    let operands: Vec<&Text> = words
        .iter()
        .filter(|word| !word.lead().starts_with('-'))
        .collect();
    match operands.as_slice() {
        [verb, .., branch] if verb.is("checkout") || verb.is("switch") => {
            let paths = words.iter().any(|word| word.is("--"));
            if !paths {
                let branch = (*branch).clone();
                runner.set(BRANCH, branch);
            }
        }
        [verb] if verb.is("push") => {
            if let Some(branch) = runner.known(BRANCH) {
                let branch = Text::plain(branch);
                words.extend([Text::plain("origin"), branch]);
            }
        }
        [verb, _] if verb.is("push") => {
            if let Some(branch) = runner.known(BRANCH) {
                words.push(Text::plain(branch));
            }
        }
        _ => {}
    }
    words
}

/// Ways of losing work that no subcommand shows by itself: a refspec that forces from the configuration,
/// a diff of the work that is applied backwards.
fn unusual(runner: &mut Runner<'_>, call: &Call) -> Vec<git::GitAct> {
    let words: Vec<String> = call.words.iter().map(Text::shown).collect();
    let has = |word: &str| words.iter().any(|known| known == word);
    let forced = words
        .iter()
        .any(|word| word.starts_with("remote.") && word.contains(".push=+"));
    let mut acts = Vec::new();
    if forced && has("push") {
        acts.push(git::GitAct::Unknown {
            what: "a push that forces by its configuration".to_owned(),
        });
    }
    let looks = ["--check", "--stat", "--numstat", "--summary", "--cached"];
    if has("apply") && (has("-R") || has("--reverse")) && !looks.iter().any(|look| has(look)) {
        acts.extend(patch::taken_back(runner, call));
    }
    acts
}

/// What git prints, where a command may use it: the work tree's root, a commit, names of files.
fn printed(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let words: Vec<String> = call.words.iter().map(Text::shown).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let hole = |fill| Stream::Text(Text::hole(format!("$({})", call.shown()), fill));
    match words.as_slice() {
        ["rev-parse", "--show-toplevel"] => match root(runner) {
            Some(root) => Stream::plain(root),
            None => Stream::Unknown(call.shown()),
        },
        ["rev-parse" | "describe" | "merge-base" | "symbolic-ref", ..]
        | ["branch", "--show-current"] => hole(Fill::Name),
        ["ls-files" | "diff", ..] => hole(Fill::Below(None)),
        _ => Stream::Unknown(call.shown()),
    }
}

/// The nearest folder above that holds a repository.
fn root(runner: &mut Runner<'_>) -> Option<String> {
    let folder = runner.folder()?;
    folder
        .ancestors()
        .find(|folder| runner.world.look(&folder.join(".git")) != crate::Entry::Missing)
        .map(|folder| folder.display().to_string())
}
