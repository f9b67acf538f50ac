//! Seed 003's completed tasks: where each leaves the features of a project with one of them in its first phase.

use anyhow::Result;
use bellwether_workflow::{Tagged, tagged};

use serde_json::Value;

use super::super::Verdict;
use super::super::planned::{Planned, phases_of};
use super::{broken, compare};

const FEATURE: &str = "login";
const FIRST: &str = "plan";
const JUMPED: &str = "any tag jumped the phase: a task of another phase than its feature is in is told, and moves nothing; in its own phase it moves the same";
const PHANTOM: &str =
    "the original made a feature of a team's task; it is a part of the feature that it names";
const BEGINS: &str =
    "a task of the first phase begins its feature, also where nothing goes on by itself";

pub(super) fn run(case: &Value) -> Verdict {
    judged(case).unwrap_or_else(|error| broken(&error))
}

fn judged(case: &Value) -> Result<Verdict> {
    let subject = case["subject"].as_str().unwrap_or_default();
    let expected = phases_of(&case["features_after"]);
    let after = |phase: &str| -> Result<Value> {
        let planned = Planned::new(&case["automation_env"])?;
        let mut planned = planned.at(FEATURE, phase, case["matchRate"].as_f64(), 0)?;
        planned.complete(subject);
        Ok(planned.phases())
    };
    let planned = Planned::new(&Value::Null)?;
    let says = tagged(subject, &planned.flow);
    let excuse = match &says {
        Some(says) if says.phase.name != FIRST => {
            let in_its_own = after(&says.phase.name)?;
            jump(says, &expected, &in_its_own)
        }
        Some(says) if says.rest != FEATURE => Some(BEGINS),
        _ => None,
    };
    Ok(compare(&expected, &after(FIRST)?, excuse))
}

/// Why a task of a later phase may leave its feature where it is.
fn jump(says: &Tagged<'_>, expected: &Value, in_its_own: &Value) -> Option<&'static str> {
    if says.rest != FEATURE {
        return Some(PHANTOM);
    }
    (expected == in_its_own).then_some(JUMPED)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn case(level: &str, subject: &str, after: &Value) -> Verdict {
        run(&json!({"automation_env": level, "subject": subject, "features_after": after}))
    }

    #[test]
    fn a_row_passes_fails_or_is_excused() {
        let at = |phase: &str| json!({"login": {"phase": phase}});
        assert_eq!(
            case("full-auto", "[Plan] login", &at("design")),
            Verdict::Pass
        );
        assert_eq!(
            case("full-auto", "[Do] login", &at("check")),
            Verdict::Excused(JUMPED)
        );
        for (subject, after) in [("[Do] login", "report"), ("[Plan] login", "plan")] {
            let verdict = case("full-auto", subject, &at(after));
            assert!(
                matches!(verdict, Verdict::Fail { .. }),
                "{subject}: {verdict:?}"
            );
        }
    }
}
