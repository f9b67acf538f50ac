//! What is in the client's settings files: whether the client takes them, and whether what other
//! people's hooks start is there.
//!
//! The client drops a file that it does not like without a word, and all hooks in it with it.

use std::path::Path;

use bellwether_protocol::client::Client;

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::doctor::settings_files::{Content, HookEntry, SettingsFile};
use crate::doctor::{file, windows};
use crate::settings::Runs;
use crate::settings::check::{Cost, Rejection, rejections};
use bellwether_announce::transcript::CommandLine;

pub(super) const ABOUT: &str =
    "Claude Code accepts every settings file, and the programs of their hooks exist";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let client = setup.client();
    let findings = setup
        .settings
        .iter()
        .flat_map(|file| in_file(file, client))
        .collect();
    let there = |file: &&SettingsFile| !matches!(file.content, Content::Missing);
    let count = setup.settings.iter().filter(there).count();
    let good = match count {
        0 => "no settings files here".to_owned(),
        1 => "the one settings file is well-formed".to_owned(),
        count => format!("{count} settings files are well-formed"),
    };
    or_good(findings, good)
}

fn in_file(file: &SettingsFile, client: Client) -> Vec<Finding> {
    let path = file.path.display();
    let correct = |finding: Finding| finding.advise(format!("correct {path}"));
    let document = match &file.content {
        Content::Missing => return Vec::new(),
        Content::Unreadable(why) => {
            let text = format!("{why}; Claude Code ignores the whole file");
            return vec![correct(Finding::problem(text))];
        }
        Content::Said(document) => document,
    };
    let rejected = rejections(document, client);
    let rejected = rejected.iter().map(|one| correct(rejection(file, one)));
    let entries = file.entries();
    let others = entries.iter().filter(|entry| entry.runs == Runs::Other);
    rejected.chain(others.flat_map(of_entry)).collect()
}

fn rejection(file: &SettingsFile, rejection: &Rejection) -> Finding {
    let (path, Rejection { place, what, costs }) = (file.path.display(), rejection);
    match costs {
        Cost::File => Finding::problem(format!(
            "{path}, {place}: {what}; Claude Code ignores the whole file"
        )),
        Cost::Entry => Finding::warning(format!("{path}, {place}: {what}; it is ignored")),
    }
}

/// What is wrong with what somebody's hook starts.
fn of_entry(entry: &HookEntry<'_>) -> Vec<Finding> {
    let place = format!("{}, {}", entry.file.path.display(), entry.place);
    let foreign = foreign_path(&place, entry.written, &entry.arguments);
    let absent = entry.command.as_ref().and_then(|it| absent(&place, it));
    foreign.into_iter().chain(absent).collect()
}

/// A path of Windows, which no program here can open.
pub(super) fn foreign_path(place: &str, command: &str, arguments: &[&str]) -> Option<Finding> {
    let path = windows::path_in(command, arguments)?;
    let text = format!("{place}: {path} is a path of Windows, which nothing here can open");
    let advice = format!("write it as Linux sees it: under WSL, wslpath '{path}' says how");
    Some(Finding::warning(text).advise(advice))
}

/// A program or script of somebody's hook that is not there. A missing script is the worse: an
/// interpreter then exits with 2, which the client takes for a refusal of everything.
pub(super) fn absent(place: &str, command: &CommandLine) -> Option<Finding> {
    let said = |what: &str, why: &str| format!("{place}: {what} {why}");
    if let Some(script) = command.script()
        && !Path::new(script).exists()
    {
        let text = format!(
            "{}; this may block the agent",
            said(script, "does not exist")
        );
        return Some(Finding::problem(text).advise("put the script there, or remove the hook"));
    }
    let (program, why) = absent_program(command)?;
    Some(Finding::warning(said(program, why)).advise("put the program there, or remove the hook"))
}

/// Only paths are looked at: a mere name may be a word of the shell.
fn absent_program(command: &CommandLine) -> Option<(&str, &'static str)> {
    let program = command
        .program()
        .filter(|program| program.starts_with('/'))?;
    let why = file::runnable(Path::new(program)).err()?;
    Some((program, why))
}
