//! The announcer in the daemon: what is announced of real hooks' events, and that nothing leaks.

use anyhow::Result;
use bellwether_tests::run::fed;
use bellwether_tests::{Installation, Planned};
use serde_json::{Value, json};

/// The keys and control characters that must not be found anywhere.
const SECRETS: [&str; 3] = [
    "sk-ant-api03-abcdefghijklmnop0123",
    "hunter2hunter2",
    "ghp_0123456789abcdefghijABCDEFGHIJ",
];

/// One event of the session `s`, through the hook.
fn visit(place: &Installation, payload: &Value) -> Result<()> {
    let mut payload = payload.clone();
    payload["session_id"] = json!("s");
    assert!(place.visit(payload.to_string().as_bytes())?.success());
    Ok(())
}

fn stop(words: &str) -> Value {
    json!({"hook_event_name": "Stop", "last_assistant_message": words})
}

fn printed(place: &Installation, words: &[&str]) -> Result<String> {
    let output = place.cli(words.iter().copied()).output()?;
    Ok(String::from_utf8([output.stdout, output.stderr].concat())?)
}

/// Waits until so many decisions are made, and returns them.
fn decided(place: &Installation, count: usize) -> Result<Vec<Value>> {
    let mut decided = Vec::new();
    place.wait_for("decisions", || {
        let lines = printed(place, &["announce", "--all", "--json"])?;
        decided = lines
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        Ok(decided.len() >= count)
    })?;
    Ok(decided)
}

fn words(decided: &Value) -> &str {
    decided["outcome"]["said"]["text"].as_str().unwrap_or("-")
}

#[test]
fn planned_work_that_moves_or_waits_is_announced_and_nobody_else_can_say_so() -> Result<()> {
    let planned = Planned::with("automation: full-auto")?;
    let place = &planned.place;
    let said = || -> Result<Vec<String>> {
        let all = decided(place, 1)?;
        let of_work = all
            .iter()
            .filter(|one| one["outcome"]["said"]["handler"] == "workflow");
        Ok(of_work.map(|one| words(one).to_owned()).collect())
    };
    planned.done("1", "[Plan] login")?;
    // A later one would take its place.
    place.wait_for("the phase's end", || Ok(said()?.len() == 1))?;
    let forged = json!({"hook_event_name": "WorkflowMoved", "workflow": {"feature": "x", "how": "finished", "by": "task", "phase": "do"}});
    visit(place, &forged)?;
    planned.done("2", "[Design] login")?;
    place.wait_for("the checkpoint", || Ok(said()?.len() == 2))?;
    assert_eq!(
        said()?,
        [
            "project: plan of login is done, design begins",
            "project: design of login is done, review it before do begins",
        ]
    );
    Ok(())
}

#[test]
fn an_event_is_announced_and_shown() -> Result<()> {
    let place = Installation::fresh_with("preset: full\n")?;
    visit(&place, &stop("Looked around. Fixed the gate."))?;
    assert_eq!(words(&decided(&place, 1)?[0]), "Fixed the gate.");
    let shown = printed(&place, &["announce"])?;
    assert!(
        shown.contains("Stop") && shown.contains("♪ ui_open_1  “Fixed the gate.”"),
        "{shown}"
    );
    assert!(printed(&place, &["status"])?.contains("1 announcement since"));
    Ok(())
}

#[test]
fn a_refusal_of_the_guard_is_heard_and_marked_everywhere() -> Result<()> {
    let place = Installation::fresh()?;
    let call = |command: &str| json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": command, "tool_input": {"command": command}});
    visit(&place, &call("ls"))?;
    visit(&place, &call("rm -rf /usr"))?;
    let told = decided(&place, 1)?;
    assert_eq!(told.len(), 1, "a harmless call is no moment: {told:?}");
    assert_eq!(told[0]["handler"], "guard_refusal");
    let said = &told[0]["outcome"]["said"];
    assert_eq!(said["sound"]["file"], ".claude/sounds/marimba_warning.mp3");
    assert!(said["voice"].is_null(), "calm says no words: {said}");
    let shown = printed(&place, &["events"])?;
    let lines: Vec<&str> = shown.lines().collect();
    assert!(!lines[0].contains("refused"), "{shown}");
    assert!(
        lines[1].contains("refused (") && lines[1].ends_with("rm -rf /usr"),
        "{shown}"
    );
    let graver = printed(&place, &["events", "--severity", "warn"])?;
    assert_eq!(graver.lines().count(), 1, "{graver}");
    let flock = printed(&place, &["flock", "--once"])?;
    assert!(
        flock.contains("refused (") && flock.contains("1 refused"),
        "{flock}"
    );
    Ok(())
}

