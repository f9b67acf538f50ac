//! The permission requests that wait.

use bellwether_spine::meta;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::permission::PermissionView;
use super::super::route::{Ask, Gives, Route, Verb, shape};

/// The permission requests that wait.
#[derive(Serialize, JsonSchema)]
struct PermissionList {
    /// Whether requests wait for an answer from here: `page.answer`.
    enabled: bool,
    /// Those that wait now, oldest first.
    waiting: Vec<PermissionView>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/permissions",
    about: "Lists the permission requests that can be answered here",
    more: "See [answering.md](answering.md).",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<PermissionList>),
    refuses: &[],
    handle: |ask| Box::pin(async move { permissions(&ask).await }),
};

async fn permissions(ask: &Ask) -> Result<Answer, Fault> {
    let home = ask.state.home.clone();
    let loaded =
        tokio::task::spawn_blocking(move || bellwether_config::load(&home, None, &meta::variable));
    let page = loaded.await.map_err(Fault::ours)?.config.page;
    let mut waiting = Vec::new();
    for request in ask.state.shared.permissions.waiting() {
        waiting.push(PermissionView::of(&request, &ask.state).await);
    }
    Ok(ok(&PermissionList {
        enabled: page.answer,
        waiting,
    }))
}
