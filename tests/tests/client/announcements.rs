//! Real interactive sessions: each moment that concerns the person is told once, and rightly.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use bellwether_announce::handlers;
use bellwether_tests::{
    Home, Hook, Installation, Interactive, Record, Scenario, Settings, Terminal, Watched, jsonl,
    scenarios, wait,
};
use serde_json::{Value, json};

use crate::RIG;

const PATIENCE: Duration = Duration::from_secs(30);
/// Dialogs that follow each other more quickly are one moment.
const ANOTHER_MOMENT: Duration = Duration::from_millis(2200);
/// What is said of the session in default mode, as it was recorded, with everything announced.
const DEFAULT: &str = "\
PermissionRequest May I touch a file?
PermissionRequest Approve Write?
Stop Thank you for your trust.
PermissionRequest Which way shall the flock go?
Stop So be it.
PermissionRequest Approve Edit?
PermissionRequest Approve Edit?
PermissionRequest Approve Edit?
PermissionRequest Approve Edit?
Stop Four corners, four edits.
PostToolUseFailure Bash failed
Stop As I said.
PreCompact Compacting context
Stop Very well.
SubagentStart Subagent Explore started
SubagentStart Subagent Explore started
Stop Both have read.
SubagentStop Subagent Explore finished
SubagentStop Subagent Explore finished
Stop The scenario two_readers is over.
Stop The scenario two_readers is over.
";

/// The same in auto mode, where few tools need leave.
const AUTO: &str = "\
PermissionRequest Approve Bash?
PostToolUseFailure Bash failed
Stop As I said.
PermissionRequest Which way shall the flock go?
Stop So be it.
Stop Four corners, four edits.
PreCompact Compacting context
Stop Very well.
";

/// A home of the client with our hook beside the recorder, and everything announced.
struct Told(Watched);

impl Told {
    fn new(config: &str) -> Result<Self> {
        Self::with(config, |settings| settings)
    }

    fn with(config: &str, more: impl FnOnce(Settings) -> Settings) -> Result<Self> {
        let watched = Watched::with(RIG, more)?;
        let folder = watched.home.dir().join(".config/bellwether");
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("config.yaml"), config)?;
        Ok(Self(watched))
    }

    fn home(&self) -> &Home {
        &self.0.home
    }

    /// What the daemon has decided.
    fn decided(&self) -> Result<Vec<Value>> {
        let mut command = self.0.home.command(&self.0.programs.main());
        let output = command.args(["announce", "--json", "--all"]).output()?;
        jsonl::parse(&String::from_utf8(output.stdout)?)
    }

    /// What was said, one event and its words a line; waits until the last words are there.
    fn said(&self, last: &str) -> Result<String> {
        let look = || {
            let said = said(&self.decided()?);
            Ok(said.trim_end().ends_with(last).then_some(said))
        };
        match wait::until(PATIENCE, look)? {
            Some(said) => Ok(said),
            None => bail!("{last} is missing: {:#?}", self.decided()?),
        }
    }

    /// Waits for so many ends of turns.
    fn stops(&self, terminal: &Terminal<'_>, count: usize) -> Result<()> {
        let stopped = || {
            let stops = self
                .home()
                .recorded()?
                .iter()
                .filter(|record| record.event() == "Stop")
                .count();
            Ok((stops >= count).then_some(()))
        };
        wait::until(PATIENCE, stopped)?.with_context(|| {
            format!(
                "no {count} stops:\n{}",
                terminal.screen().unwrap_or_default()
            )
        })
    }

    /// Keeps the session as a fixture, for whoever asks for that.
    fn keep(&self, name: &str) -> Result<()> {
        let Some(folder) = recording() else {
            return Ok(());
        };
        let home = self.home().dir().display().to_string();
        let root = home.trim_end_matches("/home").to_owned();
        let slug = self
            .home()
            .project()
            .display()
            .to_string()
            .replace('/', "-");
        let told = |record: &&Record| {
            let mut events = handlers::ALL.iter().flat_map(|(_, events)| *events);
            events.any(|kind| kind.as_str() == record.event())
        };
        let line = |record: &Record| {
            let attended = record.env.get("CLAUDE_CODE_SESSION_ATTENDED");
            let mut line = json!({
                "at_ms": record.at_us / 1000,
                "attended": attended.is_none_or(|said| said != "0"),
                "payload": record.payload,
            });
            if record.event() == "PermissionRequest" {
                line["transcript"] = record.transcript.iter().map(|line| short(line)).collect();
            }
            let line = line.to_string().replace(&home, "/home/dev");
            let line = line.replace(&root, "/var");
            line.replace(&slug, "-home-dev-project")
        };
        let recorded = self.home().recorded()?;
        let lines: Vec<String> = recorded.iter().filter(told).map(line).collect();
        Ok(std::fs::write(folder.join(name), lines.join("\n") + "\n")?)
    }
}

