//! The sign that a browser shows on the page's tab.

use super::super::access::Access;
use super::super::page::{File, Keep};
use super::super::route::{Gives, Route, Verb};

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/favicon.svg",
    about: "Gives the sign that a browser shows on the page's tab",
    more: "",
    access: Access::Anybody,
    parameters: &[],
    takes: None,
    gives: Gives::File("image/svg+xml"),
    refuses: &[],
    handle: |ask| {
        Box::pin(async move { File::named("favicon.svg")?.answer(&ask.headers, Keep::Ask) })
    },
};
