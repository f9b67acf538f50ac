//! Bad input and bad disks: the hook exits 0, says nothing that the client could misread, tells the person once, and
//! what was stored stays readable.

use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_spine::Home as Files;
use bellwether_spine::trouble::Troubles;
use bellwether_tests::{Installation, Programs, fixture, namespace};
use serde_json::{Value, json};

/// Ten times what the slowest of these may take.
const GUARD: Duration = Duration::from_secs(30);

fn installation() -> Result<Installation> {
    Installation::new(&Programs::built()?)
}

/// Gives a hook its input and waits for it to end. The stream stays open unless it is to be closed.
fn feed(mut hook: Command, input: &[u8], close: bool) -> Result<(Output, Duration)> {
    let (mut ours, theirs) = UnixStream::pair()?;
    ours.set_write_timeout(Some(GUARD))?;
    hook.stdin(Stdio::from(OwnedFd::from(theirs)));
    let begun = Instant::now();
    let child = hook.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    drop(hook);
    // A hook that has heard enough goes before all is written.
    let _ = ours.write_all(input);
    let open = (!close).then_some(ours);
    let output = child.wait_with_output()?;
    drop(open);
    Ok((output, begun.elapsed()))
}

fn quiet(output: &Output) {
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

fn start_of(session: &str) -> Vec<u8> {
    json!({"session_id": session, "hook_event_name": "SessionStart", "source": "startup", "cwd": "/"}).to_string().into()
}

fn prompt_of(session: &str) -> Vec<u8> {
    json!({"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": "hello"})
        .to_string()
        .into()
}

/// What the person is told by a reply, if anything.
fn told(output: &Output) -> Option<String> {
    assert_eq!(output.status.code(), Some(0));
    let reply: Value = serde_json::from_slice(&output.stdout).ok()?;
    Some(reply["systemMessage"].as_str()?.to_owned())
}

/// The names and payloads of what is stored.
fn stored(place: &Installation) -> Result<Vec<Value>> {
    let output = place.cli(["events", "--json", "--limit", "0"]).output()?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8(output.stdout)?;
    Ok(lines
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?)
}

#[test]
fn nothing_on_stdin_is_no_event() -> Result<()> {
    let place = installation()?;
    for input in ["", "\n \n"] {
        quiet(&feed(place.hook(), input.as_bytes(), true)?.0);
    }
    let (output, took) = feed(place.hook(), b"", false)?;
    quiet(&output);
    assert!(
        took >= Duration::from_secs(2),
        "silence is awaited for two seconds"
    );
    assert!(Troubles(place.home()).recent().is_empty());
    assert!(stored(&place)?.is_empty());
    Ok(())
}

#[test]
fn what_is_no_event_is_kept_and_told_once() -> Result<()> {
    let place = installation()?;
    let half = br#"{"hook_event_name":"PreToolUse","tool_input":{"command":"ec"#;
    quiet(&feed(place.hook(), half, true)?.0);
    quiet(&feed(place.hook(), b"{'single': 1}", false)?.0);
    quiet(&feed(place.hook(), b"[1, 2]", false)?.0);
    let stored = stored(&place)?;
    let kept: Vec<&str> = stored
        .iter()
        .map(|event| event["payload"].as_str().unwrap())
        .collect();
    assert_eq!(kept, [str::from_utf8(half)?, "{'single': 1}", "[1, 2]"]);
    assert!(
        stored[0]["meta"]["unreadable"]
            .as_str()
            .unwrap()
            .contains("ended after 59 bytes"),
        "{}",
        stored[0]
    );

    let message =
        told(&feed(place.hook(), &start_of("a"), false)?.0).context("nothing was told")?;
    assert!(message.starts_with("bellwether: the event"), "{message}");
    quiet(&feed(place.hook(), &prompt_of("a"), false)?.0);
    assert!(told(&feed(place.hook(), &prompt_of("b"), false)?.0).is_some());
    let status = place.cli(["status"]).output()?;
    assert!(String::from_utf8(status.stdout)?.contains("trouble  "));
    Ok(())
}

#[test]
fn half_an_event_and_then_silence() -> Result<()> {
    let place = installation()?;
    let (output, took) = feed(place.hook(), br#"{"hook_event_name":"#, false)?;
    quiet(&output);
    assert!(took < GUARD);
    assert_eq!(stored(&place)?.len(), 1);
    Ok(())
}

#[test]
fn bytes_that_are_no_text_are_replaced() -> Result<()> {
    let place = installation()?;
    let input =
        b"{\"hook_event_name\":\"Notification\",\"session_id\":\"s\",\"message\":\"a\xff\xfeb\"}";
    quiet(&feed(place.hook(), input, false)?.0);
    let stored = stored(&place)?;
    assert_eq!(stored[0]["payload"]["message"], "a\u{fffd}\u{fffd}b");
    Ok(())
}

#[test]
fn a_huge_event_is_kept_without_its_huge_string() -> Result<()> {
    let place = installation()?;
    let content = "x".repeat(64 * 1024 * 1024 - 4096);
    let event = json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Write",
        "tool_input": {"file_path": "/f", "content": content}, "tool_use_id": "t"});
    let (output, took) = feed(place.hook(), event.to_string().as_bytes(), false)?;
    quiet(&output);
    assert!(took < GUARD, "{took:?}");
    let stored = stored(&place)?;
    let kept = stored[0]["payload"]["tool_input"]["content"]
        .as_str()
        .unwrap();
    assert!(
        kept.starts_with(&format!("[bellwether: {} bytes, sha256 ", content.len())),
        "{kept}"
    );
    assert_eq!(stored[0]["payload"]["tool_use_id"], "t");
    Ok(())
}

