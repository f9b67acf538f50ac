//! Lets a feature of planned work go on.

use std::path::PathBuf;

use bellwether_spine::text;
use bellwether_workflow::{Outcome, WorkflowError};
use hyper::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use tracing::info;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::person::refuse_agents;
use super::super::route::{Ask, Gives, Route, Takes, Verb, shape};
use crate::workflows::{NotMoved, WorkflowView, go_on, known, look};

/// A reason is no longer than this.
const REASON: usize = 200;

/// Which feature is to go on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NextWish {
    /// The project's folder, as `/api/workflow` names it.
    #[schemars(length(max = 4096), regex(pattern = "^/"))]
    project: String,
    #[schemars(length(min = 1, max = 120))]
    feature: String,
    /// The phase that it was seen in: nothing is done when it has moved since.
    #[schemars(length(min = 1, max = 30))]
    phase: String,
    /// Why, for the history.
    #[serde(default)]
    #[schemars(length(max = 200))]
    reason: String,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Post,
    path: "/api/workflow/next",
    about: "Lets a feature go on: passes the checkpoint that it waits at, or grants one more iteration",
    more: "As `bellwether workflow next` does. Gives the project's workflow as it is then.",
    access: Access::Key,
    parameters: &[],
    takes: Some(Takes {
        schema: shape::<NextWish>,
        most: 1 << 20,
    }),
    gives: Gives::Json(shape::<WorkflowView>),
    refuses: &[
        (403, "an agent asks, and only a person may"),
        (404, "no project of that name has a workflow"),
        (
            409,
            "it cannot go on, or is not in that phase any more; the error says why",
        ),
    ],
    handle: |ask| Box::pin(async move { next(&ask).await }),
};

async fn next(ask: &Ask) -> Result<Answer, Fault> {
    refuse_agents(ask).await?;
    let wish: NextWish = ask.json()?;
    let project = PathBuf::from(&wish.project);
    let projects = ask.state.library.read(known).await?;
    let none = || Fault::not_found("no project of that name has a workflow").field("project");
    if !projects.contains(&project) {
        return Err(none());
    }
    let home = ask.state.home.clone();
    let moved = tokio::task::spawn_blocking(move || {
        let reason = text::line(&wish.reason, REASON);
        let outcome = go_on(&home, &project, &wish.feature, &wish.phase, &reason);
        outcome.map(|outcome| (outcome, look(&home, &project)))
    });
    let (outcome, view) = moved.await.map_err(Fault::ours)?.map_err(refused)?;
    if outcome == Outcome::Nothing {
        let text = "it has moved meanwhile; look again";
        return Err(Fault::new(StatusCode::CONFLICT, text).field("phase"));
    }
    info!("a feature was let go on from the page");
    Ok(ok(&view.ok_or_else(none)?))
}

fn refused(error: NotMoved) -> Fault {
    match error {
        NotMoved::Workflow(WorkflowError::Refused(why)) => {
            Fault::new(StatusCode::CONFLICT, why.to_string()).field("feature")
        }
        NotMoved::Workflow(error) if error.is_not_found() => {
            Fault::not_found("no project of that name has a workflow").field("project")
        }
        NotMoved::Workflow(error) => Fault::new(StatusCode::CONFLICT, error.to_string()),
        NotMoved::Journal(error) => Fault::ours(error),
    }
}
