//! Everything at a glance: what a page shows first.

use bellwether_announce::Mutes;
use bellwether_flock::{Overview, StoreReader};
use bellwether_spine::clock;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::super::stream::Id;
use super::mutes::MuteView;

/// Everything at a glance.
#[derive(Serialize, JsonSchema)]
struct Glance {
    /// Where the live stream stood before this was read: give it as `last_event_id` and nothing is missed.
    stream: String,
    /// When this was read, milliseconds since 1970.
    now_ms: u64,
    /// What is muted.
    mutes: Vec<MuteView>,
    /// What is stored.
    store: Overview,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/overview",
    about: "Gives everything at a glance: counts, states, tools, the last hours",
    more: "",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<Glance>),
    refuses: &[],
    handle: |ask| Box::pin(async move { overview(&ask).await }),
};

async fn overview(ask: &Ask) -> Result<Answer, Fault> {
    let stream = Id::now(&ask.state).await?.to_string();
    let store = ask.state.library.read(StoreReader::overview).await?;
    let now_ms = clock::wall_ms();
    Ok(ok(&Glance {
        stream,
        now_ms,
        mutes: Mutes::load(&ask.state.home)
            .all(now_ms)
            .map(MuteView::from)
            .collect(),
        store,
    }))
}
