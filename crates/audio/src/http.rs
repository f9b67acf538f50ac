//! Requests to services: bounded, without detours, and silent about keys.
//!
//! Architecture Invariant: a key travels in a header, over TLS or to this machine itself, to the host
//! that the configuration names. Redirects are not followed and no proxy is taken from the
//! environment: either would carry it somewhere else. Certificates are checked against Mozilla's
//! list, which is part of the program, so that a bare container is as safe as a desktop.

use std::io::Read;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::{Lasting, Secret};

/// The longest that any request may take; listeners give up long before.
const LONGEST: Duration = Duration::from_mins(2);
const CONNECT: Duration = Duration::from_secs(5);
/// A service that sends nothing for so long will not send more.
const STALLED: Duration = Duration::from_secs(15);
/// An answer that is not sound is a few kilobytes; one that is has its own bound.
const LARGEST_TEXT: u64 = 256 * 1024;

/// Why a request came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// What happened, without anything secret.
    pub reason: String,
    /// Whether it is worth asking again.
    pub lasting: Lasting,
}

impl Failure {
    pub(crate) fn new(lasting: Lasting, reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            lasting,
        }
    }
}

/// Where a request goes and what it carries.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub url: String,
    /// The key and the header that it stands in.
    pub key: Option<(&'static str, Secret)>,
    pub headers: Vec<(&'static str, String)>,
}

impl Request {
    /// A request below a base address, which may end in the version that the path begins with.
    pub(crate) fn to(base: &str, path: &str) -> Self {
        let base = base.trim().trim_end_matches('/');
        let path = match path.strip_prefix("/v1") {
            Some(rest) if base.ends_with("/v1") => rest,
            _ => path,
        };
        Self {
            url: format!("{base}{path}"),
            key: None,
            headers: Vec::new(),
        }
    }

    /// With a key of its own.
    pub(crate) fn key(mut self, header: &'static str, key: Option<&Secret>) -> Self {
        self.key = key.map(|key| (header, key.clone()));
        self
    }

    /// Sends JSON; the answer is there as soon as its head is.
    pub(crate) fn post(&self, body: &Value) -> Result<Response<Body>, Failure> {
        self.check()?;
        let mut request = agent()
            .post(&self.url)
            .header("content-type", "application/json");
        for (name, value) in self.lines() {
            request = request.header(name, value);
        }
        let body = serde_json::to_vec(body).unwrap_or_default();
        self.judged(request.send(body.as_slice()))
    }

    pub(crate) fn get(&self) -> Result<Response<Body>, Failure> {
        self.check()?;
        let mut request = agent().get(&self.url);
        for (name, value) in self.lines() {
            request = request.header(name, value);
        }
        self.judged(request.call())
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let key = self.key.iter().map(|(name, key)| match *name {
            "authorization" => (*name, format!("Bearer {}", key.reveal())),
            _ => (*name, key.reveal().to_owned()),
        });
        key.chain(self.headers.iter().cloned()).collect()
    }

    /// A key is not sent where others could read it on the way.
    fn check(&self) -> Result<(), Failure> {
        let is_local = |rest: &str| {
            let host = rest.split(['/', '?']).next().unwrap_or_default();
            let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
            matches!(host, "localhost" | "127.0.0.1" | "[::1]")
        };
        match self.url.split_once("://") {
            Some(("https", _)) => Ok(()),
            Some(("http", rest)) if self.key.is_none() || is_local(rest) => Ok(()),
            Some(("http", _)) => Err(Failure::new(
                Lasting::UntilMended,
                "the address is not https, and a key would be readable on the way",
            )),
            _ => Err(Failure::new(
                Lasting::UntilMended,
                "the address is neither https nor http",
            )),
        }
    }

    fn judged(
        &self,
        answer: Result<Response<Body>, ureq::Error>,
    ) -> Result<Response<Body>, Failure> {
        let mut answer = answer.map_err(|error| self.unanswered(&error))?;
        let status = answer.status().as_u16();
        if (200..300).contains(&status) {
            return Ok(answer);
        }
        let mut text = String::new();
        let body = answer.body_mut().as_reader();
        let _ = body.take(LARGEST_TEXT).read_to_string(&mut text);
        let said = self.without_key(&message(&text));
        Err(Failure::new(
            lasting(status, &text),
            format!("{status} {said}").trim_end(),
        ))
    }

    fn unanswered(&self, error: &ureq::Error) -> Failure {
        Failure::new(Lasting::While, self.without_key(&error.to_string()))
    }

    fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some((_, key)) => key.taken_out_of(text),
            None => text.to_owned(),
        }
    }
}

