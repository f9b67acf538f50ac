//! The agents.

use bellwether_flock::{AgentFilter, AgentView, Presence, StoreReader as _};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{LIMIT, PERSON, limit, person};

/// Some agents.
#[derive(Serialize, JsonSchema)]
struct Agents {
    /// The agents, the last heard of first.
    agents: Vec<AgentView>,
    /// Give this as `after` to read on; none when there is nothing more.
    next: Option<String>,
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
        Parameter {
            name: "after",
            about: "only those behind this place: `next` of the page before",
            kind: PERSON,
        },
        LIMIT,
    ],
    takes: None,
    gives: Gives::Json(shape::<Agents>),
    refuses: &[],
    handle: |ask| Box::pin(async move { agents(&ask).await }),
};

async fn agents(ask: &Ask) -> Result<Answer, Fault> {
    let limit = limit(ask);
    let filter = AgentFilter {
        presence: match ask.values.text("show") {
            Some("all") => Presence::All,
            _ => Presence::Present,
        },
        session: ask.values.text("session").map(str::to_owned),
        after: person(ask, "after")?,
    };
    let page = ask
        .state
        .library
        .read(move |reader| reader.some_agents(&filter, limit));
    let page = page.await?;
    Ok(ok(&Agents {
        agents: page.some,
        next: page.next.map(|next| next.to_string()),
    }))
}
