//! Mutes the announcements.

use std::path::PathBuf;
use std::time::Duration;

use bellwether_announce::Mutes;
use bellwether_spine::clock;
use schemars::JsonSchema;
use serde::Deserialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Takes, Verb, shape};
use super::mutes::MuteList;

/// What is to be muted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MuteWish {
    /// For so many seconds; until it is lifted when there is none.
    #[schemars(range(min = 1, max = 31_536_000))]
    seconds: Option<f64>,
    /// The folder of the project that it is for; everywhere when there is none.
    #[schemars(length(max = 1024), regex(pattern = "^/"))]
    project: Option<String>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Put,
    path: "/api/mutes",
    about: "Mutes the announcements, everywhere or in a project, for a while or until it is lifted",
    more: "Gives what is muted then. The guard does not care.",
    access: Access::Key,
    parameters: &[],
    takes: Some(Takes {
        schema: shape::<MuteWish>,
        most: 1 << 20,
    }),
    gives: Gives::Json(shape::<MuteList>),
    refuses: &[],
    handle: |ask| Box::pin(async move { mute(&ask) }),
};

fn mute(ask: &Ask) -> Result<Answer, Fault> {
    let wish: MuteWish = ask.json()?;
    let length = wish.seconds.map(|seconds| {
        let length = Duration::try_from_secs_f64(seconds).ok();
        let fits = length.filter(|_| (1.0..=31_536_000.0).contains(&seconds));
        let wrong = || Fault::bad("`seconds` must be from 1 to 31536000, a year").field("seconds");
        fits.ok_or_else(wrong)
    });
    let length = length.transpose()?;
    let project = wish.project.map(PathBuf::from);
    if project
        .as_ref()
        .is_some_and(|project| !project.is_absolute() || project.as_os_str().len() > 4096)
    {
        return Err(Fault::bad("`project` must be the whole path of a folder").field("project"));
    }
    let now_ms = clock::wall_ms();
    let until_ms = length.map(|length| now_ms + length.as_secs() * 1000);
    let mut mutes = Mutes::load(&ask.state.home);
    mutes.tidy(now_ms);
    mutes.mute(project.as_deref(), until_ms);
    mutes.save(&ask.state.home).map_err(Fault::ours)?;
    ask.state.shared.preferences.look(&ask.state.home);
    Ok(ok(&MuteList::of(&ask.state.home)))
}
