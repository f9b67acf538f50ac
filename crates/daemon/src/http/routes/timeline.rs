//! When the agents did what.

use bellwether_flock::{StoreReader as _, Timeline, TimelineWindow};
use bellwether_spine::clock;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::PLACE;

/// How much is shown when nothing else is asked for.
const USUAL_MS: u64 = 60 * 60 * 1000;

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/timeline",
    about: "Gives turns, tool calls and waits of the agents as spans, the newest when there are too many",
    more: "What goes on has no `to_ms`. What began before the window and reaches into it is there too.",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "since",
            about: "from this moment on, milliseconds since 1970; an hour before `until` when not given",
            kind: PLACE,
        },
        Parameter {
            name: "until",
            about: "up to this moment; now when not given",
            kind: PLACE,
        },
        Parameter {
            name: "session",
            about: "only of this session",
            kind: Kind::Text(200),
        },
        Parameter {
            name: "agent",
            about: "only of this agent",
            kind: Kind::Text(200),
        },
        Parameter {
            name: "limit",
            about: "how many spans at most",
            kind: Kind::Number {
                least: 1,
                most: 10_000,
                usual: Some(2_000),
            },
        },
    ],
    takes: None,
    gives: Gives::Json(shape::<Timeline>),
    refuses: &[],
    handle: |ask| Box::pin(async move { timeline(&ask).await }),
};

async fn timeline(ask: &Ask) -> Result<Answer, Fault> {
    let window = window(ask);
    let (since_ms, until_ms) = (window.since_ms, window.until_ms);
    let read = ask
        .state
        .library
        .read(move |reader| reader.timeline(&window).map(Some));
    // Nothing is stored yet, or by an older program.
    let timeline = read.await?.unwrap_or_default();
    Ok(ok(&Timeline {
        since_ms,
        until_ms,
        ..timeline
    }))
}

/// The window that is asked for; one that ends before it begins is empty.
fn window(ask: &Ask) -> TimelineWindow {
    let moment = |name: &str| ask.values.number(name).map(i64::unsigned_abs);
    let until_ms = moment("until").unwrap_or_else(|| clock::wall_ms() + 1);
    let since_ms = moment("since").unwrap_or_else(|| until_ms.saturating_sub(USUAL_MS));
    let limit = ask.values.number("limit").unwrap_or(2_000);
    TimelineWindow {
        since_ms,
        until_ms,
        session: ask.values.text("session").map(str::to_owned),
        agent: ask.values.text("agent").map(str::to_owned),
        limit: usize::try_from(limit).unwrap_or(2_000),
    }
}
