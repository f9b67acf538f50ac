//! Subagents and tasks. Who they are is in the envelope; `TeammateIdle` has nothing else.

use std::borrow::Cow;

use super::shape::{Tell, shape};
use crate::event::{self, Event};
use crate::fields::IdText;

shape! {
    struct SubagentStart<'a> {
        prompt: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for SubagentStart<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.message = self.prompt;
    }
}

shape! {
    struct ListedTask<'a> {
        task_id: IdText<'a> | "taskId",
        task_subject: Cow<'a, str> | "task_title" | "title" | "subject",
        task_description: Cow<'a, str>,
    }
}

impl<'a> Tell<'a> for ListedTask<'a> {
    fn tell(self, event: &mut Event<'a>) {
        event.task = Some(event::Task {
            id: self.task_id.map(|IdText(id)| id),
            subject: self.task_subject,
            description: self.task_description,
        });
    }
}
