//! The forwarder of seed 004: its examples, and its table of errors line by line.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Output;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bellwether_tests::installation::free_port;
use bellwether_tests::run::fed;
use bellwether_tests::{Installation, Web};
use serde_json::Value;

const EVENT: &str = r#"{"hook_type":"SubagentStart","session_id":"test","agent_name":"test-agent","team_name":"test-project","_meta":{"workspace_id":"test-project"}}"#;

/// Runs the forwarder with these variables.
fn forward(place: &Installation, event: &str, variables: &[(&str, &str)]) -> Result<Output> {
    let mut command = place.cli(["forward"]);
    command.envs(variables.iter().copied());
    fed(command, event)
}

/// What it said, which must be on stderr, with exit code 1.
fn told(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn is_good(output: &Output) {
    assert!(
        output.status.success() && output.stderr.is_empty() && output.stdout.is_empty(),
        "{output:?}"
    );
}

/// Lets the installation's daemon serve on a port of its own.
fn configured(place: &Installation) -> Result<u16> {
    let port = free_port()?;
    place.configure(&format!("daemon:\n  port: {port}\n"))?;
    Ok(port)
}

fn agents(place: &Installation, port: u16) -> Result<Vec<String>> {
    let agents = Web::of(place, port)?.json("/api/agents")?;
    let agents = agents["agents"].as_array().context("no agents")?;
    Ok(agents
        .iter()
        .filter_map(|agent| Some(agent["agent_id"].as_str()?.to_owned()))
        .collect())
}

#[test]
fn an_event_is_sent_to_a_daemon_that_runs() -> Result<()> {
    let place = Installation::fresh()?;
    let (_daemon, port) = place.start_serving(&[])?;
    for name in ["BELLWETHER_COLLECTOR_URL", "MASCOT_COLLECTOR_URL"] {
        is_good(&forward(
            &place,
            EVENT,
            &[(name, &format!("http://127.0.0.1:{port}"))],
        )?);
    }
    assert_eq!(agents(&place, port)?, ["test-project/test-agent"]);
    let stored = Web::of(&place, port)?.json("/api/events/1")?;
    assert_eq!(stored["event"]["workspace_id"], "test-project");
    Ok(())
}

#[test]
fn without_a_daemon_ours_is_started() -> Result<()> {
    let place = Installation::fresh()?;
    let port = configured(&place)?;
    is_good(&forward(&place, EVENT, &[])?);
    assert_eq!(agents(&place, port)?, ["test-project/test-agent"]);
    assert_eq!(place.daemons()?.len(), 1);
    is_good(&forward(
        &place,
        &EVENT.replace("test-agent", "second"),
        &[],
    )?);
    assert_eq!(agents(&place, port)?.len(), 2);
    assert_eq!(place.daemons()?.len(), 1);
    Ok(())
}

/// A program that starts this installation's daemon, as somebody else's app would be.
fn app(place: &Installation, port: u16) -> Result<PathBuf> {
    let path = place.root().join("app");
    let (program, root) = (place.programs().main(), place.root());
    let script = format!(
        "#!/bin/sh\n[ $# = 0 ] || exit 9\nexec '{}' daemon run --port {port} --home '{}'\n",
        program.display(),
        root.display()
    );
    std::fs::write(&path, script)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
    Ok(path)
}

#[test]
fn without_a_daemon_the_named_program_is_started() -> Result<()> {
    for name in ["BELLWETHER_APP_PATH", "MASCOT_APP_PATH"] {
        let place = Installation::fresh()?;
        let port = free_port()?;
        let (app, url) = (app(&place, port)?, format!("http://127.0.0.1:{port}"));
        let variables = [
            (name, app.to_str().context("path")?),
            ("MASCOT_COLLECTOR_URL", url.as_str()),
        ];
        is_good(&forward(&place, EVENT, &variables)?);
        assert_eq!(agents(&place, port)?, ["test-project/test-agent"]);
    }
    Ok(())
}

#[test]
fn stdin_that_is_empty_closed_or_no_json_is_an_error() -> Result<()> {
    let place = Installation::fresh()?;
    assert!(told(&forward(&place, "", &[])?).starts_with("[mascot-hook] nothing came on stdin"));
    let closed = place
        .cli(["forward"])
        .stdin(std::fs::File::open("/")?)
        .output()?;
    assert!(told(&closed).starts_with("[mascot-hook] "));
    for event in ["{", "nope", "[1]", "7"] {
        let said = told(&forward(&place, event, &[])?);
        assert!(
            said.starts_with("[mascot-hook] ") && said.contains("no JSON object"),
            "{event}: {said}"
        );
    }
    assert!(place.daemons()?.is_empty(), "nothing was started for it");
    Ok(())
}

#[test]
fn a_program_that_is_not_there_is_an_error() -> Result<()> {
    let place = Installation::fresh()?;
    let url = format!("http://127.0.0.1:{}", free_port()?);
    for (path, said) in [
        ("/no/such/app", "is no program"),
        ("F:/git/app.exe", "/mnt/f/git/app.exe"),
    ] {
        let output = forward(
            &place,
            EVENT,
            &[("MASCOT_APP_PATH", path), ("MASCOT_COLLECTOR_URL", &url)],
        )?;
        let stderr = told(&output);
        assert!(
            stderr.starts_with("[mascot-hook] app not found, cannot auto-launch"),
            "{stderr}"
        );
        assert!(
            stderr.contains(said) && stderr.contains("[mascot-hook] ingest failed: "),
            "{stderr}"
        );
    }
    Ok(())
}

#[test]
fn a_program_that_does_not_come_up_is_waited_for_five_seconds() -> Result<()> {
    let place = Installation::fresh()?;
    let url = format!("http://127.0.0.1:{}", free_port()?);
    let begun = Instant::now();
    let output = forward(
        &place,
        EVENT,
        &[
            ("MASCOT_APP_PATH", "/bin/true"),
            ("MASCOT_COLLECTOR_URL", &url),
        ],
    )?;
    let took = begun.elapsed();
    assert!(
        told(&output).contains("[mascot-hook] app launch timeout\n"),
        "{output:?}"
    );
    assert!((5..9).contains(&took.as_secs()), "{took:?}");
    Ok(())
}

/// Answers every request in the same way; reads its whole head first.
fn answering(answer: &'static [u8], wait: Duration) -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            std::thread::spawn(move || {
                let mut head = [0; 4096];
                let length = stream.read(&mut head).unwrap_or(0);
                if head[..length].starts_with(b"GET") {
                    return stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
                }
                std::thread::sleep(wait);
                stream.write_all(answer)
            });
        }
    });
    Ok(port)
}

