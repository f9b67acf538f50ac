//! How the tools did, and what hooks cost.

use bellwether_flock::{StoreReader as _, ToolStats};
use bellwether_transcript::{HookCost, Projects, hook_costs};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::Parameter;
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::PLACE;

/// How the tools did, and what hooks cost.
#[derive(Serialize, JsonSchema)]
struct Stats {
    /// The tools, the most used first.
    tools: Vec<ToolStats>,
    /// What hooks cost by the client's own clock, from its newest transcripts: ours first, then the slowest.
    hooks: Vec<HookCost>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/stats",
    about: "Gives how the tools did (calls, failures, durations) and what hooks cost",
    more: "",
    access: Access::Key,
    parameters: &[Parameter {
        name: "since",
        about: "count from this moment on, milliseconds since 1970; in whole hours",
        kind: PLACE,
    }],
    takes: None,
    gives: Gives::Json(shape::<Stats>),
    refuses: &[],
    handle: |ask| Box::pin(async move { stats(&ask).await }),
};

async fn stats(ask: &Ask) -> Result<Answer, Fault> {
    let since = ask.values.number("since").unwrap_or(0).unsigned_abs();
    let tools = ask
        .state
        .library
        .read(move |reader| reader.tools(since))
        .await?;
    let hooks = tokio::task::spawn_blocking(|| hook_costs(&Projects::of_user()));
    let hooks = hooks.await.map_err(Fault::ours)?;
    Ok(ok(&Stats { tools, hooks }))
}