/// Where sessions are to be kept as fixtures, if they are.
fn recording() -> Option<PathBuf> {
    std::env::var_os("BELLWETHER_RECORD").map(PathBuf::from)
}

/// What counts of a line of a transcript.
fn short(line: &str) -> String {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    let message = json!({"id": line["message"]["id"], "content": line["message"]["content"]});
    json!({"type": line["type"], "isSidechain": line["isSidechain"], "message": message})
        .to_string()
}

fn said(decided: &[Value]) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let lines = decided.iter().filter_map(|decided| {
        let said = &decided["outcome"]["said"];
        let line = format!("{} {}\n", text(&decided["event"]), text(&said["text"]));
        (!said.is_null()).then_some(line)
    });
    lines.collect()
}

fn answer_later(terminal: &Terminal<'_>, dialog: &str, key: &str) -> Result<()> {
    terminal.wait_for(|screen| screen.contains(dialog), PATIENCE)?;
    std::thread::sleep(ANOTHER_MOMENT);
    terminal.answer(dialog, key)
}

fn failing() -> Scenario {
    Scenario::new("failing")
        .says("This will not work.")
        .bash("ls no-such-place")
        .says("As I said.")
}

/// Two subagents at once.
fn subagents() -> Scenario {
    let reader = |name: &str| {
        Scenario::new(name)
            .says("Reading.")
            .read("notes.txt")
            .says("The notes have two lines.")
    };
    Scenario::new("two_readers")
        .says("Two shall read.")
        .agent("Explore", "Read once", reader("reader_one"))
        .agent("Explore", "Read twice", reader("reader_two"))
        .says("Both have read.")
}

/// A model that takes its time.
fn slow() -> Scenario {
    Scenario::new("slow")
        .says("Too late.")
        .after(Duration::from_secs(40))
}

#[test]
fn each_moment_of_a_session_in_default_mode_is_told_once() -> Result<()> {
    let told = Told::new("preset: full\n")?;
    let terminal = Interactive::new(told.home())
        .args(["--permission-mode", "default"])
        .start()?;
    terminal.play(&scenarios::permission())?;
    if recording().is_some() {
        notified(&told, "permission_prompt")?;
    }
    answer_later(&terminal, "Do you want to proceed?", "Enter")?;
    answer_later(&terminal, "Do you want to create granted.txt?", "Enter")?;
    told.stops(&terminal, 1)?;
    terminal.play(&scenarios::question())?;
    terminal.answer("Enter to select", "2")?;
    told.stops(&terminal, 2)?;
    terminal.play(&scenarios::parallel_edits())?;
    for file in ["north", "east", "south", "west"] {
        let dialog = format!("Do you want to make this edit to {file}.txt?");
        answer_later(&terminal, &dialog, "Enter")?;
    }
    told.stops(&terminal, 3)?;
    terminal.play(&failing())?;
    told.stops(&terminal, 4)?;
    play_without_dialogs(&told, &terminal, 4)?;
    terminal.play(&subagents())?;
    let over = |screen: &str| screen.contains("two_readers is over.");
    terminal.wait_for(over, PATIENCE)?;
    if recording().is_some() {
        notified(&told, "idle_prompt")?;
    }
    told.keep("default.jsonl")?;
    let said = told.said("two_readers is over.")?;
    assert_eq!(leave(&said), leave(DEFAULT));
    Ok(())
}

/// Waits for the client to notify: seconds after a dialog, a minute after the end of a turn.
fn notified(told: &Told, kind: &str) -> Result<()> {
    let wanted = |record: &Record| record.text("notification_type") == kind;
    told.home().wait_for_record(wanted, PATIENCE * 3).map(drop)
}

/// What needs no leave: an interrupted turn, a compaction, two subagents.
fn play_without_dialogs(told: &Told, terminal: &Terminal<'_>, stops: usize) -> Result<()> {
    terminal.play(&slow())?;
    let asked = |record: &Record| record.text("prompt").contains("script:slow");
    told.home().wait_for_record(asked, PATIENCE)?;
    interrupt(terminal, "script:slow")?;
    terminal.keys(&["C-u"])?;
    terminal.play(&scenarios::compaction())?;
    told.stops(terminal, stops + 1)
}

