use std::path::Path;

use bellwether_protocol::client::{Client, Product, Version};
use bellwether_protocol::event::Event;
use bellwether_spine::Home;
use bellwether_spine::config::Snapshot;
use bellwether_spine::trouble::Troubles;
use bellwether_workflow::{Automation, MOVED, Status, StatusFile};
use serde_json::{Value, json};

use super::Config;
use crate::answer::Settled;
use crate::handlers::{Context, dispatch};
use crate::looked::Looked;
use crate::settings::Settings;

struct Room {
    folder: tempfile::TempDir,
    home: Home,
    config: Config,
    client: Client,
}

/// What the client is told, and the events of our own.
#[derive(Debug, Default)]
struct Said {
    stdout: Value,
    stderr: String,
    exit: u8,
    events: Vec<Value>,
}

impl Said {
    fn context(&self) -> &str {
        self.stdout["hookSpecificOutput"]["additionalContext"]
            .as_str()
            .unwrap_or_default()
    }
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("home"))).unwrap();
        let config = Config {
            enabled: true,
            automation: Automation::FullAuto,
            checkpoints: Vec::new(),
            ..Config::default()
        };
        let room = Self {
            folder,
            home,
            config,
            client: Client::default(),
        };
        std::fs::create_dir_all(room.project()).unwrap();
        room.file().create(&room.config.flow().unwrap()).unwrap();
        room
    }

    fn of_version(version: Version) -> Self {
        Self {
            client: Client::new(Product::Claude, version),
            ..Self::new()
        }
    }

    fn project(&self) -> std::path::PathBuf {
        self.folder.path().join("project")
    }

    fn file(&self) -> StatusFile {
        StatusFile::of(&self.project())
    }

    fn status(&self) -> Status {
        self.file()
            .read(&self.config.flow().unwrap())
            .unwrap()
            .status
    }

    fn phase(&self, feature: &str) -> String {
        self.status().features[feature].phase.clone()
    }

    fn settle<T>(&self, payload: &Value, look: impl FnOnce(Settled<'_>, &Event<'_>) -> T) -> T {
        let mut payload = payload.clone();
        payload["session_id"] = json!("s");
        payload["cwd"] = json!(self.project());
        let text = payload.to_string();
        let event = self.client.parse(&text).unwrap();
        let mut snapshot = Snapshot::new(Vec::new());
        snapshot.add(super::SECTION, &self.config).unwrap();
        let settings = Settings::known(&self.home, snapshot);
        let looked = Looked::default();
        let settled = dispatch(Context {
            event: &event,
            home: &self.home,
            client: self.client,
            registered: self.client,
            settings: &settings,
            looked: &looked,
        });
        look(settled, &event)
    }

    fn says(&self, payload: &Value) -> Said {
        self.settle(payload, |settled, event| {
            let rendered = self.client.render(event.kind, &settled.reply);
            let stdout = rendered.stdout.as_deref().unwrap_or("null");
            Said {
                stdout: serde_json::from_str(stdout).unwrap(),
                stderr: rendered.stderr.unwrap_or_default(),
                exit: rendered.exit,
                events: settled
                    .events
                    .iter()
                    .map(|it| serde_json::from_str(it).unwrap())
                    .collect(),
            }
        })
    }

    fn create(&self, id: &str, subject: &str) {
        self.says(&created(id, subject));
    }

    fn complete(&self, id: &str) -> Said {
        self.says(&moved(id, "completed"))
    }
}

fn created(id: &str, subject: &str) -> Value {
    json!({"hook_event_name": "PostToolUse", "tool_name": "TaskCreate",
        "tool_input": {"subject": subject, "description": "d"}, "tool_response": {"task": {"id": id, "subject": subject}}})
}

fn moved(id: &str, status: &str) -> Value {
    json!({"hook_event_name": "PostToolUse", "tool_name": "TaskUpdate", "tool_input": {"taskId": id, "status": status},
        "tool_response": {"success": true, "taskId": id, "statusChange": {"from": "in_progress", "to": status}}})
}

fn by_member(mut payload: Value, name: &str) -> Value {
    payload["agent_id"] = json!(format!("a{name}-0123456789abcdef"));
    payload["agent_type"] = json!(name);
    payload
}

