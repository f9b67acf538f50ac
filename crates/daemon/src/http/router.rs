//! From a request to its answer: known names only, then the route, then whether it may be asked, then
//! what it carries.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use hyper::{Request, StatusCode};

use super::access::{Access, Caller, Shown, Site, admit};
use super::answer::{self, Answer, Fault};
use super::other_end::OtherEnd;
use super::page::help;
use super::parameter::Values;
use super::route::{Ask, Gives, Route};
use super::state::State;
use super::{body, routes};

pub(crate) async fn answer(
    request: Request<Incoming>,
    other_end: Arc<OtherEnd>,
    state: Arc<State>,
) -> Answer {
    let path_is_ours = !matches!(request.uri().path(), "/health" | "/ingest" | "/hook");
    let mut answer = match handle(request, other_end, state).await {
        Ok(answer) => answer,
        Err(fault) => fault.into_answer(),
    };
    if path_is_ours {
        answer::guard(answer.headers_mut());
    }
    answer
}

async fn handle(
    request: Request<Incoming>,
    other_end: Arc<OtherEnd>,
    state: Arc<State>,
) -> Result<Answer, Fault> {
    let site = Site::of(request.headers())?;
    let (route, _) = find(request.uri().path(), request.method())?;
    let caller = Caller {
        peer: other_end.peer,
        method: request.method(),
        headers: request.headers(),
        port: state.port,
    };
    let admitted = admit(route.access, caller, &site, &state.keys);
    let asked = matches!(route.gives, Gives::Page).then(|| request.headers().clone());
    let served = match admitted {
        Ok(shown) => serve(request, other_end, state, shown).await,
        Err(fault) => Err(fault),
    };
    match (served, asked) {
        // A person reads this one.
        (Err(fault), Some(asked)) if fault.status() == StatusCode::UNAUTHORIZED => Ok(help(&asked)),
        (served, _) => served,
    }
}

/// Answers a request that was let in.
async fn serve(
    request: Request<Incoming>,
    other_end: Arc<OtherEnd>,
    state: Arc<State>,
    shown: Option<Shown>,
) -> Result<Answer, Fault> {
    let (head, body) = request.into_parts();
    let (route, path) = find(head.uri.path(), &head.method)?;
    if route.access != Access::SameUser || route.takes.is_some() {
        state.shared.busy();
    }
    if route.access == Access::Key {
        state.collector.settle(&state.asker).await;
    }
    let values = Values::read(route.parameters, &path, head.uri.query())?;
    let body = match route.takes {
        Some(takes) => {
            check_kind(&head.headers)?;
            body::read(body, takes.most).await?
        }
        None => body::read(body, 0)
            .await
            .map_err(|_| Fault::bad("this takes no body"))?,
    };
    let ask = Ask {
        state,
        other_end,
        shown,
        method: head.method,
        headers: head.headers,
        values,
        body,
    };
    (route.handle)(ask).await
}

type Matched<'a> = (&'static Route, Vec<(&'static str, &'a str)>);

fn find<'a>(path: &'a str, method: &hyper::Method) -> Result<Matched<'a>, Fault> {
    let mut allowed = Vec::new();
    for route in routes::ALL {
        let Some(values) = route.matches(path) else {
            continue;
        };
        if route.method.is(method) {
            return Ok((route, values));
        }
        allowed.push(route.method.allows());
    }
    if allowed.is_empty() {
        let path = bellwether_spine::text::shown(path, 100);
        let text = format!("there is nothing at {path}; /api/openapi.json lists what there is");
        return Err(Fault::not_found(text));
    }
    let allowed = allowed.join(", ");
    let text = format!("use {allowed} here");
    Err(Fault::new(StatusCode::METHOD_NOT_ALLOWED, text).allow(allowed))
}

/// Bodies are JSON and say so.
fn check_kind(headers: &HeaderMap) -> Result<(), Fault> {
    let said = headers
        .get(CONTENT_TYPE)
        .map(|kind| kind.to_str().unwrap_or("?"));
    let kind = said
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default()
        .trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let found = match said {
        Some(said) => format!("`{}`", bellwether_spine::text::shown(said, 60)),
        None => "nothing".to_owned(),
    };
    let text =
        format!("the body must be JSON and `Content-Type` say `application/json`; it says {found}");
    Err(Fault::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text).field("Content-Type"))
}
