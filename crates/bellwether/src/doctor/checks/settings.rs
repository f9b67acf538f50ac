//! What is in the client's settings files: whether the client takes them, and whether what other
//! people's hooks start is there.
//!
//! The client drops a file that it does not like without a word, and all hooks in it with it.

use bellwether_protocol::client::Client;

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::doctor::lint;
use crate::doctor::settings_files::{Content, SettingsFile};
use crate::settings::check::{Cost, Rejection, rejections};

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
        Content::Unchecked(why) => return vec![Finding::note(format!("{why}; not checked"))],
        Content::Said(document) => document,
    };
    let rejected = rejections(document, client);
    let rejected = rejected.iter().map(|one| correct(rejection(file, one)));
    let others = lint::findings(&file.others(), client);
    rejected.chain(others).collect()
}

fn rejection(file: &SettingsFile, rejection: &Rejection) -> Finding {
    let (path, Rejection { place, what, costs }) = (file.path.display(), rejection);
    match costs {
        Cost::File | Cost::Plugin => Finding::problem(format!(
            "{path}, {place}: {what}; Claude Code ignores the whole file"
        )),
        Cost::Entry => Finding::warning(format!("{path}, {place}: {what}; it is ignored")),
    }
}
