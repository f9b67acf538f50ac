//! Confirms what the person's file says about the guard.

use super::super::access::Access;
use super::super::answer::{Answer, Fault};
use super::super::person::refuse_agents;
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::settings::{Settings, settings};

pub(super) const ROUTE: Route = Route {
    method: Verb::Post,
    path: "/api/settings/confirm",
    about: "Confirms what the person's file says about the guard now",
    more: "What `unconfirmed` of `GET /api/settings` names takes effect, as by `bellwether config confirm`. Gives the settings as \
           they are then.",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<Settings>),
    refuses: &[(403, "an agent asks, and only a person may")],
    handle: |ask| Box::pin(async move { confirm(&ask).await }),
};

async fn confirm(ask: &Ask) -> Result<Answer, Fault> {
    refuse_agents(ask).await?;
    let home = ask.state.home.clone();
    let done = tokio::task::spawn_blocking(move || bellwether_config::confirm(&home));
    done.await.map_err(Fault::ours)?.map_err(Fault::ours)?;
    ask.state.watched.settle();
    ask.state.shared.preferences.tell();
    settings(ask).await
}
