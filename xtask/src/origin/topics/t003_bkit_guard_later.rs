//! The guard of a later version of seed 003's original, judged where something would be lost. Its patterns saw the text of
//! a command only; where ours differs, the reason is named.

use bellwether_hook::guard::{Judgement, Verdict as Said};
use serde_json::{Value, json};

use super::super::Verdict;
use super::super::project::Project;
use super::broken;

const PROSE: &str = "the original took text for a command";
const READS: &str = "reading is not destroying; whether it may be read is for the client to ask";
/// What the original stopped and ours does not: its rule, a part of the command, why.
const LEFT_ALONE: &[(&str, &str, &str)] = &[
    ("G-001", "echo ", PROSE),
    ("G-001", "commit -m", PROSE),
    ("G-003", "commit -m", PROSE),
    (
        "G-003",
        "git stash && ",
        "what was stashed first is kept: the reset loses nothing",
    ),
    ("G-001", "/tmp", "what is in a temporary folder may go"),
    ("G-007", "rm file", "files that are not there are no loss"),
    ("G-016", "build", "what a build makes again is no loss"),
    (
        "G-016",
        "-n",
        "the original stopped a clean that removes nothing",
    ),
    ("G-005", "cat ", READS),
    ("G-005", "readFileSync", READS),
    ("G-006", "cat ", READS),
    (
        "G-002",
        "push",
        "a branch of one's own may be pushed by force; the original knew only the word",
    ),
    (
        "G-004",
        "push",
        "a push that rewrites nothing loses nothing",
    ),
    ("G-004", "merge", "a merge loses nothing"),
    (
        "G-009",
        "--command",
        "the guard does not know this database's program",
    ),
    (
        "G-009",
        "DROP TABLE",
        "no shell runs this: the original took SQL for a command",
    ),
    (
        "G-010b",
        "DELETE FROM",
        "no shell runs this: the original took SQL for a command",
    ),
];
/// What ours stops and the original did not, by our rule.
const STOPPED: &[(&str, &str)] = &[
    (
        "unseen",
        "a script that is not there to be read is asked about",
    ),
    (
        "protect-secrets",
        "a file of secrets by its name is not written over",
    ),
    (
        "git-skip-hooks",
        "the original had no rule against skipping the checks of a push",
    ),
    (
        "git-push",
        "the original's pattern for pushes misses this spelling",
    ),
];

pub(super) fn run(case: &Value) -> Verdict {
    let tool = case["tool"].as_str().unwrap_or_default();
    let said = Project::make().and_then(|project| project.judge(tool, &input(tool, case)));
    match said {
        Ok(judgement) => judged(case, &judgement),
        Err(error) => broken(&error),
    }
}

fn judged(case: &Value, judgement: &Judgement) -> Verdict {
    let stopped = case["result"]["detected"] == json!(true);
    let ours = judgement.verdict != Said::Silent;
    let findings = judgement.findings.iter();
    let rules: Vec<&str> = findings.map(|finding| finding.rule.as_str()).collect();
    let excuse = match (stopped, ours) {
        (true, false) => left_alone(case),
        (false, true) => STOPPED
            .iter()
            .find(|(rule, _)| rules.contains(rule))
            .map(|(_, why)| *why),
        _ => return Verdict::Pass,
    };
    excuse.map_or_else(
        || Verdict::Fail {
            expected: format!("stopped: {stopped}, for {}", case["input"]),
            got: format!("{:?} by {rules:?}", judgement.verdict),
        },
        Verdict::Excused,
    )
}

fn left_alone(case: &Value) -> Option<&'static str> {
    let text = case["input"].to_string();
    let rules = case["result"]["rules"].as_array();
    let broken = |rule: &str| rules.into_iter().flatten().any(|one| one["id"] == rule);
    let fits = |(rule, part, _): &&(&str, &str, &str)| broken(rule) && text.contains(part);
    LEFT_ALONE.iter().find(fits).map(|(_, _, why)| *why)
}

/// What the client sends for a tool, where a case has only the text of it.
fn input(tool: &str, case: &Value) -> Value {
    match (tool, case["input"].as_str()) {
        ("Bash", Some(command)) => json!({ "command": command }),
        (_, Some(path)) => {
            json!({ "file_path": path, "content": "x", "old_string": "a", "new_string": "b" })
        }
        _ => case["input"].clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_passes_fails_or_is_excused() {
        let case = |command: &str, rules: &[&str]| {
            let rules: Vec<Value> = rules.iter().map(|rule| json!({ "id": rule })).collect();
            let result = json!({"detected": !rules.is_empty(), "rules": rules});
            run(&json!({"tool": "Bash", "input": {"command": command}, "result": result}))
        };
        assert_eq!(case("git reset --hard", &["G-003"]), Verdict::Pass);
        assert_eq!(case("ls", &[]), Verdict::Pass);
        assert_eq!(case("echo rm -rf ~", &["G-001"]), Verdict::Excused(PROSE));
        assert!(matches!(case("ls", &["G-001"]), Verdict::Fail { .. }));
    }
}
