//! What settles a request from elsewhere: the person has answered in the terminal, and the agent went on.
//!
//! Tools run side by side, so another tool of the same agent says nothing about this one: it is known by tool and input.
//! What ends a batch, a turn or a session ends everything in it. Notifications are about the waiting itself.

use bellwether_flock::Row;
use bellwether_flock::normal::Settles;
use bellwether_protocol::event::Kind;
use bellwether_spine::journal::Envelope;
use bellwether_spine::permission::input_hash;

use super::change::How;
use super::list::Permissions;
use super::place::Place;
use super::waiting::Waiting;
use crate::shared::locked;

/// What an event says about the requests of its agent.
#[derive(Debug, PartialEq, Eq)]
enum Says {
    Nothing,
    /// All of them are settled.
    All,
    /// Those of this tool call are, by the hash of its input.
    Call(String),
}

impl Permissions {
    /// Hears what was stored, in its order.
    pub(crate) fn hear(&self, rows: &[Row]) {
        for row in rows {
            if row.moment == Kind::PermissionRequest {
                self.hear_request(row);
            } else {
                self.let_go(row);
                self.hear_later(row);
            }
        }
    }

    /// A request's own event: what comes behind it counts.
    fn hear_request(&self, row: &Row) {
        let Ok(envelope) = Envelope::parse(&row.record) else {
            return;
        };
        let id = envelope.meta.id.to_string();
        let mut list = locked(&self.list);
        for waiting in &mut list.waiting {
            waiting.stored |= waiting.request.asked.id == id;
        }
        Self::remember(&mut list, id);
    }

    /// The call that started an agent has ended: it runs in the background, where the terminal asks only once we let go.
    fn let_go(&self, row: &Row) {
        let named = row.meaning.starts.as_ref().and_then(|it| it.id.as_ref());
        let ended = named.filter(|_| row.moment == Kind::PostToolUse);
        let held = |waiting: &&Waiting| {
            ended == Some(&waiting.request.agent) && waiting.request.place == Place::Both
        };
        let held: Vec<String> = locked(&self.list)
            .waiting
            .iter()
            .filter(held)
            .map(|waiting| waiting.request.asked.id.clone())
            .collect();
        for id in held {
            self.release(&id, How::Gone);
        }
    }

    fn hear_later(&self, row: &Row) {
        let concerned: Vec<(String, String)> = {
            let list = locked(&self.list);
            let concerned = list.waiting.iter().filter(|waiting| is_of(waiting, row));
            concerned
                .map(|waiting| {
                    let asked = &waiting.request.asked;
                    (asked.id.clone(), asked.input_hash.clone())
                })
                .collect()
        };
        if concerned.is_empty() {
            return;
        }
        let says = says(row);
        for (id, hash) in concerned {
            if says == Says::All || says == Says::Call(hash) {
                self.release(&id, How::Terminal);
            }
        }
    }
}

/// Whether an event behind a request's own is of the same agent, and not of another tool.
fn is_of(waiting: &Waiting, row: &Row) -> bool {
    let request = &waiting.request;
    let session_ends = row.moment == Kind::SessionEnd;
    let tool = row.tool.as_deref();
    waiting.stored
        && row.session == request.asked.session
        && (session_ends || row.meaning.agent == request.agent)
        && tool.is_none_or(|tool| tool == request.asked.tool)
}

fn says(row: &Row) -> Says {
    match row.meaning.settles {
        Settles::Nothing => Says::Nothing,
        Settles::Call => called(row).map_or(Says::Nothing, Says::Call),
        Settles::All => Says::All,
    }
}

/// The hash of the input of an event's tool call.
fn called(row: &Row) -> Option<String> {
    let envelope = Envelope::parse(&row.record).ok()?;
    let event = envelope.event().ok()?;
    Some(input_hash(event.tool?.input?.get()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bellwether_spine::permission::{Asked, Told};
    use serde_json::{Value, json};
    use tokio::sync::oneshot::Receiver;

    use super::*;

    const ID: &str = "0197f0f0-0000-7000-8000-000000000001";

    fn row(payload: &Value) -> Row {
        let record = json!({"v": 1, "meta": {"id": ID, "at_ms": 5}, "payload": payload});
        Row::from_record(record.to_string().as_bytes()).unwrap()
    }

    fn event(name: &str, command: &str) -> Row {
        row(&json!({
            "hook_event_name": name, "session_id": "s", "tool_name": "Bash",
            "tool_input": {"command": command}, "tool_use_id": "t",
        }))
    }

    /// A request for `ls`, whose own event was stored.
    fn waiting() -> (Arc<Permissions>, Receiver<Told>) {
        let permissions = Arc::new(Permissions::default());
        // Kept for ever: the list is dropped with the test.
        std::mem::forget(permissions.watch());
        let asked = Asked {
            id: ID.into(),
            session: Some("s".into()),
            tool: "Bash".into(),
            input_hash: input_hash(r#"{"command":"ls"}"#),
            ..Asked::default()
        };
        let (_, told) = permissions.begin(asked, Place::Both).unwrap();
        (permissions, told)
    }

    fn settled_by(rows: &[Row]) -> bool {
        let (permissions, mut told) = waiting();
        permissions.hear(rows);
        told.try_recv() == Ok(Told::Released)
    }

    #[test]
    fn only_what_is_stored_behind_the_request_settles_it() {
        let own = event("PermissionRequest", "ls");
        let done = event("PostToolUse", "ls");
        assert!(settled_by(&[own.clone(), done.clone()]));
        assert!(!settled_by(&[done.clone(), own.clone()]));
        assert!(!settled_by(std::slice::from_ref(&done)));
        // The hook may be later than the store.
        let permissions = Arc::new(Permissions::default());
        let _watching = permissions.watch();
        permissions.hear(&[own]);
        let asked = Asked {
            id: ID.into(),
            session: Some("s".into()),
            tool: "Bash".into(),
            input_hash: input_hash(r#"{"command":"ls"}"#),
            ..Asked::default()
        };
        let (_, mut told) = permissions.begin(asked, Place::Both).unwrap();
        permissions.hear(&[done]);
        assert_eq!(told.try_recv(), Ok(Told::Released));
    }

    #[test]
    fn the_call_itself_or_the_end_of_its_turn_settles_it() {
        let own = || event("PermissionRequest", "ls");
        let plain = |name: &str| row(&json!({"hook_event_name": name, "session_id": "s"}));
        for (later, settles) in [
            (event("PostToolUse", "ls"), true),
            (event("PostToolUseFailure", "ls"), true),
            (event("PermissionDenied", "ls"), true),
            (event("PostToolUse", "pwd"), false),
            (event("PreToolUse", "ls"), false),
            (event("PermissionRequest", "pwd"), false),
            (plain("Stop"), true),
            (plain("UserPromptSubmit"), true),
            (plain("SessionEnd"), true),
            (plain("PostToolBatch"), true),
            (plain("CwdChanged"), false),
            (
                row(
                    &json!({"hook_event_name": "Notification", "session_id": "s", "notification_type": "permission_prompt"}),
                ),
                false,
            ),
            (
                row(&json!({"hook_event_name": "Stop", "session_id": "other"})),
                false,
            ),
            (
                row(
                    &json!({"hook_event_name": "SubagentStop", "session_id": "s", "agent_id": "a", "agent_type": "x"}),
                ),
                false,
            ),
        ] {
            let name = later.name.clone();
            assert_eq!(settled_by(&[own(), later]), settles, "{name}");
        }
    }
}
