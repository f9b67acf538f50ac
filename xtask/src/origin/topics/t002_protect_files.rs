//! Seed 002's guard of files. It knew files by their path from the project's root as it was written.

use std::path::{Component, Path};

use bellwether_hook::guard::Verdict as Said;
use serde_json::{Value, json};

use super::super::Verdict;
use super::super::project::Project;

const ONLY_AT_THE_ROOT: &str = "the original protected files at the project's root only";
const SPELLING: &str = "the original did not normalise paths";

pub(super) fn run(case: &Value) -> Verdict {
    let path = case["tool_input"]["file_path"].as_str().unwrap_or_default();
    let root = case["CLAUDE_PROJECT_DIR"].as_str().unwrap_or_default();
    let blocked = case["blocked"] == json!(true);
    let inside = Path::new(path).strip_prefix(root).ok();
    let judged = Project::make().and_then(|project| {
        let path = inside.map_or_else(|| path.into(), |rest| project.path().join(rest));
        project.judge("Edit", &json!({ "file_path": path }))
    });
    let said = match judged {
        Ok(judgement) => judgement.verdict,
        Err(error) => return fail("a verdict", format!("{error:#}")),
    };
    match (blocked, said) {
        (true, Said::Deny) | (false, Said::Silent) => Verdict::Pass,
        (false, Said::Deny) if path.starts_with("./") => Verdict::Excused(SPELLING),
        (false, Said::Deny) if is_below(inside.unwrap_or_else(|| Path::new(path))) => {
            Verdict::Excused(ONLY_AT_THE_ROOT)
        }
        _ => fail(
            &format!("blocked: {blocked}, for {path}"),
            format!("{said:?}"),
        ),
    }
}

fn fail(expected: &str, got: String) -> Verdict {
    Verdict::Fail {
        expected: expected.to_owned(),
        got,
    }
}

/// Whether a path from the project's root leads out of that folder.
fn is_below(path: &Path) -> bool {
    path.components()
        .filter(|part| *part != Component::CurDir)
        .count()
        > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(path: &str, blocked: bool) -> Verdict {
        run(&json!({
            "tool_input": { "file_path": path },
            "CLAUDE_PROJECT_DIR": "/app",
            "blocked": blocked,
        }))
    }

    #[test]
    fn what_the_original_said_is_held_against_the_guard() {
        assert_eq!(case(".env", true), Verdict::Pass);
        assert_eq!(case("/app/yarn.lock", true), Verdict::Pass);
        assert_eq!(case("src/lib.rs", false), Verdict::Pass);
        assert_eq!(case("web/.env", false), Verdict::Excused(ONLY_AT_THE_ROOT));
        assert_eq!(case("./yarn.lock", false), Verdict::Excused(SPELLING));
        assert!(matches!(case(".env", false), Verdict::Fail { .. }));
        assert!(matches!(case("src/lib.rs", true), Verdict::Fail { .. }));
    }
}
