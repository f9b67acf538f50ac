//! The flock: what somebody watching real sessions would say, and what is said of recorded ones.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::story::{Recorded, Story};
use bellwether_tests::{Home, Installation, Interactive, Scenario, Terminal, Watched, scenarios};
use serde_json::{Value, json};

use crate::RIG;

/// How long what takes seconds may take.
const PATIENCE: Duration = Duration::from_mins(2);
/// Longer than it takes to appear.
const SEEN: Duration = Duration::from_secs(2);
/// Recorded sessions are watched on for this long.
const AFTERWARDS_MS: u64 = 130_000;

/// What was stored, as it is told again.
fn recorded(watched: &Watched) -> Result<Vec<Recorded>> {
    let stored = watched.stored()?;
    stored.iter().map(Recorded::of_stored).collect()
}

/// What somebody watching would say.
fn told(watched: &Watched, name: &str) -> Result<String> {
    let events = recorded(watched)?;
    record(&events, name, &watched.home)?;
    Ok(Story::of(&events, 0)?.told())
}

/// Waits until the main agent of some session is said to do this.
fn wait_for_status(watched: &Watched, status: &str) -> Result<Value> {
    let until = Instant::now() + PATIENCE;
    loop {
        let flock: Value = serde_json::from_str(&watched.printed(&["flock", "--json"])?)?;
        let agent = &flock["sessions"][0]["agents"][0]["agent"];
        if agent["status"] == status {
            return Ok(agent.clone());
        }
        ensure!(Instant::now() < until, "never {status}: {flock:#}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Writes a session to the fixtures, for whoever records them anew with `BELLWETHER_RECORD` set.
fn record(events: &[Recorded], name: &str, home: &Home) -> Result<()> {
    let Some(folder) = std::env::var_os("BELLWETHER_RECORD") else {
        return Ok(());
    };
    let lines: Vec<String> = events
        .iter()
        .map(serde_json::to_string)
        .collect::<Result<_, _>>()?;
    let home = home.dir().display().to_string();
    let text = lines.join("\n") + "\n";
    let dashed = home.replace(['/', '.', '_'], "-");
    let text = text
        .replace(&home, "/home/dev")
        .replace(&dashed, "-home-dev");
    Ok(std::fs::write(
        PathBuf::from(folder).join(format!("{name}.jsonl")),
        text,
    )?)
}

/// Two subagents that take their time, so that more is seen of them than that they come.
fn two_subagents() -> Scenario {
    let inner = |name: &str| {
        Scenario::new(name)
            .says("I look around.")
            .bash("echo looking")
            .says("Nothing here.")
            .paced(SEEN)
    };
    Scenario::new("two_subagents")
        .says("Somebody should look.")
        .agent("general-purpose", "Look around", inner("first_look"))
        .says("And somebody else.")
        .agent("Explore", "Look again", inner("second_look"))
        .says("Both have looked.")
        .paced(SEEN)
}

fn states<'a>(story: &'a str, name: &str) -> Result<Vec<&'a str>> {
    let line = story
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{name}: ")));
    Ok(line
        .with_context(|| format!("nobody is called {name} in\n{story}"))?
        .split(' ')
        .collect())
}

#[test]
fn subagents_come_work_and_leave_and_compaction_invents_nobody() -> Result<()> {
    let watched = Watched::new(RIG)?;
    watched.play(two_subagents())?;
    let story = told(&watched, "subagents")?;
    for name in ["general-purpose", "Explore"] {
        let states = states(&story, name)?;
        ensure!(states.contains(&"working"), "{story}");
        ensure!(states.contains(&"completed"), "{story}");
    }
    ensure!(states(&story, "main")?.contains(&"working"), "{story}");
    ensure!(
        states(&story, "main")?.ends_with(&["disappearing"]),
        "{story}"
    );
    watched.play(scenarios::compaction())?;
    let both = told(&watched, "compaction")?;
    assert_eq!(both.lines().count(), 3, "{both}");
    let shown = watched.printed(&["flock", "--once", "--all"])?;
    ensure!(shown.contains("Explore"), "{shown}");
    Ok(())
}

/// Presses Esc until the client says that it was interrupted: the first may close a panel only.
fn interrupt(terminal: &Terminal<'_>) -> Result<()> {
    const PRESSES: u32 = 5;
    const HEARD: Duration = Duration::from_secs(5);
    for _ in 0..PRESSES {
        terminal.keys(&["Escape"])?;
        if terminal
            .wait_for(|screen| screen.contains("Interrupted"), HEARD)
            .is_ok()
        {
            return Ok(());
        }
    }
    anyhow::bail!("the client does not hear Esc: {}", terminal.screen()?)
}

#[test]
fn somebody_who_waits_and_is_interrupted_is_seen_so() -> Result<()> {
    let watched = Watched::new(RIG)?;
    let terminal = Interactive::new(&watched.home)
        .args(["--permission-mode", "default"])
        .start()?;
    terminal.play(&scenarios::permission())?;
    terminal.wait_for(
        |screen| screen.contains("Do you want to proceed?"),
        PATIENCE,
    )?;
    let waiting = wait_for_status(&watched, "pending_input")?;
    ensure!(
        waiting["bubble"]
            .as_str()
            .unwrap_or_default()
            .starts_with("Bash: "),
        "{waiting}"
    );
    terminal.answer("Do you want to proceed?", "Enter")?;
    terminal.answer("Do you want to create granted.txt?", "Enter")?;
    wait_for_status(&watched, "idle")?;
    // No event tells of Esc: the transcript does.
    terminal.play(&scenarios::long_tool(Duration::from_mins(10)))?;
    terminal.wait_for(|screen| screen.contains("esc to interrupt"), PATIENCE)?;
    wait_for_status(&watched, "working")?;
    interrupt(&terminal)?;
    wait_for_status(&watched, "idle")?;
    terminal.type_line("/exit")?;
    terminal.wait_for_exit(PATIENCE)?;
    let story = told(&watched, "interrupted")?;
    let seen = states(&story, "main")?.join(" ");
    ensure!(seen.contains("working pending_input working"), "{story}");
    ensure!(seen.ends_with("disappearing"), "{story}");
    Ok(())
}

#[test]
fn a_teammate_works_in_turns_and_is_one() -> Result<()> {
    let watched = Watched::new(RIG)?;
    let inner = Scenario::new("helping")
        .says("I count the sheep.")
        .bash("echo twelve")
        .says("Twelve.")
        .paced(SEEN);
    let scenario = Scenario::new("leading")
        .says("Somebody of the team should count.")
        .teammate("counter", inner)
        .says("We shall see.");
    let terminal = Interactive::new(&watched.home)
        .env("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "1")
        .args(["--permission-mode", "acceptEdits", "--allowedTools", "Bash"])
        .args(["--teammate-mode", "in-process"])
        .start()?;
    terminal.play(&scenario)?;
    watched
        .home
        .wait_for_record(|record| record.event() == "TeammateIdle", PATIENCE)?;
    wait_for_status(&watched, "idle")?;
    let flock: Value = serde_json::from_str(&watched.printed(&["flock", "--json"])?)?;
    let children = &flock["sessions"][0]["agents"][0]["children"];
    assert_eq!(children.as_array().map(Vec::len), Some(1), "{flock:#}");
    assert_eq!(children[0]["agent"]["role"], "teammate");
    terminal.type_line("/exit")?;
    let story = told(&watched, "teammates")?;
    assert_eq!(story.lines().count(), 2, "{story}");
    let seen = states(&story, "counter")?.join(" ");
    ensure!(seen.starts_with("appearing working idle"), "{story}");
    Ok(())
}

#[test]
fn what_runs_on_behind_a_turn_is_known_by_name() -> Result<()> {
    let watched = Watched::new(RIG)?;
    let terminal = Interactive::new(&watched.home)
        .args(["--allowedTools", "Bash"])
        .start()?;
    terminal.play(&scenarios::background())?;
    terminal.wait_for(|screen| screen.contains("meanwhile I am done"), PATIENCE)?;
    let resting = wait_for_status(&watched, "idle")?;
    let known = &resting["background"][0];
    ensure!(resting["background_tasks"] == 1, "{resting:#}");
    ensure!(
        known["what"] == "Start the server" && known["type"] == "shell",
        "{known}"
    );
    let table = watched.printed(&["flock", "--once"])?;
    ensure!(
        table.contains("(Start the server in the background)"),
        "{table}"
    );
    Ok(())
}

#[test]
fn a_client_that_is_killed_leaves_too() -> Result<()> {
    let place = Installation::fresh()?;
    let mut client = std::process::Command::new("sleep").arg("600").spawn()?;
    let start = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "go"});
    let (_open, stdin) =
        bellwether_tests::installation::filled_stdin(start.to_string().as_bytes())?;
    let hook = place
        .hook()
        .env("CLAUDE_PID", client.id().to_string())
        .stdin(stdin)
        .status()?;
    ensure!(hook.success(), "{hook}");
    let present = |place: &Installation| -> Result<usize> {
        let output = place.cli(["flock", "--json"]).output()?;
        let flock: Value = serde_json::from_slice(&output.stdout)?;
        Ok(flock["sessions"].as_array().map_or(0, Vec::len))
    };
    assert_eq!(present(&place)?, 1);
    client.kill()?;
    client.wait()?;
    let until = Instant::now() + PATIENCE;
    while present(&place)? > 0 {
        ensure!(Instant::now() < until, "its agent is still there");
        std::thread::sleep(Duration::from_millis(300));
    }
    Ok(())
}

