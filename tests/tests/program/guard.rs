//! The guard from outside: what the client is told, what is on record, and who may allow what.

use std::process::Output;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::Installation;
use bellwether_tests::run::{fed, said};
use serde_json::{Value, json};

/// What the client is told about a tool call, or nothing.
fn told(place: &Installation, tool: &str, input: &Value, mode: &str) -> Result<Option<Value>> {
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": place.root(), "permission_mode": mode,
        "tool_name": tool, "tool_input": input, "tool_use_id": "t",
    });
    let mut hook = place.hook();
    hook.env("CLAUDE_PROJECT_DIR", place.root());
    let Output { status, stdout, .. } = fed(hook, event.to_string())?;
    ensure!(status.success());
    if stdout.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&stdout)?))
}

fn writing(place: &Installation, file: &str, mode: &str) -> Result<(String, String, String)> {
    let input = json!({"file_path": file, "content": "{}"});
    let reply = told(place, "Write", &input, mode)?.unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let output = &reply["hookSpecificOutput"];
    Ok((
        text(&output["permissionDecision"]),
        text(&output["permissionDecisionReason"]),
        text(&reply["systemMessage"]),
    ))
}

#[test]
fn a_secret_is_refused_with_a_reason_and_the_way_to_allow_it_is_for_the_person() -> Result<()> {
    let place = Installation::fresh()?;
    let (decision, reason, message) = writing(&place, ".env", "default")?;
    assert_eq!(decision, "deny");
    assert!(
        reason.contains(".env may hold secrets") && reason.contains("Instead:"),
        "{reason}"
    );
    assert!(!reason.contains("guard allow"), "{reason}");
    assert!(
        message.contains("bellwether guard allow --path '.env' --for 10m"),
        "{message}"
    );
    assert_eq!(writing(&place, ".env.example", "default")?.0, "");
    Ok(())
}

#[test]
fn a_question_is_refused_where_nobody_answers() -> Result<()> {
    let place = Installation::fresh()?;
    let settings = ".claude/settings.local.json";
    assert_eq!(writing(&place, settings, "default")?.0, "ask");
    assert_eq!(writing(&place, settings, "acceptEdits")?.0, "ask");
    let (decision, reason, _) = writing(&place, settings, "bypassPermissions")?;
    assert_eq!(decision, "deny");
    assert!(reason.contains("nobody can be asked"), "{reason}");
    Ok(())
}

#[test]
fn allowing_is_for_a_person_and_counts_at_once() -> Result<()> {
    let place = Installation::fresh()?;
    let file = place.root().join(".env").display().to_string();
    let words = ["guard", "allow", "--path", &file, "--for", "10m"];
    let by_agent = place.at_terminal(words).env("CLAUDECODE", "1").output()?;
    assert!(
        said(&by_agent).contains("not for an agent"),
        "{}",
        said(&by_agent)
    );
    let without = place.cli(words).output()?;
    assert!(
        said(&without).contains("stdin is not a terminal"),
        "{}",
        said(&without)
    );
    assert_eq!(writing(&place, &file, "default")?.0, "deny");

    let by_person = place.at_terminal(words).output()?;
    assert!(by_person.status.success(), "{}", said(&by_person));
    assert_eq!(writing(&place, &file, "default")?.0, "");
    let list = said(&place.cli(["guard", "allow", "--list"]).output()?);
    assert!(
        list.contains("changes of") && list.contains(".env"),
        "{list}"
    );
    let revoked = said(&place.cli(["guard", "allow", "--revoke-all"]).output()?);
    assert_eq!(revoked, "1 permission taken back\n");
    assert_eq!(writing(&place, &file, "default")?.0, "deny");
    Ok(())
}

