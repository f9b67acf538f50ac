//! The workflow of one project: its settings and its status file, for whoever changes or shows it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bellwether_protocol::client::Client;
use bellwether_protocol::event::Event;
use bellwether_spine::journal::{self, Keep};
use bellwether_spine::meta::WORKFLOW;
use bellwether_spine::{Home, SpineError, clock, wake};
use bellwether_workflow::{
    Engine, Flow, MOVED, Moved, Opened, Policy, Status, StatusFile, View, WorkflowError,
};
use serde_json::json;

use super::config::Config;
use crate::own;

/// A project's workflow.
#[derive(Debug)]
pub struct Desk {
    pub project: PathBuf,
    pub config: Config,
    pub flow: Flow,
    pub file: StatusFile,
    policy: Policy,
}

impl Desk {
    pub fn new(project: PathBuf, config: Config) -> Result<Self, WorkflowError> {
        Ok(Self {
            file: StatusFile::of(&project),
            flow: config.flow()?,
            policy: config.policy(),
            project,
            config,
        })
    }

    /// What decides, now.
    pub fn with<T>(&self, act: impl FnOnce(&Engine<'_>) -> T) -> T {
        act(&Engine {
            flow: &self.flow,
            policy: &self.policy,
            papers: &self.config.papers(&self.project),
            now_ms: clock::wall_ms(),
        })
    }

    /// Decides about the status file, under its lock. `mends` names a feature whose change by hand is meant.
    pub fn change<T>(
        &self,
        patience: Duration,
        mends: Option<&str>,
        act: impl Fn(&Engine<'_>, &mut Status) -> Result<T, WorkflowError>,
    ) -> Result<T, WorkflowError> {
        let change = |status: &mut Status| self.with(|engine| act(engine, status));
        self.file.change(&self.flow, patience, mends, change)
    }

    pub fn read(&self) -> Result<Opened, WorkflowError> {
        self.file.read(&self.flow)
    }

    /// What is shown, with so many steps of the history.
    pub fn view(&self, steps: usize) -> Result<View, WorkflowError> {
        let opened = self.read()?;
        Ok(self.with(|engine| View::of(engine, &opened, steps)))
    }
}

/// The event of our own that a feature has moved, as JSON.
pub(super) fn event_of(
    session: Option<&str>,
    project: &Path,
    moved: &Moved,
    message: &str,
) -> String {
    let workspace = project.file_name().map(|name| name.to_string_lossy());
    json!({
        "hook_event_name": MOVED,
        "session_id": session,
        "cwd": project,
        "message": message,
        "workflow": moved,
        "_meta": {"source": "synthetic", "workspace_id": workspace},
    })
    .to_string()
}

/// Puts into the journal what a command or the page has done, and wakes the daemon.
pub fn tell(home: &Home, project: &Path, moved: &Moved, message: &str) -> Result<(), SpineError> {
    let payload = event_of(None, project, moved, message);
    let event = Event {
        cwd: Some(project.display().to_string().into()),
        ..Event::default()
    };
    let record = own::record(&event, Client::default(), Some(project), WORKFLOW, &payload)?;
    home.create()?;
    journal::append(home, &record, Keep::IfRoom)?;
    wake::send(home);
    Ok(())
}
