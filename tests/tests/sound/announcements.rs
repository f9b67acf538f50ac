//! Announcements as they are heard: real hooks, a real daemon, and a recording of a real sound server.

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use bellwether_audio::{Clip, Effect};
use bellwether_tests::run::fed;
use bellwether_tests::sound::{audible, heard, likeness};
use bellwether_tests::{Installation, SoundServer, Web};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde_json::{Value, json};

/// Effects without words, each announcement with its own; whatever waits is heard.
const EFFECTS: &str = "
preset: full
audio: {player: pulse, drop_late: false}
hooks:
  stop:
    sound: {file: coin_simple, volume: 1.0}
    voice: {enabled: false}
    min_turn_seconds: 0
  permission_request:
    sound: {file: bell_call, volume: 1.0}
    voice: {enabled: false}
  task_completed:
    sound: {file: harp_finish, volume: 1.0}
    voice: {enabled: false}
";

/// So many samples of silence lie between two sounds at least.
const GAP: usize = 48_000 / 40;

fn hook(place: &Installation, seat: &[(&str, &str)]) -> Command {
    let mut command = place.hook();
    command.envs(seat.iter().copied()).stdin(Stdio::piped());
    command
}

/// One event from somebody who sits at a seat.
fn visit(place: &Installation, seat: &[(&str, &str)], payload: &Value) -> Result<()> {
    let ended = fed(hook(place, seat), payload.to_string())?;
    assert!(ended.status.success());
    Ok(())
}

fn stop(session: &str) -> Value {
    json!({"hook_event_name": "Stop", "session_id": session, "last_assistant_message": "All of it is done."})
}

fn status(place: &Installation) -> Result<Value> {
    let output = place.cli(["status", "--json"]).output()?;
    Ok(serde_json::from_slice::<Value>(&output.stdout)?["daemon"].clone())
}

fn wait_for_heard(place: &Installation, count: u64) -> Result<()> {
    place.wait_for("announcements to be heard", || {
        Ok(status(place)?["heard"].as_u64().unwrap_or_default() >= count)
    })
}

/// The sounds of a recording, each from its first to its last audible sample.
fn sounds(recording: &Clip) -> Vec<Vec<i16>> {
    let mut sounds = Vec::new();
    let mut rest = recording.clone();
    while let Some(all) = audible(&rest) {
        let all = all.to_vec();
        let quiet = all
            .windows(GAP)
            .position(|window| window.iter().all(|sample| sample.unsigned_abs() < 4));
        let end = quiet.unwrap_or(all.len());
        sounds.push(all[..end].to_vec());
        rest.samples = all[end..].to_vec();
    }
    sounds
}

/// Which effect a sound is.
fn name(sound: &[i16]) -> &'static str {
    let best = ["coin_simple", "bell_call", "harp_finish"]
        .into_iter()
        .filter_map(|name| {
            let made = Effect::named(name)?.render();
            Some((name, likeness(sound, audible(&made)?)))
        })
        .max_by(|one, other| one.1.total_cmp(&other.1));
    best.filter(|(_, alike)| *alike > 0.95)
        .map_or("noise", |(name, _)| name)
}

fn names(recording: &Clip) -> Vec<&'static str> {
    sounds(recording).iter().map(|sound| name(sound)).collect()
}

#[test]
fn twenty_sessions_at_once_are_heard_one_after_the_other() -> Result<()> {
    let (server, place) = (SoundServer::start()?, Installation::fresh_with(EFFECTS)?);
    let address = server.address();
    let (recording, ()) = heard(&server, || {
        let mut children = Vec::new();
        for number in 0..20 {
            let mut child = hook(&place, &[("PULSE_SERVER", &address)]).spawn()?;
            let mut stdin = child.stdin.take().context("no stdin")?;
            stdin.write_all(stop(&format!("s{number}")).to_string().as_bytes())?;
            children.push(child);
        }
        for mut child in children {
            assert!(child.wait()?.success());
        }
        wait_for_heard(&place, 20)
    })?;
    assert_eq!(names(&recording), vec!["coin_simple"; 20]);
    Ok(())
}

#[test]
fn what_is_tried_from_the_page_is_heard_where_the_last_announcement_was() -> Result<()> {
    let (server, place) = (SoundServer::start()?, Installation::fresh_with(EFFECTS)?);
    let address = server.address();
    let (_daemon, port) = place.start_serving(&[])?;
    let web = Web::of(&place, port)?;
    let try_out = |wish: Value| -> Result<()> {
        let tried = web.post("/api/sounds/test", wish.to_string())?.json()?;
        assert_eq!(tried, json!({"heard": true, "why": null}));
        Ok(())
    };
    let (recording, ()) = heard(&server, || {
        visit(&place, &[("PULSE_SERVER", &address)], &stop("a"))?;
        wait_for_heard(&place, 1)?;
        try_out(json!({"effect": "bell_call"}))?;
        try_out(json!({"text": "one", "voice": "embedded"}))
    })?;
    let names = names(&recording);
    assert_eq!(names[..2], ["coin_simple", "bell_call"]);
    assert!(names.len() > 2, "the word was not heard");
    Ok(())
}

