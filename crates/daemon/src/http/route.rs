//! A route: what it is about, whom it serves, what it takes and gives, and what answers it. The router,
//! the `OpenAPI` document and the reference page are all made of this.

use std::pin::Pin;
use std::sync::Arc;

use hyper::Method;
use hyper::body::Bytes;
use hyper::header::HeaderMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::access::{Access, Shown};
use super::answer::{Answer, Fault};
use super::other_end::OtherEnd;
use super::parameter::{Parameter, Values};
use super::state::State;
use super::stream::Told;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub method: Verb,
    /// Its path; a part in braces is a parameter.
    pub path: &'static str,
    /// What it does, in a sentence without its end.
    pub about: &'static str,
    /// What more there is to say about it, in markdown.
    pub more: &'static str,
    pub access: Access,
    pub parameters: &'static [Parameter],
    pub takes: Option<Takes>,
    pub gives: Gives,
    /// What it answers besides, and when.
    pub refuses: &'static [(u16, &'static str)],
    pub handle: fn(Ask) -> Answering,
}

/// What a route is asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Get,
    Post,
    Put,
    Delete,
}

impl Verb {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }

    /// Whether a request is this. Whatever can be read can also be asked about.
    pub(crate) fn is(self, method: &Method) -> bool {
        method.as_str() == self.name() || (self == Self::Get && method == Method::HEAD)
    }

    /// The methods that a route of this answers.
    pub(crate) fn allows(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD",
            other => other.name(),
        }
    }
}

/// What a route takes: JSON of this shape, and so much of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Takes {
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    pub most: usize,
}

/// The shape of a type, for the documents.
pub(crate) fn shape<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Gives {
    /// JSON of this shape.
    Json(fn(&mut SchemaGenerator) -> Schema),
    Text,
    /// A stream of these events.
    Events(&'static [Told]),
    /// A page for a browser; so is the answer to whoever has no key.
    Page,
    /// A file of this kind.
    File(&'static str),
}

/// What comes of a request.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Answer, Fault>> + Send>>;

/// A request that was let in and read.
pub(crate) struct Ask {
    pub state: Arc<State>,
    pub other_end: Arc<OtherEnd>,
    /// How whoever asks has shown that the page is theirs.
    pub shown: Option<Shown>,
    pub method: Method,
    pub headers: HeaderMap,
    pub values: Values,
    pub body: Bytes,
}

impl Ask {
    /// The body, an object, as a value; a fault says where it is wrong.
    pub(crate) fn json<T: serde::de::DeserializeOwned>(&self) -> Result<T, Fault> {
        let wrong = |error: serde_json::Error| Fault::bad(format!("the body is wrong: {error}"));
        // A structure would also be read from an array, field by field.
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&self.body).map_err(wrong)?;
        serde_json::from_value(object.into()).map_err(wrong)
    }

    /// A parameter that the path always has.
    pub(crate) fn part(&self, name: &str) -> &str {
        self.values.text(name).unwrap_or_default()
    }
}

impl Route {
    /// The values of the path's parameters, if this is the path.
    pub(crate) fn matches<'a>(&self, path: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
        if !self.path.contains('{') {
            return (self.path == path).then(Vec::new);
        }
        let (mut ours, mut theirs) = (self.path.split('/'), path.split('/'));
        let mut values = Vec::new();
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return Some(values),
                (Some(part), Some(value)) => match name_of(part) {
                    Some(name) if !value.is_empty() => values.push((name, value)),
                    None if part == value => {}
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
}

fn name_of(part: &'static str) -> Option<&'static str> {
    part.strip_prefix('{')?.strip_suffix('}')
}
