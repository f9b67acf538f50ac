//! What of all events a version of the client tells us: by its own event, by another one, or not at all.

use bellwether_hook::handlers::registrations;
use bellwether_protocol::client::catalog::Entry;
use bellwether_protocol::client::stand_in::{Carrier, StandIn};
use bellwether_protocol::client::{Client, Version};
use bellwether_protocol::event::{Kind, ToolKind};
use serde::Serialize;

/// One event, as far as a version tells it.
#[derive(Debug, Serialize)]
pub(crate) struct Covered {
    pub(crate) event: &'static str,
    pub(crate) about: &'static str,
    #[serde(flatten)]
    pub(crate) how: How,
    /// The first version that has it.
    #[serde(serialize_with = "as_text")]
    pub(crate) since: Version,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub(crate) enum How {
    /// By its own event, for which our hook is registered.
    Registered,
    /// A hook that only watches must not be registered for it, or is not wanted, in any version.
    Unregistered,
    /// By something else.
    Replaced {
        by: Vec<String>,
        differs: &'static str,
    },
    /// Not at all.
    Missing,
}

fn as_text<S: serde::Serializer>(version: &Version, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(version)
}

/// Every event, in the order of the catalog.
pub(crate) fn coverage(client: Client) -> Vec<Covered> {
    let wanted: Vec<Kind> = registrations().iter().map(|one| one.kind).collect();
    let covered = |entry: &Entry| Covered {
        event: entry.name,
        about: entry.kind.about(),
        how: how(client, entry.kind, &wanted),
        since: entry.support.since,
    };
    client.catalog().iter().map(covered).collect()
}

fn how(client: Client, kind: Kind, wanted: &[Kind]) -> How {
    if !wanted.contains(&kind) {
        return How::Unregistered;
    }
    if client.entry(kind).is_some() {
        return How::Registered;
    }
    let stand_in = client.stand_ins().find(|one| one.kind == kind);
    match stand_in {
        Some(stand_in) => replaced(client, stand_in),
        None => How::Missing,
    }
}

/// Only what this version has can carry anything.
fn replaced(client: Client, stand_in: &StandIn) -> How {
    let carriers = stand_in.carriers.iter();
    let by: Vec<String> = carriers.filter_map(|one| carrier(client, *one)).collect();
    if by.is_empty() {
        return How::Missing;
    }
    How::Replaced {
        by,
        differs: stand_in.differs,
    }
}

fn carrier(client: Client, carrier: Carrier) -> Option<String> {
    let name = |kind| client.entry(kind).map(|entry| entry.name);
    Some(match carrier {
        Carrier::Event(kind) => name(kind)?.to_owned(),
        Carrier::Call(kind, tool) => format!("{} of {}", name(kind)?, tools(client, tool)),
        Carrier::Transcript(kind) => format!("the transcript, at {}", name(kind)?),
    })
}

fn tools(client: Client, does: ToolKind) -> String {
    client.tools_for(does).join(" or ")
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Product;

    use super::*;

    fn of(version: &str) -> Vec<Covered> {
        let version = Version::parse(version).unwrap();
        coverage(Client::new(Product::Claude, version))
    }

    fn names(all: &[Covered], wanted: impl Fn(&How) -> bool) -> String {
        let fitting = all.iter().filter(|one| wanted(&one.how));
        let names: Vec<&str> = fitting.map(|one| one.event).collect();
        names.join(" ")
    }

    #[test]
    fn the_newest_lacks_nothing() {
        let all = of("2.1.325");
        let unregistered = names(&all, |how| *how == How::Unregistered);
        assert_eq!(unregistered, "WorktreeCreate FileChanged MessageDisplay");
        let others = |how: &How| !matches!(how, How::Registered | How::Unregistered);
        assert_eq!(names(&all, others), "");
    }

    #[test]
    fn an_old_one_has_what_it_has_and_what_stands_in() {
        let all = of("2.0.30");
        assert_eq!(
            names(&all, |how| *how == How::Registered),
            "PreToolUse PostToolUse Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStop PreCompact"
        );
        assert_eq!(
            names(&all, |how| matches!(how, How::Replaced { .. })),
            "PostToolUseFailure StopFailure SubagentStart PostCompact PermissionRequest TeammateIdle TaskCreated TaskCompleted CwdChanged"
        );
        let done = all.iter().find(|one| one.event == "TaskCompleted").unwrap();
        let How::Replaced { by, .. } = &done.how else {
            panic!("{done:?}")
        };
        assert_eq!(
            by.join(", "),
            "PostToolUse of TaskUpdate, PostToolUse of TodoWrite"
        );
    }

    #[test]
    fn support_may_end_and_begin_again() {
        let loaded = |version: &str| {
            let all = of(version);
            let one = all
                .into_iter()
                .find(|one| one.event == "InstructionsLoaded");
            one.unwrap().how
        };
        assert_eq!(loaded("2.1.64"), How::Registered);
        assert_eq!(loaded("2.1.67"), How::Missing);
        assert_eq!(loaded("2.1.69"), How::Registered);
    }
}