/// Presses Esc until the client gives back the prompt of a turn that had not begun to speak; it does
/// not hear the key in a turn's first moments.
fn interrupt(terminal: &Terminal<'_>, prompt: &str) -> Result<()> {
    let given_back = |screen: &str| {
        let mut lines = screen.lines().rev();
        let line = lines.find(|line| line.starts_with('❯'));
        line.is_some_and(|line| line.contains(prompt))
    };
    terminal.wait_for(|screen| !given_back(screen), PATIENCE)?;
    for _ in 0..5 {
        terminal.keys(&["Escape"])?;
        if terminal.wait_for(given_back, ANOTHER_MOMENT).is_ok() {
            return Ok(());
        }
    }
    bail!("the turn goes on:\n{}", terminal.screen()?)
}

/// A hook that asks about every command, as a guard does.
fn asking() -> Hook {
    let reply = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"it may be dangerous"}}"#;
    Hook::exec("/bin/sh")
        .args(["-c", &format!("echo '{reply}'")])
        .matching("Bash")
}

#[test]
fn each_moment_of_a_session_in_auto_mode_is_told_once() -> Result<()> {
    let told = Told::with("preset: full\n", |settings| {
        settings.on(["PreToolUse"], &asking())
    })?;
    let terminal = Interactive::new(told.home())
        .args(["--permission-mode", "auto"])
        .start()?;
    terminal.play(&failing())?;
    answer_later(&terminal, "Do you want to proceed?", "Enter")?;
    told.stops(&terminal, 1)?;
    terminal.play(&scenarios::question())?;
    terminal.answer("Enter to select", "2")?;
    told.stops(&terminal, 2)?;
    terminal.play(&scenarios::parallel_edits())?;
    told.stops(&terminal, 3)?;
    play_without_dialogs(&told, &terminal, 3)?;
    told.keep("auto.jsonl")?;
    let said = told.said("Very well.")?;
    assert_eq!(leave(&said), leave(AUTO));
    Ok(())
}

/// Without what differs from run to run: what an agent said before it asked for leave is told if it
/// stands in the transcript by then, and news give way to what is said before they are made.
fn leave(said: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = said
        .lines()
        .filter(|line| {
            !["Subagent", "Both have read", "PreCompact"]
                .iter()
                .any(|word| line.contains(word))
        })
        .map(|line| match line.split_once(' ') {
            Some((event @ "PermissionRequest", words)) if !words.contains("flock") => event,
            _ => line,
        })
        .collect();
    lines.dedup_by(|one, other| one.contains("two_readers") && one == other);
    lines
}

/// Runs a recorded session through the announcer and says what would be said, with a preset.
fn replayed(session: &str, preset: &str) -> Result<String> {
    let place = Installation::fresh_with(&format!("preset: {preset}\n"))?;
    let file = format!(
        "{}/fixtures/sessions/{session}.jsonl",
        env!("CARGO_MANIFEST_DIR")
    );
    let output = place
        .cli(["announce", "--replay", &file, "--json"])
        .output()?;
    Ok(said(&jsonl::parse(&String::from_utf8(output.stdout)?)?))
}

#[test]
fn the_recorded_sessions_say_the_same_again() -> Result<()> {
    assert_eq!(replayed("default", "full")?, DEFAULT);
    assert_eq!(replayed("auto", "full")?, AUTO);
    Ok(())
}

#[test]
fn the_calm_and_the_plain_preset_say_less() -> Result<()> {
    // Every turn of the session is short, so its end has the effect only and the idle minute is told.
    let calm = replayed("default", "calm")?;
    assert!(
        calm.starts_with("PermissionRequest project: allow "),
        "who asks and what for: {calm}"
    );
    assert_eq!(calm.lines().last(), Some("Notification Claude is idle"));
    for never in ["PreCompact", "PostToolUseFailure", "SubagentStart"] {
        assert!(!calm.contains(never), "{calm}");
    }
    assert_eq!(calm.matches("SubagentStop").count(), 1, "they are merged");
    let plain = replayed("default", "plain")?;
    assert_eq!(
        plain.lines().next(),
        Some("PermissionRequest Permission required for Bash")
    );
    assert_eq!(plain.matches("Subagent Explore completed").count(), 2);
    assert!(
        !plain.contains("Notification"),
        "the end of the turn was spoken"
    );
    Ok(())
}
