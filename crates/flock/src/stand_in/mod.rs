//! Events that a client does not have, or that are not registered with it, told by those that come.
//!
//! A stand-in is one file here and one `mod` line below: the kind of event that it makes (`KIND`), whether that comes
//! before its carrier or after it (`PLACE`), and how (`tell`). It is stored as the event itself would be, with the name of
//! its carrier beside it. What only a transcript tells is made by whoever reads transcripts.

use std::borrow::Cow;

use bellwether_protocol::event::{Event, Kind, ToolKind};
use bellwether_spine::journal::{Envelope, Payload};

use crate::heard::{Heard, Session};
use crate::{Row, Stored};

/// Where a stand-in comes in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Before,
    After,
}

/// An event that may carry another, with what its session has told before.
struct Told<'a> {
    event: &'a Event<'a>,
    session: &'a Session,
    at_ms: u64,
    /// Nothing was heard of its agent before.
    is_new: bool,
    /// The guard refused its tool call, which then did not run.
    is_refused: bool,
}

impl<'a> Told<'a> {
    /// Whether events of that kind do not come by themselves.
    fn lacks(&self, kind: Kind) -> bool {
        self.session.lacks(kind)
    }

    fn is(&self, kind: Kind) -> bool {
        self.event.kind == kind
    }

    fn beside(&self, kind: Kind) -> Event<'a> {
        beside(self.event, kind)
    }
}

/// An event of another kind, in the same place and of the same agent.
fn beside<'a>(event: &Event<'a>, kind: Kind) -> Event<'a> {
    Event {
        kind,
        name: Cow::Borrowed(kind.as_str()),
        session: event.session.clone(),
        transcript: event.transcript.clone(),
        cwd: event.cwd.clone(),
        prompt_id: event.prompt_id.clone(),
        agent: event.agent.clone().filter(|agent| !agent.internal),
        ..Event::default()
    }
}

/// An event that stands in for one of the client's, for whoever has learnt its fact from a transcript: `row` is the last
/// event that came.
pub fn stand_in<'a>(
    row: &'a Row,
    kind: Kind,
    fill: impl FnOnce(Event<'a>) -> Event<'a>,
) -> Option<Row> {
    let envelope = Envelope::parse(&row.record).ok()?;
    let event = envelope.event().ok()?;
    stood_in(&envelope, &event, &fill(beside(&event, kind)))
}

/// One of them, as its file describes it.
struct Maker {
    place: Place,
    tell: for<'a> fn(&Told<'a>) -> Vec<Event<'a>>,
}

macro_rules! stand_ins {
    ($($name:ident),* $(,)?) => {
        const ALL: &[Maker] = &[$(Maker {
            place: $name::PLACE,
            tell: $name::tell,
        }),*];

        #[cfg(test)]
        const KINDS: &[Kind] = &[$($name::KIND),*];
    };
}

mod cwd_changed;
mod post_compact;
mod permission_request;
mod subagent_start;
mod subagent_stop;
mod task_completed;
mod task_created;
mod teammate_idle;

bellwether_listed::modules!(stand_ins, "src/stand_in/mod.rs");

/// What comes around an event that was heard.
#[derive(Debug, Default)]
pub(crate) struct Around {
    pub before: Vec<Row>,
    pub after: Vec<Row>,
}

/// Makes stand-ins, by what the sessions have told so far.
#[derive(Debug, Default)]
pub(crate) struct StandIns(Heard);

impl StandIns {
    /// Whether an event tells what a stand-in has told already, or stands in for something that was not.
    pub(crate) fn is_repeated(&mut self, row: &Row) -> bool {
        let session = self.0.of(row);
        session.is_some_and(|session| session.has_stood_in(row) || session.never_ran(row))
    }

    /// Whether an event is about a helper of the client's own, of which nobody wants to hear.
    /// `is_new` says that nothing was heard of its agent before.
    pub(crate) fn is_of_helper(&mut self, row: &Row, is_new: bool) -> bool {
        let session = self.0.of(row);
        session.is_some_and(|session| session.is_of_helper(row, is_new))
    }

    /// Whether events of a kind do not come by themselves in an event's session.
    pub(crate) fn lacks(&self, row: &Row, kind: Kind) -> bool {
        let session = row.session.as_deref().and_then(|id| self.0.session(id));
        session.is_some_and(|session| session.lacks(kind))
    }

    /// What an event carries, and from here on it is known. `is_new` says that nothing was heard of its agent before.
    pub(crate) fn around(&mut self, row: &Row, is_new: bool) -> Around {
        let Some(session) = self.0.of(row) else {
            return Around::default();
        };
        let Ok(envelope) = Envelope::parse(&row.record) else {
            return Around::default();
        };
        let Ok(event) = envelope.event() else {
            return Around::default();
        };
        // What stands in for something carries nothing itself, and neither does a helper of the client's own.
        if row.carrier.is_some() || row.is_helper {
            session.note(&event, row);
            return Around::default();
        }
        let told = Told {
            event: &event,
            session,
            at_ms: row.at_ms,
            is_new,
            is_refused: row.is_refused(),
        };
        let mut around = Around::default();
        for maker in ALL {
            let made = (maker.tell)(&told);
            let rows = made
                .iter()
                .filter_map(|made| stood_in(&envelope, &event, made));
            match maker.place {
                Place::Before => around.before.extend(rows),
                Place::After => around.after.extend(rows),
            }
        }
        session.note(&event, row);
        for made in around.before.iter().chain(&around.after) {
            session.stood_in(made);
        }
        around
    }

    /// An event that was stored before is known.
    pub(crate) fn recall(&mut self, stored: &Stored) {
        let row = Row::of_text(&stored.record);
        let envelope = Envelope::parse(&stored.record);
        if let (Some(session), Ok(envelope)) = (self.0.of(&row), envelope)
            && let Ok(event) = envelope.event()
        {
            session.note(&event, &row);
        }
    }

    /// A call that put a task on a list was stored before.
    pub(crate) fn recall_tasks(&mut self, session: &str, stored: &Stored) {
        let envelope = Envelope::parse(&stored.record);
        let event = envelope
            .as_ref()
            .ok()
            .and_then(|envelope| envelope.event().ok());
        let tool = event.and_then(|event| event.tool);
        if let (Some(session), Some(tool)) = (self.0.known(session), tool) {
            session.keep_tasks(&tool);
        }
    }

    /// The session of an event that moves a task of which nothing is known.
    pub(crate) fn wants_tasks<'a>(&self, row: &'a Row) -> Option<&'a str> {
        let moves = row.moment == Kind::PostToolUse && row.meaning.tool == Some(ToolKind::TaskMove);
        let id = row.session.as_deref().filter(|_| moves)?;
        let session = self.0.session(id)?;
        session.lacks(Kind::TaskCompleted).then_some(())?;
        let envelope = Envelope::parse(&row.record).ok()?;
        let task = envelope.event().ok()?.tool?.task()?.id?;
        session.task(&task).is_none().then_some(id)
    }
}

/// The row of a stand-in: the record that the client's own event would have made.
fn stood_in(carrier: &Envelope<'_>, event: &Event<'_>, made: &Event<'_>) -> Option<Row> {
    let payload = carrier.meta.client().write(made)?;
    let meta = carrier.meta.carrying(event.kind.as_str());
    let record = Envelope::encode(&meta, Payload::Json(&payload)).ok()?;
    let inner = record.get(1..record.len().saturating_sub(1))?;
    Some(Row::of_text(std::str::from_utf8(inner).ok()?))
}

#[cfg(test)]
mod tests;
