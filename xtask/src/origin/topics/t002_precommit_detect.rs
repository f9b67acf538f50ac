//! Which commands seed 002's gate took for a commit. It looked for the words in the text of a command; where ours differs, the defect
//! of the original is named.

use serde_json::Value;

use super::super::Verdict;
use super::super::project::Project;

const SUBSHELL: &str = "the original missed a commit behind a bracket";
const VARIABLE: &str = "the original missed a commit behind a variable";
const OTHER: &str = "the original took another command whose name begins like it for a commit";

pub(super) fn run(case: &Value) -> Verdict {
    let command = case["command"].as_str().unwrap_or_default();
    let expected = case["gate_runs"] == true;
    match Project::make().and_then(|project| project.commits(command)) {
        Ok(commits) if (commits > 0) == expected => Verdict::Pass,
        Ok(commits) => excuse(command, expected).map_or_else(
            || Verdict::Fail {
                expected: format!("gated: {expected}, for {command:?}"),
                got: format!("{commits} commits"),
            },
            Verdict::Excused,
        ),
        Err(error) => Verdict::Fail {
            expected: "a verdict".to_owned(),
            got: format!("{error:#}"),
        },
    }
}

/// Which defect of the original it rests on.
fn excuse(command: &str, gated: bool) -> Option<&'static str> {
    let first = command.split_whitespace().next().unwrap_or_default();
    if gated {
        return command.contains("git commit-").then_some(OTHER);
    }
    if first.starts_with('(') {
        return Some(SUBSHELL);
    }
    (first.contains('=') && !first.contains(['"', '\''])).then_some(VARIABLE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_original_took_for_a_commit_is_held_against_the_gate() {
        let case =
            |command: &str, gated: bool| run(&json!({"command": command, "gate_runs": gated}));
        assert_eq!(case("git commit -am x", true), Verdict::Pass);
        assert_eq!(case("git log --grep='git commit'", false), Verdict::Pass);
        assert_eq!(
            case("(cd src; git commit)", false),
            Verdict::Excused(SUBSHELL)
        );
        assert_eq!(case("A=1 git commit", false), Verdict::Excused(VARIABLE));
        assert_eq!(
            case("git commit-graph write", true),
            Verdict::Excused(OTHER)
        );
        for (command, gated) in [("git commit", false), ("git status", true)] {
            assert!(
                matches!(case(command, gated), Verdict::Fail { .. }),
                "{command}"
            );
        }
    }
}
