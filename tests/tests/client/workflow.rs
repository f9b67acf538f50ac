//! Planned work under the real client: the model hears what is next and takes it up, and an idle teammate gets a task.

use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::dialect::Dialect;
use bellwether_tests::obedient::DONE;
use bellwether_tests::{Headless, Home, Interactive, Programs, Scenario, User, client, wait};
use serde_json::{Value, json};

use crate::RIG;

const BEFORE: &str = client::BEFORE_TASKS;
/// Two members start, idle, and do a task each.
const PATIENCE: Duration = Duration::from_mins(1);
const TOOLS: &str = "TaskCreate,TaskUpdate,TaskList,Write,Read,Bash";

/// Somebody whose project has a workflow that runs by itself.
fn planning(home: &Home, version: &str) -> Result<User> {
    let user = User::with_client(home, &Programs::built()?, version)?;
    home.write_settings(&home.recording_for(Dialect::of(version)?))?;
    user.installed()?;
    let config = user.home.join(".config/bellwether");
    fs::create_dir_all(&config)?;
    fs::write(
        config.join("config.yaml"),
        "workflow: {automation: full-auto, checkpoints: []}\n",
    )?;
    let said = user.at_terminal(&["workflow", "init"])?;
    ensure!(said.starts_with("exit 0\n"), "{said}");
    Ok(user)
}

fn status(user: &User) -> Result<Value> {
    let output = user
        .command(&["workflow", "status", "--json", "--history", "100"])
        .output()?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The model is given one task, and from then on does only what the workflow tells it.
fn cycle() -> Scenario {
    Scenario::new("cycle")
        .says("I plan the login.")
        .tool(
            "TaskCreate",
            json!({"subject": "[Plan] login", "description": "What it shall do"}),
        )
        .says("The plan stands.")
        .tool("TaskUpdate", json!({"taskId": "1", "status": "completed"}))
        .obeys()
}

fn a_whole_cycle(version: &str) -> Result<()> {
    let home = Home::fresh(RIG)?;
    let user = planning(&home, version)?;
    let outcome = Headless::new(&home)
        .version(version)
        .env("CLAUDE_CODE_ENABLE_TASKS", "1")
        .args(["--permission-mode", "acceptEdits", "--allowedTools", TOOLS])
        .scenario(cycle())
        .run()?;
    ensure!(outcome.status.success(), "{}", outcome.stderr);
    assert_eq!(outcome.result(), DONE);
    let status = status(&user)?;
    let login = &status["features"][0];
    assert_eq!(login["phase"], "report", "{status:#}");
    assert!(login["finished_ms"].is_u64(), "{login}");
    assert_eq!(
        (&login["iterations"], &login["rate"]),
        (&json!(1), &json!(95.0))
    );
    let moves = status["history"]
        .as_array()
        .context("no history")?
        .iter()
        .rev();
    let moves: Vec<&str> = moves
        .filter(|step| step["what"] == "moved")
        .filter_map(|step| step["phase"].as_str())
        .collect();
    assert_eq!(moves, ["design", "do", "check", "act", "check", "report"]);
    let told = home.api_log()?.iter().any(|request| {
        let messages = request["messages"].to_string();
        messages.contains("Workflow: Plan of") && messages.contains("Next: design.")
    });
    assert!(told, "the model was not told");
    Ok(())
}

#[test]
fn a_whole_cycle_runs_by_what_the_model_is_told() -> Result<()> {
    a_whole_cycle(client::CLIENT_VERSION)
}

#[test]
fn a_whole_cycle_runs_without_the_event_of_a_completed_task() -> Result<()> {
    a_whole_cycle(BEFORE)
}

/// A lead puts two tasks on the list and starts two members, who say that they are ready and from then on do only what they
/// are told.
fn team() -> Scenario {
    let ready = |name: &str| Scenario::new(name).says("I am ready.").obeys();
    let task = |subject: &str| json!({"subject": subject, "description": "For whoever is free"});
    Scenario::new("leading")
        .says("Two tasks.")
        .tool("TaskCreate", task("Mend the fence"))
        .says("And another.")
        .tool("TaskCreate", task("Count the sheep"))
        .says("One of the team.")
        .teammate("mender", ready("mending"))
        .says("And one more.")
        .teammate("counter", ready("counting"))
        .says("They will see.")
}

/// How many members were told of a task, by its subject. The client may tell them twice of the same.
fn handed(home: &Home, subject: &str) -> Result<usize> {
    let words = format!("Next task: \\\"{subject}\\\"");
    let log = home.api_log()?;
    let talks: Vec<String> = log
        .iter()
        .map(|request| request["messages"].to_string())
        .collect();
    // Each conversation is sent again at every turn: the longest of each member has all of it. The lead's has all markers.
    let talks = ["mending", "counting"].map(|member| {
        let marker = format!("[[script:{member}]]");
        let is_own =
            |talk: &&String| talk.contains(&marker) && !talk.contains("[[script:leading]]");
        talks.iter().filter(is_own).max_by_key(|talk| talk.len())
    });
    let told = talks.iter().flatten();
    Ok(told.filter(|talk| talk.contains(&words)).count())
}

fn a_team_of_two(registered: fn(&Home) -> Result<()>) -> Result<()> {
    let home = Home::fresh(RIG)?;
    let user = planning(&home, client::CLIENT_VERSION)?;
    registered(&home)?;
    let terminal = Interactive::new(&home)
        .env("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "1")
        .args(["--permission-mode", "acceptEdits", "--allowedTools", TOOLS])
        .args(["--teammate-mode", "in-process"])
        .start()?;
    terminal.play(&team())?;
    let all_done = || Ok((status(&user)?["progress"]["done"] == 2).then_some(()));
    let done = wait::until(PATIENCE, all_done)?;
    ensure!(
        done.is_some(),
        "{:#}\n{}",
        status(&user)?,
        terminal.screen()?
    );
    terminal.stop();
    let file = fs::read_to_string(home.project().join(".bellwether/workflow.json"))?;
    let file: Value = serde_json::from_str(&file)?;
    let given = [&file["tasks"][0]["given"], &file["tasks"][1]["given"]];
    assert_eq!(given, [&json!(1), &json!(1)], "{file:#}");
    for subject in ["Mend the fence", "Count the sheep"] {
        assert_eq!(handed(&home, subject)?, 1, "{subject}");
    }
    let status = status(&user)?;
    let mut names: Vec<&str> = status["team"]
        .as_array()
        .context("no team")?
        .iter()
        .filter_map(|member| member["name"].as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["counter", "mender"], "{status:#}");
    Ok(())
}

#[test]
fn each_of_two_idle_teammates_gets_a_task_and_each_task_is_given_once() -> Result<()> {
    a_team_of_two(|_| Ok(()))
}

/// Before there was an event for an idle teammate, the end of its turn is the moment. Such a client offers no team without an
/// account, so this one is registered with as if it were that old.
#[test]
fn each_of_two_teammates_gets_a_task_without_the_event_of_an_idle_one() -> Result<()> {
    a_team_of_two(|home| {
        let path = home.dir().join(".claude/settings.json");
        let text = fs::read_to_string(&path)?.replace(client::CLIENT_VERSION, BEFORE);
        ensure!(text.contains(BEFORE), "no version in {text}");
        let mut settings: Value = serde_json::from_str(&text)?;
        let hooks = settings["hooks"].as_object_mut().context("no hooks")?;
        for later in ["TaskCreated", "TaskCompleted", "TeammateIdle"] {
            hooks.remove(later).context("it is not registered")?;
        }
        Ok(fs::write(path, settings.to_string())?)
    })
}