#[test]
fn more_than_the_most_is_cut_and_told() -> Result<()> {
    let place = installation()?;
    let mut event = br#"{"hook_event_name":"PreToolUse","x":""#.to_vec();
    event.resize(65 * 1024 * 1024, b'x');
    quiet(&feed(place.hook(), &event, false)?.0);
    let stored = stored(&place)?;
    assert_eq!(
        stored[0]["meta"]["unreadable"],
        "the event is longer than 64 MiB"
    );
    assert!(Troubles(place.home()).recent()[0].text.contains("64 MiB"));
    Ok(())
}

#[test]
fn deep_nesting_harms_nobody() -> Result<()> {
    let place = installation()?;
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let event =
        format!(r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_input":{deep}}}"#);
    quiet(&feed(place.hook(), event.as_bytes(), false)?.0);
    let shown = place.cli(["events", "--json"]).output()?;
    assert!(String::from_utf8(shown.stdout)?.contains(&event));
    let shown = place.cli(["events"]).output()?;
    assert!(String::from_utf8(shown.stdout)?.contains("PreToolUse"));
    Ok(())
}

#[test]
fn a_pipe_as_transcript_is_not_waited_for() -> Result<()> {
    let place = installation()?;
    let pipe = place.root().join("transcript.jsonl");
    ensure!(
        Command::new("mkfifo").arg(&pipe).status()?.success(),
        "mkfifo failed"
    );
    let event = json!({"hook_event_name": "Stop", "session_id": "s", "transcript_path": pipe});
    let (output, took) = feed(place.hook(), event.to_string().as_bytes(), false)?;
    quiet(&output);
    assert!(took < GUARD);
    assert_eq!(stored(&place)?.len(), 1);
    Ok(())
}

#[test]
fn an_unknown_argument_and_an_unknown_event_do_no_harm() -> Result<()> {
    let place = installation()?;
    let mut hook = place.hook();
    hook.arg("--colour");
    quiet(
        &feed(
            hook,
            br#"{"hook_event_name":"Tomorrow","session_id":"s","new":{"a":[1]}}"#,
            false,
        )?
        .0,
    );
    let stored = stored(&place)?;
    assert_eq!(
        stored[0]["payload"],
        json!({"hook_event_name": "Tomorrow", "session_id": "s", "new": {"a": [1]}})
    );
    assert!(Troubles(place.home()).recent()[0].text.contains("--colour"));
    Ok(())
}

#[test]
fn a_journal_that_cannot_be_written_is_told_once_a_session() -> Result<()> {
    let place = installation()?;
    std::fs::remove_dir(place.home().journal())?;
    std::fs::write(place.home().journal(), "a file where the folder should be")?;
    quiet(&feed(place.hook(), &fixture::tool_call("lost", 100), false)?.0);
    let message =
        told(&feed(place.hook(), &start_of("a"), false)?.0).context("nothing was told")?;
    assert!(
        message.starts_with("bellwether: events are being lost: cannot list "),
        "{message}"
    );
    quiet(&feed(place.hook(), &prompt_of("a"), false)?.0);
    quiet(&feed(place.hook(), &prompt_of("a"), false)?.0);
    assert!(told(&feed(place.hook(), &prompt_of("b"), false)?.0).is_some());
    Ok(())
}

/// Runs a shell script where it may mount; `$HOOK` and `$CLI` are our programs, `$DISK` is a folder to mount on. The
/// programs are copies, so that a script may hide the folder they were built in.
fn mounted(script: &str) -> Result<String> {
    let folder = tempfile::Builder::new().prefix("bw-disk-").tempdir()?;
    let programs = Programs::built()?;
    let (hook, cli) = (
        folder.path().join("bellwether-hook"),
        folder.path().join("bellwether"),
    );
    std::fs::copy(programs.hook(), &hook)?;
    std::fs::copy(programs.main(), &cli)?;
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk)?;
    for (name, event) in [
        ("start", start_of("a")),
        ("prompt", prompt_of("a")),
        ("tool", fixture::tool_call("x", 100)),
    ] {
        std::fs::write(folder.path().join(name), event)?;
    }
    let output = namespace::mounting(Path::new("/bin/sh"))?
        .args(["-ec", script])
        .env("HOOK", hook)
        .env("CLI", cli)
        .env("DISK", disk)
        .current_dir(folder.path())
        .output()?;
    ensure!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn a_full_disk_is_told_and_what_was_stored_stays_readable() -> Result<()> {
    let said = mounted(
        r#"
        mount -t tmpfs -o size=4m none "$DISK"
        "$HOOK" --home "$DISK" < tool
        "$CLI" --home "$DISK" events > /dev/null
        script -qec "'$CLI' --home '$DISK' daemon stop" /dev/null < /dev/null > /dev/null
        dd if=/dev/zero of="$DISK/filler" bs=4k 2> /dev/null || true
        while "$HOOK" --home "$DISK" < tool && ! grep -q journal_not_written "$DISK/state/troubles.jsonl" 2> /dev/null; do
            n=$((n + 1)); [ $n -lt 100 ] || break
        done
        echo "start: $("$HOOK" --home "$DISK" < start)"
        echo "prompt: $("$HOOK" --home "$DISK" < prompt)"
        "$CLI" --home "$DISK" events --json --limit 1000 2> complaint || true
        rm "$DISK/filler"
        "$HOOK" --home "$DISK" < tool
        echo "after: $("$CLI" --home "$DISK" events --json --limit 0 | tail -n 1)"
        script -qec "'$CLI' --home '$DISK' daemon stop" /dev/null < /dev/null > /dev/null
        "#,
    )?;
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains("events are being lost"), "{said}");
    assert_eq!(lines[1], "prompt: ", "{said}");
    assert!(
        lines[2].contains("mark-x"),
        "the first event is still read: {said}"
    );
    assert!(said.contains("after: {"), "{said}");
    Ok(())
}

