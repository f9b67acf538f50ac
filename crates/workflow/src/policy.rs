//! How far a feature goes by itself.

use serde::{Deserialize, Serialize};

use crate::flow::Phase;

/// How much happens by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Automation {
    /// Nothing: you say when a phase ends.
    Manual,
    /// Only what a match rate decides.
    #[default]
    SemiAuto,
    /// Everything but your checkpoints.
    FullAuto,
}

impl Automation {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::SemiAuto => "semi-auto",
            Self::FullAuto => "full-auto",
        }
    }
}

/// What the person has decided beforehand.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    pub automation: Automation,
    /// The phases whose end the person looks at.
    pub checkpoints: Vec<String>,
    /// From this match rate on, in percent, a check has passed.
    pub threshold: f64,
    pub max_iterations: u32,
}

impl Policy {
    /// Whether the end of a phase leads to the next by itself.
    pub fn advances(&self, phase: &Phase) -> bool {
        match self.automation {
            Automation::Manual => false,
            Automation::SemiAuto => phase.is_measured(),
            Automation::FullAuto => !self.checkpoints.contains(&phase.name),
        }
    }
}
