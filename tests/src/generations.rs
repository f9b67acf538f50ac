//! What must hold with every version of the client: installed, every event that it sends is stored, the guard refuses,
//! the doctor has no complaint, and uninstalled nothing of ours is left.
//!
//! [`holds`] tells the story for one version; how our hook gets to the client is a [`Registering`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use crate::dialect::Dialect;
use crate::doctor::Said;
use crate::{Headless, Home, Programs, Scenario, User};

/// The tools that need no leave; each version knows some of them. `WebFetch` is not among them: asking for leave is an
/// event too.
const ALLOWED: &str = "Bash,Agent,Task,TodoWrite,TaskCreate,TaskUpdate,TaskList";
/// The guard's words on the refused command.
const REASON: &str = "your whole home folder";
const REFUSED: &str = "rm -rf ~/";
const FAILING: &str = "echo no such luck >&2; exit 3";
const TASK: &str = "Mend the fence";
/// How long a fact that only the transcript tells may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// How our hook gets to the client of a user.
pub trait Registering {
    fn register(&self, user: &User) -> Result<()>;

    /// Takes it away again.
    fn withdraw(&self, user: &User) -> Result<()>;

    /// The events of which the client then tells us.
    fn events(&self, user: &User) -> Result<BTreeSet<String>>;

    /// The scope that each stored event is to come from.
    fn scope(&self) -> &'static str;

    /// Whether a file tells the doctor of it, and the version to the hook.
    fn is_written(&self) -> bool {
        true
    }

    /// What the client is started with besides.
    fn arguments(&self) -> Vec<String> {
        Vec::new()
    }
}

/// `bellwether install`: the user's settings file.
#[derive(Debug)]
pub struct BySettings;

impl Registering for BySettings {
    fn register(&self, user: &User) -> Result<()> {
        user.installed()
    }

    fn withdraw(&self, user: &User) -> Result<()> {
        let said = user.at_terminal(&["uninstall", "--state"])?;
        ensure!(said.starts_with("exit 0\n"), "{said}");
        Ok(())
    }

    fn events(&self, user: &User) -> Result<BTreeSet<String>> {
        registered_in(&user.settings())
    }

    fn scope(&self) -> &'static str {
        "user"
    }
}

/// The plugin of the tree, by an option of the client's, with the programs in `~/.local/bin`.
#[derive(Debug)]
pub struct ByPlugin;

impl ByPlugin {
    /// The first version that has the option.
    pub fn is_known_to(version: &str) -> Result<bool> {
        Ok(Dialect::of(version)? >= Dialect::of("2.0.25")?)
    }

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugin")
    }
}

impl Registering for ByPlugin {
    fn register(&self, user: &User) -> Result<()> {
        let bin = user.home.join(".local/bin");
        fs::create_dir_all(&bin)?;
        for program in [user.programs.hook(), user.programs.main()] {
            let name = program.file_name().context("a program has a name")?;
            symlink(&program, bin.join(name))?;
        }
        Ok(())
    }

    fn withdraw(&self, user: &User) -> Result<()> {
        user.run(&["daemon", "stop"]).map(drop)
    }

    fn events(&self, _: &User) -> Result<BTreeSet<String>> {
        registered_in(&Self::folder().join("hooks/hooks.json"))
    }

    fn scope(&self) -> &'static str {
        "plugin"
    }

    fn is_written(&self) -> bool {
        false
    }

    fn arguments(&self) -> Vec<String> {
        vec!["--plugin-dir".into(), Self::folder().display().to_string()]
    }
}

/// The events for which a file of hooks names our hook.
pub fn registered_in(file: &Path) -> Result<BTreeSet<String>> {
    let text = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let settings: Value = serde_json::from_slice(&text)?;
    let events = settings["hooks"].as_object().context("no hooks")?.iter();
    let ours = events.filter(|(_, groups)| groups.to_string().contains("bellwether-hook"));
    Ok(ours.map(|(event, _)| event.clone()).collect())
}

/// The ways in which a version can get our hook.
pub fn ways(version: &str) -> Result<Vec<&'static dyn Registering>> {
    let mut ways: Vec<&dyn Registering> = vec![&BySettings];
    if ByPlugin::is_known_to(version)? {
        ways.push(&ByPlugin);
    }
    Ok(ways)
}

