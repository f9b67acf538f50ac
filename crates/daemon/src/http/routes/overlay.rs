//! What a program needs that shows the flock on the desktop.

use bellwether_announce::{Language, Mutes};
use bellwether_config::{Overlay, load};
use bellwether_spine::{clock, meta};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::mutes::MuteView;

/// What a program needs that shows the flock on the desktop.
#[derive(Debug, Serialize, JsonSchema)]
struct OverlayView {
    /// The section `overlay` of the settings.
    settings: Overlay,
    /// The language of what bellwether says by itself.
    language: Language,
    /// Whether permission requests can be answered outside of the terminal (`page.answer`).
    answer: bool,
    /// The mute of everything, where there is one.
    muted: Option<MuteView>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/overlay",
    about: "Gives what a program needs that shows the flock on the desktop",
    more: "The live stream tells with `settings` that it has changed.",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<OverlayView>),
    refuses: &[],
    handle: |ask| Box::pin(async move { overlay(&ask).await }),
};

async fn overlay(ask: &Ask) -> Result<Answer, Fault> {
    let home = ask.state.home.clone();
    let read = tokio::task::spawn_blocking(move || {
        let config = load(&home, None, &meta::variable).config;
        OverlayView {
            settings: config.overlay,
            language: config.language,
            answer: config.page.answer,
            muted: Mutes::load(&home)
                .of(None, clock::wall_ms())
                .map(MuteView::from),
        }
    });
    Ok(ok(&read.await.map_err(Fault::ours)?))
}