fn event(name: &str) -> Value {
    json!({"hook_event_name": name})
}

#[test]
fn the_model_hears_what_is_next_when_its_task_is_done() {
    for version in [Version::UNKNOWN, Version(2, 1, 32)] {
        let room = Room::of_version(version);
        room.create("1", "[Plan] login");
        let said = room.complete("1");
        assert_eq!(room.phase("login"), "design");
        assert_eq!(
            said.context(),
            "Workflow: Plan of \"login\" is done. Next: design. Create the task \"[Design] login\" and take it up now."
        );
        assert_eq!(
            said.stdout["systemMessage"],
            "bellwether: login: plan → design"
        );
        let [told] = said.events.as_slice() else {
            panic!("{:?}", said.events)
        };
        assert_eq!(
            (&told["hook_event_name"], &told["workflow"]["phase"]),
            (&json!(MOVED), &json!("design"))
        );
        assert_eq!(room.complete("1").events.len(), 0, "it was counted");
    }
}

#[test]
fn a_completion_that_two_events_tell_counts_once_and_is_told_by_the_tool() {
    let room = Room::new();
    let task =
        json!({"hook_event_name": "TaskCompleted", "task_id": "1", "task_subject": "[Plan] login"});
    let said = room.says(&task);
    assert_eq!(
        (said.exit, said.stdout, said.events.len()),
        (0, Value::Null, 1)
    );
    assert_eq!(room.phase("login"), "design");
    let said = room.complete("1");
    assert!(said.context().contains("Next: design"), "{said:?}");
    assert_eq!((said.events.len(), room.status().history.len()), (0, 2));
}

#[test]
fn a_list_that_is_written_as_a_whole_counts_too() {
    let room = Room::of_version(Version(2, 0, 30));
    let todo = |old: &str, new: &str| {
        let list = |status: &str| match status {
            "" => json!([]),
            status => json!([{"content": "[Plan] login", "status": status}]),
        };
        json!({"hook_event_name": "PostToolUse", "tool_name": "TodoWrite", "tool_input": {"todos": list(new)},
            "tool_response": {"oldTodos": list(old), "newTodos": list(new)}})
    };
    room.says(&todo("", "in_progress"));
    assert_eq!(room.phase("login"), "plan");
    let said = room.says(&todo("in_progress", "completed"));
    assert!(said.context().contains("Next: design"), "{said:?}");
    assert_eq!(room.phase("login"), "design");
}

#[test]
fn a_project_that_did_not_turn_it_on_is_left_alone() {
    let mut room = Room::new();
    room.config.enabled = false;
    let before = std::fs::read(room.file().path()).unwrap();
    room.create("1", "[Plan] login");
    assert_eq!(room.complete("1").stdout, Value::Null);
    assert_eq!(std::fs::read(room.file().path()).unwrap(), before);
    let mut room = Room::new();
    std::fs::remove_dir_all(room.project().join(".bellwether")).unwrap();
    room.config.enabled = true;
    assert_eq!(room.complete("1").stdout, Value::Null);
    assert!(!room.project().join(".bellwether").exists());
}

#[test]
fn other_tools_do_not_even_look() {
    let room = Room::new();
    std::fs::write(room.file().path(), "broken").unwrap();
    let said = room.says(&json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}));
    assert_eq!(said.stdout, Value::Null);
    assert!(Troubles(&room.home).recent().is_empty());
}

#[test]
fn an_idle_teammate_gets_one_task_and_then_nothing() {
    let room = Room::new();
    let idle = |name: &str| room.says(&by_member(event("TeammateIdle"), name));
    room.create("1", "Mend the fence");
    let said = idle("ann");
    assert_eq!((said.exit, said.stdout.clone()), (2, Value::Null));
    assert!(
        said.stderr
            .starts_with("Next task: \"Mend the fence\" (task 1"),
        "{said:?}"
    );
    let nothing = idle("bob");
    assert_eq!((nothing.exit, nothing.stderr.as_str()), (0, ""));
    room.says(&by_member(moved("1", "in_progress"), "ann"));
    assert_eq!(room.status().tasks[0].owner.as_deref(), Some("ann"));
    assert_eq!(idle("ann").exit, 0, "it is at work");
    let stopped = room.says(&by_member(event("SubagentStop"), "ann"));
    assert_eq!((stopped.exit, stopped.stdout), (0, Value::Null));
    room.says(&event("SessionEnd"));
    assert!(room.status().team.is_empty());
}

