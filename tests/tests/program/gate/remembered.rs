//! What has passed is not checked again; what others may not switch on is not run.

use anyhow::Result;
use bellwether_tests::Project;
use bellwether_tests::run::said;
use serde_json::Value;

use super::{nothing_left, read, report};

const COUNTED: &str =
    "gate: {enabled: true, steps: {count: {run: 'echo run >> \"$HOME/runs\"'}}}\n";

fn runs(project: &Project) -> usize {
    let runs = std::fs::read_to_string(project.home().join("runs"));
    runs.unwrap_or_default().lines().count()
}

#[test]
fn a_tree_that_has_passed_is_not_checked_again() -> Result<()> {
    let project = Project::trusted(COUNTED)?;
    project.stage(&[("a.txt", "a\n")])?;
    for _ in 0..2 {
        assert_eq!(report(&project, &[])?["outcome"], "passed");
    }
    assert_eq!(runs(&project), 1);
    report(&project, &["--again"])?;
    assert_eq!(runs(&project), 2);
    project.stage(&[("a.txt", "b\n")])?;
    report(&project, &[])?;
    assert_eq!(runs(&project), 3, "another tree");
    let cleared = project.cli(["gate", "clear"]).output()?;
    assert_eq!(said(&cleared), "2 trees that had passed: forgotten\n");
    report(&project, &[])?;
    assert_eq!(runs(&project), 4);
    // Other checks ask again.
    project
        .place()
        .configure(&COUNTED.replace("count:", "other:"))?;
    report(&project, &[])?;
    assert_eq!(runs(&project), 5);
    Ok(())
}

#[test]
fn a_failure_is_not_remembered() -> Result<()> {
    let project = Project::trusted(
        "gate: {enabled: true, steps: {flaky: {run: '[ -e \"$HOME/well\" ]'}}}\n",
    )?;
    project.stage(&[("a.txt", "a\n")])?;
    assert_eq!(report(&project, &[])?["outcome"], "failed");
    std::fs::write(project.home().join("well"), "")?;
    assert_eq!(report(&project, &[])?["outcome"], "passed");
    Ok(())
}

#[test]
fn a_project_that_nobody_trusts_runs_nothing() -> Result<()> {
    let project = Project::untrusted(COUNTED)?;
    let package = r#"{"scripts":{"lint":"echo run >> \"$HOME/runs\""}}"#;
    project.stage(&[
        ("package.json", package),
        (".claude/bellwether.yaml", COUNTED),
    ])?;
    let by_hand = project.cli(["gate", "run"]).output()?;
    assert_eq!(by_hand.status.code(), Some(1));
    assert!(
        said(&by_hand).contains("is not trusted"),
        "{}",
        said(&by_hand)
    );
    let hooked = read(
        &project
            .cli(["gate", "run", "--json", "--with-parent"])
            .output()?,
    )?;
    assert_eq!(hooked["outcome"], "nothing");
    assert!(
        hooked["note"]
            .as_str()
            .is_some_and(|note| note.contains("bellwether config trust")),
        "{hooked:#}"
    );
    assert_eq!(runs(&project), 0);
    nothing_left(&project)
}

#[test]
fn a_project_that_is_trusted_may_be_tried_before_it_is_switched_on() -> Result<()> {
    let project = Project::trusted(&COUNTED.replace("true", "false"))?;
    project.stage(&[("a.txt", "a\n")])?;
    assert_eq!(report(&project, &[])?["outcome"], "passed");
    assert_eq!(runs(&project), 1);
    let hooked = read(
        &project
            .cli(["gate", "run", "--json", "--with-parent"])
            .output()?,
    )?;
    assert_eq!(hooked["outcome"], "nothing");
    assert_eq!(runs(&project), 1, "commits are not checked");
    let explained: Value = read(&project.cli(["gate", "explain", "--json"]).output()?)?;
    assert_eq!(
        (&explained["on"], &explained["trusted"]),
        (&Value::from(false), &Value::from(true))
    );
    assert!(
        explained["why_off"]
            .as_str()
            .is_some_and(|why| why.contains("gate.enabled is off"))
    );
    Ok(())
}
