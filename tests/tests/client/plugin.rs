//! The plugin in the real client: installed from the tree, as a person does it, and then heard. The numbers are those of
//! seed 000's acceptance criteria.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::doctor::Said;
use bellwether_tests::run::printed;
use bellwether_tests::{
    Headless, Home, Interactive, Outcome, Record, Scenario, Terminal, User, jsonl, scenarios, wait,
};
use serde_json::Value;

use crate::RIG;

const PATIENCE: Duration = Duration::from_secs(40);
/// Dialogs that follow each other more quickly are one moment.
const ANOTHER_MOMENT: Duration = Duration::from_millis(2200);
const NAME: &str = "bellwether@bellwether";
/// The words of seed 000.
const PLAIN: &str = "preset: plain\n";
/// The same without what is said of a dialog before the client notifies of it.
const ONLY_NOTIFIED: &str = "preset: plain\nhooks: {permission_request: {enabled: false}}\n";

fn tree() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    Ok(root.canonicalize()?)
}

/// Runs a line of the shell in a home, in which `$1` is the client.
fn client_runs(home: &Home, line: &str) -> Result<Outcome> {
    let line = format!("{{ {line}; }} >&2");
    Headless::new(home).within(["sh", "-c", &line, "sh"]).run()
}

/// A home of the real client with the plugin installed from the tree, and the programs in `~/.local/bin`.
struct Owner {
    home: Home,
    user: User,
}

impl Owner {
    fn new() -> Result<Self> {
        Self::configured(PLAIN)
    }

    fn configured(config: &str) -> Result<Self> {
        let owner = Self::without_programs()?;
        let bin = owner.home.dir().join(".local/bin");
        fs::create_dir_all(&bin)?;
        symlink(owner.user.programs.hook(), bin.join("bellwether-hook"))?;
        symlink(owner.user.programs.main(), bin.join("bellwether"))?;
        let folder = owner.home.dir().join(".config/bellwether");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("config.yaml"), config)?;
        Ok(owner)
    }

    fn without_programs() -> Result<Self> {
        let home = Home::fresh(RIG)?;
        let user = User::of(&home)?;
        let add = format!(
            r#""$1" plugin marketplace add '{}' && "$1" plugin install {NAME}"#,
            tree()?.display()
        );
        let outcome = client_runs(&home, &add)?;
        ensure!(outcome.status.success(), "{}", outcome.stderr);
        Ok(Self { home, user })
    }

    /// The copy that the client runs.
    fn copy(&self) -> Result<PathBuf> {
        let list = self
            .home
            .dir()
            .join(".claude/plugins/installed_plugins.json");
        let list: Value = serde_json::from_slice(&fs::read(list)?)?;
        let path = list["plugins"][NAME][0]["installPath"].as_str();
        Ok(path.context("the plugin is not listed")?.into())
    }

    fn play(&self, scenario: Scenario) -> Result<Outcome> {
        let outcome = bellwether_tests::watched::play(&self.home, scenario)?;
        ensure!(outcome.status.success(), "{}", outcome.stderr);
        Ok(outcome)
    }

    fn at_prompt(&self) -> Result<Terminal<'_>> {
        Interactive::new(&self.home)
            .args(["--permission-mode", "default"])
            .start()
    }

    /// What was said of an event; waits until these words are.
    fn said(&self, event: &str, words: &str) -> Result<Vec<String>> {
        let look = || {
            let said = self.said_so_far(event)?;
            Ok(said.iter().any(|said| said.contains(words)).then_some(said))
        };
        wait::until(PATIENCE, look)?
            .with_context(|| format!("no {event} with {words:?}: {:#?}", self.decided()))
    }

    fn said_so_far(&self, event: &str) -> Result<Vec<String>> {
        let said = self.decided()?.into_iter().filter_map(|decided| {
            let text = decided["outcome"]["said"]["text"].as_str()?.to_owned();
            (decided["event"] == event).then_some(text)
        });
        Ok(said.collect())
    }

    fn decided(&self) -> Result<Vec<Value>> {
        let mut command = self.home.command(&self.user.programs.main());
        jsonl::parse(&printed(command.args(["announce", "--json", "--all"]))?)
    }
}

