//! The fields that any event may have: where it happened, and to which agent.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::shape::{Tell, nested_shape, shape};
use crate::event::{Agent, Event, Kind};

shape! {
    struct Envelope<'a> {
        hook_event_name: Cow<'a, str> | "hook_type",
        session_id: Cow<'a, str>,
        parent_session_id: Cow<'a, str>,
        transcript_path: Cow<'a, str>,
        cwd: Cow<'a, str>,
        prompt_id: Cow<'a, str> | "run_id",
        permission_mode: Cow<'a, str>,
        effort: Effort<'a>,
        agent_id: Cow<'a, str>,
        agent_type: Cow<'a, str> | "subagent_type",
        teammate_name: Cow<'a, str> | "agent_name",
        team_name: Cow<'a, str>,
        agent_transcript_path: Cow<'a, str>,
        thinking: Cow<'a, str> | "extended_thinking",
        meta: &'a RawValue = "_meta",
    }
}

nested_shape! {
    struct Effort<'a> {
        level: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for Envelope<'a> {
    fn tell(self, event: &mut Event<'a>) {
        let agent = Agent {
            id: self.agent_id,
            kind: self.agent_type,
            name: self.teammate_name,
            team: self.team_name,
            transcript: self.agent_transcript_path,
            ..Agent::default()
        };
        event.agent = is_told(&agent).then(|| Agent {
            teammate: is_teammate(&agent),
            internal: event.kind == Kind::SubagentStop && is_internal(&agent),
            ..agent
        });
        event.name = self.hook_event_name.unwrap_or_default();
        event.session = self.session_id;
        event.parent_session = self.parent_session_id;
        event.transcript = self.transcript_path;
        event.cwd = self.cwd;
        event.prompt_id = self.prompt_id;
        event.permission_mode = self.permission_mode;
        event.effort = self.effort.and_then(|effort| effort.level);
        event.thinking = self.thinking;
        event.meta = self.meta;
    }
}

fn is_told(agent: &Agent<'_>) -> bool {
    let Agent {
        id,
        kind,
        name,
        team,
        transcript,
        ..
    } = agent;
    [id, kind, name, team, transcript]
        .into_iter()
        .any(Option::is_some)
}

/// A teammate's id begins with its name, which the client also sends as its type.
fn is_teammate(agent: &Agent<'_>) -> bool {
    let (Some(id), Some(kind)) = (agent.id.as_deref(), filled(agent.kind.as_ref())) else {
        return filled(agent.team.as_ref()).is_some();
    };
    let rest = id.strip_prefix('a').and_then(|id| id.strip_prefix(kind));
    filled(agent.team.as_ref()).is_some() || rest.is_some_and(|rest| rest.starts_with('-'))
}

/// The client compacts with an agent of its own that has an id, no type, and no beginning.
fn is_internal(agent: &Agent<'_>) -> bool {
    agent.kind.as_deref() == Some("") && filled(agent.name.as_ref()).is_none()
}

fn filled<'a>(text: Option<&'a Cow<'_, str>>) -> Option<&'a str> {
    text.map(Cow::as_ref).filter(|text| !text.trim().is_empty())
}
