//! The two changes we make: our entries are put in, or brought up to date; and taken out.

use bellwether_protocol::client::Client;
use serde::Serialize;

use super::check::{Cost, Rejection, rejections};
use super::document::{Document, Entry};
use super::edit;
use super::foreign::foreign;
use super::json::{Node, Place, SyntaxError, Value};
use super::ours::{Runs, WAIT};
use super::remove::{self, Left};

/// One of our entries as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Handler {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timeout: Option<u32>,
    #[serde(rename = "onFailure", skip_serializing_if = "Option::is_none")]
    pub(crate) on_failure: Option<&'static str>,
}

impl Handler {
    fn waits(&self) -> bool {
        let word = format!(" {WAIT} ");
        self.args.iter().flatten().any(|arg| arg == WAIT) || self.command.contains(&word)
    }
}

/// What registering does to a file, by event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) text: String,
    /// Events that get an entry.
    pub(crate) added: Vec<String>,
    /// Events whose entry was another: for another client, path or home.
    pub(crate) updated: Vec<String>,
    /// Events that lose an entry: not wanted any more, or there twice.
    pub(crate) removed: Vec<String>,
}

impl Change {
    /// Both changes, one after the other.
    pub(crate) fn then(mut self, next: Self) -> Self {
        self.added.extend(next.added);
        self.updated.extend(next.updated);
        self.removed.extend(next.removed);
        self.text = next.text;
        self
    }
}

/// Why a file is left alone.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// It is no JSON.
    #[error("it is not valid JSON")]
    Syntax(#[from] SyntaxError),
    /// The client would not read it, with or without us.
    #[error(
        "{client} ignores this whole file until it is corrected:\n{}",
        listed(rejections)
    )]
    Rejected {
        client: Client,
        /// What it does not take.
        rejections: Vec<Rejection>,
    },
    /// The client sees only the last of several.
    #[error(
        "`{name}` is there twice, and Claude Code sees only the last, at {place}; make one of them"
    )]
    Twice {
        name: String,
        /// Where the last one is.
        place: Place,
    },
    /// There is no place for one of our entries.
    #[error(
        "`{event}` is {kind} at {place}, not an array, so Claude Code ignores it; correct or remove it"
    )]
    NoPlace {
        event: String,
        kind: &'static str,
        place: Place,
    },
    /// Somebody has decided it.
    #[error("`{name}` has another value at {place}; change it there if that is a mistake")]
    SaidOtherwise { name: String, place: Place },
    /// A mistake of ours: better no change than a wrong one.
    #[error(
        "the change would have touched what is not ours ({0}); nothing was written, please report this"
    )]
    Unsafe(&'static str),
}

fn listed(rejections: &[Rejection]) -> String {
    let lines = rejections
        .iter()
        .map(|found| format!("  {}: {}", found.place, found.what));
    lines.collect::<Vec<_>>().join("\n")
}

/// Makes our entries exactly these, one an event; what is there already stays where it is. The hook that
/// waits and those that do not are registered apart, and neither touches the other. `before` is the text
/// before us, if it is known.
pub(crate) fn register(
    document: &Document,
    wanted: &[(&str, Handler)],
    client: Client,
    before: Option<&Document>,
) -> Result<Change, Refusal> {
    find_place(document, wanted, client)?;
    let mut change = Change::default();
    let mut stale = Vec::new();
    let mut present: Vec<&str> = Vec::new();
    for entry in alike(document, wanted) {
        let handler = wanted.iter().find(|(event, _)| *event == entry.event);
        match handler {
            Some((_, handler)) if !present.contains(&entry.event) => {
                present.push(entry.event);
                if !is_same(document, &entry, handler) {
                    change.updated.push(entry.event.to_owned());
                    stale.push((entry, handler));
                }
            }
            _ => change.removed.push(entry.event.to_owned()),
        }
    }
    let missing = wanted.iter().filter(|(event, _)| !present.contains(event));
    let missing: Vec<(&str, &Handler)> =
        missing.map(|(event, handler)| (*event, handler)).collect();
    change.added = missing
        .iter()
        .map(|(event, _)| (*event).to_owned())
        .collect();

    let updated = Document::parse(edit::replace(document, &stale))?;
    let trimmed = Document::parse(without_spare(&updated, wanted, before))?;
    change.text = if missing.is_empty() {
        trimmed.text().to_owned()
    } else {
        edit::add(&trimmed, &missing)
    };
    verify(document, &change.text, client)?;
    Ok(change)
}

/// Those of our entries that are of the same way as what is wanted.
fn alike<'a>(document: &'a Document, wanted: &[(&str, Handler)]) -> Vec<Entry<'a>> {
    let waits = wanted.iter().any(|(_, handler)| handler.waits());
    let mut entries = document.ours();
    entries.retain(|entry| entry.waits() == waits);
    entries
}

