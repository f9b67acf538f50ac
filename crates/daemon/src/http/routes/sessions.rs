//! The sessions.

use bellwether_flock::{SessionView, StoreReader as _};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{LIMIT, limit};

/// Some sessions.
#[derive(Serialize, JsonSchema)]
struct Sessions {
    /// The sessions, the last heard of first, each with the tree of its agents.
    sessions: Vec<SessionView>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/sessions",
    about: "Lists sessions with the tree of their agents, the last heard of first",
    more: "",
    access: Access::Key,
    parameters: &[LIMIT],
    takes: None,
    gives: Gives::Json(shape::<Sessions>),
    refuses: &[],
    handle: |ask| Box::pin(async move { sessions(&ask).await }),
};

async fn sessions(ask: &Ask) -> Result<Answer, Fault> {
    let limit = limit(ask);
    let sessions = ask
        .state
        .library
        .read(move |reader| reader.sessions(limit))
        .await?;
    Ok(ok(&Sessions { sessions }))
}