#[test]
fn a_mute_counts_at_once_and_until_it_is_lifted() -> Result<()> {
    let place = Installation::fresh_with("preset: full\n")?;
    assert!(printed(&place, &["mute", "30m"])?.starts_with("muted everywhere until"));
    visit(&place, &stop("One."))?;
    let first = decided(&place, 1)?;
    assert!(
        !first[0]["outcome"]["silent"]["muted"].is_null(),
        "{first:?}"
    );
    assert!(printed(&place, &["status"])?.contains("muted    everywhere until"));
    printed(&place, &["unmute"])?;
    visit(&place, &stop("Two."))?;
    assert_eq!(words(&decided(&place, 2)?[1]), "Two.");
    Ok(())
}

#[test]
fn a_killed_daemon_says_nothing_twice() -> Result<()> {
    let place = Installation::fresh_with("preset: full\n")?;
    let ask = json!({"hook_event_name": "PermissionRequest", "tool_name": "Bash"});
    visit(&place, &ask)?;
    assert_eq!(words(&decided(&place, 1)?[0]), "Approve Bash?");
    place.kill_all()?;
    // The next one knows what was told: the notification of the same moment is silent.
    let notified = json!({"hook_event_name": "Notification", "notification_type": "permission_prompt", "message": "Claude needs your permission"});
    visit(&place, &notified)?;
    let after = decided(&place, 2)?;
    assert_eq!(after.len(), 2, "{after:?}");
    assert_eq!(after[1]["outcome"]["silent"], "already_told");
    Ok(())
}

/// What was said is in the store: another daemon shows it, and so it is without one.
#[test]
fn what_was_said_outlives_the_daemon_and_goes_with_its_event() -> Result<()> {
    let place = Installation::fresh_with("preset: full\n")?;
    visit(&place, &stop("Fixed the gate."))?;
    assert_eq!(words(&decided(&place, 1)?[0]), "Fixed the gate.");
    place.kill_all()?;
    let shown = || printed(&place, &["announce"]);
    assert!(shown()?.contains("Fixed the gate."), "{}", shown()?);
    assert!(place.daemons()?.is_empty(), "nobody starts one to look");
    visit(&place, &stop("Painted the fence."))?;
    let both = decided(&place, 2)?;
    let texts: Vec<&str> = both.iter().map(words).collect();
    assert_eq!(texts, ["Fixed the gate.", "Painted the fence."]);
    assert!(both[0]["number"].as_u64() < both[1]["number"].as_u64());
    let purged = place
        .at_terminal(["purge", "--session", "s", "--yes"])
        .output()?;
    assert!(purged.status.success(), "{purged:?}");
    assert!(
        shown()?.contains("nothing has been announced"),
        "{}",
        shown()?
    );
    Ok(())
}

/// Two hundred silent events do not take the place of one that was heard.
#[test]
fn silence_does_not_crowd_out_what_was_said() -> Result<()> {
    let place = Installation::fresh_with("preset: full\n")?;
    visit(&place, &stop("Fixed the gate."))?;
    decided(&place, 1)?;
    printed(&place, &["mute", "30m"])?;
    for _ in 0..201 {
        visit(&place, &stop("One."))?;
    }
    place.settle()?;
    place.wait_for("the silence", || {
        let all = printed(&place, &["announce", "--all"])?;
        Ok(all.lines().filter(|line| line.contains("silent")).count() == 200)
    })?;
    let shown = printed(&place, &["announce"])?;
    assert_eq!(shown.lines().count(), 1, "{shown}");
    assert!(shown.contains("Fixed the gate."), "{shown}");
    Ok(())
}

