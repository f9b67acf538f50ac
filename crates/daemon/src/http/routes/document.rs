//! The `OpenAPI` document.

use hyper::StatusCode;
use serde_json::Value;

use super::super::access::Access;
use super::super::answer::whole;
use super::super::document::openapi;
use super::super::route::{Gives, Route, Verb, shape};

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/openapi.json",
    about: "Gives this description as an OpenAPI document",
    more: "",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<Value>),
    refuses: &[],
    handle: |_| Box::pin(async { Ok(whole(StatusCode::OK, "application/json", openapi().into())) }),
};
