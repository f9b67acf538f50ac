//! The agents.

use bellwether_flock::{AgentView, StoreReader as _};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{LIMIT, limit};

/// More agents than this are not looked through.
const LOOKED_AT: usize = 5_000;

/// Some agents.
#[derive(Serialize, JsonSchema)]
struct Agents {
    /// The agents, the last heard of first.
    agents: Vec<AgentView>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/agents",
    about: "Lists agents, the last heard of first",
    more: "",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "show",
            about: "those that are there, or also those that have gone; `present` when not given",
            kind: Kind::Word(&["present", "all"]),
        },
        Parameter {
            name: "session",
            about: "only those of this session",
            kind: Kind::Text(200),
        },
        LIMIT,
    ],
    takes: None,
    gives: Gives::Json(shape::<Agents>),
    refuses: &[],
    handle: |ask| Box::pin(async move { agents(&ask).await }),
};

async fn agents(ask: &Ask) -> Result<Answer, Fault> {
    let mut agents = ask
        .state
        .library
        .read(|reader| reader.agents(LOOKED_AT))
        .await?;
    let all = ask.values.text("show") == Some("all");
    let session = ask.values.text("session");
    agents.retain(|agent| {
        let is_there = all || agent.status.is_present();
        is_there && session.is_none_or(|session| agent.session_id.as_deref() == Some(session))
    });
    agents.truncate(limit(ask));
    Ok(ok(&Agents { agents }))
}
