//! What a person can say about planned work.

use std::path::Path;

use bellwether_workflow::{Automation, Flow, FlowError, Folder, Phase, Policy, Shipped};
use serde::{Deserialize, Serialize};

/// The name of this section in the configuration.
pub const SECTION: &str = "workflow";

/// Planned work that moves along as its tasks are completed; only in projects that you trust.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Follow the workflow of this project, if it has one: see docs/workflow.md.
    pub enabled: bool,
    /// The phases that come with bellwether: `pdca` or `kanban`.
    pub flow: Shipped,
    /// Phases of your own, in place of those.
    pub phases: Vec<Phase>,
    /// How much happens by itself: `manual`, `semi-auto` or `full-auto`.
    pub automation: Automation,
    /// The phases whose end you review before the next begins, in `full-auto`.
    pub checkpoints: Vec<String>,
    /// The match rate from which on a check has passed, in percent.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    pub threshold: u32,
    /// How often work is taken up again after a check that failed, before you are asked.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    pub max_iterations: u32,
    /// Where the report of a check is, in the project; it states the match rate. `{feature}` stands for the feature.
    pub report: String,
    /// Give a teammate that has nothing to do the next task on the list.
    pub team: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: false,
            flow: Shipped::default(),
            phases: Vec::new(),
            automation: Automation::default(),
            checkpoints: vec!["design".to_owned()],
            threshold: 90,
            max_iterations: 5,
            report: "docs/03-analysis/{feature}.analysis.md".to_owned(),
            team: true,
        }
    }
}

impl Config {
    /// The phases that count.
    pub fn flow(&self) -> Result<Flow, FlowError> {
        Flow::of(self.flow, &self.phases)
    }

    /// What happens by itself.
    pub fn policy(&self) -> Policy {
        Policy {
            automation: self.automation,
            checkpoints: self.checkpoints.clone(),
            threshold: f64::from(self.threshold),
            max_iterations: self.max_iterations,
        }
    }

    /// Where the papers of a project are.
    pub fn papers<'a>(&'a self, project: &'a Path) -> Folder<'a> {
        Folder {
            project,
            report: &self.report,
        }
    }
}
