//! Seed 002's guard of commands, judged where something would be lost. Its patterns saw the text of a
//! command only; where ours differs, the rule or the defect of the original is named.

use bellwether_hook::guard::{Judgement, Verdict as Said};
use serde_json::{Value, json};

use super::super::Verdict;
use super::super::project::Project;

/// What the original let through, by the rule of ours that stops it.
const LET_THROUGH: &[(&str, &str)] = &[
    (
        "delete",
        "the original's pattern for rm misses this spelling",
    ),
    (
        "git-push",
        "the original's pattern for pushes misses this spelling",
    ),
    (
        "git-reset",
        "the original's pattern for resets misses this spelling",
    ),
    (
        "git-clean",
        "the original's pattern for clean misses this spelling",
    ),
    ("bomb", "the original had no rule against fork bombs"),
    ("device", "the original had no rule for disks"),
    (
        "download",
        "the original had no rule against downloads that are run",
    ),
];
const DRY: &str = "the original stopped a clean that removes nothing";
const FEATURE: &str = "the original took a feature branch for the protected one in its name";
const STASHED: &str = "what was stashed first is kept: the reset loses nothing";
const PROSE: &str = "the original took text for a command";

pub(super) fn run(case: &Value) -> Verdict {
    let command = case["command"].as_str().unwrap_or_default();
    let blocked = case["seed_version"]["blocked"] == json!(true);
    let input = json!({ "command": command });
    match Project::make().and_then(|project| project.judge("Bash", &input)) {
        Ok(judgement) => compare(command, blocked, &judgement),
        Err(error) => Verdict::Fail {
            expected: "a verdict".to_owned(),
            got: format!("{error:#}"),
        },
    }
}

fn compare(command: &str, blocked: bool, judgement: &Judgement) -> Verdict {
    let rules: Vec<&str> = judgement
        .findings
        .iter()
        .map(|finding| finding.rule.as_str())
        .collect();
    let excuse = match (blocked, judgement.verdict) {
        (true, Said::Deny | Said::Ask) | (false, Said::Silent) => return Verdict::Pass,
        (true, Said::Silent) => taken_wrongly(command),
        (false, Said::Deny | Said::Ask) => LET_THROUGH
            .iter()
            .find(|(rule, _)| rules.contains(rule))
            .map(|(_, reason)| *reason),
    };
    excuse.map_or_else(
        || Verdict::Fail {
            expected: format!("blocked: {blocked}, for {command:?}"),
            got: format!("{:?} by {rules:?}", judgement.verdict),
        },
        Verdict::Excused,
    )
}

/// Why the original was wrong to stop a command.
fn taken_wrongly(command: &str) -> Option<&'static str> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let names_branch = command
        .split(|letter: char| letter.is_whitespace() || matches!(letter, ':' | '+'))
        .any(|word| matches!(word, "main" | "master"));
    let is_dry = words.contains(&"--dry-run")
        || words
            .iter()
            .filter_map(|word| word.strip_prefix('-'))
            .any(|flags| !flags.starts_with('-') && flags.contains('n'));
    if words.first() == Some(&"echo") || command.contains("<<") {
        Some(PROSE)
    } else if words.contains(&"push") && !names_branch {
        Some(FEATURE)
    } else if words.contains(&"clean") && is_dry {
        Some(DRY)
    } else if command.starts_with("git stash && ") {
        Some(STASHED)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(command: &str, blocked: bool) -> Verdict {
        run(&json!({ "command": command, "seed_version": { "blocked": blocked } }))
    }

    #[test]
    fn what_the_original_said_is_held_against_the_guard() {
        assert_eq!(case("git reset --hard", true), Verdict::Pass);
        assert_eq!(case("cargo test", false), Verdict::Pass);
        assert_eq!(case("git clean --dry-run -f", true), Verdict::Excused(DRY));
        let stashed = case("git stash && git reset --hard", true);
        assert_eq!(stashed, Verdict::Excused(STASHED));
        assert_eq!(
            case("git push -f origin x/main-nav", true),
            Verdict::Excused(FEATURE)
        );
        assert_eq!(case("echo git reset --hard", true), Verdict::Excused(PROSE));
        assert!(matches!(case("git clean -f", false), Verdict::Excused(_)));
        assert!(matches!(case("cargo test", true), Verdict::Fail { .. }));
    }
}
