//! The events: filtered, searched, in pages.

use bellwether_flock::{EventType, Filter, Page, Severity, StoreReader as _};

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter, Values};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{BEFORE, LIMIT, PLACE, limit};

const MOMENT: Kind = PLACE;
/// A name or an id.
const NAME: Kind = Kind::Text(200);

/// The names of the normalised types.
const TYPES: [&str; EventType::ALL.len()] = {
    let mut names = [""; EventType::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = EventType::ALL[at].as_str();
        at += 1;
    }
    names
};

const fn parameter(name: &'static str, about: &'static str, kind: Kind) -> Parameter {
    Parameter { name, about, kind }
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/events",
    about: "Lists stored events that fit all of what is given, the newest first",
    more: "",
    access: Access::Key,
    parameters: &[
        parameter(
            "session",
            "only of sessions whose id begins with this",
            NAME,
        ),
        parameter("agent", "only of this agent", NAME),
        parameter(
            "name",
            "only of this name, as the client calls it, for instance `PreToolUse`",
            NAME,
        ),
        parameter("type", "only of this normalised type", Kind::Word(&TYPES)),
        parameter("tool", "only of this tool", NAME),
        parameter("workspace", "only of this project, by its short name", NAME),
        parameter(
            "severity",
            "only as grave as this or graver",
            Kind::Word(&["debug", "info", "warn", "error"]),
        ),
        parameter(
            "since",
            "only from this moment on, milliseconds since 1970",
            MOMENT,
        ),
        parameter("until", "only before this moment", MOMENT),
        parameter(
            "search",
            "only those in which all these words stand; the last, from three letters on, may be the beginning of one",
            Kind::Text(400),
        ),
        parameter("after", "only those behind this place", PLACE),
        BEFORE,
        LIMIT,
    ],
    takes: None,
    gives: Gives::Json(shape::<Page>),
    refuses: &[],
    handle: |ask| Box::pin(async move { events(&ask).await }),
};

async fn events(ask: &Ask) -> Result<Answer, Fault> {
    let (filter, limit) = (filter(&ask.values), limit(ask));
    let page = ask
        .state
        .library
        .read(move |reader| reader.page(&filter, limit))
        .await?;
    Ok(ok(&page))
}

fn filter(values: &Values) -> Filter {
    let text = |name: &str| values.text(name).map(str::to_owned);
    let moment = |name: &str| values.number(name).map(i64::unsigned_abs);
    Filter {
        session: text("session"),
        agent: text("agent"),
        name: text("name"),
        kind: values.text("type").and_then(EventType::from_name),
        tool: text("tool"),
        workspace: text("workspace"),
        severity: values.text("severity").map(severity),
        since_ms: moment("since"),
        until_ms: moment("until"),
        search: text("search"),
        after: values.number("after").unwrap_or(0),
        before: values.number(BEFORE.name),
    }
}

fn severity(name: &str) -> Severity {
    match name {
        "error" => Severity::Error,
        "warn" => Severity::Warn,
        "info" => Severity::Info,
        _ => Severity::Debug,
    }
}
