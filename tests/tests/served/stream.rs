//! The live stream: who comes, works and goes, and nothing missed by whoever comes back.

use std::io::Write as _;
use std::net::TcpStream;

use anyhow::{Context as _, Result};
use bellwether_tests::served::STARTED;
use bellwether_tests::{Served, Web, fixture};
use serde_json::{Value, json};

#[test]
fn the_stream_tells_who_comes_works_and_goes() -> Result<()> {
    let served = Served::start(&[])?;
    let mut stream = served.web.listen(None)?;
    let ready = stream.next_event()?.context("ended")?;
    assert_eq!(ready.name, "ready");
    served.bare.post("/ingest", STARTED)?;
    let appeared = stream.next_of("mascot://agent-appeared")?;
    assert_eq!(appeared.data["agent_id"], "my-project/worker-01");
    let stored = stream.next_of("event")?;
    assert_eq!(
        (&stored.data["seq"], &stored.data["event_type"]),
        (&json!(1), &json!("agent_started"))
    );
    let tool = json!({"hook_type": "PreToolUse", "session_id": "s1", "agent_name": "worker-01", "team_name": "my-project", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    served.bare.post("/ingest", tool.to_string())?;
    while stream.next_of("mascot://agent-update")?.data["status"] != "working" {}
    Ok(())
}

#[test]
fn a_listener_that_comes_back_misses_nothing() -> Result<()> {
    let mut served = Served::start(&[])?;
    served.bare.post("/ingest", STARTED)?;
    let begin = served.web.json("/api/overview")?["stream"]
        .as_str()
        .context("no id")?
        .to_owned();
    served
        .bare
        .post("/ingest", STARTED.replace("worker-01", "worker-02"))?;
    let mut stream = served.web.listen(Some(&begin))?;
    let missed = stream.next_of("mascot://agent-appeared")?;
    assert_eq!(missed.data["agent_id"], "my-project/worker-02");
    let event = stream.next_of("event")?;
    assert_eq!(event.data["seq"], 2);
    drop(stream);
    // The next daemon knows the id as well: events come from the store, agents as they are now.
    served
        .bare
        .post("/ingest", STARTED.replace("worker-01", "worker-03"))?;
    bellwether_tests::process::kill(served.daemon.pid()?);
    served.place.wait_for("its end", || served.daemon.ended())?;
    let (_daemon, port) = served.place.start_serving(&[])?;
    let web = Web::of(&served.place, port)?;
    served.place.wait_for(
        "the journal to be stored",
        || Ok(served.place.count()? == 3),
    )?;
    let mut stream = web.listen(Some(&event.id))?;
    let mut seen = Vec::new();
    loop {
        let told = stream.next_event()?.context("ended")?;
        match told.name.as_str() {
            "ready" => break,
            "mascot://agent-update" => seen.push(
                told.data["agent_id"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
            ),
            "event" => seen.push(told.data["seq"].to_string()),
            // What is announced has no place in the order.
            "announcement" => {}
            other => panic!("{other}: {told:?}"),
        }
    }
    assert!(
        seen.contains(&"my-project/worker-03".to_owned()) && seen.contains(&"3".to_owned()),
        "{seen:?}"
    );
    assert!(!seen.contains(&"2".to_owned()), "{seen:?}");
    assert_eq!(
        web.ask("GET", "/events/stream")
            .header("last-event-id", "rubbish")
            .send()?
            .status,
        400
    );
    Ok(())
}

#[test]
fn who_asks_for_some_of_it_hears_nothing_else_and_comes_back_to_where_it_was() -> Result<()> {
    let served = Served::start(&[])?;
    let mut stream = served.web.listen_only("agents,settings", None)?;
    assert_eq!(stream.next_event()?.context("ended")?.name, "ready");
    served.bare.post("/ingest", STARTED)?;
    let appeared = stream.next_event()?.context("ended")?;
    assert_eq!(appeared.name, "mascot://agent-appeared");
    let tool = json!({"hook_type": "PreToolUse", "session_id": "s1", "agent_name": "worker-01", "team_name": "my-project", "tool_name": "WebFetch", "tool_input": {"url": "http://localhost/"}});
    served.bare.post("/ingest", tool.to_string())?;
    let mut last = appeared.clone();
    while last.data["pose"] != "searching" {
        last = stream.next_event()?.context("ended")?;
        assert_eq!(last.name, "mascot://agent-update", "{last:?}");
    }
    drop(stream);
    // Stored events are passed over, so the place in the store has moved as well.
    served
        .bare
        .post("/ingest", STARTED.replace("worker-01", "worker-02"))?;
    let mut stream = served.web.listen_only("agents,settings", Some(&last.id))?;
    let missed = stream.next_event()?.context("ended")?;
    assert_eq!(missed.data["agent_id"], "my-project/worker-02");
    assert!(missed.id.starts_with("3-"), "{missed:?}");
    let ready = stream.next_event()?.context("ended")?;
    assert_eq!((ready.name.as_str(), ready.id), ("ready", missed.id));
    for wrong in ["agent", "agents,", ""] {
        let answer = served.web.get(&format!("/events/stream?only={wrong}"))?;
        assert_eq!(answer.status, 400, "{wrong}: {answer:?}");
    }
    Ok(())
}

#[test]
fn a_gap_that_is_too_large_is_said() -> Result<()> {
    let served = Served::start(&[])?;
    let begin = served.web.json("/api/overview")?["stream"]
        .as_str()
        .context("no id")?
        .to_owned();
    let calls: Vec<Value> = (0..600)
        .map(|number| serde_json::from_slice(&fixture::tool_call(&number.to_string(), 10)))
        .collect::<Result<_, _>>()?;
    served.bare.post("/ingest", json!(calls).to_string())?;
    let mut stream = served.web.listen(Some(&begin))?;
    let gap = stream.next_of("gap")?;
    assert_eq!(gap.data["after"], begin.as_str());
    assert!(gap.id.starts_with("600-"), "{gap:?}");
    Ok(())
}

#[test]
fn the_stream_ends_properly_with_the_daemon_and_keeps_it_from_leaving() -> Result<()> {
    let mut served = Served::start(&["--idle-exit", "0.5"])?;
    let mut stream = served.web.listen(None)?;
    stream.next_of("ready")?;
    // Nothing happens for three times as long as a daemon stays without work.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(!served.daemon.ended()?);
    assert!(
        served
            .place
            .at_terminal(["daemon", "stop"])
            .output()?
            .status
            .success()
    );
    while let Some(event) = stream.next_event()? {
        anyhow::ensure!(event.name != "gap", "{event:?}");
    }
    served.place.wait_for("its end", || served.daemon.ended())?;
    let mut again = Served::start(&["--idle-exit", "0.5"])?;
    let mut stream = again.web.listen(None)?;
    stream.next_of("ready")?;
    drop(stream);
    again
        .place
        .wait_for("the daemon to leave", || again.daemon.ended())
}

/// One that takes nothing is neither waited for nor fed for ever.
#[test]
fn a_listener_that_takes_nothing_holds_nothing_up() -> Result<()> {
    let served = Served::start(&[])?;
    let mut lazy = TcpStream::connect(("127.0.0.1", served.web.port()))?;
    let token = bellwether_tests::key::token(served.place.home())?;
    write!(
        lazy,
        "GET /events/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n"
    )?;
    let mut quick = served.web.listen(None)?;
    quick.next_of("ready")?;
    for round in 0..40 {
        let calls: Vec<Value> = (0..100)
            .map(|number| {
                serde_json::from_slice(&fixture::tool_call(&format!("{round}-{number}"), 2000))
            })
            .collect::<Result<_, _>>()?;
        assert_eq!(
            served
                .bare
                .post("/ingest", json!(calls).to_string())?
                .status,
            200
        );
    }
    served.bare.post("/ingest", STARTED)?;
    loop {
        let appeared = quick.next_of("mascot://agent-appeared")?;
        if appeared.data["agent_id"] == "my-project/worker-01" {
            break;
        }
    }
    let memory = bellwether_tests::process::resident_kb(served.daemon.pid()?)?;
    assert!(memory < 80_000, "{memory} kB");
    Ok(())
}
