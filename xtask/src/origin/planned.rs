//! Planned work as the original had it: its status taken over, then one thing that happens to it.

use anyhow::{Result, anyhow};
use bellwether_workflow::{
    Automation, Engine, Flow, Outcome, Papers, Phase, Policy, Reading, Shipped, Status, import,
};
use serde_json::{Value, json};

const NOW_MS: u64 = 1_000_000;
const SESSION: &str = "s";
/// The original's threshold and limit, which are ours as well.
const THRESHOLD: f64 = 90.0;
const MAX_ITERATIONS: u32 = 5;

/// A project in which nothing was written.
struct NoPapers;

impl Papers for NoPapers {
    fn rate(&self, _: &str, _: u64) -> Reading {
        Reading::Nothing
    }

    fn has(&self, _: &str, _: &str) -> bool {
        false
    }

    fn report(&self, feature: &str) -> String {
        feature.to_owned()
    }
}

/// A status, and what decides about it.
pub(super) struct Planned {
    pub flow: Flow,
    pub status: Status,
    policy: Policy,
}

/// The level of automation by its name; another name counts as the original's default.
pub(super) fn automation(level: &Value) -> Automation {
    serde_json::from_value(level.clone()).unwrap_or_default()
}

impl Planned {
    /// The phases that are shipped, without a feature.
    pub(super) fn new(level: &Value) -> Result<Self> {
        Self::of(level, &[])
    }

    /// The same where every phase must leave a paper behind.
    pub(super) fn with_papers(level: &Value) -> Result<Self> {
        let shipped = Flow::of(Shipped::Pdca, &[])?;
        let asks = |phase: &Phase| Phase {
            leaves: Some("docs/{feature}.md".to_owned()),
            ..phase.clone()
        };
        let phases: Vec<Phase> = shipped.phases().iter().map(asks).collect();
        Self::of(level, &phases)
    }

    fn of(level: &Value, phases: &[Phase]) -> Result<Self> {
        let flow = Flow::of(Shipped::Pdca, phases)?;
        Ok(Self {
            status: Status::new(&flow),
            flow,
            policy: Policy {
                automation: automation(level),
                checkpoints: vec!["design".to_owned()],
                threshold: THRESHOLD,
                max_iterations: MAX_ITERATIONS,
            },
        })
    }

    /// With one feature, as the original writes it.
    pub(super) fn at(
        self,
        feature: &str,
        phase: &str,
        rate: Option<f64>,
        rounds: u64,
    ) -> Result<Self> {
        let told = json!({"phase": phase, "matchRate": rate, "iterationCount": rounds});
        self.taken_over(&json!({"features": {feature: told}}))
    }

    /// With the features of a status file of the original.
    pub(super) fn taken_over(mut self, original: &Value) -> Result<Self> {
        let text = original.to_string();
        let taken = import(&mut self.status, &self.flow, &text, NOW_MS, &|_| None)?;
        match taken.left_out.first() {
            Some((name, why)) => Err(anyhow!("{name}: {why}")),
            None => Ok(self),
        }
    }

    pub(super) fn engine(&self) -> Engine<'_> {
        Engine {
            flow: &self.flow,
            policy: &self.policy,
            papers: &NoPapers,
            now_ms: NOW_MS,
        }
    }

    /// A task with this subject is completed.
    pub(super) fn complete(&mut self, subject: &str) -> Outcome {
        let mut status = self.status.clone();
        let outcome = self
            .engine()
            .complete(&mut status, SESSION, "1", Some(subject));
        self.status = status;
        outcome
    }

    /// Completes the task of the phase that a feature is in, and says where it goes.
    pub(super) fn goes_to(&mut self, feature: &str) -> Option<String> {
        let phase = self.status.features.get(feature)?.phase.clone();
        let tag = self.flow.phase(&phase)?.tag.clone();
        match self.complete(&format!("[{tag}] {feature}")) {
            Outcome::Moved { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Whether the end of a phase leads on by itself; none where there is no such phase.
    pub(super) fn advances(&self, phase: &Value) -> Option<bool> {
        let phase = self.flow.phase(phase.as_str()?)?;
        Some(self.policy.advances(phase))
    }

    /// The phase of every feature.
    pub(super) fn phases(&self) -> Value {
        let features = self.status.features.iter();
        let phases = features.map(|(name, feature)| (name.clone(), json!(feature.phase)));
        Value::Object(phases.collect())
    }
}

/// The phase of every feature as the original tells them.
pub(super) fn phases_of(features: &Value) -> Value {
    let features = features.as_object().into_iter().flatten();
    let phases = features.map(|(name, feature)| (name.clone(), feature["phase"].clone()));
    Value::Object(phases.collect())
}