#[test]
fn a_read_only_disk_is_told_at_the_start_and_read_all_the_same() -> Result<()> {
    let said = mounted(
        r#"
        mount -t tmpfs none "$DISK"
        "$HOOK" --home "$DISK" < tool
        "$CLI" --home "$DISK" events > /dev/null
        script -qec "'$CLI' --home '$DISK' daemon stop" /dev/null < /dev/null > /dev/null
        mount --bind "$DISK" "$DISK"
        mount -o remount,bind,ro "$DISK"
        echo "tool: $("$HOOK" --home "$DISK" < tool 2>&1)"
        echo "start: $("$HOOK" --home "$DISK" < start)"
        echo "prompt: $("$HOOK" --home "$DISK" < prompt)"
        "$CLI" --home "$DISK" events --json
        "#,
    )?;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "tool: ");
    assert!(
        lines[1].contains("systemMessage") && lines[1].contains("Read-only file system"),
        "{said}"
    );
    assert_eq!(lines[2], "prompt: ");
    assert!(lines[3].contains("mark-x"), "{said}");
    Ok(())
}

#[test]
fn without_home_the_user_database_is_asked() -> Result<()> {
    let said = mounted(
        r#"
        own=$(getent passwd "$(id -u)" | cut -d: -f6)
        mount -t tmpfs none "$own"
        "$HOOK" --no-daemon < tool
        find "$own/.local/state/bellwether" -name '*.jsonseq' -size +0
        "#,
    )?;
    assert!(said.contains("journal/0000000001.jsonseq"), "{said}");
    Ok(())
}

