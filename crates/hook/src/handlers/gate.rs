//! Checks a commit before it is made.
//!
//! What the guard refuses or asks about is not checked: nothing is committed before the person has agreed, and then they have decided.

use bellwether_protocol::event::Kind;

use super::Context;
use crate::answer::{Answer, Wait};
use crate::gate;

pub(super) const ABOUT: &str = "check a commit before it is made";
/// As long as checks may take, with what it takes to say what they found.
pub(super) const TIMEOUT_S: u32 = 60;
pub(super) const EVENTS: &[Kind] = &[Kind::PreToolUse];

pub(super) fn handle(context: Context<'_>) -> Answer<'_> {
    let wait = gate::find(context).map(|commits| Wait {
        about: "check what is about to be committed",
        end: Box::new(move |_| commits.check()),
    });
    Answer {
        wait,
        ..Answer::default()
    }
}
