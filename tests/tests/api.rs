//! HTTP: who may ask, what is refused and how, and what is served.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Output};

use anyhow::{Context as _, Result};
use bellwether_tests::installation::Daemon;
use bellwether_tests::{Installation, Programs, Web, fixture};
use serde_json::{Value, json};

/// An installation whose daemon serves.
struct Served {
    place: Installation,
    daemon: Daemon,
    /// For whoever has the token.
    web: Web,
    /// For whoever has not.
    bare: Web,
}

fn served() -> Result<Served> {
    served_with(&[])
}

fn served_with(options: &[&str]) -> Result<Served> {
    let place = Installation::new(&Programs::built()?)?;
    let (daemon, port) = place.start_serving(options)?;
    Ok(Served {
        web: Web::of(&place, port)?,
        bare: Web::on(port),
        place,
        daemon,
    })
}

const STARTED: &str = r#"{"hook_type":"SubagentStart","session_id":"s1","agent_name":"worker-01","team_name":"my-project","_meta":{"workspace_id":"my-project","terminal_session_id":"t1","collected_at":"2026-02-20T15:00:00Z"}}"#;

fn shell(line: &str) -> Result<Output> {
    Ok(Command::new("sh").args(["-c", line]).output()?)
}

/// The examples of the collector's document, word by word but for the port.
#[test]
fn the_examples_with_curl_work() -> Result<()> {
    let served = served()?;
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
    let served = served()?;
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
    let served = served()?;
    let calls: Vec<Value> = (0..50)
        .map(|number| serde_json::from_slice(&fixture::tool_call(&number.to_string(), 100)))
        .collect::<Result<_, _>>()?;
    let answer = served.bare.post("/ingest", json!(calls).to_string())?;
    assert_eq!(
        (answer.status, answer.json()?),
        (200, json!({"accepted": 50}))
    );
    assert_eq!(served.place.count()?, 50);
    let mixed = json!([calls[0], {"session_id": "s"}, serde_json::from_str::<Value>(STARTED)?]);
    let answer = served.bare.post("/ingest", mixed.to_string())?;
    let told = answer.json()?;
    assert_eq!(
        (
            answer.status,
            &told["accepted"],
            &told["rejected"][0]["index"]
        ),
        (400, &json!(2), &json!(1))
    );
    assert_eq!(
        served.place.count()?,
        52,
        "the first had come before; the second is kept as an error"
    );
    Ok(())
}

#[test]
fn other_names_and_other_sites_get_nothing() -> Result<()> {
    let served = served()?;
    let port = served.web.port();
    let status = |ask: bellwether_tests::web::Ask| -> Result<u16> { Ok(ask.send()?.status) };
    for path in ["/health", "/api/overview", "/open?code=x", "/nothing"] {
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1:4820",
            "",
        ] {
            assert_eq!(
                status(served.web.ask("GET", path).header("host", host))?,
                421,
                "{path} {host}"
            );
        }
        assert_eq!(
            status(served.web.ask("GET", path).without("host"))?,
            421,
            "{path}"
        );
    }
    let localhost = served
        .web
        .ask("GET", "/health")
        .header("host", &format!("localhost:{port}"));
    assert_eq!(status(localhost)?, 200);
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
    ] {
        let post = |path| {
            served
                .web
                .ask("POST", path)
                .json(STARTED)
                .header(name, value)
        };
        assert_eq!(status(post("/ingest"))?, 403, "{value}");
        assert_eq!(status(post("/hook"))?, 403, "{value}");
        assert_eq!(
            status(served.web.ask("GET", "/api/agents").header(name, value))?,
            403,
            "{value}"
        );
        assert_eq!(
            status(served.web.ask("GET", "/events/stream").header(name, value))?,
            403,
            "{value}"
        );
    }
    let preflight = served
        .web
        .ask("OPTIONS", "/ingest")
        .header("origin", "https://evil.example")
        .send()?;
    assert!(
        preflight.status == 405 && !preflight.head.contains("access-control"),
        "{preflight:?}"
    );
    assert_eq!(served.place.count()?, 0);
    Ok(())
}

