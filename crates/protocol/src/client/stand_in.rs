//! Facts for which some versions have no event, and what tells them there.

use crate::event::{Kind, ToolKind};

/// What stands in for an event.
#[derive(Debug, Clone, Copy)]
pub struct StandIn {
    /// The event that is missing.
    pub kind: Kind,
    /// What carries the same fact.
    pub carriers: &'static [Carrier],
    /// What is not the same as with the event itself.
    pub differs: &'static str,
}

/// Something that a client tells or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    Event(Kind),
    /// The event of a tool of that kind.
    Call(Kind, ToolKind),
    /// What the client has written down by the time of the event.
    Transcript(Kind),
}
