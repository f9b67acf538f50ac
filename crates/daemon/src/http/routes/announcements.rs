//! What was announced lately, and what was not.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, ok};
use super::super::parameter::Parameter;
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::super::view::AnnouncementView;
use super::PLACE;

/// What was announced lately.
#[derive(Serialize, JsonSchema)]
struct Announcements {
    /// The last two hundred decisions of this daemon, oldest first.
    announcements: Vec<AnnouncementView>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/announcements",
    about: "Lists what was announced lately, and what was not and why, oldest first",
    more: "",
    access: Access::Key,
    parameters: &[Parameter {
        name: "after",
        about: "only those behind this number",
        kind: PLACE,
    }],
    takes: None,
    gives: Gives::Json(shape::<Announcements>),
    refuses: &[],
    handle: |ask| Box::pin(async move { Ok(announcements(&ask)) }),
};

fn announcements(ask: &Ask) -> Answer {
    let after = ask.values.number("after").unwrap_or(0).unsigned_abs();
    let recent = ask.state.shared.announcements.after(after);
    ok(&Announcements {
        announcements: recent.into_iter().map(AnnouncementView::from).collect(),
    })
}