/// Before 2.1.33 the end of a turn stands in for the event.
#[test]
fn before_the_event_the_end_of_a_turn_is_sent_back_once() {
    let room = Room::of_version(Version(2, 1, 32));
    room.create("1", "Mend the fence");
    room.create("2", "Count the sheep");
    let stop = by_member(event("SubagentStop"), "ann");
    let said = room.says(&stop);
    assert_eq!((said.exit, &said.stdout["decision"]), (0, &json!("block")));
    assert!(
        said.stdout["reason"]
            .as_str()
            .unwrap()
            .starts_with("Next task: \"Mend the fence\"")
    );
    let mut again = stop.clone();
    again["stop_hook_active"] = json!(true);
    assert_eq!(room.says(&again).stdout, Value::Null, "once is enough");
    let mut plain = event("SubagentStop");
    plain["agent_id"] = json!("a0123456789abcdef0");
    plain["agent_type"] = json!("Explore");
    assert_eq!(room.says(&plain).stdout, Value::Null, "it is no teammate");
}

#[test]
fn what_was_given_is_given_to_nobody_when_that_is_off() {
    let mut room = Room::new();
    room.config.team = false;
    room.create("1", "Mend the fence");
    assert_eq!(room.says(&by_member(event("TeammateIdle"), "ann")).exit, 0);
    assert_eq!(room.status().team.len(), 1);
}

#[test]
fn a_conflict_is_told_with_its_line_and_the_agent_goes_on() {
    let room = Room::new();
    let text = std::fs::read_to_string(room.file().path()).unwrap();
    let text = text.replace("  \"tasks\"", "<<<<<<< HEAD\n  \"tasks\"");
    std::fs::write(room.file().path(), &text).unwrap();
    let said = room.complete("1");
    let message = said.stdout["systemMessage"].as_str().unwrap();
    assert!(
        message.contains(".bellwether/workflow.json:6: a merge left a conflict"),
        "{message}"
    );
    assert_eq!((said.exit, said.context()), (0, ""));
    assert_eq!(std::fs::read_to_string(room.file().path()).unwrap(), text);
    assert_eq!(Troubles(&room.home).recent()[0].code, "workflow_not_moved");
}

#[test]
fn secrets_and_control_characters_do_not_reach_the_file() {
    let room = Room::new();
    room.create(
        "1",
        "[Plan] use ghp_0123456789abcdefghijABCDEFGHIJ \u{1b}[31mnow",
    );
    let text = std::fs::read_to_string(room.file().path()).unwrap();
    assert!(
        !text.contains("0123456789abcdef") && !text.contains("u001b"),
        "{text}"
    );
}

#[test]
fn explaining_changes_nothing() {
    let room = Room::new();
    room.create("1", "[Plan] login");
    let before = std::fs::read(room.file().path()).unwrap();
    let mut payload = moved("1", "completed");
    payload["session_id"] = json!("s");
    payload["cwd"] = json!(room.project());
    let text = payload.to_string();
    let event = room.client.parse(&text).unwrap();
    let mut snapshot = Snapshot::new(Vec::new());
    snapshot.add(super::SECTION, &room.config).unwrap();
    let settings = Settings::known(&room.home, snapshot);
    let looked = Looked::default();
    let context = Context {
        event: &event,
        home: &room.home,
        client: room.client,
        registered: room.client,
        settings: &settings,
        looked: &looked,
    };
    let answers = crate::handlers::ALL
        .iter()
        .filter_map(|handler| handler.ask(context));
    let replies: Vec<_> = answers.map(|answer| answer.foreseen().reply).collect();
    let context: String = replies
        .iter()
        .filter_map(|reply| reply.context.clone())
        .collect();
    assert!(context.contains("Next: design"));
    assert_eq!(std::fs::read(room.file().path()).unwrap(), before);
    assert!(Path::new(room.file().path()).exists());
}
