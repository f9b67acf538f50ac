//! HTTP: sessions, agents and what was said, as the API shows them.

use anyhow::{Context as _, Result};
use bellwether_tests::Served;
use bellwether_tests::served::STARTED;
use serde_json::{Value, json};

/// Somebody was asked to mend the gate, ran a command with a secret in it, and had a subagent fail.
fn with_a_session() -> Result<Served> {
    let served = Served::start(&[])?;
    let session = "5e55";
    let event = |name: &str, more: Value| {
        let mut event = json!({"hook_event_name": name, "session_id": session, "cwd": "/p/shop"});
        if let (Some(event), Some(more)) = (event.as_object_mut(), more.as_object()) {
            event.extend(more.clone());
        }
        event
    };
    let command = "curl -H 'Authorization: Bearer abcdefghijklmnop1234567890' https://x";
    let events = json!([
        event("SessionStart", json!({"source": "startup"})),
        event(
            "UserPromptSubmit",
            json!({"prompt": "Mend the gate, please"})
        ),
        event(
            "PreToolUse",
            json!({"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": command}})
        ),
        event(
            "PostToolUse",
            json!({"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": command}, "tool_response": {}, "duration_ms": 40})
        ),
        event(
            "SubagentStart",
            json!({"agent_id": "a1", "agent_type": "Explore"})
        ),
        event(
            "PostToolUseFailure",
            json!({"tool_name": "Read", "tool_use_id": "t2", "tool_input": {}, "error": "no such file", "agent_id": "a1"})
        ),
    ]);
    assert_eq!(served.bare.post("/ingest", events.to_string())?.status, 200);
    Ok(served)
}

#[test]
fn a_session_can_be_followed_through_the_api() -> Result<()> {
    let served = with_a_session()?;
    let web = &served.web;
    let overview = web.json("/api/overview")?;
    assert_eq!(overview["store"]["events"], 6, "{overview}");
    assert!(
        overview["stream"]
            .as_str()
            .is_some_and(|id| id.starts_with("6-")),
        "{overview}"
    );
    let tree = web.json("/api/sessions")?;
    assert_eq!(
        tree["sessions"][0]["session"]["session_id"], "5e55",
        "{tree}"
    );
    let one = web.json("/api/sessions/5e55")?;
    assert!(
        one["prompts"][0]["summary"]
            .as_str()
            .is_some_and(|words| words.contains("Mend the gate")),
        "{one}"
    );
    assert_eq!(
        one["session"]["agents"][0]["children"][0]["agent"]["agent_id"], "a1",
        "{one}"
    );
    let agent = web.json("/api/agents/a1")?;
    assert_eq!(agent["agent"]["tool_failures"], 1, "{agent}");
    assert_eq!(
        agent["last"]["events"].as_array().map(Vec::len),
        Some(2),
        "{agent}"
    );
    let failed = web.json("/api/events?type=tool_failed")?;
    assert_eq!(failed["events"][0]["tool"], "Read", "{failed}");
    let first = web.json("/api/events?limit=4")?;
    let rest = web.json(&format!("/api/events?limit=4&before={}", first["next"]))?;
    assert_eq!(
        (
            first["events"].as_array().map(Vec::len),
            rest["events"].as_array().map(Vec::len),
            &rest["next"]
        ),
        (Some(4), Some(2), &Value::Null)
    );
    let stats = web.json("/api/stats")?;
    let tools = stats["tools"].as_array().context("no tools")?;
    assert!(
        tools
            .iter()
            .any(|tool| tool["tool"] == "Read" && tool["failures"] == 1),
        "{stats}"
    );
    let detail = web.json("/api/events/3")?;
    assert_eq!(detail["event"]["event_type"], "tool_started", "{detail}");
    for path in [
        "/api/events",
        "/api/events/3",
        "/api/events/4",
        "/api/agents?show=all",
        "/api/sessions",
        "/api/overview",
    ] {
        assert!(
            !web.get(path)?.body.contains("abcdefghijklmnop1234567890"),
            "{path} shows a secret"
        );
    }
    Ok(())
}

