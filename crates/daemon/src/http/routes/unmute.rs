//! Lifts mutes.

use std::path::Path;

use bellwether_announce::Mutes;
use bellwether_spine::clock;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::mutes::MuteList;

pub(super) const ROUTE: Route = Route {
    method: Verb::Delete,
    path: "/api/mutes",
    about: "Lifts every mute, or that of a project",
    more: "Gives what is muted then.",
    access: Access::Key,
    parameters: &[Parameter {
        name: "project",
        about: "only the mute of this project, by its folder",
        kind: Kind::Text(1024),
    }],
    takes: None,
    gives: Gives::Json(shape::<MuteList>),
    refuses: &[],
    handle: |ask| Box::pin(async move { unmute(&ask) }),
};

fn unmute(ask: &Ask) -> Result<Answer, Fault> {
    let mut mutes = Mutes::load(&ask.state.home);
    mutes.tidy(clock::wall_ms());
    if mutes.unmute(ask.values.text("project").map(Path::new)) {
        mutes.save(&ask.state.home).map_err(Fault::ours)?;
        ask.state.shared.preferences.look(&ask.state.home);
    }
    Ok(ok(&MuteList::of(&ask.state.home)))
}