pub(crate) fn json(answer: Response<Body>) -> Result<Value, Failure> {
    let mut text = Vec::new();
    let mut body = answer.into_body();
    let read = body.as_reader().take(LARGEST_TEXT).read_to_end(&mut text);
    read.map_err(|error| Failure::new(Lasting::While, error.to_string()))?;
    // The error would show what stands there.
    serde_json::from_slice(&text).map_err(|_| Failure::new(Lasting::Line, "the answer is no JSON"))
}

/// How long a status will last. No credit comes under several of them.
fn lasting(status: u16, text: &str) -> Lasting {
    let no_credit = ["quota_exceeded", "insufficient_quota", "credit balance"];
    match status {
        _ if no_credit.iter().any(|it| text.contains(it)) => Lasting::UntilMended,
        400 | 413 | 422 => Lasting::Line,
        408 | 409 | 425 | 429 | 500.. => Lasting::While,
        _ => Lasting::UntilMended,
    }
}

/// What a service says of an error, in the shapes that the services have.
fn message(text: &str) -> String {
    let Ok(body) = serde_json::from_str::<Value>(text) else {
        return String::new();
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let pair = |value: &Value, kind: &str| {
        let (kind, told) = (value[kind].as_str()?, text(&value["message"])?);
        Some(format!("{kind}: {told}"))
    };
    let detail = &body["detail"];
    pair(detail, "status")
        .or_else(|| text(detail))
        .or_else(|| text(&detail[0]["msg"]))
        .or_else(|| pair(&body["error"], "code"))
        .or_else(|| pair(&body["error"], "type"))
        .or_else(|| text(&body["error"]["message"]))
        .or_else(|| text(&body["error"]))
        .unwrap_or_default()
}

fn agent() -> &'static Agent {
    static AGENT: OnceLock<Agent> = OnceLock::new();
    AGENT.get_or_init(|| {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(LONGEST))
            .timeout_per_read(Some(STALLED))
            .user_agent(concat!("bellwether/", env!("CARGO_PKG_VERSION")));
        config.build().new_agent()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_may_or_may_not_have_the_version() {
        for base in [
            "http://h:1",
            "http://h:1/",
            "http://h:1/v1",
            "http://h:1/v1/",
        ] {
            assert_eq!(
                Request::to(base, "/v1/audio/speech").url,
                "http://h:1/v1/audio/speech"
            );
        }
        assert_eq!(Request::to("http://h/x", "/v1/y").url, "http://h/x/v1/y");
    }

    #[test]
    fn a_key_is_not_sent_in_the_open() {
        let key = Secret::new("k").unwrap();
        let check =
            |url: &str, key: Option<&Secret>| Request::to(url, "/v1/x").key("x", key).check();
        assert!(check("http://example.com", Some(&key)).is_err());
        assert!(check("http://localhost.example.com", Some(&key)).is_err());
        assert!(check("http://127.0.0.1@example.com", Some(&key)).is_err());
        assert!(check("ftp://localhost", None).is_err());
        assert!(check("http://example.com", None).is_ok());
        for url in [
            "https://example.com",
            "http://127.0.0.1:9",
            "http://[::1]:9",
            "http://localhost",
        ] {
            assert!(check(url, Some(&key)).is_ok(), "{url}");
        }
    }

    #[test]
    fn errors_of_every_service_are_understood() {
        for (status, text, told, how) in [
            (
                401,
                r#"{"detail":{"status":"quota_exceeded","message":"No credit"}}"#,
                "quota_exceeded: No credit",
                Lasting::UntilMended,
            ),
            (
                429,
                r#"{"detail":{"status":"too_many_concurrent_requests","message":"Slow down"}}"#,
                "too_many_concurrent_requests: Slow down",
                Lasting::While,
            ),
            (
                422,
                r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#,
                "field required",
                Lasting::Line,
            ),
            (
                429,
                r#"{"error":{"message":"Out","type":"x","code":"insufficient_quota"}}"#,
                "insufficient_quota: Out",
                Lasting::UntilMended,
            ),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                "overloaded_error: Overloaded",
                Lasting::While,
            ),
            (404, "<html>", "", Lasting::UntilMended),
            (302, "", "", Lasting::UntilMended),
        ] {
            assert_eq!(message(text), told);
            assert_eq!(lasting(status, text), how, "{status} {text}");
        }
    }
}