#[test]
fn one_box_finds_everything_and_lists_are_in_pages() -> Result<()> {
    let served = with_a_session()?;
    let web = &served.web;
    served.place.wait_for("the index of words", || {
        let found = web.json("/api/search?q=mend%20GATE")?;
        Ok(found["events"]["events"].as_array().map(Vec::len) == Some(1))
    })?;
    let found = web.json("/api/search?q=mend%20GATE")?;
    assert_eq!(found["sessions"][0]["session_id"], "5e55", "{found}");
    assert_eq!(found["refusals"], json!([]), "{found}");
    let found = web.json("/api/search?q=explore&limit=1")?;
    assert_eq!(found["agents"][0]["agent_id"], "a1", "{found}");
    let nothing = web.json("/api/search?q=%21%21")?;
    assert_eq!(nothing["agents"], json!([]), "{nothing}");
    assert_eq!(web.get("/api/search?q=")?.status, 400);
    let first = web.json("/api/agents?limit=1")?;
    let next = first["next"].as_str().context("no next page")?;
    let second = web.json(&format!("/api/agents?limit=1&after={next}"))?;
    assert_eq!(second["next"], Value::Null, "{second}");
    assert_ne!(
        first["agents"][0]["agent_id"],
        second["agents"][0]["agent_id"]
    );
    assert_eq!(web.json("/api/sessions?limit=1")?["next"], Value::Null);
    let wrong = web.get("/api/sessions?before=yesterday")?;
    assert_eq!(
        (wrong.status, &wrong.json()?["field"]),
        (400, &json!("before"))
    );
    Ok(())
}

#[test]
fn what_took_a_while_is_on_the_timeline() -> Result<()> {
    let served = with_a_session()?;
    let line = served.web.json("/api/timeline?session=5e55")?;
    let main = &line["lanes"][0];
    assert_eq!(main["agent_id"], "5e55", "{line}");
    assert_eq!(main["spans"][0]["kind"], "turn", "{line}");
    assert_eq!(main["spans"][0]["to_ms"], Value::Null, "{line}");
    assert_eq!(
        (&main["spans"][1]["kind"], &main["spans"][1]["name"]),
        (&json!("tool"), &json!("Bash"))
    );
    assert!(main["spans"][1]["to_ms"].is_u64(), "{line}");
    let sub = &line["lanes"][1];
    assert_eq!(sub["parent_id"], "5e55", "{line}");
    assert!(
        sub["spans"]
            .as_array()
            .is_some_and(|spans| spans.iter().any(|span| span["failed"] == true)),
        "{line}"
    );
    assert!(!line.to_string().contains("abcdefghijklmnop1234567890"));
    let own = served.web.json("/api/timeline?agent=a1")?;
    assert_eq!(own["lanes"].as_array().map(Vec::len), Some(1), "{own}");
    let cut = served.web.json("/api/timeline?limit=1")?;
    assert_eq!(cut["truncated"], true, "{cut}");
    let empty = served.web.json("/api/timeline?since=1000&until=2000")?;
    assert_eq!(
        empty,
        json!({"since_ms": 1000, "until_ms": 2000, "truncated": false, "lanes": []})
    );
    Ok(())
}