/// Lives through the story with one version of the client; the error says what did not hold.
pub fn holds(
    rig: &Path,
    programs: &Programs,
    version: &str,
    registering: &dyn Registering,
) -> Result<()> {
    let home = Home::fresh(rig)?;
    let user = User::with_client(&home, programs, version)?;
    let before = foreign_settings(&home, version)?;
    user.write(&before)?;
    registering.register(&user)?;
    let events = registering.events(&user)?;

    play(&home, version, registering)?;
    let heard = stored_with_failures(&user)?;
    all_stored(&home, &events, &heard)?;
    all_told(&heard)?;
    all_labelled(&heard, version, registering)?;
    refused(&home, &heard)?;
    if registering.is_written() {
        no_complaint(&user)?;
    }

    registering.withdraw(&user)?;
    let after = fs::read(user.settings())?;
    ensure!(after == before, "the settings are not what they were");
    Ok(())
}

/// Settings of somebody with hooks and habits, among them the recorder for every event that the version knows.
fn foreign_settings(home: &Home, version: &str) -> Result<Vec<u8>> {
    let settings = home
        .recording_for(Dialect::of(version)?)
        .set("env", json!({"FOREIGN": "kept"}))
        .set("permissions", json!({"deny": ["Bash(curl:*)"]}))
        .set("includeCoAuthoredBy", false.into());
    let text = serde_json::to_string_pretty(&settings.to_json())?;
    // Not as we would write it: tabs, and no newline at the end.
    Ok(text.replace("  ", "\t").into_bytes())
}

/// A session, and its compaction by another one that goes on with it.
fn play(home: &Home, version: &str, registering: &dyn Registering) -> Result<()> {
    let headless = || {
        Headless::new(home)
            .version(version)
            .env("CLAUDE_CODE_ENABLE_TASKS", "1")
            .args(registering.arguments())
            .args(["--permission-mode", "acceptEdits"])
            .args(["--allowedTools", ALLOWED])
    };
    let outcome = headless().scenario(session()).run()?;
    ensure!(outcome.status.success(), "{}", outcome.stderr);
    ensure!(outcome.result() == LAST_WORDS, "{:?}", outcome.result());
    ensure!(home.project().exists(), "{REFUSED} was run");
    let compacted = headless().prompt("/compact").args(["--continue"]).run()?;
    ensure!(compacted.status.success(), "{}", compacted.stderr);
    Ok(())
}

const LAST_WORDS: &str = "That was all of it.";

/// Something of everything that fires an event without a person. A tool that a version does not have is an error that
/// only the model hears of.
fn session() -> Scenario {
    let helper = Scenario::new("generations_helper")
        .says("Counting the files.")
        .bash("ls | wc -l")
        .says("I counted them all.");
    let todo = |status: &str| json!({"todos": [{"content": TASK, "status": status, "activeForm": "Mending"}]});
    Scenario::new("generations")
        .says("Let me greet the shell.")
        .bash("echo hello")
        .says("A poem needs a file.")
        .write("poem.txt", "roses\nviolets\n")
        .says("Better flowers.")
        .edit("poem.txt", "violets", "lilies")
        .says("This one will not work.")
        .bash(FAILING)
        .says("Somebody should count the files.")
        .agent("general-purpose", "Count the files", helper)
        .says("This one must not work.")
        .bash(REFUSED)
        .says("A list, as older versions keep it.")
        .tool("TodoWrite", todo("in_progress"))
        .says("And as newer ones do.")
        .tool(
            "TaskCreate",
            json!({"subject": TASK, "description": "The northern side"}),
        )
        .says("Done.")
        .tool("TaskUpdate", json!({"taskId": "1", "status": "completed"}))
        .tool("TodoWrite", todo("completed"))
        .says("This needs leave, and nobody gives it.")
        .tool(
            "WebFetch",
            json!({"url": "https://example.invalid/", "prompt": "What is there?"}),
        )
        .says(LAST_WORDS)
}

/// What the recorder saw beside us is what we stored, payload by payload.
fn all_stored(home: &Home, events: &BTreeSet<String>, heard: &[Value]) -> Result<()> {
    let mut recorded = home.recorded()?;
    recorded.retain(|record| events.contains(record.event()));
    for always in [
        "PreToolUse",
        "PostToolUse",
        "SubagentStop",
        "Stop",
        "PreCompact",
    ] {
        let came = recorded.iter().any(|record| record.event() == always);
        ensure!(came, "the client sent no {always}");
    }
    let recorded = counted(recorded.iter().map(|record| &record.payload));
    let own = heard
        .iter()
        .filter(|event| event["meta"]["carrier"].is_null());
    let stored = counted(own.map(|event| &event["payload"]));
    if let Some(lost) = first_beyond(&recorded, &stored) {
        bail!("sent and not stored: {lost}")
    }
    if let Some(invented) = first_beyond(&stored, &recorded) {
        bail!("stored and not sent: {invented}")
    }
    Ok(())
}

