//! What happened behind an id, as it is sent.

use bellwether_flock::{AgentView, EventView, Filter, Reader, StoreError, StoreReader as _};
use bellwether_workflow::MOVED;
use hyper::body::Bytes;
use serde::Serialize;

use super::told::{self, StreamGap, WorkflowChanged};
use super::{Id, Only};
use crate::http::answer::Fault;
use crate::http::state::State;

/// More stored events than this are not sent one by one.
const EVENTS: usize = 500;
/// More agents than this are not looked through.
const AGENTS: usize = 5_000;
/// A piece is handed on when it has this length.
const PIECE: usize = 64 * 1024;

/// What is sent, in pieces, and the id behind it.
pub(super) struct Missed {
    pub pieces: Vec<Bytes>,
    pub id: Id,
    /// The last id that is in them.
    pub told: Option<Id>,
    now: Vec<u8>,
}

impl Missed {
    fn behind(id: Id) -> Self {
        Self {
            pieces: Vec::new(),
            id,
            told: None,
            now: Vec::new(),
        }
    }

    fn add(&mut self, name: &str, data: &impl Serialize) {
        self.now.extend(framed(Some(self.id), name, data));
        self.told = Some(self.id);
        if self.now.len() >= PIECE {
            self.cut();
        }
    }

    /// Tells that what came behind `id` cannot be sent.
    fn skip(&mut self, id: Id, why: &'static str) {
        let after = id.to_string();
        self.add(told::GAP.name, &StreamGap { after, why });
    }

    fn cut(&mut self) {
        if !self.now.is_empty() {
            self.pieces.push(std::mem::take(&mut self.now).into());
        }
    }
}

/// Everything behind an id that is wanted: changes from memory where it reaches so far, else agents as they are now.
pub(super) async fn behind(state: &State, id: Id, only: &Only) -> Result<Missed, Fault> {
    let mut missed = Missed::behind(id);
    let newest = state.newest().await?;
    if !only.stored() {
        missed.id.seq = newest.max(id.seq);
    }
    if !only.agents() {
        missed.id.change = state.shared.live.last();
    } else if let Some(changes) = state.shared.live.all_after(id.change) {
        for numbered in changes {
            missed.id.change = numbered.number;
            missed.add(numbered.item.name(), numbered.item.agent());
        }
    } else {
        missed.id.change = state.shared.live.last();
        add_agents(state, id, &mut missed).await?;
    }
    if only.stored() && newest > id.seq {
        add_events(state, id, only, &mut missed).await?;
    }
    missed.cut();
    Ok(missed)
}

/// Agents as they are now, in the place of changes that nobody knows any more.
async fn add_agents(state: &State, id: Id, missed: &mut Missed) -> Result<(), Fault> {
    let agents = state
        .library
        .read(move |reader| agents_since(reader, id.seq));
    match agents.await? {
        Some(agents) => agents
            .iter()
            .for_each(|agent| missed.add(name_of(agent), agent)),
        None => missed.skip(id, "what was told then is not known any more"),
    }
    Ok(())
}

async fn add_events(state: &State, id: Id, only: &Only, missed: &mut Missed) -> Result<(), Fault> {
    let (events, more) = state
        .library
        .read(move |reader| events_after(reader, id.seq))
        .await?;
    if more {
        missed.id.seq = events.first().map_or(id.seq, |newest| newest.seq);
        missed.skip(id, "too many events happened to be sent one by one");
        return Ok(());
    }
    for event in events.iter().rev() {
        missed.id.seq = event.seq;
        if only.events() {
            missed.add(told::EVENT.name, event);
        }
        if event.name == MOVED && only.workflow() {
            let changed = WorkflowChanged {
                workspace_id: event.workspace_id.clone(),
                summary: event.summary.clone(),
            };
            missed.add(told::WORKFLOW.name, &changed);
        }
    }
    Ok(())
}

/// The events behind a place, newest first, and whether there are more.
fn events_after(reader: &Reader, seq: i64) -> Result<(Vec<EventView>, bool), StoreError> {
    let filter = Filter {
        after: seq,
        ..Filter::default()
    };
    let page = reader.page(&filter, EVENTS)?;
    Ok((page.events, page.next.is_some()))
}

/// The agents that did something since an event was stored; none when that is not stored any more.
fn agents_since(reader: &Reader, seq: i64) -> Result<Option<Vec<AgentView>>, StoreError> {
    let filter = Filter {
        after: seq - 1,
        before: Some(seq + 1),
        ..Filter::default()
    };
    let at_ms = match (seq, reader.page(&filter, 1)?.events.first()) {
        (0, _) => 0,
        (_, Some(event)) => event.at_ms,
        (_, None) => return Ok(None),
    };
    let agents = reader.agents(AGENTS)?.into_iter();
    let changed = agents.filter(|agent| agent.last_active_ms.max(agent.since_ms) >= at_ms);
    Ok(Some(changed.collect()))
}

fn name_of(agent: &AgentView) -> &'static str {
    if agent.status.is_present() {
        told::UPDATED.name
    } else {
        told::DEPARTED.name
    }
}

/// One event of the stream as it is sent. JSON has no line breaks of its own.
pub(super) fn framed(id: Option<Id>, name: &str, data: &impl Serialize) -> Vec<u8> {
    let id = id.map_or_else(String::new, |id| format!("id: {id}\n"));
    let json = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    let json = bellwether_spine::text::escaped_json(&json);
    format!("{id}event: {name}\ndata: {json}\n\n").into_bytes()
}
