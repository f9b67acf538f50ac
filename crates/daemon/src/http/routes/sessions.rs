//! The sessions.

use bellwether_flock::{SessionView, StoreReader as _};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::Parameter;
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{LIMIT, PERSON, limit, person};

/// Some sessions.
#[derive(Serialize, JsonSchema)]
struct Sessions {
    /// The sessions, the last heard of first, each with the tree of its agents.
    sessions: Vec<SessionView>,
    /// Give this as `before` to read on; none when there is nothing more.
    next: Option<String>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/sessions",
    about: "Lists sessions with the tree of their agents, the last heard of first",
    more: "",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "before",
            about: "only those heard of before this place: `next` of the page before",
            kind: PERSON,
        },
        LIMIT,
    ],
    takes: None,
    gives: Gives::Json(shape::<Sessions>),
    refuses: &[],
    handle: |ask| Box::pin(async move { sessions(&ask).await }),
};

async fn sessions(ask: &Ask) -> Result<Answer, Fault> {
    let (limit, before) = (limit(ask), person(ask, "before")?);
    let page = ask
        .state
        .library
        .read(move |reader| reader.some_sessions(before.as_ref(), limit));
    let page = page.await?;
    Ok(ok(&Sessions {
        sessions: page.some,
        next: page.next.map(|next| next.to_string()),
    }))
}
