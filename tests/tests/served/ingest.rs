//! HTTP: what is taken from other programs and from HTTP hooks.

use std::process::{Command, Output};

use anyhow::{Context as _, Result};
use bellwether_tests::served::STARTED;
use bellwether_tests::{Served, fixture};
use serde_json::{Value, json};

fn shell(line: &str) -> Result<Output> {
    Ok(Command::new("sh").args(["-c", line]).output()?)
}

/// The examples of the collector's document, word by word but for the port.
#[test]
fn the_examples_with_curl_work() -> Result<()> {
    let served = Served::start(&[])?;
    let port = served.web.port();
    let health = shell(&format!("curl http://127.0.0.1:{port}/health"))?;
    assert_eq!(String::from_utf8(health.stdout)?, "ok");
    let ingest = shell(&format!(
        "curl -X POST http://127.0.0.1:{port}/ingest -H 'Content-Type: application/json' -w ' %{{http_code}}' -d '{STARTED}'"
    ))?;
    assert_eq!(String::from_utf8(ingest.stdout)?, r#"{"accepted":1} 200"#);
    let agents = served.web.json("/api/agents")?;
    let agent = &agents["agents"][0];
    assert_eq!(agent["agent_id"], "my-project/worker-01");
    assert_eq!(
        (&agent["employment_type"], &agent["source"]),
        (&json!("contractor"), &json!("runtime_agent"))
    );
    Ok(())
}

#[test]
fn what_is_wrong_is_said_with_the_fields_name() -> Result<()> {
    let served = Served::start(&[])?;
    for (body, field, said) in [
        ("", None, "no JSON"),
        ("{", None, "no JSON"),
        ("nope", None, "no JSON"),
        ("7", None, "object"),
        ("{}", Some("hook_event_name"), "hook_event_name"),
        (
            r#"{"hook_event_name":"PreToolUse","session_id":"s"}"#,
            Some("tool_name"),
            "tool_name",
        ),
        (
            r#"{"hook_event_name":"Stop","session_id":7}"#,
            Some("session_id"),
            "no string",
        ),
        (
            r#"{"hook_event_name":"Stop","_meta":{"collected_at":"yesterday"}}"#,
            Some("_meta.collected_at"),
            "UTC",
        ),
    ] {
        let answer = served.bare.post("/ingest", body)?;
        assert_eq!(answer.status, 400, "{body}: {answer:?}");
        let told = answer.json()?;
        assert_eq!(told["field"].as_str(), field, "{body}: {told}");
        assert!(
            told["error"]
                .as_str()
                .is_some_and(|error| error.contains(said)),
            "{body}: {told}"
        );
    }
    let errors = served.web.json("/api/events?type=schema_error")?;
    assert_eq!(
        errors["events"].as_array().map(Vec::len),
        Some(5),
        "what is JSON is kept: {errors}"
    );
    Ok(())
}

#[test]
fn an_array_is_taken_as_far_as_it_is_right() -> Result<()> {
    let served = Served::start(&[])?;
    let calls: Vec<Value> = (0..50)
        .map(|number| serde_json::from_slice(&fixture::tool_call(&number.to_string(), 100)))
        .collect::<Result<_, _>>()?;
    let answer = served.bare.post("/ingest", json!(calls).to_string())?;
    assert_eq!(
        (answer.status, answer.json()?),
        (200, json!({"accepted": 50}))
    );
    served
        .place
        .wait_for("all of it", || Ok(served.place.count()? == 50))?;
    let mixed = json!([{"session_id": "s"}, serde_json::from_str::<Value>(STARTED)?]);
    let answer = served.bare.post("/ingest", mixed.to_string())?;
    let told = answer.json()?;
    assert_eq!(answer.status, 400);
    assert_eq!(
        (&told["accepted"], &told["rejected"][0]["index"]),
        (&json!(1), &json!(0))
    );
    // What is wrong is kept as an error.
    served
        .place
        .wait_for("the rest", || Ok(served.place.count()? == 52))?;
    Ok(())
}

#[test]
fn an_event_by_http_hook_is_as_one_by_the_program() -> Result<()> {
    let served = Served::start(&[])?;
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/p/shop", "prompt": "hello"});
    let answer = served.bare.post("/hook", prompt.to_string())?;
    assert_eq!((answer.status, answer.body.as_str()), (200, "{}"));
    served
        .place
        .wait_for("the event", || Ok(served.place.count()? == 1))?;
    let reader = served.place.reader()?.context("no store")?;
    let stored =
        bellwether_flock::StoreReader::last(&reader, &bellwether_flock::Filter::default(), 1)?;
    let record: Value = serde_json::from_str(&stored[0].record)?;
    assert_eq!(record["meta"]["from"], "http");
    assert_eq!(
        record["meta"]["client_pid"],
        std::process::id(),
        "the sender is found: {record}"
    );
    // What is no event is kept as well, and harms nobody.
    assert_eq!(served.bare.post("/hook", "{nope")?.status, 200);
    served
        .place
        .wait_for("the rest", || Ok(served.place.count()? == 2))
}

#[test]
fn what_the_guard_stopped_is_listed_and_holds() -> Result<()> {
    let served = Served::start(&[])?;
    let call = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/tmp", "tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "rm -rf /"}});
    let answer = served.bare.post("/hook", call.to_string())?;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.json()?["hookSpecificOutput"]["permissionDecision"],
        "deny",
        "{answer:?}"
    );
    served
        .place
        .wait_for("the event", || Ok(served.place.count()? == 1))?;
    let event = served.web.json("/api/events/1")?;
    assert_eq!(event["event"]["event_type"], "tool_started", "{event}");
    let audit = served.web.json("/api/audit")?;
    assert_eq!(
        (
            &audit["entries"][0]["subject"],
            &audit["entries"][0]["said"]
        ),
        (&json!("rm -rf /"), &json!("deny"))
    );
    let verified = served.web.json("/api/audit/verify")?;
    assert_eq!(
        (&verified["holds"], &verified["lines"]),
        (&json!(true), &json!(1))
    );
    let chain = served.place.home().audit();
    std::fs::write(
        &chain,
        std::fs::read_to_string(&chain)?.replace("rm -rf /", "rm -rf x"),
    )?;
    assert_eq!(served.web.json("/api/audit/verify")?["holds"], false);
    Ok(())
}