#[test]
fn without_the_token_there_is_nothing_to_see() -> Result<()> {
    let served = served()?;
    let document = served.web.json("/api/openapi.json")?;
    let paths = document["paths"].as_object().context("no paths")?;
    assert!(paths.len() > 12, "{}", paths.len());
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().context("no methods")? {
            let needs = operation["security"]
                .as_array()
                .is_some_and(|all| !all.is_empty());
            assert_eq!(
                needs,
                path.starts_with("/api/") || path == "/events/stream",
                "{path}"
            );
            if !needs {
                continue;
            }
            let path = path.replace("{id}", "x").replace("{seq}", "1");
            let method = method.to_uppercase();
            let answer = served.bare.ask(&method, &path).send()?;
            assert_eq!(answer.status, 401, "{method} {path}");
            assert!(answer.header("www-authenticate").is_some());
            let wrong = served
                .bare
                .ask(&method, &path)
                .header("authorization", "Bearer 00");
            assert_eq!(wrong.send()?.status, 401, "{method} {path}");
        }
    }
    Ok(())
}

/// The tests may run as root; then another user is tried.
#[test]
fn another_user_gets_nothing() -> Result<()> {
    if !rustix::process::getuid().is_root() {
        eprintln!("only root can become another user: not tried");
        return Ok(());
    }
    let served = served()?;
    let port = served.web.port();
    let token = std::fs::read_to_string(served.place.home().token())?;
    let as_nobody = |line: &str| -> Result<String> {
        let output = Command::new("setpriv")
            .args([
                "--reuid",
                "65534",
                "--regid",
                "65534",
                "--clear-groups",
                "sh",
                "-c",
                line,
            ])
            .output()?;
        Ok(String::from_utf8(output.stdout)?)
    };
    let curl = "curl -s -w ' %{http_code}'";
    let told = as_nobody(&format!("{curl} http://127.0.0.1:{port}/health"))?;
    assert!(
        told.contains("user 65534 asks") && told.ends_with(" 403"),
        "{told}"
    );
    let post = format!(
        "{curl} -H 'Content-Type: application/json' -H 'Authorization: Bearer {token}' -d '{STARTED}'"
    );
    for path in ["ingest", "hook"] {
        let told = as_nobody(&format!("{post} http://127.0.0.1:{port}/{path}"))?;
        assert!(told.ends_with(" 403"), "{told}");
    }
    // One who sends and goes at once leaves a socket that belongs to nobody, which the system shows as root's.
    let hasty = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{port}; printf 'POST /ingest HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nContent-Type: application/json\\r\\nContent-Length: {}\\r\\n\\r\\n%s' '{STARTED}' >&3; exec 3<&-; exec 3>&-",
        STARTED.len()
    );
    for _ in 0..50 {
        as_nobody(&format!("exec bash -c \"$(cat <<'X'\n{hasty}\nX\n)\""))?;
    }
    // A code that was seen in the list of processes is of no use to them.
    let opened = String::from_utf8(served.place.cli(["open", "--print"]).output()?.stdout)?;
    let told = as_nobody(&format!("{curl} '{}'", opened.trim()))?;
    assert!(told.ends_with(" 403"), "{told}");
    assert_eq!(served.place.count()?, 0);
    Ok(())
}

