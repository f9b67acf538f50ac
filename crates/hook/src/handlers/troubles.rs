//! Tells the person what bellwether could not do, once a session.

use bellwether_protocol::event::Kind;
use bellwether_protocol::reply::Reply;
use bellwether_spine::trouble::{Trouble, Troubles};
use bellwether_spine::{clock, text};

use serde::{Deserialize, Serialize};

use super::Context;
use crate::answer::{Answer, Deed};

pub(super) const ABOUT: &str = "tell the person what went wrong in bellwether itself";
pub(super) const TIMEOUT_S: u32 = 10;
pub(super) const EVENTS: &[Kind] = &[Kind::SessionStart, Kind::UserPromptSubmit];

/// The name of this section in the configuration.
pub const SECTION: &str = "troubles";

/// The section of a snapshot that says what is wrong with the configuration it was made from.
pub const PROBLEMS: &str = "problems";

/// Being told what went wrong in bellwether itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Tell it in the session, once; `bellwether status` tells it in any case.
    pub enabled: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { enabled: true }
    }
}

/// A line in the terminal is enough; the whole story is in `bellwether status`.
const LINE: usize = 300;

pub(super) fn handle(context: Context<'_>) -> Answer<'_> {
    let session = context.event.session.as_deref().unwrap_or_default();
    let mut troubles = Troubles(context.home).untold(session);
    troubles.extend(in_configuration(context, session));
    troubles.extend(in_policy(context, session));
    if troubles.is_empty() || !context.settings.section::<Config>(SECTION).enabled {
        return Answer::default();
    }
    let reply = Reply {
        message: Some(message(&troubles)),
        ..Reply::default()
    };
    // When it cannot be remembered that this session was told, it is told at its start only.
    let otherwise = match context.event.kind {
        Kind::SessionStart => reply.clone(),
        _ => Reply::default(),
    };
    Answer {
        reply,
        deed: Some(Deed {
            about: "remember that this session was told",
            otherwise,
            act: Box::new(move || Troubles(context.home).told(session, &troubles)),
        }),
        ..Answer::default()
    }
}

/// What is wrong with this project's configuration now, unless this session has been told.
fn in_configuration(context: Context<'_>, session: &str) -> Option<Trouble> {
    const CODE: &str = "config_wrong";
    let problems: Vec<String> = context.settings.section(PROBLEMS);
    let first = problems.first()?;
    (!Troubles(context.home).is_told(session, CODE)).then_some(())?;
    let more = match problems.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more: `bellwether config check`)"),
    };
    let text = format!("the configuration is wrong: {first}{more}");
    Some(Trouble {
        code: CODE.to_owned(),
        text,
        at_ms: clock::wall_ms(),
        count: 1,
    })
}

/// What is wrong with the policy of this machine, unless this session has been told.
fn in_policy(context: Context<'_>, session: &str) -> Option<Trouble> {
    const CODE: &str = "policy_wrong";
    let text = context.settings.policy_trouble()?;
    (!Troubles(context.home).is_told(session, CODE)).then(|| Trouble {
        code: CODE.to_owned(),
        text,
        at_ms: clock::wall_ms(),
        count: 1,
    })
}

/// The text for the person.
fn message(troubles: &[Trouble]) -> String {
    let lines: Vec<String> = troubles.iter().map(|trouble| line(&trouble.text)).collect();
    lines.join("\n")
}

/// One trouble as it is told.
pub(crate) fn line(text: &str) -> String {
    format!("bellwether: {}", text::shown(text, LINE))
}

/// Whether an event of this kind can tell a trouble.
pub(crate) fn can_tell(kind: Kind) -> bool {
    EVENTS.contains(&kind)
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;
    use bellwether_protocol::event::Event;

    use super::*;
    use crate::settings::{Making, Settings};
    use bellwether_spine::Home;

    #[test]
    fn a_trouble_is_told_once_a_session_and_masked() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let told = |kind, session: &'static str| {
            let event = Event {
                kind,
                session: Some(session.into()),
                ..Event::default()
            };
            handle(Context {
                event: &event,
                home: &home,
                client: Client::default(),
                registered: Client::default(),
                settings: &Settings::new(&home, None, Making::Never),
                looked: &crate::looked::Looked::default(),
            })
            .settle()
            .0
            .message
        };
        assert_eq!(told(Kind::SessionStart, "a"), None);
        Troubles(&home)
            .note("journal", "cannot write \x1b[31mTOKEN=abc")
            .unwrap();
        let expected = Some("bellwether: cannot write TOKEN=[masked]".to_owned());
        assert_eq!(told(Kind::UserPromptSubmit, "a"), expected);
        assert_eq!(told(Kind::UserPromptSubmit, "a"), None);
        assert_eq!(told(Kind::SessionStart, "b"), expected);
    }
}
