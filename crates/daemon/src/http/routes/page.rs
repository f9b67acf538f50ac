//! The page.

use super::super::access::Access;
use super::super::page::{File, Keep};
use super::super::route::{Gives, Route, Verb};

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/",
    about: "Gives the page",
    more: "Whoever has no key is shown how to get one. The page's own places stand behind `#` in the address.",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Page,
    refuses: &[],
    handle: |ask| {
        Box::pin(async move { File::named("index.html")?.answer(&ask.headers, Keep::Ask) })
    },
};
