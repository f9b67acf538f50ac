//! Whether the daemon is there.

use super::super::access::Access;
use super::super::answer::text;
use super::super::route::{Gives, Route, Verb};

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/health",
    about: "Says `ok` when the daemon is there",
    more: "",
    access: Access::SameUser,
    parameters: &[],
    takes: None,
    gives: Gives::Text,
    refuses: &[],
    handle: |_| Box::pin(async { Ok(text("ok")) }),
};
