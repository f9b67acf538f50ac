//! The JSON that the client reads from a hook's stdout.
//!
//! One method for each way in which it takes a decision; which one an event wants is in the catalog.

use serde::Serialize;

use crate::client::Version;
use crate::client::catalog::{Answer, Entry};
use crate::client::feature::Feature;
use crate::client::products::claude::feature::support;
use crate::event::Kind;
use crate::reply::Decision;

/// The reply. The default is empty, which is written as nothing.
#[derive(Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stdout<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Specific<'a>>,
}

/// The part of the reply that only this event has.
#[derive(Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Specific<'a> {
    hook_event_name: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Behavior<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) additional_context: Option<&'a str>,
}

#[derive(PartialEq, Serialize)]
struct Behavior<'a> {
    behavior: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

impl<'a> Stdout<'a> {
    /// The decision, as that version takes it for that event.
    pub(super) fn deciding(
        entry: &Entry,
        version: Version,
        decision: Option<&'a Decision>,
    ) -> Self {
        let mut output = Self::default();
        let Some(decision) = decision else {
            return output;
        };
        match entry.answer {
            Answer::Permission if support(Feature::SpecificOutput).has(version) => {
                output.permit(entry.kind, decision);
            }
            Answer::Permission => output.approve_or_block(decision),
            Answer::Denial => output.deny(entry.kind, decision),
            Answer::Dialog => output.answer_dialog(entry.kind, decision),
            Answer::Block => output.block(decision),
            Answer::Decline => output.decline(entry.kind, decision),
            Answer::ExitCode | Answer::Nothing | Answer::Silence => {}
        }
        output
    }

    fn permit(&mut self, kind: Kind, decision: &'a Decision) {
        let specific = self.specific(kind);
        specific.permission_decision = Some(match decision {
            Decision::Allow => "allow",
            Decision::Ask(_) => "ask",
            Decision::Block(_) | Decision::Deny(_) => "deny",
        });
        specific.permission_decision_reason = decision.reason();
    }

    /// The first clients knew two words for a tool call, and no way to ask.
    fn approve_or_block(&mut self, decision: &'a Decision) {
        self.decision = Some("approve");
        self.block(decision);
    }

    fn deny(&mut self, kind: Kind, decision: &'a Decision) {
        if let Some(reason) = decision.reason() {
            let specific = self.specific(kind);
            specific.permission_decision = Some("deny");
            specific.permission_decision_reason = Some(reason);
        }
    }

    fn answer_dialog(&mut self, kind: Kind, decision: &'a Decision) {
        let behavior = match decision {
            Decision::Allow => "allow",
            Decision::Ask(_) => return,
            Decision::Block(_) | Decision::Deny(_) => "deny",
        };
        self.specific(kind).decision = Some(Behavior {
            behavior,
            message: decision.reason(),
        });
    }

    /// Allowing is written by saying nothing: the client rejects `"decision": "allow"`.
    fn block(&mut self, decision: &'a Decision) {
        if let Some(reason) = decision.reason() {
            self.decision = Some("block");
            self.reason = Some(reason);
        }
    }

    fn decline(&mut self, kind: Kind, decision: &Decision) {
        if *decision != Decision::Allow {
            self.specific(kind).action = Some("decline");
        }
    }

    /// The part that bears the event's name, which the client checks.
    pub(super) fn specific(&mut self, kind: Kind) -> &mut Specific<'a> {
        self.hook_specific_output.get_or_insert_with(|| Specific {
            hook_event_name: kind,
            ..Specific::default()
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
