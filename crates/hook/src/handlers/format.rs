//! Formats a file after an agent has changed it.

use bellwether_protocol::event::Kind;

use super::Context;
use crate::answer::{Answer, Wait};
use crate::format;

pub(super) const ABOUT: &str = "format a file after an agent has changed it";
/// More than all formatters of a file may take.
pub(super) const TIMEOUT_S: u32 = 10;
pub(super) const EVENTS: &[Kind] = &[Kind::PostToolUse];

pub(super) fn handle(context: Context<'_>) -> Answer<'_> {
    match format::plan(context) {
        Ok(plan) if !plan.steps.is_empty() => Answer {
            wait: Some(Wait {
                about: "format the file",
                end: Box::new(move |_| format::run(&plan, context.home)),
            }),
            ..Answer::default()
        },
        _ => Answer::default(),
    }
}
