//! Who an event is about.

use std::borrow::Cow;

use bellwether_protocol::event::Event;
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an agent is to its session.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, PartialOrd, Ord,
)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The one that the person talks to.
    #[default]
    Main,
    /// Started by another for one piece of work.
    Subagent,
    /// A member of a team, which works on in turns.
    Teammate,
}

/// The id of the agent that an event is about: the client's own, else made of team and name, else the
/// session's. Empty words count as none.
pub fn agent_id(event: &Event<'_>) -> String {
    let id = sent_id(event);
    match text::shown_id(&id) {
        Cow::Borrowed(_) => id,
        Cow::Owned(clean) => clean,
    }
}

fn sent_id(event: &Event<'_>) -> String {
    let session = filled(event.session.as_deref());
    let Some(agent) = &event.agent else {
        return session.unwrap_or("unknown").to_owned();
    };
    // The client's own helper works for the session's main agent.
    if agent.internal {
        return session.unwrap_or("unknown").to_owned();
    }
    if let Some(id) = filled(agent.id.as_deref()) {
        return id.to_owned();
    }
    named(
        filled(agent.team.as_deref()),
        filled(agent.name.as_deref()),
        session,
    )
}

/// An id made of names: `team/name`, `team/leader`, `name`, the session.
pub(super) fn named(team: Option<&str>, name: Option<&str>, session: Option<&str>) -> String {
    match (team, name) {
        (Some(team), Some(name)) => format!("{team}/{name}"),
        (Some(team), None) => format!("{team}/leader"),
        (None, Some(name)) => name.to_owned(),
        (None, None) => session.unwrap_or("unknown").to_owned(),
    }
}

/// What the agent of an event is to its session.
pub(crate) fn role(event: &Event<'_>) -> Role {
    let Some(agent) = &event.agent else {
        return Role::Main;
    };
    let has_id = filled(agent.id.as_deref()).is_some();
    if agent.internal || !(has_id || filled(agent.name.as_deref()).is_some()) {
        return Role::Main;
    }
    if agent.teammate {
        Role::Teammate
    } else {
        Role::Subagent
    }
}

/// A text that says something.
pub(super) fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;

    use super::*;

    fn of(payload: &str) -> (String, Role) {
        let event = Client::default().parse(payload).unwrap();
        (agent_id(&event), role(&event))
    }

    #[test]
    fn the_clients_id_counts_most() {
        let payload = r#"{"hook_event_name":"SubagentStart","session_id":"s","agent_id":"a1","agent_type":"Explore"}"#;
        assert_eq!(of(payload), ("a1".to_owned(), Role::Subagent));
        let payload = r#"{"hook_event_name":"Stop","session_id":"s"}"#;
        assert_eq!(of(payload), ("s".to_owned(), Role::Main));
        assert_eq!(of(r#"{"hook_type":"Stop"}"#).0, "unknown");
    }

    #[test]
    fn teammates_are_known_by_team_or_id() {
        let payload = r#"{"hook_event_name":"PreToolUse","session_id":"s","agent_id":"aresearcher-20ab","agent_type":"researcher"}"#;
        assert_eq!(of(payload).1, Role::Teammate);
        let payload = r#"{"hook_type":"SubagentStart","team_name":"t","agent_name":"n"}"#;
        assert_eq!(of(payload), ("t/n".to_owned(), Role::Teammate));
        let payload = r#"{"hook_type":"Stop","team_name":"","agent_name":"","session_id":"s"}"#;
        assert_eq!(of(payload), ("s".to_owned(), Role::Main));
    }

    #[test]
    fn compaction_invents_no_agent() {
        let payload = r#"{"hook_event_name":"SubagentStop","session_id":"s","agent_id":"acompact-1","agent_type":""}"#;
        assert_eq!(of(payload), ("s".to_owned(), Role::Main));
    }
}
