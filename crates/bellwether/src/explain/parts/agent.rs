//! What the agent does before the event, as far as it is stored, and what it would do after it.

use bellwether_flock::{Flock, Reader, Sender, StoreReader as _, intake};
use bellwether_spine::clock;
use serde_json::{Value, json};

use super::{Context, without_nothing};

pub(super) fn explain(context: &Context<'_>) -> Value {
    let row = intake(context.text, Sender::Other).row;
    if row.is_schema_error() {
        return json!({ "changes": false });
    }
    let mut flock = stored(context).unwrap_or_default();
    let now_ms = clock::wall_ms();
    flock.tick(now_ms);
    let id = row.meaning.agent.clone();
    let status = |flock: &Flock| flock.agent(&id).map(|agent| agent.view.status);
    let before = status(&flock);
    let changes = flock.apply(&row, now_ms);
    let lasting = flock.agent(&id).map(|agent| agent.life.lasting());
    without_nothing(json!({
        "agent_id": bellwether_spine::text::shown(&id, 200),
        "role": row.meaning.role,
        "before": before,
        "after": status(&flock),
        // What it does once it has appeared.
        "then": lasting.filter(|lasting| Some(*lasting) != status(&flock)),
        "tells": changes.iter().map(bellwether_flock::Change::name).collect::<Vec<_>>(),
    }))
}

/// The flock as it is stored; there may be none.
fn stored(context: &Context<'_>) -> Option<Flock> {
    let reader = Reader::open(&context.asked.home.database())
        .ok()
        .flatten()?;
    let (agents, sessions) = reader.present().ok()?;
    Some(Flock::load(agents, sessions))
}
