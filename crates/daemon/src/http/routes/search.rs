//! One box over everything: agents, sessions, events and what the guard stopped.

use bellwether_flock::{
    AgentView, Filter, Page, Reader, SessionRecord, StoreError, StoreReader as _,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::audit::{self, Stopped};

/// What was found.
#[derive(Default, Serialize, JsonSchema)]
struct Found {
    /// Agents, the last heard of first.
    agents: Vec<AgentView>,
    /// Sessions, the last heard of first.
    sessions: Vec<SessionRecord>,
    /// Events, the newest first; `/api/events?search=` reads on.
    events: Page,
    /// What the guard stopped, the newest first.
    refusals: Vec<Stopped>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/search",
    about: "Finds agents, sessions, events and refusals in which all words stand",
    more: "",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "q",
            about: "the words; the last may be the beginning of one",
            kind: Kind::Text(400),
        },
        Parameter {
            name: "limit",
            about: "how many of each at most",
            kind: Kind::Number {
                least: 1,
                most: 100,
                usual: Some(20),
            },
        },
    ],
    takes: None,
    gives: Gives::Json(shape::<Found>),
    refuses: &[],
    handle: |ask| Box::pin(async move { search(&ask).await }),
};

async fn search(ask: &Ask) -> Result<Answer, Fault> {
    let words = ask.values.text("q").unwrap_or_default().to_owned();
    let limit = ask.values.number("limit").unwrap_or(20);
    let limit = usize::try_from(limit).unwrap_or(20);
    let (home, theirs) = (ask.state.home.clone(), words.clone());
    let refusals = tokio::task::spawn_blocking(move || audit::find(&home, &theirs, limit));
    let found = ask
        .state
        .library
        .read(move |reader| in_store(reader, &words, limit));
    let mut found = found.await?;
    found.refusals = refusals.await.map_err(Fault::ours)?.map_err(Fault::ours)?;
    Ok(ok(&found))
}

fn in_store(reader: &Reader, words: &str, limit: usize) -> Result<Found, StoreError> {
    let filter = Filter {
        search: Some(words.to_owned()),
        ..Filter::default()
    };
    Ok(Found {
        agents: reader.find_agents(words, limit)?,
        sessions: reader.find_sessions(words, limit)?,
        events: reader.page(&filter, limit)?,
        refusals: Vec::new(),
    })
}