#[test]
fn the_client_validates_plugin_and_marketplace_without_a_complaint() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let root = tree()?;
    for folder in [root.join("plugin"), root] {
        let line = format!(r#""$1" plugin validate --strict '{}'"#, folder.display());
        let outcome = client_runs(&home, &line)?;
        let said = outcome.stderr;
        assert!(outcome.status.success(), "{said}");
        assert!(said.contains("Validation passed"), "{said}");
        for complaint in [
            "passed with warnings",
            "⚠",
            "Found 1 problem",
            "refuses a submission",
        ] {
            assert!(!said.contains(complaint), "{said}");
        }
    }
    Ok(())
}

#[test]
fn each_event_comes_once_by_the_plugin_and_once_with_the_rest_installed() -> Result<()> {
    let owner = Owner::new()?;
    for rest in [false, true] {
        if rest {
            owner.user.installed()?;
        }
        let before = owner.user.stored()?.len();
        let outcome = owner.play(scenarios::basic())?;
        let stored = owner.user.stored()?;
        for event in [
            "SessionStart",
            "PreToolUse",
            "PostToolUse",
            "Stop",
            "SessionEnd",
        ] {
            let ours = stored[before..]
                .iter()
                .filter(|stored| stored["payload"]["hook_event_name"] == event);
            assert_eq!(ours.count(), outcome.of(event).count(), "{event}, {rest}");
        }
        let from = |from: &str| {
            stored[before..]
                .iter()
                .any(|stored| stored["meta"]["from"] == from)
        };
        assert!(from("plugin"));
        assert_eq!(from("user"), rest, "what only the settings bring");
    }
    Ok(())
}

#[test]
fn the_guard_refuses_by_the_plugin() -> Result<()> {
    let owner = Owner::new()?;
    let scenario = Scenario::new("wipe")
        .says("Away with it.")
        .bash("rm -rf .git")
        .says("Done.");
    owner.play(scenario)?;
    assert!(owner.home.project().join(".git").is_dir());
    Ok(())
}

#[test]
fn ac_01_05_notifications_and_ends_of_turns_are_told() -> Result<()> {
    let owner = Owner::configured(ONLY_NOTIFIED)?;
    let terminal = owner.at_prompt()?;
    terminal.play(&scenarios::permission())?;
    // AC-01, with nothing but the plugin: the client's own words, seconds after the dialog.
    let notified = |record: &Record| record.event() == "Notification";
    let notified = owner.home.wait_for_record(notified, PATIENCE)?;
    owner.said("Notification", notified.text("message"))?;
    terminal.answer("Do you want to proceed?", "Enter")?;
    terminal.answer("Do you want to create granted.txt?", "Enter")?;
    // AC-05
    owner.said("Stop", "Thank you for your trust.")?;
    Ok(())
}

#[test]
fn ac_02_a_permission_request_is_told_with_its_tool() -> Result<()> {
    let owner = Owner::new()?;
    // The event is younger than the plugin's oldest client: the plugin's own command adds it.
    owner.user.installed()?;
    let terminal = owner.at_prompt()?;
    terminal.play(&scenarios::permission())?;
    let said = owner.said("PermissionRequest", "Permission required for Bash")?;
    assert_eq!(said.len(), 1, "{said:?}");
    // Two requests within two seconds are one moment.
    std::thread::sleep(ANOTHER_MOMENT);
    terminal.answer("Do you want to proceed?", "Enter")?;
    terminal.answer("Do you want to create granted.txt?", "Enter")?;
    owner.said("Stop", "Thank you for your trust.")?;
    owner.said("PermissionRequest", "Permission required for Write")?;
    Ok(())
}

#[test]
fn ac_03_a_subagent_that_has_finished_is_told() -> Result<()> {
    let owner = Owner::new()?;
    let terminal = owner.at_prompt()?;
    let reader = Scenario::new("one_reader_inside")
        .says("Reading.")
        .read("notes.txt")
        .says("The notes have two lines.");
    let scenario = Scenario::new("one_reader")
        .says("Somebody shall read.")
        .agent("Explore", "Read once", reader)
        .says("It has read.");
    terminal.play(&scenario)?;
    owner.said("SubagentStop", "Subagent Explore completed")?;
    Ok(())
}

#[test]
fn ac_04_a_task_that_is_done_is_told_once() -> Result<()> {
    let owner = Owner::new()?;
    owner.user.installed()?;
    a_done_task_is_told_once(&owner)
}

