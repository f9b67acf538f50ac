//! How the page looks that somebody without a key is shown.

use super::super::access::Access;
use super::super::answer::text_of;
use super::super::page::STYLE;
use super::super::route::{Gives, Route, Verb};

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/help.css",
    about: "Gives the style of the page that somebody without a key is shown",
    more: "",
    access: Access::Anybody,
    parameters: &[],
    takes: None,
    gives: Gives::File("text/css"),
    refuses: &[],
    handle: |_| Box::pin(async { Ok(text_of("text/css; charset=utf-8", STYLE)) }),
};
