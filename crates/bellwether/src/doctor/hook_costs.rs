//! What hooks cost by the client's own clock, as the API shows it.

use std::cmp::Reverse;

use bellwether_daemon::HookCost;
use bellwether_spine::text;

use super::{context, transcripts};
use crate::settings::HOOK;

/// The hooks that the newest transcripts tell of: ours first, then the slowest.
pub(crate) fn hook_costs() -> Vec<HookCost> {
    let durations = transcripts::durations(&context::claude_folder().join("projects"));
    let mut costs: Vec<HookCost> = durations
        .into_iter()
        .filter_map(|(name, runs)| cost(&name, runs))
        .collect();
    costs.sort_by_key(|cost| (!cost.ours, Reverse(cost.p50_ms)));
    costs
}

fn cost(name: &str, mut runs: Vec<u64>) -> Option<HookCost> {
    runs.sort_unstable();
    let rank = |percent: usize| runs.get((runs.len() * percent).div_ceil(100).saturating_sub(1));
    Some(HookCost {
        name: text::shown(name, 80),
        ours: name == HOOK,
        runs: runs.len(),
        p50_ms: *rank(50)?,
        p95_ms: *rank(95)?,
        longest_ms: *runs.last()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_of_the_runs() {
        let found = cost(HOOK, (1..=20).rev().collect()).unwrap();
        assert_eq!(
            (found.p50_ms, found.p95_ms, found.longest_ms, found.runs),
            (10, 19, 20, 20)
        );
        assert!(found.ours && cost("x", vec![]).is_none());
    }
}