/// A replay of an old event reads nothing that was written after it.
#[test]
fn a_replay_reads_the_transcript_up_to_its_event() -> Result<()> {
    let place = Installation::fresh_with("preset: full\n")?;
    let folder = place.client_folder().join("projects/p");
    std::fs::create_dir_all(&folder)?;
    let transcript = folder.join("s.jsonl");
    let line = |at: &str, words: &str| {
        json!({"type": "assistant", "timestamp": at, "message": {"id": at, "content": [{"type": "text", "text": words}]}})
            .to_string()
            + "\n"
    };
    let yesterday = line("2026-02-20T15:00:00.000Z", "Fixed the gate.");
    let today = line("2026-02-21T15:00:00.000Z", "Painted the fence.");
    std::fs::write(&transcript, yesterday + &today)?;
    let event = json!({"at_ms": 1_771_599_601_000_u64, "payload": {
        "hook_event_name": "Stop", "session_id": "s", "transcript_path": transcript,
    }});
    let file = place.root().join("day.jsonl");
    std::fs::write(&file, event.to_string())?;
    let file = file.display().to_string();
    let output = place
        .cli(["announce", "--replay", &file])
        .env("CLAUDE_CONFIG_DIR", place.client_folder())
        .output()?;
    let said = String::from_utf8(output.stdout)?;
    assert!(
        said.contains("Fixed the gate.") && !said.contains("fence"),
        "{said}"
    );
    Ok(())
}

#[test]
fn runs_without_a_person_are_silent() -> Result<()> {
    let place = Installation::fresh_with("preset: full\n")?;
    let mut hook = place.hook();
    hook.env("CLAUDE_CODE_SESSION_ATTENDED", "0");
    fed(hook, stop("Done.").to_string())?;
    assert_eq!(decided(&place, 1)?[0]["outcome"]["silent"], "unattended");
    Ok(())
}

#[test]
fn no_secret_and_no_control_character_leaves_us() -> Result<()> {
    let place = Installation::fresh_with("")?;
    let debug = place.root().join("debug");
    let config = format!(
        "preset: full\nglobal: {{debug: true, debug_dir: '{}'}}\n",
        debug.display()
    );
    std::fs::write(place.home().config_file(), config)?;
    let dirty = format!(
        "The key {} was used. \u{1b}[31mRed\u{7}. postgres://app:{}@db/x and token={} too.",
        SECRETS[0], SECRETS[1], SECRETS[2]
    );
    visit(&place, &stop(&dirty))?;
    visit(
        &place,
        &json!({"hook_event_name": "Notification", "message": dirty}),
    )?;
    visit(
        &place,
        &json!({"hook_event_name": "TaskCompleted", "task_subject": dirty}),
    )?;
    let shown = serde_json::to_string(&decided(&place, 3)?)?;
    place.settle()?;
    let mut texts = vec![
        ("decisions", shown),
        ("announce", printed(&place, &["announce", "--all"])?),
        ("status", printed(&place, &["status"])?),
        ("log", std::fs::read_to_string(place.home().log())?),
    ];
    for file in ["hook_debug.log", "hook_raw_input.json"] {
        texts.push((file, std::fs::read_to_string(debug.join(file))?));
    }
    for (name, text) in texts {
        for secret in SECRETS {
            assert!(!text.contains(secret), "{secret} is in {name}: {text}");
        }
        let steers = |char: char| char.is_control() && char != '\n';
        assert!(
            !text.contains(steers),
            "something steers in {name}: {text:?}"
        );
    }
    Ok(())
}

#[test]
fn a_transcript_is_summed_up() -> Result<()> {
    let place = Installation::fresh_with("")?;
    let file = place.root().join("s.jsonl");
    let line = json!({"type": "assistant", "message": {"id": "m", "content": [
        {"type": "text", "text": "Let me look. Fixed `src/gate.rs`. It opens. Shall I push?"},
    ]}});
    std::fs::write(&file, format!("{line}\r\n{{\"type\":\"assistant\",\"mess"))?;
    let path = file.display().to_string();
    let summary =
        |words: &[&str]| printed(&place, &[&["transcript", "summary", &path], words].concat());
    assert_eq!(summary(&[])?, "Fixed gate.rs.\n");
    let two = ["--max-sentences", "2", "--start", "beginning"];
    assert_eq!(summary(&two)?, "Let me look. Fixed gate.rs.\n");
    let short = ["--mode", "characters", "--max-characters", "10"];
    assert_eq!(summary(&short)?, "Fixed g...\n");
    let json: Value = serde_json::from_str(&summary(&["--json"])?)?;
    assert_eq!(json["question"], "Shall I push?");
    Ok(())
}
