//! Seed 003's handlers, each asked with the event as the client really sends it.

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use bellwether_hook::handlers::{self, Context};
use bellwether_hook::settings::Settings;
use bellwether_hook::workflow::{Config, SECTION};
use bellwether_hook::{Looked, Settled};
use bellwether_protocol::client::Client;
use bellwether_spine::Home;
use bellwether_spine::config::Snapshot;
use bellwether_workflow::{Flow, Status, StatusFile, import, stated};
use serde_json::{Value, json};

use super::super::Verdict;
use super::super::planned::{Planned, automation, phases_of};
use super::{broken, compare};

const THRESHOLD: &str = "the threshold that is set counts; the original read it and took 90";
const NO_EXIT: &str = "the client tells no exit code: a member whose turn is over is idle";
const TURN: &str = "the end of a turn leaves the team as it is; it goes with its session";
const KEPT: &str =
    "the status file outlives a compaction: nothing has to be put into the context for it";
const LIMIT: &str = "after the last round the person decides; the original went on";
const WORD: &str = "a word in an answer moves nothing: only a completed task does";
/// What the client puts behind a teammate's name in its id.
const OF_A_TEAMMATE: &str = "-20abaa3412251a65";

pub(super) fn run(case: &Value) -> Verdict {
    judged(case).unwrap_or_else(|error| broken(&error))
}

fn judged(case: &Value) -> Result<Verdict> {
    let name = case["case"].as_str().unwrap_or_default();
    let phases = phases_of(&case["status_after"]["features"]);
    Ok(match name.split('_').next().unwrap_or_default() {
        "tc" if case["input"].is_string() => {
            let read = Client::default().parse(case["input"].as_str().unwrap_or_default());
            compare(&json!(true), &json!(read.is_err()), None)
        }
        "tc" => {
            let after = Room::of(case)?.hear(&completed(&case["input"]))?;
            let excuse = name.contains("threshold").then_some(THRESHOLD);
            compare(&phases, &after.phases(), excuse)
        }
        "idle" => {
            let after = Room::of(case)?.hear(&member("TeammateIdle", &case["input"]))?;
            compare(&Value::Null, &json!(after.said), None)
        }
        "start" => {
            let after = Room::of(case)?.hear(&member("SubagentStart", &case["input"]))?;
            compare(&case["input"]["agent_name"], &after.newest_member(), None)
        }
        "stop" => Verdict::Excused(NO_EXIT),
        "unified" => Verdict::Excused(TURN),
        "precompact" => Verdict::Excused(KEPT),
        "gap" => checked(case, &phases)?,
        "iter" => Verdict::Excused(WORD),
        _ => compare(&json!(name), &json!("no such case"), None),
    })
}

/// The report of a check says its rate, and the task of the check is completed.
fn checked(case: &Value, expected: &Value) -> Result<Verdict> {
    let report = case["input"]["text"].as_str().unwrap_or_default();
    let mut before = case["status_before"].clone();
    before["features"]["login"]["matchRate"] = json!(stated(report).first());
    let mut planned = Planned::new(&json!("full-auto"))?.taken_over(&before)?;
    planned.complete("[Check] login");
    let at_limit = before["features"]["login"]["iterationCount"] == json!(5);
    Ok(compare(
        expected,
        &planned.phases(),
        at_limit.then_some(LIMIT),
    ))
}

/// A completed task, with what the client says beside it.
fn completed(input: &Value) -> Value {
    let mut event = json!({"hook_event_name": "TaskCompleted", "session_id": "s", "task_id": "1"});
    for (key, value) in input.as_object().into_iter().flatten() {
        event[key] = value.clone();
    }
    event
}

/// An event of a member, with the fields that the client has for it.
fn member(event: &str, input: &Value) -> Value {
    let keys = ["agent_name", "teammate_name", "teammate_id", "agent_id"];
    let name = keys.iter().find_map(|key| input[key].as_str());
    let name = name.unwrap_or_default();
    json!({"hook_event_name": event, "session_id": "s", "agent_id": format!("a{name}{OF_A_TEAMMATE}"),
        "agent_type": name, "teammate_name": name, "team_name": "t"})
}

/// A project with the original's status taken over.
struct Room {
    folder: tempfile::TempDir,
    config: Config,
    flow: Flow,
}

/// What is said, and what the status file says then.
struct After {
    said: Option<String>,
    status: Status,
}

impl After {
    fn phases(&self) -> Value {
        let status = serde_json::to_value(&self.status).unwrap_or_default();
        phases_of(&status["features"])
    }

    fn newest_member(&self) -> Value {
        json!(self.status.team.last().map(|member| &member.name))
    }
}

impl Room {
    fn of(case: &Value) -> Result<Self> {
        let pdca = &case["config"]["pdca"];
        let level = [
            &case["env"]["BKIT_PDCA_AUTOMATION"],
            &pdca["automationLevel"],
        ];
        let level = level.into_iter().find(|level| level.is_string());
        let threshold = pdca["matchRateThreshold"].as_u64().unwrap_or(90);
        let config = Config {
            enabled: true,
            automation: automation(level.unwrap_or(&Value::Null)),
            threshold: u32::try_from(threshold)?,
            ..Config::default()
        };
        let room = Self {
            folder: tempfile::tempdir()?,
            flow: config.flow()?,
            config,
        };
        let file = room.file();
        file.create(&room.flow)?;
        if case["status_before"].is_object() {
            let text = case["status_before"].to_string();
            file.change(&room.flow, Duration::from_secs(1), None, |status| {
                import(status, &room.flow, &text, 0, &|_| None)
            })?;
        }
        Ok(room)
    }

    fn file(&self) -> StatusFile {
        StatusFile::of(self.folder.path())
    }

    fn hear(&self, event: &Value) -> Result<After> {
        let home = Home::find(Some(self.folder.path().join("home")))?;
        let client = Client::default();
        let mut event = event.clone();
        event["cwd"] = json!(self.folder.path());
        let text = event.to_string();
        let event = client.parse(&text).map_err(|error| anyhow!("{error}"))?;
        let mut snapshot = Snapshot::new(Vec::new());
        snapshot.add(SECTION, &self.config)?;
        let settings = Settings::known(&home, snapshot);
        let looked = Looked::default();
        let Settled { reply, .. } = handlers::dispatch(Context {
            event: &event,
            home: &home,
            client,
            registered: client,
            settings: &settings,
            looked: &looked,
        });
        let opened = self.file().read(&self.flow).context("the status file")?;
        Ok(After {
            said: reply.decision.map(|decision| format!("{decision:?}")),
            status: opened.status,
        })
    }
}
