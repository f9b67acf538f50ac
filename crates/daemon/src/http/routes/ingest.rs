//! Takes events from others: the collector of seed 004.

use hyper::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, json, ok};
use super::super::collector::NotKept;
use super::super::intake::{NotRead, Rejected, Sent};
use super::super::route::{Ask, Gives, Route, Takes, Verb, shape};

/// An array may be long.
const MOST: usize = 16 * 1024 * 1024;

/// One event, or many.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(
    dead_code,
    reason = "it is only described: events are read as they come"
)]
enum Body {
    One(Box<SentEvent>),
    Many(Vec<SentEvent>),
}

/// An event. Every field that the client gives to a hook may stand in it; these are the ones that are
/// looked at first. One of `hook_event_name` and `hook_type` must be there.
#[derive(JsonSchema)]
#[expect(
    dead_code,
    reason = "it is only described: events are read as they come"
)]
struct SentEvent {
    /// The event's name, for instance `PreToolUse`.
    hook_event_name: Option<String>,
    /// The same under its old name.
    hook_type: Option<String>,
    /// The session.
    session_id: Option<String>,
    /// The subagent or teammate.
    agent_id: Option<String>,
    /// Its name.
    agent_name: Option<String>,
    /// Its type.
    agent_type: Option<String>,
    /// Its team.
    team_name: Option<String>,
    /// The tool; events about a tool need one.
    tool_name: Option<String>,
    /// What the tool was given.
    tool_input: Option<Value>,
    /// The task; events about a task need one.
    task_id: Option<String>,
    /// What the forwarder adds.
    _meta: Option<SentMeta>,
}

/// What a forwarder adds to an event.
#[derive(JsonSchema)]
#[expect(
    dead_code,
    reason = "it is only described: events are read as they come"
)]
struct SentMeta {
    /// The project's short name.
    workspace_id: Option<String>,
    /// The terminal.
    terminal_session_id: Option<String>,
    /// When it was sent, UTC, ISO 8601.
    collected_at: Option<String>,
    /// The version of the forwarder.
    forwarder_version: Option<String>,
    /// `false` when nobody sits in front of the session: then nothing is said of it.
    attended: Option<bool>,
}

/// What became of events that were sent.
#[derive(Debug, Serialize, JsonSchema)]
struct Taken {
    /// How many are stored, or had been before.
    accepted: usize,
}

/// What became of events of which some are wrong.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Refused {
    /// What is wrong with the first of them.
    error: String,
    /// The field of it that is wrong, with dots between its parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// How many are stored all the same, or had been before.
    accepted: usize,
    /// How many are wrong.
    wrong: usize,
    /// What is wrong with the first 20 of them; each of these is stored as a `schema_error`.
    rejected: Vec<Rejected>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Post,
    path: "/ingest",
    about: "Takes one event, or an array of them, and answers once they are on the disk",
    more: "An event is what the client gives to a hook, in its new form or in the old one, with `_meta` added by a \
           forwarder. Whoever reads the API then finds them there. An event that is sent again, or that a hook told as well, is stored once: it goes by what it says, without `_meta`, and by `_meta.collected_at`, or else by its arrival within ten seconds. With 400, what was right in an array is \
           stored, and `rejected` says which others are wrong. At most 5000 events in a request. Events of bellwether's own kinds \
           (`_meta.source` `synthetic`, answers from the page) are taken from nobody.",
    access: Access::SameUser,
    parameters: &[],
    takes: Some(Takes {
        schema: shape::<Body>,
        most: MOST,
    }),
    gives: Gives::Json(shape::<Taken>),
    refuses: &[
        (
            400,
            "it is no JSON, or an event in it is wrong; `field` names the field",
        ),
        (413, "it is too long, or has too many events"),
        (
            429,
            "too much was sent in too short a time; `Retry-After` says when to send it again",
        ),
        (
            503,
            "what was sent before is not stored yet; send it again after `Retry-After`",
        ),
    ],
    handle: |ask| Box::pin(ingest(ask)),
};

async fn ingest(ask: Ask) -> Result<Answer, Fault> {
    let sent = Sent::read(&ask.body).map_err(|error| match error {
        NotRead::NoJson(_) => Fault::bad(error.to_string()),
        NotRead::TooMany => Fault::new(StatusCode::PAYLOAD_TOO_LARGE, error.to_string()),
    })?;
    let kept = ask.state.collector.keep_foreign(&sent.records).await;
    kept.map_err(not_kept)?;
    let accepted = sent.count - sent.wrong;
    let Some(first) = sent.rejected.first() else {
        return Ok(ok(&Taken { accepted }));
    };
    let refused = Refused {
        error: first.error.clone(),
        field: first.field.clone(),
        accepted,
        wrong: sent.wrong,
        rejected: sent.rejected,
    };
    Ok(json(StatusCode::BAD_REQUEST, &refused))
}

fn not_kept(why: NotKept) -> Fault {
    match why {
        NotKept::TooFast(wait) => {
            let seconds = wait.as_secs() + 1;
            let text =
                format!("too much was sent in too short a time; send it again in {seconds} s");
            Fault::too_fast(text, seconds)
        }
        NotKept::Full => {
            let text = "what was sent before is not stored yet; send it again later, and see `bellwether status`";
            Fault::busy(text)
        }
        NotKept::Failed(why) => Fault::ours(why),
    }
}
