//! What is muted.

use bellwether_announce::{Muted, Mutes};
use bellwether_spine::{Home, clock};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::ok;
use super::super::route::{Gives, Route, Verb, shape};

/// A mute that counts.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MuteView {
    /// When it ends, milliseconds since 1970; never when there is none.
    until_ms: Option<u64>,
    /// The folder of the project that it is for; everywhere when there is none.
    project: Option<String>,
}

/// Every mute.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MuteList {
    /// The mutes that count now.
    mutes: Vec<MuteView>,
}

impl From<Muted> for MuteView {
    fn from(muted: Muted) -> Self {
        Self {
            until_ms: muted.until_ms,
            project: muted.project.map(|project| project.display().to_string()),
        }
    }
}

impl MuteList {
    pub(super) fn of(home: &Home) -> Self {
        let mutes = Mutes::load(home);
        let mutes = mutes.all(clock::wall_ms()).map(MuteView::from);
        Self {
            mutes: mutes.collect(),
        }
    }
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/mutes",
    about: "Lists what is muted",
    more: "",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<MuteList>),
    refuses: &[],
    handle: |ask| Box::pin(async move { Ok(ok(&MuteList::of(&ask.state.home))) }),
};
