//! What hooks cost by the client's own clock: who is slow.

use bellwether_announce::transcript::{HookCost, Projects, hook_costs};

use super::{Finding, Setup};
use crate::output;

pub(super) const ABOUT: &str = "how long hooks take, ours and others', as Claude Code measured it";

/// The client's own share of a hook is 3 to 25 ms.
const OURS_MS: u64 = 100;
/// A person notices what takes longer at every event.
const OTHERS_MS: u64 = 500;
/// So many commands are named.
const NAMED: usize = 8;

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let mut costs = hook_costs(&Projects::at(setup.claude.join("projects")));
    if costs.is_empty() {
        return vec![Finding::good("the newest transcripts mention no hooks")];
    }
    costs.truncate(NAMED);
    let all = costs.iter().map(told).collect::<Vec<_>>().join(", ");
    let slow = costs.iter().filter(|cost| is_slow(cost)).map(slow);
    [Finding::good(all)].into_iter().chain(slow).collect()
}

fn told(cost: &HookCost) -> String {
    format!(
        "{} {} ms (longest {} ms, {})",
        cost.name,
        cost.p50_ms,
        cost.longest_ms,
        output::many(cost.runs, "run")
    )
}

fn is_slow(cost: &HookCost) -> bool {
    cost.p50_ms > if cost.ours { OURS_MS } else { OTHERS_MS }
}

fn slow(cost: &HookCost) -> Finding {
    let step = if cost.ours {
        "see the checks `linked` and `home`: a dynamic hook or a slow disk"
    } else {
        "give it `\"async\": true` if it decides nothing, or a narrower matcher"
    };
    let text = format!("Claude Code waits at every such event: {}", told(cost));
    Finding::warning(text).advise(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_decides_who_is_slow() {
        let cost = |name: &str, runs: &[u64]| HookCost::of(name, runs.to_vec()).unwrap();
        let ours = cost("bellwether-hook", &[900, 9, 12]);
        assert_eq!(
            told(&ours),
            "bellwether-hook 12 ms (longest 900 ms, 3 runs)"
        );
        assert!(!is_slow(&ours));
        assert!(is_slow(&cost("bellwether-hook", &[101])));
        assert!(!is_slow(&cost("other", &[101, 500])));
        assert!(is_slow(&cost("other", &[501])));
        assert!(HookCost::of("none", vec![]).is_none());
    }
}
