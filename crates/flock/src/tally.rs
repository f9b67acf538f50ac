//! Counts that are kept as events come, so that nobody has to count a million of them later.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use bellwether_protocol::event::Kind;

use crate::Row;
use crate::live::{Spent, Usage};
use crate::normal::{Ending, EventType, Role};

/// Counts are kept by the hour.
pub const HOUR_MS: u64 = 60 * 60 * 1000;
/// So many steps of duration make a doubling: a step is about nine percent.
const STEPS: f64 = 8.0;

/// Which events are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The hour, counted from 1970.
    pub hour: u64,
    /// The client's name of the event.
    pub name: String,
    pub kind: EventType,
    pub tool: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    pub counts: HashMap<Key, u64>,
    /// How many calls of a tool took about so long, by hour, tool and step.
    pub durations: HashMap<(u64, String, u32), u64>,
    /// What was done, by hour and project.
    pub work: HashMap<(u64, String), Work>,
    /// What was used, by hour, project and model.
    pub spent: HashMap<(u64, String, String), Usage>,
}

/// What was done and waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// How many prompts were given.
    pub prompts: u64,
    /// How many turns of main agents have ended.
    pub turns: u64,
    /// How many tasks were completed.
    pub tasks: u64,
    /// How many tool calls and tasks have failed.
    pub failures: u64,
    /// How many tool calls the guard refused.
    pub refusals: u64,
    /// How often an agent waited for the person, and went on.
    pub waits: u64,
    /// How long they waited, in milliseconds, all together.
    pub waited_ms: u64,
}

impl Work {
    pub fn add(&mut self, more: &Self) {
        self.prompts += more.prompts;
        self.turns += more.turns;
        self.tasks += more.tasks;
        self.failures += more.failures;
        self.refusals += more.refusals;
        self.waits += more.waits;
        self.waited_ms += more.waited_ms;
    }

    /// What one event adds.
    fn of(row: &Row) -> Self {
        let meaning = &row.meaning;
        let is_main = meaning.role == Role::Main;
        let failures = [EventType::ToolFailed, EventType::TaskFailed];
        Self {
            prompts: (is_main && row.moment == Kind::UserPromptSubmit).into(),
            turns: (is_main && meaning.ending == Some(Ending::Turn)).into(),
            tasks: (meaning.kind == EventType::TaskCompleted).into(),
            failures: failures.contains(&meaning.kind).into(),
            refusals: row.is_refused().into(),
            ..Self::default()
        }
    }
}

impl Tally {
    pub(crate) fn count(&mut self, row: &Row, duration_ms: Option<u64>) {
        let key = Key {
            hour: row.at_ms / HOUR_MS,
            name: row.name.clone(),
            kind: row.meaning.kind,
            tool: row.tool.clone(),
        };
        let hour = key.hour;
        *self.counts.entry(key).or_default() += 1;
        let work = Work::of(row);
        if work != Work::default() {
            self.work(row).add(&work);
        }
        if let (Some(duration), Some(tool)) = (duration_ms, &row.tool) {
            let key = (hour, tool.clone(), step(duration));
            *self.durations.entry(key).or_default() += 1;
        }
    }

    /// An agent had waited for the person until this event.
    pub(crate) fn waited(&mut self, row: &Row, waited_ms: u64) {
        self.work(row).add(&Work {
            waits: 1,
            waited_ms,
            ..Work::default()
        });
    }

    fn work(&mut self, row: &Row) -> &mut Work {
        let project = row.workspace.clone().unwrap_or_default();
        self.work.entry((row.at_ms / HOUR_MS, project)).or_default()
    }

    pub(crate) fn spend(&mut self, project: Option<&str>, spent: &Spent) {
        let project = project.unwrap_or_default().to_owned();
        let key = (spent.hour, project, spent.model.clone());
        self.spent.entry(key).or_default().add(&spent.usage);
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.spent.is_empty()
    }
}

/// The step of a duration; the same for those that differ by less than a tenth.
pub(crate) fn step(duration_ms: u64) -> u32 {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a logarithm of at least one is small and positive"
    )]
    let step = (((duration_ms + 1) as f64).log2() * STEPS).round() as u32;
    step
}

/// The duration in the middle of a step.
pub(crate) fn duration(step: u32) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a power of two is positive, and a step comes from a duration"
    )]
    let duration = (f64::from(step) / STEPS).exp2().round() as u64;
    duration.saturating_sub(1)
}

/// How one tool did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ToolStats {
    /// The tool.
    pub tool: String,
    /// How many calls ended.
    pub count: u64,
    /// How many of them failed.
    pub failures: u64,
    /// Half of the calls took no longer, in milliseconds, to within a twentieth.
    pub p50_ms: Option<u64>,
    /// Nineteen of twenty took no longer.
    pub p95_ms: Option<u64>,
}

/// The duration that this share of calls does not exceed; `steps` in rising order.
pub(crate) fn quantile(steps: &[(u32, u64)], share: f64) -> Option<u64> {
    let all: u64 = steps.iter().map(|(_, count)| count).sum();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rank among calls"
    )]
    let rank = ((all as f64 * share).ceil() as u64).max(1);
    let mut seen = 0;
    for (step, count) in steps {
        seen += count;
        if seen >= rank {
            return Some(duration(*step));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_within_a_twentieth() {
        for exact in [0_u64, 1, 7, 40, 44, 999, 120_000, 36_000_000] {
            let back = duration(step(exact));
            let off = back.abs_diff(exact);
            assert!(off * 20 <= exact.max(10), "{exact} became {back}");
        }
    }

    #[test]
    fn quantiles_are_where_they_should_be() {
        let steps: Vec<(u32, u64)> = (0..100).map(|number| (number, 1)).collect();
        assert_eq!(quantile(&steps, 0.5), Some(duration(49)));
        assert_eq!(quantile(&steps, 0.95), Some(duration(94)));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[(3, 1)], 0.95), Some(duration(3)));
    }
}