#[test]
fn a_collector_that_refuses_is_told_with_its_status() -> Result<()> {
    let place = Installation::fresh()?;
    let port = answering(
        b"HTTP/1.1 500 Oh\r\ncontent-length: 4\r\n\r\nboom",
        Duration::ZERO,
    )?;
    let output = forward(
        &place,
        EVENT,
        &[("MASCOT_COLLECTOR_URL", &format!("http://localhost:{port}"))],
    )?;
    assert_eq!(
        told(&output),
        "[mascot-hook] ingest failed: 500\n[mascot-hook] boom\n"
    );
    let (_daemon, port) = place.start_serving(&[])?;
    let wrong = r#"{"hook_event_name":"PreToolUse","session_id":"s"}"#;
    let output = forward(
        &place,
        wrong,
        &[("MASCOT_COLLECTOR_URL", &format!("http://127.0.0.1:{port}/"))],
    )?;
    let said = told(&output);
    assert!(
        said.starts_with("[mascot-hook] ingest failed: 400\n") && said.contains("tool_name"),
        "{said}"
    );
    Ok(())
}

#[test]
fn a_collector_that_does_not_answer_is_waited_for_five_seconds() -> Result<()> {
    let place = Installation::fresh()?;
    let port = answering(b"", Duration::from_secs(30))?;
    let begun = Instant::now();
    let output = forward(
        &place,
        EVENT,
        &[("MASCOT_COLLECTOR_URL", &format!("http://127.0.0.1:{port}"))],
    )?;
    assert_eq!(
        told(&output),
        "[mascot-hook] ingest failed: no answer within 5 s\n"
    );
    assert!((5..9).contains(&begun.elapsed().as_secs()));
    Ok(())
}

