//! What was announced lately, and what was not.

use bellwether_flock::{DecisionFilter, StoreReader as _};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::super::view::AnnouncementView;
use super::PLACE;
use crate::Decided;

/// What was announced lately.
#[derive(Serialize, JsonSchema)]
struct Announcements {
    /// The last two hundred decisions that fit, oldest first.
    announcements: Vec<AnnouncementView>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/announcements",
    about: "Lists what was announced lately, and what was not and why, oldest first",
    more: "",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "after",
            about: "only those behind this number",
            kind: PLACE,
        },
        Parameter {
            name: "only",
            about: "`said` for only those by which something was said",
            kind: Kind::Word(&[SAID]),
        },
    ],
    takes: None,
    gives: Gives::Json(shape::<Announcements>),
    refuses: &[],
    handle: |ask| Box::pin(announcements(ask)),
};

/// The word for what was said.
const SAID: &str = "said";
/// So many are listed.
const LISTED: usize = 200;

async fn announcements(ask: Ask) -> Result<Answer, Fault> {
    let filter = DecisionFilter {
        said: ask.values.text("only") == Some(SAID),
        after: ask.values.number("after").unwrap_or(0).unsigned_abs(),
    };
    let library = &ask.state.library;
    let stored = library.read(move |reader| reader.decisions(filter, LISTED));
    let mut found: Vec<Decided> = stored.await?.iter().filter_map(Decided::stored).collect();
    // The newest may not be stored yet.
    let known = found.last().map_or(filter.after, |last| last.number);
    let mut recent = ask.state.shared.announcements.after(known);
    recent.retain(|decided| decided.is_said() || !filter.said);
    found.extend(recent);
    let listed = found.split_off(found.len().saturating_sub(LISTED));
    Ok(ok(&Announcements {
        announcements: listed.into_iter().map(AnnouncementView::from).collect(),
    }))
}