/// The client has the event, but nobody registered it: the tool that moves the task stands in.
#[test]
fn ac_04_a_task_that_is_done_is_told_by_the_plugin_alone() -> Result<()> {
    a_done_task_is_told_once(&Owner::new()?)
}

fn a_done_task_is_told_once(owner: &Owner) -> Result<()> {
    let terminal = owner.at_prompt()?;
    terminal.play(&scenarios::tasks())?;
    owner.said("TaskCompleted", "Task completed: Mend the fence")?;
    owner.said("Stop", "Only the sheep are left.")?;
    assert_eq!(owner.said_so_far("TaskCompleted")?.len(), 1);
    Ok(())
}

#[test]
fn ac_06_without_the_program_the_client_shows_a_hint_and_no_error() -> Result<()> {
    let owner = Owner::without_programs()?;
    let outcome = owner.play(scenarios::basic())?;
    let hooks = outcome
        .stream
        .iter()
        .filter(|line| line["subtype"] == "hook_response")
        .filter(|line| line["hook_name"].is_string());
    let hooks: Vec<&Value> = hooks.collect();
    assert!(!hooks.is_empty());
    for hook in &hooks {
        assert_eq!(hook["exit_code"], 0, "{hook:#}");
    }
    let hints = hooks.iter().filter(|hook| {
        hook["stdout"]
            .as_str()
            .is_some_and(|said| said.contains("not installed"))
    });
    assert_eq!(hints.count(), 1, "one a session");
    Ok(())
}

#[test]
fn ac_07_08_the_clients_copy_is_the_trees_and_can_be_run() -> Result<()> {
    let owner = Owner::new()?;
    let (copy, tree) = (owner.copy()?, tree()?);
    for path in [
        "hooks/hooks.json",
        "hooks/bellwether-hook",
        ".claude-plugin/plugin.json",
    ] {
        let ours = tree.join("plugin").join(path);
        assert_eq!(fs::read(copy.join(path))?, fs::read(&ours)?, "{path}");
        let mode =
            |path: PathBuf| Ok::<_, anyhow::Error>(path.metadata()?.permissions().mode() & 0o111);
        assert_eq!(mode(copy.join(path))?, mode(ours)?, "{path}");
    }
    let starter = tree.join("plugin/hooks/bellwether-hook");
    assert_eq!(starter.metadata()?.permissions().mode() & 0o111, 0o111);
    let mut git = Command::new("git");
    git.args(["ls-files", "--stage", "plugin/hooks/bellwether-hook"]);
    let listed = git.current_dir(&tree).output()?;
    let listed = String::from_utf8(listed.stdout)?;
    assert!(
        listed.is_empty() || listed.starts_with("100755 "),
        "{listed}"
    );

    let doctor = || Said::by(&owner.user.command(&["doctor", "--json"]).output()?);
    doctor()?.assert_good("own_plugin");
    let hooks = copy.join("hooks/hooks.json");
    fs::write(
        &hooks,
        fs::read_to_string(&hooks)?.replace("plugin", "elsewhere"),
    )?;
    doctor()?.finds("own_plugin", "warning", "has other files than this program")?;
    Ok(())
}

#[test]
fn the_commands_run_what_they_say() -> Result<()> {
    let owner = Owner::new()?;
    let asked = |prompt: &str| -> Result<String> {
        let before = owner.home.api_log()?.len();
        let bin = owner.home.dir().join(".local/bin");
        Headless::new(&owner.home)
            .path_first(&bin)
            .prompt(prompt)
            .run()?;
        let log = owner.home.api_log()?;
        Ok(log[before..].iter().map(Value::to_string).collect())
    };
    for (prompt, words) in [
        ("/bellwether:status", "store "),
        ("/bellwether:mute 30m", "muted everywhere until"),
        ("/bellwether:unmute", "announcements are on again"),
        ("/bellwether:open", "STATE"),
        (
            "/bellwether:guard-explain git status",
            "bellwether guard explain",
        ),
        ("/bellwether:install", "only the others are registered"),
    ] {
        let heard = asked(prompt)?;
        assert!(heard.contains(words), "{prompt}: {heard}");
    }
    // What comes after a command is no second command.
    asked("/bellwether:mute 30m; touch touched")?;
    assert!(!owner.home.project().join("touched").exists());
    Ok(())
}
