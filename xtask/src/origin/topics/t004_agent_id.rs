//! Seed 004's ids of agents.

use bellwether_flock::normal::agent_id;
use bellwether_protocol::client::Client;
use serde_json::{Value, json};

use super::super::Verdict;
use super::compare;

const EMPTY: &str = "an empty team is none";

pub(super) fn run(case: &Value) -> Verdict {
    let payload = json!({
        "hook_type": "Stop",
        "team_name": case["team"], "agent_name": case["name"], "session_id": case["session"],
    })
    .to_string();
    match Client::default().parse(&payload) {
        Ok(event) => compare(
            &case["expected"],
            &json!(agent_id(&event)),
            (case["team"] == "").then_some(EMPTY),
        ),
        Err(error) => compare(&case["expected"], &json!(error.to_string()), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn team_and_name_make_an_id() {
        let mut case = json!({"team": "t", "name": "n", "session": "s", "expected": "t/n"});
        assert_eq!(run(&case), Verdict::Pass);
        case["expected"] = json!("n");
        assert!(matches!(run(&case), Verdict::Fail { .. }));
    }
}
