//! What hooks cost by the client's own clock.

mod command_line;
mod runs;

use std::cmp::Reverse;

use bellwether_spine::{HOOK, text};
use schemars::JsonSchema;
use serde::Serialize;

pub use command_line::CommandLine;
pub use runs::{HookRun, hook_runs};

use crate::Projects;

/// What the runs of one hook cost, by the client's own clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HookCost {
    /// The file name of its command.
    pub name: String,
    /// Whether it is ours.
    pub ours: bool,
    /// How many runs were seen.
    pub runs: usize,
    /// Half of them took no longer, in milliseconds.
    pub p50_ms: u64,
    /// Nineteen of twenty took no longer.
    pub p95_ms: u64,
    /// The longest.
    pub longest_ms: u64,
}

/// The hooks that the newest transcripts tell of: ours first, then the slowest.
pub fn hook_costs(projects: &Projects) -> Vec<HookCost> {
    let mut costs: Vec<HookCost> = runs::durations(projects)
        .into_iter()
        .filter_map(|(name, runs)| HookCost::of(&name, runs))
        .collect();
    costs.sort_by_key(|cost| (!cost.ours, Reverse(cost.p50_ms)));
    costs
}

impl HookCost {
    /// The cost of a hook's runs; none without runs.
    pub fn of(name: &str, mut runs: Vec<u64>) -> Option<Self> {
        runs.sort_unstable();
        let rank =
            |percent: usize| runs.get((runs.len() * percent).div_ceil(100).saturating_sub(1));
        Some(Self {
            name: text::shown(name, 80),
            ours: name == HOOK,
            runs: runs.len(),
            p50_ms: *rank(50)?,
            p95_ms: *rank(95)?,
            longest_ms: *runs.last()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_of_the_runs() {
        let found = HookCost::of(HOOK, (1..=20).rev().collect()).unwrap();
        assert_eq!(
            (found.p50_ms, found.p95_ms, found.longest_ms, found.runs),
            (10, 19, 20, 20)
        );
        assert!(found.ours && HookCost::of("x", vec![]).is_none());
    }
}
