//! What the page is made of.

use super::super::access::Access;
use super::super::page::{File, Keep};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Gives, Route, Verb};

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/assets/{name}",
    about: "Gives a part of the page: a script, a style, a font, a picture",
    more: "A name stands for one content, so a browser keeps it for good.",
    access: Access::Key,
    parameters: &[Parameter {
        name: "name",
        about: "the file's name",
        kind: Kind::Path,
    }],
    takes: None,
    gives: Gives::File("*/*"),
    refuses: &[(404, "the page of this version has no such part")],
    handle: |ask| {
        Box::pin(async move {
            let name = format!("assets/{}", ask.part("name"));
            File::named(&name)?.answer(&ask.headers, Keep::Forever)
        })
    },
};
