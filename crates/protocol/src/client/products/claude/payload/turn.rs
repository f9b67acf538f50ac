//! One turn: the prompt, what is shown meanwhile, and how it ends.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::shape::{Tell, shape};
use crate::event::{BackgroundTask, Event};
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
        event.message = self.message;
        event.title = self.title;
        event.notification_type = self.notification_type;
        event.level = self.level;
    }
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
