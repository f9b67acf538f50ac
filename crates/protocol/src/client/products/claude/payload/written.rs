//! An event of ours as the client would have sent it, for a fact that it has told in another way.

use super::body::Body;
use super::envelope::Envelope;
use super::files::CwdChanged;
use super::session::Compact;
use super::team::{ListedTask, SubagentStart};
use super::tool::ToolCall;
use super::turn::{Stop, StopFailure};
use super::whole::Payload;
use crate::event::{Event, Kind, Tool};
use crate::fields::IdText;

/// Only the kinds that something can stand in for have a body.
pub(in crate::client::products::claude) fn write(event: &Event<'_>) -> String {
    let payload = Payload::new(event.kind, envelope(event), body(event));
    // What was read from JSON can be written as JSON.
    let mut written = serde_json::to_value(payload).unwrap_or_default();
    // A call's error is read as it was sent, which this one was not.
    let error = event.tool.as_ref().and_then(|tool| tool.error.as_deref());
    if let (Some(error), Some(fields)) = (error, written.as_object_mut()) {
        fields.insert("error".to_owned(), error.into());
    }
    written.to_string()
}

fn envelope<'a>(event: &Event<'a>) -> Envelope<'a> {
    let agent = event.agent.clone().unwrap_or_default();
    Envelope {
        hook_event_name: Some(event.kind.as_str().into()),
        session_id: event.session.clone(),
        transcript_path: event.transcript.clone(),
        cwd: event.cwd.clone(),
        prompt_id: event.prompt_id.clone(),
        permission_mode: event.permission_mode.clone(),
        agent_id: agent.id,
        agent_type: agent.kind,
        teammate_name: agent.name,
        team_name: agent.team,
        agent_transcript_path: agent.transcript,
        ..Envelope::default()
    }
}

fn body<'a>(event: &Event<'a>) -> Body<'a> {
    match event.kind {
        Kind::PermissionRequest | Kind::PostToolUseFailure => {
            Body::ToolCall(event.tool.clone().map(call).unwrap_or_default())
        }
        Kind::TaskCreated | Kind::TaskCompleted => {
            let task = event.task.clone().unwrap_or_default();
            Body::ListedTask(ListedTask {
                task_id: task.id.map(IdText),
                task_subject: task.subject,
                task_description: task.description,
            })
        }
        Kind::SubagentStart => Body::SubagentStart(SubagentStart {
            prompt: event.message.clone(),
        }),
        Kind::SubagentStop => Body::Stop(Stop {
            stop_hook_active: Some(event.stop_hook_active),
            last_assistant_message: event.message.clone(),
            ..Stop::default()
        }),
        Kind::StopFailure => Body::StopFailure(StopFailure {
            error: event.detail.clone(),
            last_assistant_message: event.message.clone(),
            ..StopFailure::default()
        }),
        Kind::PostCompact => Body::Compact(Compact {
            trigger: event.detail.clone(),
            ..Compact::default()
        }),
        Kind::CwdChanged => Body::CwdChanged(CwdChanged {
            old_cwd: event.from_path.clone(),
            new_cwd: event.path.clone(),
        }),
        _ => Body::Empty,
    }
}

fn call(tool: Tool<'_>) -> ToolCall<'_> {
    ToolCall {
        tool_name: Some(tool.name),
        tool_input: tool.input,
        tool_use_id: tool.use_id,
        is_interrupt: tool.failed.then_some(tool.interrupted),
        ..ToolCall::default()
    }
}