/// Every recorded session, and what somebody watching it would say.
#[test]
fn recorded_sessions_are_seen_as_they_were() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/flock");
    let mut sessions: Vec<PathBuf> = std::fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    sessions.retain(|path| path.extension().is_some_and(|kind| kind == "jsonl"));
    ensure!(sessions.len() >= 4, "{sessions:?}");
    for session in sessions {
        let text = std::fs::read_to_string(&session)?;
        let events: Vec<Recorded> = text
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        let told = Story::of(&events, AFTERWARDS_MS)?.told();
        let expected = session.with_extension("story");
        if std::env::var_os("BELLWETHER_RECORD").is_some() {
            std::fs::write(&expected, &told)?;
        }
        let expected = std::fs::read_to_string(&expected)?;
        assert_eq!(told, expected, "{}", session.display());
    }
    Ok(())
}

/// What the answers of the model in a transcript used, each counted once: their number, and the tokens that came back.
fn used_in(transcript: &Path) -> Result<(u64, u64)> {
    let mut messages = std::collections::BTreeMap::new();
    for line in std::fs::read_to_string(transcript)?.lines() {
        let line: Value = serde_json::from_str(line)?;
        if let (Some(id), Some(tokens)) = (
            line["message"]["id"].as_str(),
            line["message"]["usage"]["output_tokens"].as_u64(),
        ) {
            messages.insert(id.to_owned(), tokens);
        }
    }
    Ok((messages.len() as u64, messages.values().sum()))
}

