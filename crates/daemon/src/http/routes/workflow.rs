//! Planned work.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use crate::workflows::{WorkflowView, known, look};

/// The workflows of all projects.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WorkflowList {
    /// The one that moved last comes first.
    workflows: Vec<WorkflowView>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/workflow",
    about: "Shows where the planned work of each project stands",
    more: "Of projects whose workflow has moved; see [workflow.md](workflow.md). What is changed is told by `workflow` on the live stream.",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<WorkflowList>),
    refuses: &[],
    handle: |ask| Box::pin(async move { list(&ask).await }),
};

async fn list(ask: &Ask) -> Result<Answer, Fault> {
    let projects = ask.state.library.read(known).await?;
    let home = ask.state.home.clone();
    let looked = tokio::task::spawn_blocking(move || {
        let all = projects.iter().filter_map(|project| look(&home, project));
        all.collect()
    });
    let workflows = looked.await.map_err(Fault::ours)?;
    Ok(ok(&WorkflowList { workflows }))
}