/// What is stored, once what only the transcript tells is there too: it is looked for when other events have come.
fn stored_with_failures(user: &User) -> Result<Vec<Value>> {
    let until = Instant::now() + PATIENCE;
    loop {
        let heard = user.stored()?;
        let failed = |event: &&Value| event["payload"]["hook_event_name"] == "PostToolUseFailure";
        if heard.iter().any(|event| failed(&event)) || Instant::now() > until {
            return Ok(heard);
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Every version tells these facts of the story, by an event of its own or by what stands in for it.
fn all_told(heard: &[Value]) -> Result<()> {
    let of = |event: &str| -> Vec<&Value> {
        let fitting = |one: &&Value| one["payload"]["hook_event_name"] == event;
        heard
            .iter()
            .filter(fitting)
            .map(|one| &one["payload"])
            .collect()
    };
    let failed = of("PostToolUseFailure");
    let failing = failed
        .iter()
        .filter(|one| one["tool_input"]["command"] == FAILING);
    ensure!(failing.count() == 1, "one call failed, and not {failed:?}");
    let told = |one: &&Value| {
        one["payload"]["hook_event_name"] == "PostToolUseFailure"
            && !one["meta"]["carrier"].is_null()
    };
    let mut carried = heard.iter().filter(told).map(|one| &one["payload"]);
    let other = carried.find(|one| one["tool_input"]["command"] != FAILING);
    ensure!(
        other.is_none(),
        "it did not run, so it did not fail: {other:?}"
    );
    let (begun, ended) = (of("SubagentStart"), of("SubagentStop"));
    let helper = begun
        .iter()
        .find(|one| one["agent_type"] == "general-purpose");
    let helper = &helper.context("no agent began")?["agent_id"];
    ensure!(
        ended.iter().any(|one| one["agent_id"] == *helper),
        "{helper} did not end"
    );
    let done = of("TaskCompleted");
    let [done] = done.as_slice() else {
        bail!("{} tasks were done", done.len())
    };
    ensure!(done["task_subject"] == TASK, "{done}");
    let compacted = of("PostCompact").len();
    ensure!(compacted == 1, "compacted {compacted} times");
    Ok(())
}

/// How often each payload came.
fn counted<'a>(payloads: impl Iterator<Item = &'a Value>) -> BTreeMap<String, usize> {
    payloads.fold(BTreeMap::new(), |mut counted, payload| {
        *counted.entry(payload.to_string()).or_default() += 1;
        counted
    })
}

/// A payload that came more often here than there.
fn first_beyond<'a>(
    here: &'a BTreeMap<String, usize>,
    there: &BTreeMap<String, usize>,
) -> Option<&'a str> {
    let mut beyond = here
        .iter()
        .filter(|(payload, count)| there.get(*payload).is_none_or(|other| other < *count));
    beyond.next().map(|(payload, _)| payload.as_str())
}

/// Each stored event says which version sent it, and how we were registered.
fn all_labelled(heard: &[Value], version: &str, registering: &dyn Registering) -> Result<()> {
    for event in heard {
        let meta = &event["meta"];
        let said = &meta["client_version"];
        let knows = *said == version || (said.is_null() && !registering.is_written());
        ensure!(knows && meta["from"] == registering.scope(), "{meta}");
    }
    Ok(())
}

/// The model was told why, and the refusal is on record.
fn refused(home: &Home, heard: &[Value]) -> Result<()> {
    let asked = heard.iter().filter(|event| {
        let payload = &event["payload"];
        payload["hook_event_name"] == "PreToolUse" && payload["tool_input"]["command"] == REFUSED
    });
    let asked: Vec<&Value> = asked.collect();
    let [asked] = asked.as_slice() else {
        bail!("asked {} times for {REFUSED}", asked.len())
    };
    let rules = &asked["meta"]["guard"]["rules"];
    ensure!(rules.to_string().contains("delete"), "{}", asked["meta"]);
    // Some versions tell it beside the tool's result: what the model gets is what counts.
    let mut requests = home.api_log()?.into_iter();
    ensure!(
        requests.any(|request| request["messages"].to_string().contains(REASON)),
        "the model was not told {REASON:?}"
    );
    Ok(())
}

/// The doctor finds the registration as it should be.
fn no_complaint(user: &User) -> Result<()> {
    let said = Said::by(&user.command(&["doctor", "--json"]).output()?)?;
    for check in ["registration", "settings"] {
        ensure!(said.is_good(check), "{:#?}", said.of(check));
    }
    Ok(())
}
