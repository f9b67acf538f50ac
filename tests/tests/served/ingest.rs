//! HTTP: what is taken from other programs and from HTTP hooks.

use std::process::{Command, Output};

use anyhow::{Context as _, Result};
use bellwether_tests::run::fed;
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

/// One event is one, whether it is sent again, by another forwarder, or told by a hook as well; two are two.
#[test]
fn one_event_is_stored_once() -> Result<()> {
    let served = Served::start(&[])?;
    let notice = |session: &str, more: Value| {
        let mut notice = json!({"hook_event_name": "Notification", "session_id": session, "message": "Claude is waiting"});
        if !more.is_null() {
            notice["_meta"] = more;
        }
        notice.to_string()
    };
    let counted = |session: &str| -> Result<usize> {
        served.place.settle()?;
        let events = served.place.events()?;
        let ours = |event: &&Value| event["payload"]["session_id"] == session;
        Ok(events.iter().filter(ours).count())
    };
    // The same body again, behind a second's end.
    for _ in 0..3 {
        served.bare.post("/ingest", notice("again", Value::Null))?;
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    assert_eq!(counted("again")?, 1);
    let at = |text: &str| json!({"collected_at": text, "workspace_id": "w"});
    for collected in ["15:00:00.900Z", "15:00:01.100Z", "15:02:00Z", "15:02:00Z"] {
        let meta = at(&format!("2026-02-20T{collected}"));
        served.bare.post("/ingest", notice("timed", meta))?;
    }
    assert_eq!(counted("timed")?, 2, "two minutes apart");
    served.place.visit(notice("both", Value::Null).as_bytes())?;
    let forwarded = fed(
        {
            let mut forward = served.place.cli(["forward"]);
            let url = format!("http://127.0.0.1:{}", served.web.port());
            forward.env("BELLWETHER_COLLECTOR_URL", url);
            forward
        },
        notice("both", Value::Null),
    )?;
    assert!(forwarded.status.success(), "{forwarded:?}");
    assert_eq!(counted("both")?, 1);
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

/// Events of a few bytes each, by the million: nothing of it may come into the way of what hooks say.
#[test]
fn a_flood_is_turned_away_and_every_hook_is_heard() -> Result<()> {
    let served = Served::start(&[])?;
    let flood = format!("[{}{{}}]", "{},".repeat(1_500_000));
    let wrong = format!("[{}{{}}]", "{},".repeat(4_999));
    std::thread::scope(|scope| -> Result<()> {
        let sender = scope.spawn(|| -> Result<Vec<(u16, usize)>> {
            let bodies = [&flood, &wrong].into_iter().cycle().take(6);
            bodies
                .map(|body| {
                    let answer = served.bare.post("/ingest", body)?;
                    Ok((answer.status, answer.body.len()))
                })
                .collect()
        });
        for number in 0..30 {
            let event = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/p", "prompt": format!("hook {number}")});
            served.place.visit(event.to_string().as_bytes())?;
        }
        let answers = sender
            .join()
            .map_err(|_| anyhow::anyhow!("the sender failed"))??;
        for pair in answers.chunks(2) {
            assert_eq!((pair[0].0, pair[1].0), (413, 400), "{answers:?}");
            assert!(
                pair.iter().all(|(_, length)| *length < 8 * 1024),
                "{answers:?}"
            );
        }
        Ok(())
    })?;
    served.place.wait_for("all hooks", || {
        let events = served
            .web
            .json("/api/events?type=agent_unblocked&limit=100")?;
        Ok(events["events"].as_array().map(Vec::len) == Some(30))
    })?;
    let journal = served.place.home().journal();
    assert!(bellwether_spine::journal::total_bytes(&journal)? < 1024 * 1024);
    assert_eq!(bellwether_spine::journal::dropped(&journal), 0);
    Ok(())
}

#[test]
fn our_own_kinds_of_events_are_taken_from_nobody() -> Result<()> {
    let served = Served::start(&[])?;
    for (event, field) in [
        (
            json!({"hook_event_name": "SessionEnd", "session_id": "s", "_meta": {"source": "synthetic"}}),
            "_meta.source",
        ),
        (
            json!({"hook_event_name": "PermissionAnswered", "session_id": "s", "answer": "allow"}),
            "hook_event_name",
        ),
    ] {
        let answer = served.bare.post("/ingest", event.to_string())?;
        let told = answer.json()?;
        assert_eq!(
            (answer.status, told["field"].as_str()),
            (400, Some(field)),
            "{told}"
        );
    }
    // Over HTTP hooks they are stored, and mean nothing.
    let event = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "x", "_meta": {"source": "synthetic"}});
    assert_eq!(served.bare.post("/hook", event.to_string())?.status, 200);
    served
        .place
        .wait_for("the events", || Ok(served.place.count()? == 3))?;
    for seq in 1..=3 {
        let stored = served.web.json(&format!("/api/events/{seq}"))?;
        assert_eq!(stored["event"]["source"], "hook", "{stored}");
    }
    Ok(())
}

/// What a terminal obeys, in every name and id that is taken from an event.
#[test]
fn nothing_that_is_shown_steers_a_terminal() -> Result<()> {
    let served = Served::start(&[])?;
    let bad = "\u{9b}2J\u{202e}\u{2028}\u{7f}\u{1b}[31m\u{e0041}";
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": format!("s{bad}1"), "cwd": format!("/p/{bad}"),
        "agent_id": format!("a{bad}1"), "agent_type": format!("t{bad}"), "team_name": format!("m{bad}"),
        "tool_name": format!("Bash{bad}"), "tool_use_id": format!("u{bad}"),
        "tool_input": {"command": format!("rm -rf / # {bad}")},
        "_meta": {"workspace_id": format!("w{bad}"), "terminal_session_id": format!("x{bad}")},
    });
    assert_eq!(served.bare.post("/ingest", event.to_string())?.status, 200);
    assert_eq!(served.bare.post("/hook", event.to_string())?.status, 200);
    served
        .place
        .wait_for("the events", || Ok(served.place.count()? >= 1))?;
    let steers = |char: char| {
        (char.is_control() && !matches!(char, '\n' | '\t'))
            || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e01ef}')
    };
    for route in [
        "/api/events",
        "/api/events/1",
        "/api/agents",
        "/api/sessions",
        "/api/overview",
        "/api/stats",
        "/api/audit",
        "/api/status",
        "/api/search?q=rm",
        "/api/timeline",
    ] {
        let answer = served.web.get(route)?;
        assert!(answer.status < 500, "{route}: {answer:?}");
        assert!(!answer.body.contains(steers), "{route}: {:?}", answer.body);
    }
    let agents = served.web.json("/api/agents")?;
    assert!(
        !agents.to_string().contains("\u{9b}") && agents.to_string().contains("a1"),
        "{agents}"
    );
    for command in [
        &["events"][..],
        &["events", "--json"],
        &["guard", "log"],
        &["guard", "log", "--json"],
        &["status"],
        &["status", "--json"],
        &["flock", "--once"],
        &["export"],
        &["announce", "--all"],
        &["doctor"],
    ] {
        let output = served.place.cli(command.iter().copied()).output()?;
        let shown =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(!shown.contains(steers), "{command:?}: {shown:?}");
    }
    Ok(())
}