#[test]
fn a_page_is_opened_once_and_then_by_its_cookie() -> Result<()> {
    let served = served()?;
    let printed = served.place.cli(["open", "--print"]).output()?;
    let address = String::from_utf8(printed.stdout)?;
    let path = address
        .trim()
        .strip_prefix(&format!("http://127.0.0.1:{}", served.web.port()));
    let path = path.context("another address")?;
    let opened = served.bare.get(path)?;
    assert_eq!(opened.status, 200);
    let cookie = opened.header("set-cookie").context("no cookie")?.to_owned();
    assert!(
        cookie.contains("; httponly")
            && cookie.contains("; samesite=strict")
            && cookie.contains("; path=/"),
        "{cookie}"
    );
    assert_eq!(served.bare.get(path)?.status, 401, "it works once");
    let cookie = cookie.split(';').next().unwrap_or_default();
    let token = std::fs::read_to_string(served.place.home().token())?;
    assert!(!cookie.contains(&token));
    let by_cookie = |method, path| served.bare.ask(method, path).header("cookie", cookie);
    assert_eq!(by_cookie("GET", "/api/overview").send()?.status, 200);
    let mute = by_cookie("PUT", "/api/mutes").json("{}");
    assert_eq!(mute.send()?.status, 403, "a write says its origin");
    let ours = format!("http://127.0.0.1:{}", served.web.port());
    assert_eq!(mute.clone().header("origin", &ours).send()?.status, 200);
    assert_eq!(
        mute.header("origin", "http://127.0.0.1:1").send()?.status,
        403
    );
    Ok(())
}

#[test]
fn an_agent_is_not_given_the_page() -> Result<()> {
    let served = served()?;
    let output = served
        .place
        .cli(["open", "--print"])
        .env("CLAUDECODE", "1")
        .output()?;
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && String::from_utf8(output.stderr)?.contains("for a person"));
    Ok(())
}

#[test]
fn what_a_browser_shows_is_guarded() -> Result<()> {
    let served = served()?;
    for path in ["/", "/api/overview", "/open"] {
        let answer = served.web.get(path)?;
        let policy = answer
            .header("content-security-policy")
            .context("no policy")?;
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
    let root = served.web.get("/")?;
    assert_eq!(root.status, 404);
    assert!(root.json()?["error"].is_string());
    Ok(())
}

#[test]
fn methods_kinds_and_lengths_are_checked() -> Result<()> {
    let served = served()?;
    let answer = served.bare.get("/ingest")?;
    assert_eq!((answer.status, answer.header("allow")), (405, Some("post")));
    let answer = served.web.ask("PATCH", "/api/mutes").send()?;
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("get, put, delete"))
    );
    let form = served
        .bare
        .ask("POST", "/ingest")
        .json(STARTED)
        .header("content-type", "application/x-www-form-urlencoded");
    let answer = form.send()?;
    assert_eq!(
        (answer.status, &answer.json()?["field"]),
        (415, &json!("Content-Type"))
    );
    assert_eq!(form.without("content-type").send()?.status, 415);
    let long = vec![b' '; 17 * 1024 * 1024];
    assert_eq!(served.bare.post("/ingest", &long)?.status, 413);
    assert_eq!(
        served
            .web
            .ask("PUT", "/api/mutes")
            .json(vec![b' '; 2 << 20])
            .send()?
            .status,
        413
    );
    assert_eq!(
        served
            .web
            .ask("GET", "/api/agents")
            .json("{}")
            .send()?
            .status,
        400,
        "it takes no body"
    );
    let head = served
        .bare
        .ask("GET", "/health")
        .header("x-long", &"x".repeat(64 * 1024))
        .send()?;
    assert_eq!(head.status, 431);
    for (path, field) in [
        ("/api/events?limit=0", "limit"),
        ("/api/events?colour=red", "colour"),
        ("/api/events?type=x", "type"),
        ("/api/events?limit=1&limit=2", "limit"),
        ("/api/events?search=%ff", "search"),
    ] {
        let answer = served.web.get(path)?;
        assert_eq!(
            (answer.status, answer.json()?["field"].as_str()),
            (400, Some(field)),
            "{path}"
        );
    }
    assert_eq!(served.web.get("/api/agents/nobody")?.status, 404);
    assert_eq!(served.web.get("/api/events/99")?.status, 404);
    Ok(())
}