#[test]
fn a_user_without_any_home_is_told_and_not_harmed() -> Result<()> {
    let programs = Programs::built()?;
    let mut hook = Command::new("unshare");
    hook.args(["--user", "--map-user=54321", "--"])
        .arg(programs.hook())
        .env_clear();
    let (output, _) = feed(hook, &start_of("a"), false)?;
    let message =
        told(&output).with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    assert!(message.contains("no home folder"), "{message}");
    Ok(())
}

#[test]
fn a_limit_on_file_sizes_does_not_kill_the_hook() -> Result<()> {
    let place = installation()?;
    let event = place.root().join("event");
    std::fs::write(&event, fixture::tool_call("x", 100_000))?;
    let script = format!(
        "ulimit -f 8; exec \"$0\" --home \"$1\" --no-daemon < {}",
        event.display()
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .arg(place.programs().hook())
        .arg(place.root())
        .output()?;
    quiet(&output);
    assert!(
        Troubles(place.home()).recent()[0]
            .text
            .contains("bytes fitted"),
        "told as a short write"
    );
    Ok(())
}

#[test]
fn a_hook_leaves_nobody_holding_its_streams() -> Result<()> {
    let place = installation()?;
    let mut hook = place.hook();
    let (mut ours, theirs) = UnixStream::pair()?;
    ours.set_read_timeout(Some(GUARD))?;
    hook.stdin(Stdio::from(OwnedFd::from(theirs.try_clone()?)));
    hook.stdout(Stdio::from(OwnedFd::from(theirs.try_clone()?)));
    hook.stderr(Stdio::from(OwnedFd::from(theirs)));
    let mut child = hook.spawn()?;
    drop(hook);
    ours.write_all(&fixture::tool_call("x", 100))?;
    let mut said = String::new();
    // The end comes only when the hook and the daemon it started have let go of all three.
    ours.read_to_string(&mut said)?;
    assert_eq!(said, "");
    assert!(child.wait()?.success());
    assert_eq!(stored(&place)?.len(), 1);
    assert_eq!(place.daemons()?.len(), 1);
    Ok(())
}

#[test]
fn a_started_daemon_has_a_clean_environment() -> Result<()> {
    let place = installation()?;
    let mut hook = place.hook();
    hook.env("ANTHROPIC_API_KEY", "sk-secret")
        .env("LD_PRELOAD", "")
        .env("PATH", "/evil:/bin")
        .current_dir("/tmp");
    quiet(&feed(hook, &fixture::tool_call("x", 100), false)?.0);
    assert_eq!(stored(&place)?.len(), 1);
    let pid = place
        .daemons()?
        .first()
        .context("no daemon")?
        .as_raw_nonzero();
    let environment = std::fs::read_to_string(format!("/proc/{pid}/environ"))?;
    assert!(
        !environment.contains("sk-secret") && !environment.contains("evil"),
        "{environment:?}"
    );
    assert_eq!(
        std::fs::read_link(format!("/proc/{pid}/cwd"))?,
        Path::new("/")
    );
    for stream in 0..3 {
        assert_eq!(
            std::fs::read_link(format!("/proc/{pid}/fd/{stream}"))?,
            Path::new("/dev/null")
        );
    }
    Ok(())
}

#[test]
fn a_long_path_finds_its_sockets() -> Result<()> {
    let place = installation()?;
    let deep = place.root().join("d".repeat(100)).join("e".repeat(100));
    let files = Files::find(Some(deep.clone()))?;
    let mut hook = Command::new(place.programs().hook());
    hook.arg("--home").arg(&deep);
    quiet(&feed(hook, &fixture::tool_call("x", 100), false)?.0);
    let cli = |words: &[&str]| {
        Command::new(place.programs().main())
            .arg("--home")
            .arg(&deep)
            .args(words)
            .output()
    };
    assert!(String::from_utf8(cli(&["events", "--json"])?.stdout)?.contains("mark-x"));
    // Stopping is for a person at a terminal.
    let main = place.programs().main();
    let stop = format!(
        "'{}' --home '{}' daemon stop",
        main.display(),
        deep.display()
    );
    let stopped = Command::new("script")
        .args(["-qec", &stop, "/dev/null"])
        .env_remove("CLAUDECODE")
        .stdin(Stdio::null())
        .output()?;
    assert!(stopped.status.success());
    let sockets = files.wake_socket();
    std::fs::remove_dir(sockets.parent().context("a socket is in a folder")?)?;
    Ok(())
}