/// Whether something is being heard: then somebody holds the machine's lock.
fn is_locked(place: &Installation) -> Result<bool> {
    let Ok(file) = File::open(place.home().sound_lock()) else {
        return Ok(false);
    };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(false),
        Err(Errno::WOULDBLOCK) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

#[test]
fn a_permission_request_is_next_in_line() -> Result<()> {
    let (server, place) = (SoundServer::start()?, Installation::fresh_with(EFFECTS)?);
    let address = server.address();
    let seat = [("PULSE_SERVER", address.as_str())];
    let _daemon = place.start_daemon(&[])?;
    let (recording, ()) = heard(&server, || {
        let task = json!({"hook_event_name": "TaskCompleted", "session_id": "a", "task_id": "1", "task_subject": "Sort"});
        visit(&place, &seat, &task)?;
        // The others come while it is heard.
        place.wait_for("the first", || is_locked(&place))?;
        visit(&place, &seat, &stop("b"))?;
        visit(&place, &seat, &stop("c"))?;
        let asks = json!({"hook_event_name": "PermissionRequest", "session_id": "d", "tool_name": "Bash", "tool_input": {"command": "ls"}});
        visit(&place, &seat, &asks)?;
        wait_for_heard(&place, 4)
    })?;
    assert_eq!(
        names(&recording),
        ["harp_finish", "bell_call", "coin_simple", "coin_simple"]
    );
    Ok(())
}

#[test]
fn a_daemon_outlives_its_sound_server() -> Result<()> {
    let (mut server, place) = (SoundServer::start()?, Installation::fresh_with(EFFECTS)?);
    let address = server.address();
    let seat = [("PULSE_SERVER", address.as_str())];
    let _daemon = place.start_daemon(&[])?;
    visit(&place, &seat, &stop("a"))?;
    wait_for_heard(&place, 1)?;
    let trouble = || Ok(!status(&place)?["sound_trouble"].is_null());
    visit(
        &place,
        &seat,
        &json!({"hook_event_name": "TaskCompleted", "session_id": "a", "task_id": "1", "task_subject": "Sort"}),
    )?;
    place.wait_for("it to be announced", || {
        Ok(status(&place)?["announced"].as_u64() == Some(2))
    })?;
    server.kill();
    place.wait_for("the trouble to be told", trouble)?;
    server.restart()?;
    let (recording, ()) = heard(&server, || {
        visit(&place, &seat, &stop("b"))?;
        wait_for_heard(&place, 2)
    })?;
    assert_eq!(names(&recording), ["coin_simple"]);
    assert!(status(&place)?["sound_trouble"].is_null());
    Ok(())
}

#[test]
fn without_a_sound_server_it_is_said_once() -> Result<()> {
    let place = Installation::fresh_with(EFFECTS)?;
    let _daemon = place.start_daemon(&[])?;
    let seat = [("PULSE_SERVER", "unix:/nowhere/at/all")];
    for number in 0..5 {
        visit(&place, &seat, &stop(&format!("s{number}")))?;
    }
    place.wait_for("five announcements", || {
        Ok(status(&place)?["announced"].as_u64() == Some(5))
    })?;
    place.wait_for("the trouble to be told", || {
        Ok(!status(&place)?["sound_trouble"].is_null())
    })?;
    let status = status(&place)?;
    let trouble = status["sound_trouble"].as_str().context("no trouble")?;
    assert!(trouble.contains("/nowhere/at/all"), "{trouble}");
    assert_eq!(status["heard"].as_u64(), Some(0));
    let log = std::fs::read_to_string(place.home().log())?;
    assert_eq!(log.matches("not heard").count(), 1, "{log}");
    Ok(())
}

#[test]
fn a_daemon_first_started_over_ssh_plays_for_the_desktop_later() -> Result<()> {
    let (server, place) = (SoundServer::start()?, Installation::fresh_with(EFFECTS)?);
    let address = server.address();
    let ssh = [("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22")];
    visit(&place, &ssh, &stop("far"))?;
    place.wait_for("the reason", || {
        let trouble = status(&place)?["sound_trouble"].clone();
        Ok(trouble.as_str().is_some_and(|text| text.contains("SSH")))
    })?;
    let (recording, ()) = heard(&server, || {
        visit(&place, &[("PULSE_SERVER", &address)], &stop("near"))?;
        wait_for_heard(&place, 1)
    })?;
    assert_eq!(names(&recording), ["coin_simple"]);
    assert_eq!(place.daemons()?.len(), 1, "the same daemon");
    Ok(())
}
