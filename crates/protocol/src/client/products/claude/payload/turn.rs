//! One turn: the prompt, what is shown meanwhile, and how it ends.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::shape::{Tell, shape};
use crate::event::{Agent, BackgroundTask, Event, Kind};
use crate::fields::Fields;

shape! {
    struct Prompt<'a> {
        prompt: Cow<'a, str>,
        source: Cow<'a, str>,
        session_title: Cow<'a, str>,
        expansion_type: Cow<'a, str>,
        command_name: Cow<'a, str>,
        command_args: Cow<'a, str>,
        command_source: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for Prompt<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.message = self.prompt;
        event.detail = self.expansion_type.or(self.source);
        event.title = self.command_name.or(self.session_title);
    }
}

shape! {
    struct Notification<'a> {
        message: Cow<'a, str>,
        title: Cow<'a, str>,
        notification_type: Cow<'a, str>,
        level: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for Notification<'a> {
    fn tell(self, event: &mut Event<'a>) {
        let about = self.notification_type;
        event.notification_type = about.or_else(|| Some(told_by(self.message.as_deref()?)?.into()));
        event.message = self.message;
        event.title = self.title;
        event.level = self.level;
    }
}

/// What a notification is about that does not say so: before 2.0.36 there are only words.
fn told_by(message: &str) -> Option<&'static str> {
    let message = message.trim_start();
    if message.starts_with("Claude needs your permission") {
        return Some("permission_prompt");
    }
    message
        .starts_with("Claude is waiting for your input")
        .then_some("idle_prompt")
}

shape! {
    struct MessageDisplay<'a> {
        turn_id: Cow<'a, str>,
        message_id: Cow<'a, str>,
        index: u64,
        is_final: bool = "final",
        delta: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for MessageDisplay<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.message = self.delta;
    }
}

shape! {
    struct Stop<'a> {
        stop_hook_active: bool,
        last_assistant_message: Cow<'a, str> | "summary" | "result",
        background_tasks: Vec<&'a RawValue>,
        session_crons: Vec<&'a RawValue>,
        reason: Cow<'a, str>,
    }
}

/// A task counts, whatever of it can be read.
fn background_task(task: &RawValue) -> BackgroundTask<'_> {
    let Ok(fields) = Fields::parse(task.get()) else {
        return BackgroundTask::default();
    };
    BackgroundTask {
        id: fields.get("id"),
        kind: fields.get("type"),
        description: fields.get("description"),
        command: fields.get("command"),
    }
}

impl<'a> Tell<'a> for Stop<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.message = self.last_assistant_message;
        event.detail = self.reason;
        // Older clients do not say whose end it is, and tell that of their own helpers in the same way. What carries the
        // fact there is the call that started the agent.
        if event.kind == Kind::SubagentStop && event.agent.is_none() {
            let internal = self.stop_hook_active.is_some();
            event.agent = internal.then(|| Agent {
                internal,
                ..Agent::default()
            });
        }
        event.stop_hook_active = self.stop_hook_active.unwrap_or_default();
        let tasks = self.background_tasks.unwrap_or_default();
        event.background_tasks = tasks.into_iter().map(background_task).collect();
    }
}

shape! {
    struct StopFailure<'a> {
        error: Cow<'a, str>,
        error_details: &'a RawValue,
        last_assistant_message: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for StopFailure<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.detail = self.error;
        event.data = self.error_details;
        event.message = self.last_assistant_message;
    }
}