/// The text without those of our entries that are not wanted, or there a second time.
fn without_spare(
    document: &Document,
    wanted: &[(&str, Handler)],
    before: Option<&Document>,
) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut spare = alike(document, wanted);
    spare.retain(|entry| {
        let keep =
            wanted.iter().any(|(event, _)| *event == entry.event) && !seen.contains(&entry.event);
        if keep {
            seen.push(entry.event);
        }
        !keep
    });
    match remove::remove(document, &spare, before) {
        Left::Text(text) => text,
        Left::Nothing => "{}\n".to_owned(),
    }
}

/// Takes our entries out; `before` is the text before us, if it is known.
pub(crate) fn unregister(document: &Document, before: Option<&Document>) -> Result<Left, Refusal> {
    refuse_twins(document)?;
    let left = remove::remove(document, &document.ours(), before);
    if let Left::Text(text) = &left {
        let after = Document::parse(text.clone())?;
        if !after.ours().is_empty() || foreign(&after) != foreign(document) {
            return Err(Refusal::Unsafe("something else is missing"));
        }
    }
    Ok(left)
}

/// Whether a file holds anything but our entries.
pub(crate) fn holds_others(document: &Document) -> bool {
    !foreign(document).is_empty()
}

fn is_same(document: &Document, entry: &Entry<'_>, wanted: &Handler) -> bool {
    let text = document.text_at(entry.handler().span.clone());
    let there: Option<serde_json::Value> = serde_json::from_str(text).ok();
    there.is_some() && there == serde_json::to_value(wanted).ok()
}

/// Refuses a file whose shape has no place for our entries.
fn find_place(
    document: &Document,
    wanted: &[(&str, Handler)],
    client: Client,
) -> Result<(), Refusal> {
    let is_object = |node: &Node| matches!(node.value, Value::Object(_));
    let objects = [Some(document.root()), document.hooks()];
    if !objects.into_iter().flatten().all(is_object) {
        let rejections = rejections(document, client);
        return Err(Refusal::Rejected { client, rejections });
    }
    refuse_twins(document)?;
    let events = document.hooks().map(Node::members).unwrap_or_default();
    let wanted = |name: &str| wanted.iter().any(|(event, _)| *event == name);
    let is_array = |node: &Node| matches!(node.value, Value::Array(_));
    match events
        .iter()
        .find(|event| wanted(&event.name) && !is_array(&event.value))
    {
        // Where this costs the whole file, more may be wrong with it: all of it is told at once.
        Some(event) if fatal(document, client).is_empty() => Err(Refusal::NoPlace {
            event: event.name.clone(),
            kind: event.value.kind(),
            place: document.place(&event.value),
        }),
        Some(_) => Err(Refusal::Rejected {
            client,
            rejections: fatal(document, client),
        }),
        None => Ok(()),
    }
}

/// What would make the client ignore the whole file.
fn fatal(document: &Document, client: Client) -> Vec<Rejection> {
    let mut rejections = rejections(document, client);
    rejections.retain(|rejection| rejection.costs == Cost::File);
    rejections
}

/// Of two `hooks`, or two of one event, the client sees the last: either choice would surprise.
fn refuse_twins(document: &Document) -> Result<(), Refusal> {
    let events = document.hooks().map(Node::members).unwrap_or_default();
    let hooks = document
        .root()
        .members()
        .iter()
        .filter(|member| member.name == "hooks");
    for members in [hooks.collect::<Vec<_>>(), events.iter().collect()] {
        let twin = members.iter().enumerate().find(|(index, member)| {
            members[..*index]
                .iter()
                .any(|earlier| earlier.name == member.name)
        });
        if let Some((_, twin)) = twin {
            return Err(Refusal::Twice {
                name: twin.name.clone(),
                place: Place::of(document.text(), twin.start),
            });
        }
    }
    Ok(())
}

/// Looks at what would be written with the eyes of the client and of everybody else in the file.
fn verify(before: &Document, text: &str, client: Client) -> Result<(), Refusal> {
    let after = Document::parse(text)?;
    let lasting = fatal(&after, client);
    if !lasting.is_empty() {
        // Told with the places of the file as it is; what is wrong with our old entries is mended.
        let mut rejections = fatal(before, client);
        rejections.retain(|found| lasting.iter().any(|lasting| lasting.what == found.what));
        return Err(Refusal::Rejected { client, rejections });
    }
    if foreign(before) != foreign(&after) {
        return Err(Refusal::Unsafe("other settings differ"));
    }
    let many = |document: &Document, runs| {
        document
            .entries()
            .iter()
            .filter(|entry| entry.runs() == runs)
            .count()
    };
    if many(before, Runs::Other) != many(&after, Runs::Other) {
        return Err(Refusal::Unsafe("other hooks differ"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
