//! For which events a hook is registered, and whether it is ever reached.

use bellwether_protocol::client::Client;
use bellwether_protocol::client::catalog::Entry;
use bellwether_protocol::client::matcher::Dead;
use bellwether_protocol::event::Kind;

use super::{Looked, Remark};
use crate::doctor::finding::Level;

pub(super) fn remarks(hook: &Looked<'_>, all: &[Looked<'_>], client: Client) -> Vec<Remark> {
    let Some(entry) = client.entry(client.kind_of(hook.entry.event)) else {
        return Vec::new();
    };
    let dead = hook
        .entry
        .matcher()
        .and_then(|matcher| Some((matcher, client.dead_matcher(entry, matcher)?)));
    let dead = dead.map(|(matcher, dead)| of_matcher(matcher, &dead, entry, client));
    dead.into_iter().chain(watches(hook, all, entry)).collect()
}

fn of_matcher(matcher: &str, dead: &Dead, entry: &Entry, client: Client) -> Remark {
    let (what, advice) = match dead {
        Dead::Case { written, known } => (
            format!("the matcher `{written}` never matches: the tool is called {known}"),
            format!("write {known}"),
        ),
        Dead::Part { written, known } => (
            format!("the matcher `{written}` never matches: a name must be whole"),
            format!("write {known}, or ^{written} for all that begin so"),
        ),
        Dead::List => (
            format!("{client} takes the matcher `{matcher}` for one name, which never matches"),
            "write | between the names".to_owned(),
        ),
        Dead::Pattern => (
            format!("the matcher `{matcher}` cannot be read as a pattern and never matches"),
            "correct the matcher".to_owned(),
        ),
        Dead::Ignored => {
            let event = entry.name;
            let what =
                format!("{event} has no matcher: `{matcher}` is ignored, the hook runs every time");
            return Remark::new(Level::Note, what, "remove the matcher");
        }
    };
    Remark::new(Level::Warning, what, advice)
}

/// A hook that only watches, at an event where watching does harm.
fn watches(hook: &Looked<'_>, all: &[Looked<'_>], entry: &Entry) -> Option<Remark> {
    if entry.may_observe() {
        return None;
    }
    let name = hook.command.as_ref()?.name()?;
    let elsewhere = all.iter().any(|other| {
        let of_worktree = other.entry.event == Kind::WorktreeRemove.as_str();
        other.entry.event != hook.entry.event
            && !of_worktree
            && other.command.as_ref().and_then(|line| line.name()) == Some(name)
    });
    let event = entry.name;
    if entry.kind != Kind::WorktreeCreate {
        let what = format!("{event} starts {name} for every piece of text that is shown");
        let advice = format!("remove it from {event}, if it only watches");
        return Some(Remark::new(Level::Note, what, advice));
    }
    elsewhere.then(|| {
        let what = format!(
            "{name} watches other events too, but at {event} its output is taken for a path: no worktree can be made"
        );
        Remark::new(Level::Warning, what, format!("remove it from {event}"))
    })
}
