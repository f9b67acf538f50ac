//! One agent.

use bellwether_flock::{AgentView, Filter, Page, StoreReader as _};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{LIMIT, limit};

/// One agent and what it did last.
#[derive(Serialize, JsonSchema)]
struct Agent {
    /// The agent.
    agent: AgentView,
    /// Its last events.
    last: Page,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/agents/{id}",
    about: "Gives one agent and its last events",
    more: "An id with a slash in it is written with `%2F`.",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "id",
            about: "the agent's id",
            kind: Kind::Path,
        },
        LIMIT,
    ],
    takes: None,
    gives: Gives::Json(shape::<Agent>),
    refuses: &[(404, "no such agent was ever seen")],
    handle: |ask| Box::pin(async move { agent(&ask).await }),
};

async fn agent(ask: &Ask) -> Result<Answer, Fault> {
    let (id, limit) = (ask.part("id").to_owned(), limit(ask));
    let found = ask.state.library.read(move |reader| {
        let Some(agent) = reader.agent(&id)? else {
            return Ok(None);
        };
        let filter = Filter {
            agent: Some(id),
            ..Filter::default()
        };
        Ok(Some((agent, reader.page(&filter, limit)?)))
    });
    let (agent, last) = found
        .await?
        .ok_or_else(|| Fault::not_found("no such agent was ever seen").field("id"))?;
    Ok(ok(&Agent { agent, last }))
}
