//! The projects with planned work: where they are, and where their work stands.
//!
//! A project is known by the events that its workflow has led to, which only bellwether itself makes. So nobody can make
//! the daemon look into a folder by sending it an event.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bellwether_config as config;
use bellwether_flock::{Filter, Reader, StoreError, StoreReader as _};
use bellwether_hook::workflow::{Desk, tell};
use bellwether_spine::journal::Envelope;
use bellwether_spine::meta::{self, WORKFLOW};
use bellwether_spine::{Home, SpineError};
use bellwether_workflow::{By, MOVED, Moved, Outcome, StatusFile, View, WorkflowError, short};
use schemars::JsonSchema;
use serde::Serialize;

/// So many of the last events are looked through for projects.
const LOOKED_THROUGH: usize = 2000;
/// So many steps of a history are shown.
const STEPS: usize = 50;
/// Somebody waits at the page.
const PATIENCE: Duration = Duration::from_secs(5);

/// The workflow of one project.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WorkflowView {
    /// The project's folder.
    pub project: String,
    /// Its short name.
    pub workspace_id: String,
    /// Whether hooks follow it: it is switched on, and the project is trusted.
    pub enabled: bool,
    /// Why it cannot be read, with the line that is wrong.
    pub trouble: Option<String>,
    /// Where its work stands; none when it cannot be read.
    pub status: Option<View>,
}

/// The folders of projects with planned work, the one that moved last first.
pub(crate) fn known(reader: &Reader) -> Result<Vec<PathBuf>, StoreError> {
    let moves = Filter {
        name: Some(MOVED.to_owned()),
        ..Filter::default()
    };
    let mut found: Vec<PathBuf> = Vec::new();
    for stored in reader.last(&moves, LOOKED_THROUGH)?.into_iter().rev() {
        let Ok(envelope) = Envelope::parse(&stored.record) else {
            continue;
        };
        let meta = envelope.meta;
        let own = meta.from.as_deref() == Some(WORKFLOW);
        let folder = meta.project_dir.filter(|_| own);
        let folder = folder.map(|folder| PathBuf::from(folder.into_owned()));
        found.extend(folder.filter(|folder| folder.is_absolute() && !found.contains(folder)));
    }
    Ok(found)
}

/// Where the work of a project stands; none when it has no workflow.
pub(crate) fn look(home: &Home, project: &Path) -> Option<WorkflowView> {
    StatusFile::of(project).exists().then_some(())?;
    let config = config::load(home, Some(project), &meta::variable)
        .config
        .workflow;
    let enabled = config.enabled;
    let view = Desk::new(project.to_owned(), config).and_then(|desk| desk.view(STEPS));
    let (status, trouble) = match view {
        Ok(view) => (Some(view), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let name = project.file_name().unwrap_or_default();
    Some(WorkflowView {
        project: project.display().to_string(),
        workspace_id: name.to_string_lossy().into_owned(),
        enabled,
        trouble,
        status,
    })
}

/// Why a feature was not let go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotMoved {
    #[error(transparent)]
    Workflow(#[from] WorkflowError),
    #[error(transparent)]
    Journal(#[from] SpineError),
}

/// The person lets a feature go on from the phase that they have seen it in.
pub(crate) fn go_on(
    home: &Home,
    project: &Path,
    feature: &str,
    seen_in: &str,
    reason: &str,
) -> Result<Outcome, NotMoved> {
    let config = config::load(home, Some(project), &meta::variable)
        .config
        .workflow;
    let desk = Desk::new(project.to_owned(), config)?;
    let outcome = desk.change(PATIENCE, None, |engine, status| {
        let now = status
            .features
            .get(feature)
            .map(|feature| feature.phase.as_str());
        if now.is_some_and(|now| now != seen_in) {
            // Somebody else was faster.
            return Ok(Outcome::Nothing);
        }
        Ok(engine.next(status, feature, By::Person, reason)?)
    })?;
    if let Some(moved) = Moved::of(&outcome, By::Person) {
        tell(home, project, &moved, &short(&outcome).unwrap_or_default())?;
    }
    Ok(outcome)
}
