//! One session: its agents, and what was asked of it.

use bellwether_flock::{EventView, Filter, SessionView, StoreReader as _};
use bellwether_protocol::event;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{LIMIT, limit};

/// One session.
#[derive(Serialize, JsonSchema)]
struct Session {
    /// The session, with the tree of its agents.
    session: SessionView,
    /// What was asked of it, the newest first; `summary` has the words.
    prompts: Vec<EventView>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/sessions/{id}",
    about: "Gives one session: the tree of its agents and its prompts",
    more: "",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "id",
            about: "the session's id",
            kind: Kind::Path,
        },
        LIMIT,
    ],
    takes: None,
    gives: Gives::Json(shape::<Session>),
    refuses: &[(404, "no such session was ever seen")],
    handle: |ask| Box::pin(async move { session(&ask).await }),
};

async fn session(ask: &Ask) -> Result<Answer, Fault> {
    let (id, limit) = (ask.part("id").to_owned(), limit(ask));
    let found = ask.state.library.read(move |reader| {
        let Some(session) = reader.session(&id)? else {
            return Ok(None);
        };
        let filter = Filter {
            session: Some(id),
            name: Some(event::Kind::UserPromptSubmit.as_str().to_owned()),
            ..Filter::default()
        };
        Ok(Some((session, reader.page(&filter, limit)?.events)))
    });
    let (session, prompts) = found
        .await?
        .ok_or_else(|| Fault::not_found("no such session was ever seen").field("id"))?;
    Ok(ok(&Session { session, prompts }))
}
