//! What is answered: a value, a text, a stream, or a fault that says what is wrong.

use std::borrow::Cow;

use hyper::body::Bytes;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER,
    WWW_AUTHENTICATE,
};
use hyper::{Response, StatusCode};
use schemars::JsonSchema;
use serde::Serialize;

use super::content::Content;

pub(crate) type Answer = Response<Content>;

/// What is said on everything that a browser may show.
const GUARDED: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Problem {
    /// What is wrong, and what to do about it.
    pub error: Cow<'static, str>,
    /// The field or parameter that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// A request that is not answered with what it asked for.
#[derive(Debug)]
pub(crate) struct Fault {
    status: StatusCode,
    problem: Problem,
    allow: Option<String>,
    /// In how many seconds it may be asked again.
    again: Option<u64>,
}

impl Fault {
    pub(crate) fn new(status: StatusCode, error: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            problem: Problem {
                error: error.into(),
                field: None,
            },
            allow: None,
            again: None,
        }
    }

    /// The request makes no sense.
    pub(crate) fn bad(error: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// There is no such thing.
    pub(crate) fn not_found(error: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    /// It is our own fault, and has been logged.
    pub(crate) fn ours(error: impl std::fmt::Display) -> Self {
        let text = bellwether_spine::text::shown(&error.to_string(), 400);
        tracing::warn!("cannot answer: {text}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }

    /// The daemon has too much to do.
    pub(crate) fn busy(error: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// So much came from one side that it has to wait.
    pub(crate) fn too_fast(error: impl Into<Cow<'static, str>>, seconds: u64) -> Self {
        Self {
            again: Some(seconds),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, error)
        }
    }

    pub(crate) fn field(mut self, name: impl Into<String>) -> Self {
        self.problem.field = Some(name.into());
        self
    }

    /// Names the methods that there are.
    pub(crate) fn allow(mut self, methods: String) -> Self {
        self.allow = Some(methods);
        self
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn into_answer(self) -> Answer {
        let mut answer = json(self.status, &self.problem);
        let headers = answer.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            ask_for_key(headers);
        }
        let is_busy = self.status == StatusCode::SERVICE_UNAVAILABLE;
        if let Some(seconds) = self.again.or(is_busy.then_some(1)) {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(allow) = self.allow.and_then(|allow| allow.try_into().ok()) {
            headers.insert(ALLOW, allow);
        }
        answer
    }
}

/// Says what is missing in a request without a key.
pub(crate) fn ask_for_key(headers: &mut HeaderMap) {
    let how = HeaderValue::from_static("Bearer realm=\"bellwether\"");
    headers.insert(WWW_AUTHENTICATE, how);
}

pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Answer {
    match serde_json::to_string(value) {
        Ok(text) => {
            let text = bellwether_spine::text::escaped_json(&text).into_owned();
            whole(status, "application/json", text.into())
        }
        Err(error) => {
            tracing::warn!("cannot write an answer: {error}");
            let text = br#"{"error":"the answer cannot be written"}"#;
            whole(
                StatusCode::INTERNAL_SERVER_ERROR,
                "application/json",
                Bytes::from_static(text),
            )
        }
    }
}

/// A value as JSON, and all is well.
pub(crate) fn ok(value: &impl Serialize) -> Answer {
    json(StatusCode::OK, value)
}

/// A text, and all is well.
pub(crate) fn text(text: &'static str) -> Answer {
    text_of("text/plain; charset=utf-8", text)
}

/// A text of some kind, and all is well.
pub(crate) fn text_of(kind: &'static str, text: &'static str) -> Answer {
    whole(StatusCode::OK, kind, Bytes::from_static(text.as_bytes()))
}

/// Bytes of some kind.
pub(crate) fn whole(status: StatusCode, kind: &'static str, bytes: Bytes) -> Answer {
    with_kind(status, kind, Content::whole(bytes))
}

/// Some content of some kind.
pub(crate) fn with_kind(status: StatusCode, kind: &'static str, content: Content) -> Answer {
    let mut answer = Response::new(content);
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// Says what keeps a browser from doing with an answer what it should not, unless the answer says it for
/// itself.
pub(crate) fn guard(headers: &mut HeaderMap) {
    for (name, value) in GUARDED {
        headers
            .entry(HeaderName::from_static(name))
            .or_insert(HeaderValue::from_static(value));
    }
}