#[test]
fn what_was_stopped_is_on_record_and_a_cut_is_seen() -> Result<()> {
    let place = Installation::fresh()?;
    let none = place.cli(["guard", "log"]).output()?;
    assert_eq!(said(&none), "nothing has been stopped yet\n");
    for file in [".env", "yarn.lock", ".git/config"] {
        assert_eq!(writing(&place, file, "default")?.0, "deny");
    }
    let log = std::fs::read_to_string(place.home().security_log())?;
    let first = log.lines().next().context("nothing logged")?;
    assert!(
        first.ends_with(r#"] BLOCKED protect-files ".env may hold secrets" ".env""#),
        "{first}"
    );
    assert_eq!(
        said(&place.cli(["guard", "log", "-n", "0"]).output()?)
            .lines()
            .count(),
        3
    );

    let verify = || -> Result<Output> { Ok(place.cli(["guard", "log", "--verify"]).output()?) };
    place.wait_for("the daemon's copy", || {
        let heads = place
            .reader()?
            .map(|reader| reader.audit_heads())
            .transpose()?;
        Ok(heads.is_some_and(|heads| heads.len() == 3))
    })?;
    assert_eq!(said(&verify()?), "3 lines, the chain is intact\n");
    let whole = std::fs::read_to_string(place.home().audit())?;
    let two: Vec<&str> = whole.lines().take(2).collect();
    std::fs::write(place.home().audit(), format!("{}\n", two.join("\n")))?;
    let cut = verify()?;
    assert_eq!(cut.status.code(), Some(1));
    assert!(said(&cut).contains("number 3 is missing"), "{}", said(&cut));
    std::fs::write(
        place.home().audit(),
        whole.replace("yarn.lock", "yarn.lick"),
    )?;
    assert!(said(&verify()?).contains(":2: it was changed"));
    Ok(())
}

#[test]
fn rules_are_explained_listed_and_tested() -> Result<()> {
    let place = Installation::fresh()?;
    place
        .configure("guard: {rules: {tf: {command: [terraform, destroy], reason: it is live}}}\n")?;
    let root = place.root().display().to_string();
    let words = [
        "guard",
        "explain",
        "--json",
        "--cwd",
        &root,
        "terraform destroy",
    ];
    let shown: Value = serde_json::from_slice(&place.cli(words).output()?.stdout)?;
    assert_eq!(
        (&shown["verdict"], &shown["findings"][0]["rule"]),
        (&json!("deny"), &json!("tf"))
    );
    let rules = said(&place.cli(["guard", "rules"]).output()?);
    assert!(
        rules.contains("protect-git") && rules.contains("says deny, because it is live"),
        "{rules}"
    );
    let table = place.root().join("table.jsonl");
    let table = table.display().to_string();
    std::fs::write(
        &table,
        "# mine\n{\"command\":\"terraform destroy\",\"expect\":\"stop\"}\n{\"file\":\".env\",\"expect\":\"silent\"}\n",
    )?;
    let tested = place
        .cli(["guard", "test", &table, "--cwd", &root])
        .output()?;
    assert_eq!(tested.status.code(), Some(1));
    let tested = said(&tested);
    assert!(
        tested.contains(":3: expected silent, is deny by protect-secrets: .env"),
        "{tested}"
    );
    assert!(tested.ends_with("2 rows, 1 not as expected\n"), "{tested}");
    Ok(())
}

/// A record that cannot be written changes no verdict, and is told.
#[test]
fn the_verdict_stands_without_a_record() -> Result<()> {
    let place = Installation::fresh()?;
    std::fs::create_dir_all(place.home().audit())?;
    assert_eq!(writing(&place, ".env", "default")?.0, "deny");
    let status = said(&place.cli(["status"]).output()?);
    assert!(status.contains("could not be put on record"), "{status}");
    Ok(())
}

fn doctor(place: &Installation) -> Result<Vec<(String, String)>> {
    let mut command = place.cli(["doctor", "--json"]);
    let output = command.current_dir(place.root()).output()?;
    let findings: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let guard = findings.iter().filter(|it| it["check"] == "guard");
    Ok(guard
        .map(|it| (text(&it["level"]), text(&it["text"])))
        .collect())
}

#[test]
fn the_doctor_tells_what_is_off_or_broken() -> Result<()> {
    let place = Installation::fresh()?;
    assert_eq!(
        doctor(&place)?,
        [(
            "good".to_owned(),
            "on, judging by what would be lost".to_owned()
        )]
    );
    place.configure("guard: {enabled: false}\n")?;
    assert_eq!(doctor(&place)?[0].0, "warning");
    place.configure("guard: {mode: milder}\n")?;
    let broken = doctor(&place)?;
    assert!(
        broken[0].1.contains("an error in the section"),
        "{broken:?}"
    );
    assert_eq!(writing(&place, ".env", "default")?.0, "deny");
    std::fs::write(place.home().audit(), "{}\n")?;
    assert!(
        doctor(&place)?
            .iter()
            .any(|(_, text)| text.contains("changed or cut"))
    );
    Ok(())
}

/// A cloned project brings a file that would switch the guard off.
#[test]
fn a_cloned_project_cannot_switch_the_guard_off() -> Result<()> {
    let place = Installation::fresh()?;
    std::fs::create_dir_all(place.root().join(".claude"))?;
    std::fs::write(
        place.root().join(".claude/bellwether.yaml"),
        "guard: {enabled: false, allow: [{path: .env}], protected_files: ['*.pem'], rules: {db: {path: 'db/**', verdict: ask}}}\n",
    )?;
    let root = place.root().display().to_string();
    let compiled = place
        .cli(["config", "compile", "--project", &root])
        .output()?;
    ensure!(compiled.status.success(), "{}", said(&compiled));
    assert_eq!(writing(&place, ".env", "default")?.0, "deny");
    assert_eq!(
        writing(&place, "a.pem", "default")?.0,
        "deny",
        "it can be stricter"
    );
    assert_eq!(
        writing(&place, "db/1.sql", "default")?.0,
        "ask",
        "a rule of its own"
    );
    let check = said(
        &place
            .cli(["config", "check", "--project", &root])
            .output()?,
    );
    assert!(
        check.contains("guard.enabled is ignored") && check.contains("guard.allow"),
        "{check}"
    );
    Ok(())
}
