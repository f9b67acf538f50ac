//! Tells at the beginning of a session what matters: the state of the repository and of its secrets.

use std::path::PathBuf;

use bellwether_protocol::event::Kind;
use bellwether_protocol::reply::Reply;
use bellwether_spine::meta;
use serde::{Deserialize, Serialize};

use super::Context;
use crate::answer::Answer;
use crate::session::{self, Line};

pub(super) const ABOUT: &str = "tell at the beginning of a session what matters";
pub(super) const TIMEOUT_S: u32 = 10;
pub(super) const EVENTS: &[Kind] = &[Kind::SessionStart];

/// The name of this section in the configuration.
pub const SECTION: &str = "session";

/// What a project's file cannot set before it is trusted: it goes into the model's context.
pub const NEEDS_TRUST: &[&str] = &["conventions"];

/// What is told at the beginning of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Tell you and the agent in one line how the git repository stands: branch, commits ahead and behind, changed files, stashes.
    pub git: bool,
    /// Tell you and the agent what is wrong with `.env` files: secrets that are not encrypted with dotenvx, a missing key.
    pub env: bool,
    /// What the agent is reminded of after its context was compacted, a line each; at most 4,000 characters in all.
    pub conventions: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            git: true,
            env: true,
            conventions: Vec::new(),
        }
    }
}

pub(super) fn handle(context: Context<'_>) -> Answer<'_> {
    let audience = || match context.client.is_attended(&meta::variable) {
        false => Audience::Nobody,
        true if context.client.shows_colours(&meta::variable) => Audience::Terminal,
        true => Audience::Other,
    };
    answer(context, &audience)
}

/// Who sits in front of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Audience {
    Nobody,
    /// Somebody who sees colours.
    Terminal,
    Other,
}

fn answer<'a>(context: Context<'a>, audience: &dyn Fn() -> Audience) -> Answer<'a> {
    let config = || context.settings.section::<Config>(SECTION);
    let reply = match context.event.detail.as_deref() {
        Some("startup" | "resume" | "fork") => begun(context, &config(), audience),
        Some("compact") => Reply {
            context: session::reminder(&config().conventions),
            ..Reply::default()
        },
        // What was cleared goes on in front of the same person.
        _ => Reply::default(),
    };
    Answer {
        reply,
        ..Answer::default()
    }
}

/// The same to the model and, where somebody sits in front of it, to the person.
fn begun(context: Context<'_>, config: &Config, audience: &dyn Fn() -> Audience) -> Reply {
    let project = crate::project_of(context.event, context.client);
    let cwd = context.event.cwd.as_deref().map(PathBuf::from);
    let folder = cwd.or_else(|| project.clone());
    let lines = session::checks(
        folder.filter(|_| config.git),
        project.filter(|_| config.env),
    );
    if lines.is_empty() {
        return Reply::default();
    }
    let joined =
        |shown: fn(&Line) -> String| lines.iter().map(shown).collect::<Vec<_>>().join("\n");
    Reply {
        message: match audience() {
            Audience::Nobody => None,
            Audience::Terminal => Some(joined(Line::coloured)),
            Audience::Other => Some(joined(Line::plain)),
        },
        context: Some(joined(Line::plain)),
        ..Reply::default()
    }
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;
    use bellwether_protocol::event::Event;
    use bellwether_spine::Home;
    use bellwether_spine::config::Snapshot;

    use super::*;
    use crate::guard::sandbox::Sandbox;
    use crate::settings::Settings;

    fn said(sandbox: &Sandbox, source: Option<&str>, config: &Config, audience: Audience) -> Reply {
        let home = Home::find(Some(sandbox.home().join("bellwether"))).unwrap();
        let mut snapshot = Snapshot::new(Vec::new());
        snapshot.add(SECTION, config).unwrap();
        let settings = Settings::known(&home, snapshot);
        let cwd = sandbox.path().display().to_string();
        let event = Event {
            kind: Kind::SessionStart,
            detail: source.map(Into::into),
            cwd: Some(cwd.into()),
            ..Event::default()
        };
        let context = Context {
            event: &event,
            home: &home,
            client: Client::default(),
            settings: &settings,
            registered: Client::default(),
            looked: &crate::looked::Looked::default(),
        };
        answer(context, &|| audience).settle().0
    }

    #[test]
    fn a_session_that_begins_is_told_what_matters() {
        let sandbox = Sandbox::clean();
        sandbox.write("new.txt", "n");
        let (config, person) = (Config::default(), Audience::Terminal);
        let git = "bellwether: git: branch \"main\", 1 untracked";
        for source in ["startup", "resume", "fork"] {
            let reply = said(&sandbox, Some(source), &config, person);
            assert_eq!(reply.message.as_deref(), Some(git), "{source}");
            assert_eq!(reply.context, reply.message);
        }
        for source in [None, Some("clear"), Some("compact"), Some("something new")] {
            let reply = said(&sandbox, source, &config, person);
            assert_eq!(reply, Reply::default(), "{source:?}");
        }
        let off = Config {
            git: false,
            env: false,
            ..config
        };
        assert_eq!(
            said(&sandbox, Some("startup"), &off, person),
            Reply::default()
        );
        let elsewhere = said(
            &Sandbox::empty(),
            Some("startup"),
            &Config::default(),
            person,
        );
        assert_eq!(elsewhere, Reply::default());
    }

    #[test]
    fn colours_are_for_those_who_see_them_and_never_for_the_model() {
        let sandbox = Sandbox::clean();
        sandbox.write(".env", "KEY=s3cret");
        let told = |audience| said(&sandbox, Some("startup"), &Config::default(), audience);
        let nobody = told(Audience::Nobody);
        let context = nobody.context.unwrap();
        let lines: Vec<&str> = context.lines().collect();
        assert_eq!(
            (lines.len(), lines[0]),
            (2, "bellwether: git: branch \"main\", clean")
        );
        assert!(lines[1].ends_with("`.env` is not encrypted"), "{context}");
        assert_eq!(nobody.message, None);
        assert_eq!(told(Audience::Other).message, Some(context.clone()));
        let terminal = told(Audience::Terminal);
        let coloured = format!("{}\n\u{1b}[33m{}\u{1b}[39m", lines[0], lines[1]);
        assert_eq!(
            (terminal.message, terminal.context),
            (Some(coloured), Some(context))
        );
    }

    #[test]
    fn conventions_come_back_after_compaction_and_to_the_model_alone() {
        let sandbox = Sandbox::empty();
        let config = Config {
            conventions: vec!["use uv for Python".to_owned()],
            ..Config::default()
        };
        let reply = said(&sandbox, Some("compact"), &config, Audience::Terminal);
        assert!(reply.context.unwrap().ends_with("\n- use uv for Python"));
        assert_eq!(reply.message, None);
        let begun = said(&sandbox, Some("startup"), &config, Audience::Terminal);
        assert_eq!(begun, Reply::default());
    }
}