#[test]
fn what_was_said_is_read_from_the_clients_transcript() -> Result<()> {
    let served = Served::start(&[])?;
    let folder = served.place.client_folder().join("projects/-p");
    std::fs::create_dir_all(&folder)?;
    let start = |session: &str, path: &std::path::Path| json!({"hook_event_name": "SessionStart", "session_id": session, "cwd": "/p", "transcript_path": path});
    let (file, link) = (folder.join("one.jsonl"), folder.join("link.jsonl"));
    let foreign = served.place.root().join("foreign.jsonl");
    std::fs::write(&foreign, "{}\n")?;
    std::os::unix::fs::symlink(&foreign, &link)?;
    let said = json!({"type": "user", "timestamp": "2026-02-20T15:00:00.000Z", "message": {"content": "Use sk-abcdefghijklmnopqrstuvwxyz123456"}});
    let done =
        json!({"type": "assistant", "message": {"content": [{"type": "text", "text": "Done."}]}});
    std::fs::write(&file, format!("{said}\n{done}\n"))?;
    let starts = json!([
        start("one", &file),
        start("link", &link),
        start("foreign", &foreign),
        start("gone", &folder.join("gone.jsonl"))
    ]);
    assert_eq!(served.bare.post("/ingest", starts.to_string())?.status, 200);
    let web = &served.web;
    let first = web.json("/api/sessions/one/transcript?limit=1")?;
    assert_eq!(first["missing"], Value::Null, "{first}");
    assert_eq!(first["entries"][0]["role"], "user", "{first}");
    assert!(!first.to_string().contains("abcdefghijklmnop"), "{first}");
    let second = web.json(&format!(
        "/api/sessions/one/transcript?after={}",
        first["next"]
    ))?;
    assert_eq!(
        (&second["entries"][0]["text"], &second["next"]),
        (&json!("Done."), &Value::Null)
    );
    for (session, why) in [
        ("link", "cannot read"),
        ("foreign", "is not read"),
        ("gone", "is gone"),
    ] {
        let nothing = web.json(&format!("/api/sessions/{session}/transcript"))?;
        assert_eq!(nothing["entries"], json!([]), "{nothing}");
        let told = nothing["missing"].as_str().unwrap_or_default();
        assert!(told.contains(why), "{nothing}");
    }
    assert_eq!(web.get("/api/sessions/none/transcript")?.status, 404);
    let page = web.get("/api/sessions/one/export")?;
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(page.body.contains("Done.") && !page.body.contains("abcdefghijklmnop"));
    let policy = page.header("content-security-policy").unwrap_or_default();
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-"),
        "{policy}"
    );
    assert!(page.body.contains("</html>\n"), "all of it has come");
    let text = web.get("/api/sessions/one/export?format=md&download=1")?;
    let how = text.header("content-disposition").unwrap_or_default();
    assert_eq!(how, "attachment; filename=\"session-one.md\"");
    assert!(text.body.contains("\nDone.\n"), "{}", text.body);
    for session in ["link", "foreign", "gone", "none"] {
        let refused = web.get(&format!("/api/sessions/{session}/export"))?;
        assert_eq!(refused.status, 404, "{session}: {}", refused.body);
    }
    Ok(())
}

#[test]
fn a_creature_is_drawn_of_an_agents_looks() -> Result<()> {
    let served = Served::start(&[])?;
    served.bare.post("/ingest", STARTED)?;
    let agents = served.web.json("/api/agents")?;
    let looks = &agents["agents"][0]["appearance"];
    let query: Vec<String> = [
        ("body", "body_index"),
        ("hair", "hair_index"),
        ("outfit", "outfit_index"),
        ("accessory", "accessory_index"),
        ("face", "face_index"),
        ("hair_hue", "hair_hue"),
        ("outfit_hue", "outfit_hue"),
        ("skin_hue", "skin_hue"),
        ("skin_lightness", "skin_lightness"),
    ]
    .iter()
    .map(|(parameter, field)| format!("{parameter}={}", looks[field]))
    .collect();
    let path = format!(
        "/creature.svg?{}&pose=waiting&child=1&v=0.1.0",
        query.join("&")
    );
    let drawing = served.web.get(&path)?;
    assert_eq!(drawing.status, 200, "{drawing:?}");
    assert_eq!(drawing.header("content-type"), Some("image/svg+xml"));
    assert_eq!(
        drawing.header("cache-control"),
        Some("private, max-age=31536000, immutable")
    );
    let agent = &agents["agents"][0];
    let id = agent["agent_id"].as_str().context("an id")?;
    let parent = agent["parent_id"].as_str().context("a parent")?;
    let printed = served
        .place
        .cli(["creature", id, "--parent", parent, "--pose", "waiting"])
        .output()?;
    let printed = String::from_utf8(printed.stdout)?;
    assert_eq!(
        printed
            .replace(&format!("<title>{id}</title>"), "")
            .trim_end(),
        drawing.body,
        "the command draws the same"
    );
    let still = served.web.get(&format!("{path}&still=1"))?;
    assert!(drawing.body.contains("<style>") && !still.body.contains("<style>"));
    for wrong in [
        "body=8",
        "face=7",
        "skin_hue=361",
        "pose=dancing",
        "child=2",
        "colour=red",
    ] {
        let answer = served.web.get(&format!("/creature.svg?{wrong}"))?;
        assert_eq!(answer.status, 400, "{wrong}: {answer:?}");
    }
    assert_eq!(served.bare.get("/creature.svg")?.status, 401);
    Ok(())
}