#[test]
fn what_agents_used_is_what_their_transcripts_say() -> Result<()> {
    let watched = Watched::new(RIG)?;
    // Without a terminal the end of the turn and of the session come together.
    watched.play(two_subagents())?;
    let mut transcripts = Vec::new();
    for event in watched.stored()? {
        let payload = &event["payload"];
        match payload["hook_event_name"].as_str() {
            Some("SubagentStop") => transcripts.push((
                payload["agent_id"].clone(),
                payload["agent_transcript_path"].clone(),
            )),
            Some("SessionEnd") => transcripts.push((
                payload["session_id"].clone(),
                payload["transcript_path"].clone(),
            )),
            _ => {}
        }
    }
    assert_eq!(transcripts.len(), 3, "{transcripts:?}");
    for (agent, path) in transcripts {
        let path = PathBuf::from(path.as_str().context("no transcript")?);
        let agent = agent.as_str().context("no agent")?;
        let counted = || -> Result<(u64, u64)> {
            let shown: Value =
                serde_json::from_str(&watched.printed(&["flock", "--json", "--all"])?)?;
            let usage =
                found(&shown, agent).with_context(|| format!("{agent} in {shown:#}"))?["usage"]
                    .clone();
            Ok((
                usage["messages"].as_u64().unwrap_or_default(),
                usage["output_tokens"].as_u64().unwrap_or_default(),
            ))
        };
        let is_right = || Ok((counted()? == used_in(&path)?).then_some(()));
        bellwether_tests::wait::until(PATIENCE, is_right)?.with_context(|| {
            format!(
                "{:?} are counted, and the transcript has {:?}",
                counted(),
                used_in(&path)
            )
        })?;
    }
    Ok(())
}

/// The agent of an id, wherever it stands in what is shown.
fn found<'a>(shown: &'a Value, id: &str) -> Option<&'a Value> {
    match shown {
        Value::Object(fields) if shown["agent_id"] == id => {
            Some(shown).filter(|_| !fields.is_empty())
        }
        Value::Object(fields) => fields.values().find_map(|value| found(value, id)),
        Value::Array(items) => items.iter().find_map(|value| found(value, id)),
        _ => None,
    }
}
