//! What is odd about one hook of somebody's, in settings or in a plugin: what it starts is not there, or something
//! that it says has no effect in this version of the client.
//!
//! A hook that is registered for many events is remarked on once.

mod fields;
mod matching;
mod started;

use bellwether_protocol::client::Client;

use super::finding::{Finding, Level};
use super::windows;
use crate::settings::Entry;
use crate::settings::check::FileKind;
use crate::settings::json::Node;
use bellwether_transcript::CommandLine;

/// So many hooks of one file are looked at.
pub(super) const MOST: usize = 500;
/// So many remarks on one file are made.
const NAMED: usize = 12;

/// A hook to look at.
pub(super) struct Looked<'a> {
    /// Its file and the place in it.
    pub place: String,
    pub kind: FileKind,
    pub entry: Entry<'a>,
    /// What it starts, if it starts a command.
    pub command: Option<CommandLine>,
}

impl<'a> Looked<'a> {
    /// The words behind its program, where it is started without a shell.
    pub(super) fn arguments(&self) -> Option<Vec<&'a str>> {
        arguments(&self.entry)
    }
}

pub(super) fn arguments<'a>(entry: &Entry<'a>) -> Option<Vec<&'a str>> {
    let words = entry.handler().get("args").map(Node::items)?;
    Some(words.iter().filter_map(Node::as_str).collect())
}

/// Something to say about a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark {
    level: Level,
    what: String,
    advice: String,
}

impl Remark {
    fn new(level: Level, what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            level,
            what: what.into(),
            advice: advice.into(),
        }
    }
}

/// What there is to say about the hooks of one file.
pub(super) fn findings(hooks: &[Looked<'_>], client: Client) -> Vec<Finding> {
    let mut remarks: Vec<(Remark, &str, usize)> = Vec::new();
    for hook in hooks.iter().take(MOST) {
        for remark in remarks_on(hook, hooks, client) {
            match remarks.iter_mut().find(|(known, ..)| *known == remark) {
                Some((_, _, more)) => *more += 1,
                None => remarks.push((remark, &hook.place, 0)),
            }
        }
    }
    let left = remarks.len().saturating_sub(NAMED);
    let named = remarks.iter().take(NAMED).map(|(remark, place, more)| {
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let text = format!("{place}{more}: {}", remark.what);
        Finding::new(remark.level, &text).advise(&remark.advice)
    });
    let rest = (left > 0).then(|| Finding::note(format!("and {left} remarks more on its hooks")));
    named.chain(rest).collect()
}

fn remarks_on(hook: &Looked<'_>, all: &[Looked<'_>], client: Client) -> Vec<Remark> {
    let command = hook.entry.command().unwrap_or_default();
    let arguments = hook.arguments().unwrap_or_default();
    let started = match windows::path_in(command, &arguments) {
        Some(path) => Some(of_windows(path)),
        None => started::remark(hook),
    };
    started
        .into_iter()
        .chain(fields::remarks(hook, client))
        .chain(matching::remarks(hook, all, client))
        .collect()
}

/// A path of Windows, which no program here can open.
fn of_windows(path: &str) -> Remark {
    Remark::new(
        Level::Warning,
        format!("{path} is a path of Windows, which nothing here can open"),
        format!("write it as Linux sees it: under WSL, wslpath '{path}' says how"),
    )
}

#[cfg(test)]
mod tests;
