//! What hooks cost by the client's own clock: who is slow.

use super::{Context, Finding};
use crate::doctor::transcripts;
use crate::output;
use crate::settings::HOOK;

pub(super) const ABOUT: &str = "how long hooks take, ours and others', by Claude Code's own clock";

/// The client's own share of a hook is 3 to 25 ms.
const OURS_MS: u64 = 100;
/// A person notices what takes longer at every event.
const OTHERS_MS: u64 = 500;
/// So many commands are named.
const NAMED: usize = 8;

/// How long the runs of one command took.
struct Cost {
    name: String,
    runs: usize,
    median_ms: u64,
    longest_ms: u64,
}

impl Cost {
    fn of(name: String, mut runs: Vec<u64>) -> Option<Self> {
        runs.sort_unstable();
        Some(Self {
            name,
            runs: runs.len(),
            median_ms: *runs.get(runs.len() / 2)?,
            longest_ms: *runs.last()?,
        })
    }

    fn told(&self) -> String {
        let Self {
            name,
            runs,
            median_ms,
            longest_ms,
        } = self;
        format!(
            "{name} {median_ms} ms (longest {longest_ms} ms, {})",
            output::many(*runs, "run")
        )
    }

    fn is_ours(&self) -> bool {
        self.name == HOOK
    }

    fn is_slow(&self) -> bool {
        self.median_ms > if self.is_ours() { OURS_MS } else { OTHERS_MS }
    }
}

pub(super) fn run(context: &Context<'_>) -> Vec<Finding> {
    let durations = transcripts::durations(&context.claude.join("projects"));
    let mut costs: Vec<Cost> = durations
        .into_iter()
        .filter_map(|(name, runs)| Cost::of(name, runs))
        .collect();
    if costs.is_empty() {
        return vec![Finding::good("the newest transcripts tell of no hooks")];
    }
    costs.sort_by_key(|cost| (!cost.is_ours(), std::cmp::Reverse(cost.median_ms)));
    costs.truncate(NAMED);
    let all = costs.iter().map(Cost::told).collect::<Vec<_>>().join(", ");
    let slow = costs.iter().filter(|cost| cost.is_slow()).map(slow);
    [Finding::good(all)].into_iter().chain(slow).collect()
}

fn slow(cost: &Cost) -> Finding {
    let step = if cost.is_ours() {
        "see the checks `linked` and `home`: a dynamic hook or a slow disk"
    } else {
        "give it `\"async\": true` if it decides nothing, or a narrower matcher"
    };
    let text = format!("Claude Code waits at every such event: {}", cost.told());
    Finding::warning(text).advise(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_decides_who_is_slow() {
        let cost = |name: &str, runs: &[u64]| Cost::of(name.to_owned(), runs.to_vec()).unwrap();
        let ours = cost("bellwether-hook", &[900, 9, 12]);
        assert_eq!(
            ours.told(),
            "bellwether-hook 12 ms (longest 900 ms, 3 runs)"
        );
        assert!(!ours.is_slow());
        assert!(cost("bellwether-hook", &[101]).is_slow());
        assert!(!cost("other", &[101, 500]).is_slow());
        assert!(cost("other", &[501]).is_slow());
        assert!(Cost::of("none".to_owned(), vec![]).is_none());
    }
}
