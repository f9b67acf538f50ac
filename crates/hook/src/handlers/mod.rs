//! The handlers: what the hook does with an event before the client goes on.
//!
//! A handler is one file here and one word in the list below. The file says what the handler is
//! about (`ABOUT`), which events it wants (`EVENTS`), how long the client shall wait for it
//! (`TIMEOUT_S`) and what it does (`handle`). Everything else derives from the list: which events
//! are registered and with which timeout, what is run for an event, and the table in the docs.
//!
//! Architecture Invariant: a handler answers, and does nothing else that outlives the hook. What
//! need not answer the agent is the daemon's, off the journal.

use bellwether_protocol::claude::version::Version;
use bellwether_protocol::event::{Event, Kind};
use bellwether_protocol::reply::Reply;
use bellwether_spine::Home;

/// What a handler may look at.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// What happened.
    pub event: &'a Event<'a>,
    /// Where our files are.
    pub home: &'a Home,
    /// Which client asks.
    pub client: Version,
}

/// One handler, as its file describes it.
#[derive(Debug, Clone, Copy)]
pub struct Handler {
    /// Its name: that of its file, of its section in the configuration and of its word in the CLI.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// The events it wants.
    pub events: &'static [Kind],
    /// How many seconds the client shall wait for it.
    pub timeout_s: u32,
    handle: fn(Context<'_>) -> Reply,
}

macro_rules! handlers {
    ($($name:ident),* $(,)?) => {
        $(pub(crate) mod $name;)*

        /// Every handler, in the order in which they are asked.
        pub const ALL: &[Handler] = &[$(Handler {
            name: stringify!($name),
            about: $name::ABOUT,
            events: $name::EVENTS,
            timeout_s: $name::TIMEOUT_S,
            handle: $name::handle,
        }),*];
    };
}

handlers![observe, troubles];

/// Asks every handler that wants the event; the strictest answer counts.
pub fn dispatch(context: Context<'_>) -> Reply {
    ALL.iter()
        .filter(|handler| handler.events.contains(&context.event.kind))
        .fold(Reply::default(), |reply, handler| {
            reply.merge((handler.handle)(context))
        })
}

/// An event that some handler wants, and how long the client shall wait for all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registration {
    /// The event.
    pub kind: Kind,
    /// The longest time that one of its handlers asks for, in seconds.
    pub timeout_s: u32,
}

/// What must be registered with the client.
pub fn registrations() -> Vec<Registration> {
    let wanted = |kind: &Kind| {
        let asking = ALL.iter().filter(|handler| handler.events.contains(kind));
        let timeout_s = asking.map(|handler| handler.timeout_s).max()?;
        Some(Registration {
            kind: *kind,
            timeout_s,
        })
    };
    Kind::ALL.iter().filter_map(wanted).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bellwether_protocol::claude::catalog;

    use super::*;

    #[test]
    fn every_file_is_in_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/handlers");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                entry
                    .unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .filter(|name| name != "mod")
            .collect();
        let listed: BTreeSet<String> = ALL.iter().map(|handler| handler.name.to_owned()).collect();
        assert_eq!(files, listed);
        assert_eq!(listed.len(), ALL.len(), "a handler is listed twice");
    }

    /// `FileChanged` may be observed, but only with a list of files, which nobody has given yet.
    #[test]
    fn what_may_be_observed_is_registered_and_nothing_else() {
        let registered: Vec<Kind> = registrations().iter().map(|wanted| wanted.kind).collect();
        let may_be: Vec<Kind> = catalog::EVENTS
            .iter()
            .filter(|entry| entry.may_observe() && entry.kind != Kind::FileChanged)
            .map(|entry| entry.kind)
            .collect();
        assert_eq!(registered, may_be);
        assert_eq!(registered.len(), 30);
    }

    #[test]
    fn the_docs_list_every_handler() {
        let docs = include_str!("../../../../docs/architecture.md");
        for handler in ALL {
            let row = format!("| `{}` | {} |", handler.name, handler.about);
            assert!(docs.contains(&row), "docs/architecture.md lacks: {row}");
        }
    }
}
