//! What hooks cost by the client's own clock: who is slow, and whose hook it is.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bellwether_protocol::client::catalog::Entry;
use bellwether_transcript::{HookCost, HookRun};

use super::{Finding, Setup};
use crate::doctor::owners::{self, Owned, Ran};
use crate::output;

pub(super) const ABOUT: &str = "how long hooks take, ours and others', as Claude Code measured it";

/// The client's own share of a hook is 3 to 25 ms.
const OURS_MS: u64 = 100;
/// A person notices what takes longer at every event.
const OTHERS_MS: u64 = 500;
/// So many commands are named.
const NAMED: usize = 8;

/// What the hooks of one name and one owner cost.
struct Costing {
    /// Who registers it; `None` for one that is registered no more.
    owner: Option<String>,
    cost: HookCost,
}

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let costs = by_owner(&setup.runs, &owners::all(setup));
    if costs.is_empty() {
        return vec![Finding::good("the newest transcripts mention no hooks")];
    }
    let told: Vec<String> = costs.iter().take(NAMED).map(Costing::told).collect();
    let mut all = told.join(", ");
    if let Some(call) = of_tool_calls(setup) {
        let (calls, p50) = (output::many(call.runs, "call"), call.p50_ms);
        all = format!("all hooks of a tool call {p50} ms together ({calls}): {all}");
    }
    let slow = costs.iter().filter(|one| one.is_slow()).take(NAMED);
    let slow = slow.map(Costing::finding);
    [Finding::good(all)].into_iter().chain(slow).collect()
}

/// The costs by who registers the hooks, the slowest first.
fn by_owner(runs: &[HookRun], all: &[Owned<'_>]) -> Vec<Costing> {
    let mut durations: BTreeMap<(String, Option<String>), Vec<u64>> = BTreeMap::new();
    for Ran { runs, owned } in owners::of_runs(runs, all) {
        let name = owned.first().and_then(|owned| owned.name());
        let name = name.or_else(|| runs.first().map(|run| run.name()));
        let key = (name.unwrap_or_default(), owners_of(&owned));
        let times = runs.iter().map(|run| run.duration_ms);
        durations.entry(key).or_default().extend(times);
    }
    let costs = durations.into_iter().filter_map(|((name, owner), runs)| {
        let cost = HookCost::of(&name, runs)?;
        Some(Costing { owner, cost })
    });
    let mut costs: Vec<Costing> = costs.collect();
    costs.sort_by_key(|one| Reverse(one.cost.p50_ms));
    costs
}

/// Who they are. Two plugins may write the same command, each for a file of its own.
fn owners_of(found: &[&Owned<'_>]) -> Option<String> {
    let mut owners: Vec<String> = found.iter().map(|owned| owned.owner.shown()).collect();
    owners.sort();
    owners.dedup();
    (!owners.is_empty()).then(|| owners.join(" or "))
}

/// What the hooks of one tool call took together: the client waits for the slowest of each event.
fn of_tool_calls(setup: &Setup<'_>) -> Option<HookCost> {
    let client = setup.client();
    let mut calls: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for run in &setup.runs {
        let (Some(event), Some(call)) = (&run.event, &run.occasion) else {
            continue;
        };
        let entry = client.entry(client.kind_of(event));
        if entry.is_some_and(Entry::is_of_tool) {
            let slowest = calls.entry(call).or_default().entry(event).or_default();
            *slowest = run.duration_ms.max(*slowest);
        }
    }
    let together = calls.values().map(|events| events.values().sum());
    HookCost::of("", together.collect())
}

impl Costing {
    fn told(&self) -> String {
        let HookCost {
            name,
            p50_ms,
            longest_ms,
            runs,
            ..
        } = &self.cost;
        let owner = self.owner.as_ref();
        let owner = owner.map_or_else(String::new, |owner| format!("{owner}, "));
        let runs = output::many(*runs, "run");
        format!("{name} {p50_ms} ms ({owner}longest {longest_ms} ms, {runs})")
    }

    fn is_slow(&self) -> bool {
        let limit = if self.cost.ours { OURS_MS } else { OTHERS_MS };
        self.cost.p50_ms > limit
    }

    fn finding(&self) -> Finding {
        let step = if self.cost.ours {
            "see the checks `linked` and `home`: a dynamic hook or a slow disk"
        } else {
            "give it `\"async\": true` if it decides nothing, or a narrower matcher"
        };
        let text = format!("Claude Code waits at every such event: {}", self.told());
        Finding::warning(text).advise(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costing(name: &str, runs: &[u64], owner: Option<&str>) -> Costing {
        Costing {
            owner: owner.map(str::to_owned),
            cost: HookCost::of(name, runs.to_vec()).unwrap(),
        }
    }

    #[test]
    fn the_median_decides_who_is_slow() {
        let ours = costing("bellwether-hook", &[900, 9, 12], None);
        assert_eq!(
            ours.told(),
            "bellwether-hook 12 ms (longest 900 ms, 3 runs)"
        );
        assert!(!ours.is_slow());
        assert!(costing("bellwether-hook", &[101], None).is_slow());
        assert!(!costing("other", &[101, 500], None).is_slow());
        assert!(costing("other", &[501], None).is_slow());
        assert!(HookCost::of("none", vec![]).is_none());
    }

    #[test]
    fn the_owner_is_named_and_the_slowest_is_first() {
        let run = |command: &str, duration_ms| HookRun {
            command: command.into(),
            duration_ms,
            event: None,
            occasion: None,
        };
        let runs = [
            run("/a/quick", 1),
            run("/a/slow x", 40),
            run("/a/slow y", 60),
        ];
        let told: Vec<String> = by_owner(&runs, &[]).iter().map(Costing::told).collect();
        assert_eq!(
            told,
            [
                "slow 40 ms (longest 60 ms, 2 runs)",
                "quick 1 ms (longest 1 ms, 1 run)"
            ]
        );
        let owned = costing("lint.sh", &[7], Some("plugin lint@shop"));
        assert_eq!(
            owned.told(),
            "lint.sh 7 ms (plugin lint@shop, longest 7 ms, 1 run)"
        );
    }
}