/// A body that comes in pieces and says no length is measured as it comes.
#[test]
fn a_body_without_a_length_is_bounded_too() -> Result<()> {
    let served = served()?;
    let mut stream = TcpStream::connect(("127.0.0.1", served.web.port()))?;
    stream.write_all(b"POST /ingest HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")?;
    let piece = vec![b' '; 1 << 20];
    for _ in 0..32 {
        let sent = write!(stream, "{:x}\r\n", piece.len())
            .and_then(|()| stream.write_all(&piece))
            .and_then(|()| stream.write_all(b"\r\n"));
        if sent.is_err() {
            break;
        }
    }
    let mut answer = [0; 12];
    stream.read_exact(&mut answer)?;
    assert_eq!(&answer, b"HTTP/1.1 413");
    Ok(())
}

#[test]
fn too_many_connections_are_told_so_and_the_daemon_goes_on() -> Result<()> {
    let served = served()?;
    let open: Vec<TcpStream> = (0..256)
        .map(|_| TcpStream::connect(("127.0.0.1", served.web.port())))
        .collect::<Result<_, _>>()?;
    served.place.wait_for(
        "a refusal",
        || Ok(served.bare.get("/health")?.status == 503),
    )?;
    drop(open);
    served
        .place
        .wait_for("a place", || Ok(served.bare.get("/health")?.status == 200))
}

#[test]
fn a_session_can_be_followed_through_the_api() -> Result<()> {
    let served = served()?;
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
        tree["sessions"][0]["session"]["session_id"], session,
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
fn mutes_settings_status_and_announcements_are_there() -> Result<()> {
    let served = served()?;
    let web = &served.web;
    let muted = web
        .ask("PUT", "/api/mutes")
        .json(r#"{"seconds":60,"project":"/p/shop"}"#)
        .send()?;
    assert_eq!(muted.json()?["mutes"][0]["project"], "/p/shop");
    assert_eq!(
        web.ask("PUT", "/api/mutes")
            .json(r#"{"seconds":0}"#)
            .send()?
            .json()?["field"],
        "seconds"
    );
    assert_eq!(
        web.ask("PUT", "/api/mutes")
            .json(r#"{"minutes":1}"#)
            .send()?
            .status,
        400
    );
    assert_eq!(web.json("/api/overview")?["mutes"][0]["project"], "/p/shop");
    let lifted = web.ask("DELETE", "/api/mutes?project=%2Fp%2Fshop").send()?;
    assert_eq!(lifted.json()?, json!({"mutes": []}));
    let settings = web.json("/api/settings")?;
    assert_eq!(
        settings["settings"]["daemon"]["idle_exit"], 3600,
        "{settings}"
    );
    assert_eq!(web.json("/api/status")?["port"], web.port());
    let stop = json!({"hook_event_name": "StopFailure", "session_id": "s", "cwd": "/p", "error": "overloaded"});
    served.bare.post("/ingest", stop.to_string())?;
    served.place.wait_for("the announcer", || {
        Ok(web.json("/api/announcements")?["announcements"]
            .as_array()
            .is_some_and(|all| !all.is_empty()))
    })
}

#[test]
fn what_the_guard_stopped_is_listed_and_holds() -> Result<()> {
    let served = served()?;
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

#[test]
fn an_event_by_http_hook_is_as_one_by_the_program() -> Result<()> {
    let served = served()?;
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
fn the_stream_tells_who_comes_works_and_goes() -> Result<()> {
    let served = served()?;
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
    let mut served = served()?;
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
fn a_gap_that_is_too_large_is_said() -> Result<()> {
    let served = served()?;
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
    let mut served = served_with(&["--idle-exit", "0.5"])?;
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
    assert!(served.daemon.ended()?);
    let mut again = served_with(&["--idle-exit", "0.5"])?;
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
    let served = served()?;
    let mut lazy = TcpStream::connect(("127.0.0.1", served.web.port()))?;
    let token = std::fs::read_to_string(served.place.home().token())?;
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
