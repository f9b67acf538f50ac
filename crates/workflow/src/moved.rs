//! The event that a workflow has moved, as it stands in the journal. It is our own: nobody else can send it.

use serde::{Deserialize, Serialize};

use crate::engine::Outcome;
use crate::status::{By, WaitsFor};

/// Its name.
pub const MOVED: &str = "WorkflowMoved";

/// What has happened to a feature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    pub feature: String,
    pub how: MovedHow,
    pub by: By,
    /// The phase that it is in.
    pub phase: String,
    /// The phase that has ended.
    #[serde(default)]
    pub ended: Option<String>,
    /// The phase that waits to begin.
    #[serde(default)]
    pub next: Option<String>,
    #[serde(default)]
    pub waits_for: Option<WaitsFor>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MovedHow {
    Begun,
    Moved,
    Finished,
    Waits,
    /// Something else has changed: a step was taken back, a rate was said, a feature was archived.
    Changed,
}

impl Moved {
    /// Reads it from an event's payload. Whoever calls has made sure that the event is our own.
    pub fn of_payload(payload: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Payload {
            workflow: Moved,
        }
        let payload: Payload = serde_json::from_str(payload).ok()?;
        Some(payload.workflow)
    }

    /// A change that is no step along the flow.
    pub fn changed(feature: &str, phase: &str, by: By) -> Self {
        Self {
            feature: feature.to_owned(),
            how: MovedHow::Changed,
            by,
            phase: phase.to_owned(),
            ended: None,
            next: None,
            waits_for: None,
        }
    }

    /// What is to be told of an outcome; nothing when nothing has happened.
    pub fn of(outcome: &Outcome, by: By) -> Option<Self> {
        let plain = |feature: &String, phase: &String, how| Self {
            how,
            ..Self::changed(feature, phase, by)
        };
        Some(match outcome {
            Outcome::Begun { feature, phase } => plain(feature, phase, MovedHow::Begun),
            Outcome::Moved { feature, from, to } => Self {
                ended: Some(from.clone()),
                ..plain(feature, to, MovedHow::Moved)
            },
            Outcome::Finished { feature, phase } => Self {
                ended: Some(phase.clone()),
                ..plain(feature, phase, MovedHow::Finished)
            },
            Outcome::Waits {
                feature,
                phase,
                waits,
            } => Self {
                ended: Some(phase.clone()),
                next: waits.to.clone(),
                waits_for: Some(waits.r#for),
                ..plain(feature, phase, MovedHow::Waits)
            },
            _ => return None,
        })
    }
}
