//! The handlers: what the hook does with an event before the client goes on.
//!
//! A handler is one file here and one `mod` line below. The file says what the handler is
//! about (`ABOUT`), which events it wants (`EVENTS`), how long the client shall wait for it
//! (`TIMEOUT_S`) and what it does (`handle`). Everything else derives from the list: which events
//! are registered and with which timeout, what is run for an event, and the table in the docs.
//!
//! Architecture Invariant: a handler looks and answers. Whatever outlives the hook is a deed in its
//! answer, done by [`dispatch`] and only shown by `explain`. What need not answer the agent is the
//! daemon's, off the journal.

use bellwether_protocol::client::Client;
use bellwether_protocol::event::{Event, Kind};
use bellwether_spine::Home;

use crate::answer::{Answer, Settled};
use crate::looked::Looked;
use crate::settings::Settings;

/// What a handler may look at.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    pub event: &'a Event<'a>,
    pub home: &'a Home,
    pub client: Client,
    /// The client as we are registered with it: events that this version does not have do not come.
    pub registered: Client,
    /// What the person has set, read when it is asked for.
    pub settings: &'a Settings<'a>,
    /// What handlers before this one have found out.
    pub looked: &'a Looked,
}

/// One handler, as its file describes it.
#[derive(Debug, Clone, Copy)]
pub struct Handler {
    /// Its name: that of its file, of its section in the configuration and of its word in the CLI.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    pub events: &'static [Kind],
    /// How many seconds the client shall wait for it.
    pub timeout_s: u32,
    handle: fn(Context<'_>) -> Answer<'_>,
}

impl Handler {
    /// Whether it wants events of this kind.
    pub fn wants(&self, kind: Kind) -> bool {
        self.events.contains(&kind)
    }

    /// Its answer, if it wants the event. Nothing is done by asking.
    pub fn ask<'a>(&self, context: Context<'a>) -> Option<Answer<'a>> {
        self.wants(context.event.kind)
            .then(|| (self.handle)(context))
    }
}

macro_rules! handlers {
    ($($name:ident),* $(,)?) => {
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

pub mod observe;
pub mod guard;
pub mod consent;
pub mod gate;
pub mod format;
pub mod session;
pub mod workflow;
pub mod page;
pub mod troubles;
pub mod notices;

bellwether_listed::modules!(handlers, "src/handlers/mod.rs");

/// Asks every handler that wants the event and does what they answer; the strictest reply counts. What
/// is to be done or asked once that has been said is returned with it.
pub fn dispatch(context: Context<'_>) -> Settled<'_> {
    let answers = ALL.iter().filter_map(|handler| handler.ask(context));
    answers.fold(Settled::default(), Settled::with)
}

/// An event that some handler wants, and how long the client shall wait for all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registration {
    pub kind: Kind,
    /// The longest time that one of its handlers asks for, in seconds.
    pub timeout_s: u32,
    /// Whether it is guarded: without an answer of ours nothing should happen.
    pub guarded: bool,
}

/// What must be registered with the client.
pub fn registrations() -> Vec<Registration> {
    let wanted = |kind: &Kind| {
        let asking = ALL.iter().filter(|handler| handler.wants(*kind));
        let timeout_s = asking.map(|handler| handler.timeout_s).max()?;
        Some(Registration {
            kind: *kind,
            timeout_s,
            guarded: guard::EVENTS.contains(kind),
        })
    };
    Kind::ALL.iter().filter_map(wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Making;

    /// Names, sizes and contents of all that is below a folder.
    fn everything_in(folder: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut found: Vec<_> = entries
            .flat_map(|entry| {
                let path = entry.unwrap().path();
                let below = if path.is_dir() {
                    everything_in(&path)
                } else {
                    Vec::new()
                };
                let content = std::fs::read(&path).unwrap_or_default();
                below
                    .into_iter()
                    .chain([(path, content)])
                    .collect::<Vec<_>>()
            })
            .collect();
        found.sort();
        found
    }

    #[test]
    fn asking_leaves_no_trace_and_settling_may() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        bellwether_spine::trouble::Troubles(&home)
            .note("disk", "the disk is full")
            .unwrap();
        let before = everything_in(folder.path());
        let payloads = concat!(env!("CARGO_MANIFEST_DIR"), "/../protocol/fixtures/payloads");
        for entry in std::fs::read_dir(payloads).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let event = Client::default().parse(&text).unwrap();
            let settings = Settings::new(&home, None, Making::Never);
            let context = Context {
                event: &event,
                home: &home,
                client: Client::default(),
                registered: Client::default(),
                settings: &settings,
                looked: &Looked::default(),
            };
            let answers: Vec<Answer<'_>> = ALL
                .iter()
                .filter_map(|handler| handler.ask(context))
                .collect();
            assert_eq!(everything_in(folder.path()), before, "{}", event.name);
            drop(answers);
        }
        let event = Event {
            kind: Kind::SessionStart,
            ..Event::default()
        };
        dispatch(Context {
            event: &event,
            home: &home,
            client: Client::default(),
            registered: Client::default(),
            settings: &Settings::new(&home, None, Making::Never),
            looked: &Looked::default(),
        });
        assert_ne!(everything_in(folder.path()), before);
    }

    /// A client before 1.0.41 does not name the event, and before 1.0.59 it obeys only the oldest form of a refusal.
    #[test]
    fn the_guard_refuses_where_only_the_registration_names_the_event() {
        use bellwether_protocol::client::{Product, Version};
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let said = |patch: u32, command: &str, named: Option<Kind>| {
            let client = Client::new(Product::Claude, Version(1, 0, patch));
            let payload = format!(
                r#"{{"session_id":"s","transcript_path":"/t","tool_name":"Bash","tool_input":{{"command":"{command}"}}}}"#
            );
            let event = client.parse_as(&payload, named).unwrap();
            let settings = Settings::new(&home, None, Making::Never);
            let looked = Looked::default();
            let settled = dispatch(Context {
                event: &event,
                home: &home,
                client,
                registered: client,
                settings: &settings,
                looked: &looked,
            });
            client.render(event.kind, &settled.reply).stdout
        };
        for patch in [23, 38, 40] {
            let refusal = said(patch, "rm -rf /", Some(Kind::PreToolUse)).unwrap();
            assert!(
                refusal.starts_with(r#"{"decision":"block","reason":"#),
                "{refusal}"
            );
            assert_eq!(said(patch, "ls -l", Some(Kind::PreToolUse)), None);
            assert_eq!(said(patch, "rm -rf /", Some(Kind::PostToolUse)), None);
            assert_eq!(said(patch, "rm -rf /", None), None);
        }
    }

    /// `FileChanged` may be observed, but only with a list of files, which nobody has given yet.
    #[test]
    fn what_may_be_observed_is_registered_and_nothing_else() {
        let registered: Vec<Kind> = registrations().iter().map(|wanted| wanted.kind).collect();
        let may_be: Vec<Kind> = Client::default()
            .catalog()
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