#[test]
fn an_address_that_is_none_is_an_error() -> Result<()> {
    let place = Installation::fresh()?;
    for url in ["https://x", "nowhere", "http://"] {
        let said = told(&forward(
            &place,
            EVENT,
            &[("BELLWETHER_COLLECTOR_URL", url)],
        )?);
        assert!(
            said.starts_with("[mascot-hook] the collector's address"),
            "{said}"
        );
    }
    Ok(())
}

/// What the collector gets is the event as it came, with where it came from.
#[test]
fn what_is_sent_carries_its_meta() -> Result<()> {
    let place = Installation::fresh()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let seen = std::thread::spawn(move || -> Result<String> {
        let (mut health, _) = listener.accept()?;
        health.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")?;
        let (mut event, _) = listener.accept()?;
        let mut text = String::new();
        while !text.ends_with('}') {
            let mut piece = [0; 4096];
            let length = event.read(&mut piece)?;
            text.push_str(std::str::from_utf8(&piece[..length])?);
        }
        event.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")?;
        Ok(text)
    });
    let variables = [
        ("MASCOT_COLLECTOR_URL", format!("http://127.0.0.1:{port}")),
        ("TERM_SESSION_ID", "term_7".to_owned()),
    ];
    let variables = variables
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    is_good(&forward(
        &place,
        r#"{"hook_event_name":"Stop","session_id":"s"}"#,
        &variables,
    )?);
    let seen = seen
        .join()
        .map_err(|_| anyhow::anyhow!("the collector failed"))??;
    let (head, body) = seen.split_once("\r\n\r\n").context("no body")?;
    assert!(
        head.starts_with("POST /ingest HTTP/1.1\r\n")
            && head.contains("content-type: application/json"),
        "{head}"
    );
    assert!(
        !head.contains("authorization"),
        "no token for strangers: {head}"
    );
    let event: Value = serde_json::from_str(body)?;
    assert_eq!(event["hook_event_name"], "Stop");
    assert_eq!(event["_meta"]["workspace_id"], "proj");
    assert_eq!(event["_meta"]["terminal_session_id"], "term_7");
    assert_eq!(event["_meta"]["forwarder_version"], "2.0.0");
    Ok(())
}

#[test]
fn a_run_without_a_person_is_silent_when_it_is_forwarded() -> Result<()> {
    let place = Installation::fresh()?;
    let (_daemon, port) = place.start_serving(&[])?;
    let collector = format!("http://127.0.0.1:{port}");
    let stop = |session: &str| {
        format!(
            r#"{{"hook_event_name":"Stop","session_id":"{session}","last_assistant_message":"Fixed the gate."}}"#
        )
    };
    let to = ("BELLWETHER_COLLECTOR_URL", collector.as_str());
    let headless = [to, ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")];
    is_good(&forward(&place, &stop("headless"), &headless)?);
    let there = [to, ("CLAUDE_CODE_ENTRYPOINT", "cli")];
    is_good(&forward(&place, &stop("there"), &there)?);
    let mut decided = String::new();
    place.wait_for("both decisions", || {
        decided = place.printed(&["announce", "--all", "--json"])?;
        Ok(decided.lines().count() >= 2)
    })?;
    for line in decided.lines() {
        let decided: Value = serde_json::from_str(line)?;
        let is_silent = decided["outcome"]["silent"] == "unattended";
        assert_eq!(is_silent, decided["session"] == "headless", "{line}");
    }
    Ok(())
}
