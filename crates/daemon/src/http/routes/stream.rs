//! The live stream.

use hyper::StatusCode;
use hyper::header::{HeaderName, HeaderValue};

use super::super::access::Access;
use super::super::answer::{Answer, Fault, with_kind};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb};
use super::super::stream::{Id, Only, TOLD, WORDS, listen};

/// What a browser sends when it connects again.
const LAST: &str = "last-event-id";

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/events/stream",
    about: "Tells what happens as it happens, as server-sent events",
    more: "See [the live stream](#the-live-stream).",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "last_event_id",
            about: "go on behind this id, where the header `Last-Event-ID` cannot be set",
            kind: Kind::Text(64),
        },
        Parameter {
            name: "only",
            about: "tell only of these; everything when not given",
            kind: Kind::Words(WORDS),
        },
    ],
    takes: None,
    gives: Gives::Events(TOLD),
    refuses: &[],
    handle: |ask| Box::pin(stream(ask)),
};

async fn stream(ask: Ask) -> Result<Answer, Fault> {
    let header = ask
        .headers
        .get(LAST)
        .map(|value| value.to_str().unwrap_or_default());
    let last = header
        .filter(|id| !id.is_empty())
        .or_else(|| ask.values.text("last_event_id"));
    let id = match last {
        Some(text) => Id::parse(text).ok_or_else(|| {
            Fault::bad("the last event's id is none of ours; leave it out to begin anew")
                .field("last_event_id")
        })?,
        None => Id::now(&ask.state).await?,
    };
    let only = Only::of(ask.values.text("only"));
    let content = listen(ask.state, id, only);
    let mut answer = with_kind(StatusCode::OK, "text/event-stream", content);
    // A proxy in between is not to hold events back.
    answer.headers_mut().insert(
        HeaderName::from_static("x-accel-buffering"),
        HeaderValue::from_static("no"),
    );
    Ok(answer)
}
