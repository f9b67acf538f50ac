//! Notices that a call has run about which the guard had asked: the person has said yes.
//!
//! Only the end of that very call counts, told by the client that was asked through. For every other call this is one
//! look for a file that is not there.

use bellwether_protocol::event::{Deed, Kind, Tool};
use bellwether_spine::ancestry::{System, sender};

use super::Context;
use super::guard::agent_of;
use crate::answer::{Afterwards, Answer};
use crate::guard::allow::hash_of;
use crate::guard::consent::Question;

pub(super) const ABOUT: &str = "remember what the person has answered with yes";
pub(super) const TIMEOUT_S: u32 = 10;
pub(super) const EVENTS: &[Kind] = &[Kind::PostToolUse, Kind::PostToolUseFailure];

pub(super) fn handle(context: Context<'_>) -> Answer<'_> {
    ended(context).unwrap_or_default()
}

fn ended(context: Context<'_>) -> Option<Answer<'_>> {
    let Context { event, home, .. } = context;
    let tool = event.tool.as_ref()?;
    let (session, call) = (event.session.as_deref()?, tool.use_id.as_deref()?);
    let question = Question::find(home, session, call)?;
    // Who interrupts what they have let begin takes their word back.
    let is_same = !tool.interrupted
        && question.agent == agent_of(event)
        && subject_of(tool).is_some_and(|subject| question.subject == subject);
    is_same.then_some(Answer {
        afterwards: Some(Afterwards {
            about: "remember the yes of the person",
            act: Box::new(move || {
                if sender(&System) == Some(question.client) {
                    question.answered(home, session, call)?;
                }
                Ok(None)
            }),
        }),
        ..Answer::default()
    })
}

/// The hash of what a call was about. A call that somebody has changed since is another one.
fn subject_of(tool: &Tool<'_>) -> Option<String> {
    match tool.deed() {
        Deed::Command(command) => Some(hash_of(&command.text)),
        Deed::Change(change) => Some(hash_of(&change.path)),
        Deed::Read(_) | Deed::Search(_) | Deed::Other => None,
    }
}
