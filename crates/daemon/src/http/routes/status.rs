//! How the daemon is.

use super::super::access::Access;
use super::super::answer::ok;
use super::super::route::{Gives, Route, Verb, shape};
use crate::control::Status;

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/status",
    about: "Says how the daemon is, as `bellwether status` does",
    more: "",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<Status>),
    refuses: &[],
    handle: |ask| {
        Box::pin(async move { Ok(ok(&Status::of(&ask.state.shared, ask.state.started_ms))) })
    },
};
