//! The sessions as a table: sorted and filtered by what they cost, how long they lasted, whether they need the person.

use bellwether_flock::{SessionFilter, SessionSort, SessionState, SessionTable, StoreReader as _};

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{LIMIT, PLACE, limit};

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/session-table",
    about: "Gives sessions as rows of a table, sorted and filtered",
    more: "",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "sort",
            about: "what they are sorted by; `last` when not given",
            kind: Kind::Word(&[
                "last", "started", "duration", "cost", "tokens", "about", "project",
            ]),
        },
        Parameter {
            name: "order",
            about: "`falling` is the newest, longest or dearest first, and the usual",
            kind: Kind::Word(&["falling", "rising"]),
        },
        Parameter {
            name: "state",
            about: "only those in which an agent waits for the person, or that run, or that have ended",
            kind: Kind::Word(&["needs_you", "running", "ended"]),
        },
        Parameter {
            name: "project",
            about: "only of this project",
            kind: Kind::Text(200),
        },
        Parameter {
            name: "text",
            about: "only those whose title, project or id holds each of these words",
            kind: Kind::Text(200),
        },
        Parameter {
            name: "since",
            about: "only those heard of from this moment on, milliseconds since 1970",
            kind: PLACE,
        },
        Parameter {
            name: "until",
            about: "only those begun before this moment",
            kind: PLACE,
        },
        Parameter {
            name: "skip",
            about: "leave out so many rows at the front",
            kind: PLACE,
        },
        LIMIT,
    ],
    takes: None,
    gives: Gives::Json(shape::<SessionTable>),
    refuses: &[],
    handle: |ask| Box::pin(async move { table(&ask).await }),
};

async fn table(ask: &Ask) -> Result<Answer, Fault> {
    let (filter, limit) = (filter(ask), limit(ask));
    let table = ask
        .state
        .library
        .read(move |reader| reader.session_table(&filter, limit));
    Ok(ok(&table.await?))
}

fn filter(ask: &Ask) -> SessionFilter {
    let text = |name| ask.values.text(name);
    let number = |name| ask.values.number(name).map(i64::unsigned_abs);
    let some = |name| text(name).filter(|it| !it.is_empty()).map(str::to_owned);
    SessionFilter {
        project: some("project"),
        text: some("text"),
        state: match text("state") {
            Some("needs_you") => SessionState::NeedsYou,
            Some("running") => SessionState::Running,
            Some("ended") => SessionState::Ended,
            _ => SessionState::All,
        },
        since_ms: number("since"),
        until_ms: number("until"),
        sort: match text("sort") {
            Some("started") => SessionSort::Started,
            Some("duration") => SessionSort::Duration,
            Some("cost") => SessionSort::Cost,
            Some("tokens") => SessionSort::Tokens,
            Some("about") => SessionSort::About,
            Some("project") => SessionSort::Project,
            _ => SessionSort::Last,
        },
        is_rising: text("order") == Some("rising"),
        skip: number("skip").unwrap_or_default(),
    }
}
