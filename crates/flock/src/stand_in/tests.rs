//! The same story, told by a client that has every event and by those that do not.

use std::path::Path;

use bellwether_protocol::client::stand_in::Carrier;
use bellwether_protocol::client::{Client, Product};

use super::*;
use crate::normal::EventType;
use crate::{Harvest, Keeper, Sqlite};

const AT_MS: u64 = 1_800_000_000_000;

/// A session as hooks tell it, by a client that was registered as this version.
struct Story {
    version: &'static str,
    way: &'static str,
    keeper: Keeper<Sqlite>,
    at_ms: u64,
    folder: tempfile::TempDir,
}

fn keeper(folder: &Path) -> Keeper<Sqlite> {
    Keeper::new(Sqlite::open(&folder.join("flock.db")).unwrap()).unwrap()
}

impl Story {
    fn of(version: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            version,
            way: "user",
            keeper: keeper(folder.path()),
            at_ms: AT_MS,
            folder,
        }
    }

    fn by(mut self, way: &'static str, version: &'static str) -> Self {
        (self.way, self.version) = (way, version);
        self
    }

    /// The daemon is started anew.
    fn restart(mut self) -> Self {
        let aside = tempfile::tempdir().unwrap();
        drop(std::mem::replace(&mut self.keeper, keeper(aside.path())));
        self.keeper = keeper(self.folder.path());
        self
    }

    /// Some time passes.
    fn wait(&mut self) {
        self.at_ms += 5_000;
        self.keeper.tick(self.at_ms).unwrap();
    }

    fn status(&mut self, agent: &str) -> crate::Status {
        self.wait();
        self.keeper.flock().agent(agent).unwrap().view.status
    }

    /// What is stored of an event, each as its name with what it is about.
    fn tell(&mut self, payload: &str) -> Vec<String> {
        self.at_ms += 100;
        let (at_ms, version, way) = (self.at_ms, self.version, self.way);
        let bare = payload.trim_start_matches('{');
        let record = format!(
            r#"{{"v":1,"meta":{{"id":"{}","at_ms":{at_ms},"from":"{way}","client_version":"{version}","attended":true}},"payload":{{"session_id":"s","cwd":"/p",{bare}}}"#,
            uuid::Uuid::from_u128(u128::from(at_ms))
        );
        let row = Row::from_record(record.as_bytes()).unwrap();
        let harvest = Harvest {
            rows: vec![row],
            ..Harvest::default()
        };
        let kept = self.keeper.keep(harvest, at_ms).unwrap();
        kept.rows.iter().map(shown).collect()
    }

    /// The kinds that came with an event and are not that event.
    fn stood_in(&mut self, payload: &str) -> Vec<String> {
        let all = self.tell(payload);
        all.into_iter().filter(|one| one.starts_with('+')).collect()
    }
}

fn shown(row: &Row) -> String {
    let mark = row.carrier.as_ref().map_or("", |_| "+");
    let meaning = &row.meaning;
    let task = meaning
        .task
        .as_ref()
        .filter(|_| meaning.kind != EventType::TaskFailed);
    let about = match task {
        Some(task) => format!(
            " {} {}",
            task.id.as_deref().unwrap_or_default(),
            task.subject.as_deref().unwrap_or_default()
        ),
        None if meaning.agent != "s" => format!(
            " {} {}",
            meaning.agent,
            meaning.agent_type.as_deref().unwrap_or_default()
        ),
        None => meaning
            .label
            .as_deref()
            .map(|label| format!(" {label}"))
            .unwrap_or_default(),
    };
    format!("{mark}{}{about}", row.name)
}

const CREATE: &str = r#"{"hook_event_name":"PostToolUse","tool_name":"TaskCreate","tool_use_id":"t1","tool_input":{"subject":"Write the parser","description":"All of it"},"tool_response":{"task":{"id":"1","subject":"Write the parser"}}}"#;
const COMPLETE: &str = r#"{"hook_event_name":"PostToolUse","tool_name":"TaskUpdate","tool_use_id":"t2","tool_input":{"taskId":"1","status":"completed"},"tool_response":{"success":true,"taskId":"1","statusChange":{"from":"in_progress","to":"completed"}}}"#;
const COMPLETED: &str = r#"{"hook_event_name":"TaskCompleted","task_id":"1","task_subject":"Write the parser","task_description":"All of it"}"#;
const CREATED: &str = r#"{"hook_event_name":"TaskCreated","task_id":"1","task_subject":"Write the parser","task_description":"All of it"}"#;

#[test]
fn every_row_of_the_clients_table_is_made_here_or_by_transcript() {
    for row in Product::Claude.wire().stand_ins {
        let by_transcript = |carrier: &Carrier| matches!(carrier, Carrier::Transcript(_));
        let is_made = KINDS.contains(&row.kind) || row.carriers.iter().all(by_transcript);
        assert!(is_made, "{}", row.kind);
    }
    for &kind in KINDS {
        let listed = |row: &bellwether_protocol::client::stand_in::StandIn| row.kind == kind;
        let is_listed = Product::Claude.wire().stand_ins.iter().any(listed);
        assert!(is_listed || kind == Kind::SubagentStop, "{kind}");
    }
}

#[test]
fn tasks_are_told_alike_with_and_without_their_events() {
    for version in ["2.1.32", "2.0.77", "2.1.83"] {
        let mut story = Story::of(version);
        assert_eq!(
            story.stood_in(CREATE),
            ["+TaskCreated 1 Write the parser"],
            "{version}"
        );
        let done = story.stood_in(COMPLETE);
        let client = Client::new(
            Product::Claude,
            bellwether_protocol::client::Version::parse(version).unwrap(),
        );
        if client.entry(Kind::TaskCompleted).is_none() {
            assert_eq!(done, ["+TaskCompleted 1 Write the parser"], "{version}");
        } else {
            assert!(done.is_empty(), "{version}: the client tells it");
        }
    }
    let mut newest = Story::of("2.1.325");
    assert_eq!(newest.tell(CREATED), ["TaskCreated 1 Write the parser"]);
    assert!(newest.stood_in(CREATE).is_empty());
    assert_eq!(newest.tell(COMPLETED), ["TaskCompleted 1 Write the parser"]);
    assert!(newest.stood_in(COMPLETE).is_empty());
}

#[test]
fn a_task_that_was_done_or_refused_is_not_done_again() {
    let mut story = Story::of("2.1.32");
    for response in [
        r#"{"success":true,"statusChange":{"from":"completed","to":"completed"}}"#,
        r#"{"success":false,"error":"Task not found"}"#,
    ] {
        let payload = format!(
            r#"{{"hook_event_name":"PostToolUse","tool_name":"TaskUpdate","tool_use_id":"t9","tool_input":{{"taskId":"1","status":"completed"}},"tool_response":{response}}}"#
        );
        assert!(story.stood_in(&payload).is_empty(), "{response}");
    }
    let begun = r#"{"hook_event_name":"PostToolUse","tool_name":"TaskUpdate","tool_use_id":"t3","tool_input":{"taskId":"1","status":"in_progress"},"tool_response":{"success":true}}"#;
    assert!(story.stood_in(begun).is_empty());
}

#[test]
fn the_name_of_a_task_outlives_a_restart_and_many_events() {
    let mut story = Story::of("2.1.32");
    story.tell(CREATE);
    for count in 0..600 {
        story.tell(&format!(
            r#"{{"hook_event_name":"Notification","message":"{count}"}}"#
        ));
    }
    let mut story = story.restart();
    story.tell(r#"{"hook_event_name":"Notification","message":"again"}"#);
    assert_eq!(
        story.stood_in(COMPLETE),
        ["+TaskCompleted 1 Write the parser"]
    );
}

#[test]
fn a_list_that_is_written_as_a_whole_tells_what_is_new_and_done() {
    let wrote = |old: &str, new: &str| {
        format!(
            r#"{{"hook_event_name":"PostToolUse","tool_name":"TodoWrite","tool_input":{{"todos":{new}}},"tool_response":{{"oldTodos":{old},"newTodos":{new}}}}}"#
        )
    };
    let first =
        r#"[{"content":"Parse","status":"in_progress"},{"content":"Ship","status":"pending"}]"#;
    let second = r#"[{"content":"Parse","status":"completed"},{"content":"Ship","status":"pending"},{"content":"Rest","status":"completed"}]"#;
    for version in ["1.0.128", "2.0.30", "2.1.325"] {
        let mut story = Story::of(version);
        let made = story.stood_in(&wrote("[]", first));
        assert_eq!(
            made,
            ["+TaskCreated 1 Parse", "+TaskCreated 2 Ship"],
            "{version}"
        );
        let made = story.stood_in(&wrote(first, second));
        assert_eq!(
            made,
            [
                "+TaskCompleted 1 Parse",
                "+TaskCompleted 3 Rest",
                "+TaskCreated 3 Rest"
            ],
            "{version}"
        );
        assert!(
            story.stood_in(&wrote(second, second)).is_empty(),
            "{version}"
        );
    }
}

#[test]
fn a_plugin_registers_what_its_oldest_client_has() {
    let mut story = Story::of("2.1.325").by("plugin", "2.1.325");
    assert_eq!(story.stood_in(CREATE).len(), 1);
    assert_eq!(story.stood_in(COMPLETE).len(), 1);
    // What `install` has added beside the plugin comes by itself.
    let mut story = story.by("user", "2.1.325");
    story.tell(COMPLETED);
    let mut story = story.by("plugin", "2.1.325");
    assert!(story.stood_in(COMPLETE).is_empty());
}

#[test]
fn what_a_stand_in_has_told_is_not_told_again() {
    let mut story = Story::of("2.1.325").by("plugin", "2.1.325");
    let start = r#"{"hook_event_name":"SessionStart","source":"compact"}"#;
    assert_eq!(story.stood_in(start), ["+PostCompact"]);
    let mut story = story.by("user", "2.1.325");
    let own = r#"{"hook_event_name":"PostCompact","trigger":"auto"}"#;
    assert!(story.tell(own).is_empty(), "the same a moment later");
    story.at_ms += 60_000;
    assert_eq!(story.tell(own).len(), 1, "another one");
}

#[test]
fn compaction_ends_with_how_it_was_begun() {
    for trigger in ["manual", "auto"] {
        let mut story = Story::of("2.0.30");
        story.tell(&format!(
            r#"{{"hook_event_name":"PreCompact","trigger":"{trigger}"}}"#
        ));
        let start = r#"{"hook_event_name":"SessionStart","source":"compact"}"#;
        assert_eq!(story.stood_in(start), ["+PostCompact"]);
        assert_eq!(
            story.status("s") == crate::Status::Idle,
            trigger == "manual"
        );
        assert!(
            story
                .stood_in(r#"{"hook_event_name":"SessionStart","source":"startup"}"#)
                .is_empty()
        );
    }
}

#[test]
fn a_permission_names_the_call_that_waits() {
    let mut story = Story::of("2.0.30");
    story.tell(r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}"#);
    for message in [
        "Claude needs your permission to use Bash",
        "Claude needs your permission",
    ] {
        let asked = format!(r#"{{"hook_event_name":"Notification","message":"{message}"}}"#);
        assert_eq!(
            story.stood_in(&asked),
            ["+PermissionRequest Bash: git push"],
            "{message}"
        );
        story.at_ms += 60_000;
    }
    let idle = r#"{"hook_event_name":"Notification","message":"Claude is waiting for your input"}"#;
    assert!(story.stood_in(idle).is_empty());
    story.tell(r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"git push"},"tool_response":{}}"#);
    let asked = r#"{"hook_event_name":"Notification","message":"Claude needs your permission to use Write"}"#;
    assert_eq!(story.stood_in(asked), ["+PermissionRequest Write"]);
    let mut newest = Story::of("2.1.325");
    let asked = r#"{"hook_event_name":"Notification","notification_type":"permission_prompt","message":"Claude needs your permission"}"#;
    assert!(newest.stood_in(asked).is_empty());
}

#[test]
fn an_agent_that_nobody_names_begins_and_ends_with_its_call() {
    let mut story = Story::of("2.0.30");
    let call = r#""tool_name":"Task","tool_input":{"description":"Count","prompt":"count the files","subagent_type":"Explore"}"#;
    let ends = r#"{"hook_event_name":"SubagentStop","stop_hook_active":false}"#;
    assert_eq!(
        story.tell(ends),
        ["SubagentStop"],
        "a helper of the client's own ends"
    );
    let begun = story.stood_in(&format!(r#"{{"hook_event_name":"PreToolUse",{call}}}"#));
    let [begun] = begun.as_slice() else {
        panic!("{begun:?}")
    };
    assert!(
        begun.starts_with("+SubagentStart s-task-") && begun.ends_with(" Explore"),
        "{begun}"
    );
    let id = begun.split(' ').nth(1).unwrap().to_owned();
    assert_eq!(story.tell(ends), ["SubagentStop"]);
    assert_ne!(story.status(&id), crate::Status::Completed);
    let answer = r#""tool_response":{"status":"completed","agentId":"88a3c5c3","content":[{"type":"text","text":"There are 2 files."}]}"#;
    let ended = story.stood_in(&format!(
        r#"{{"hook_event_name":"PostToolUse",{call},{answer}}}"#
    ));
    assert_eq!(ended, [format!("+SubagentStop {id} Explore")]);
    assert_eq!(story.status(&id), crate::Status::Completed);
    let view = &story.keeper.flock().agent(&id).unwrap().view;
    assert_eq!(view.bubble.as_deref(), Some("There are 2 files."));
}

#[test]
fn the_first_of_an_agent_is_its_beginning_where_that_does_not_come() {
    let call = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t","agent_id":"a1","agent_type":"Explore","tool_input":{"command":"ls"}}"#;
    let mut plugin = Story::of("2.1.325").by("plugin", "2.1.325");
    assert_eq!(plugin.stood_in(call), ["+SubagentStart a1 Explore"]);
    assert!(plugin.stood_in(call).is_empty());
    let mut newest = Story::of("2.1.325");
    assert!(newest.stood_in(call).is_empty());
}

#[test]
fn a_teammate_is_idle_when_its_turn_has_ended() {
    let ends = r#"{"hook_event_name":"SubagentStop","agent_id":"aresearcher-20ab","agent_type":"researcher","stop_hook_active":false}"#;
    let mut story = Story::of("2.1.32");
    story.tell(r#"{"hook_event_name":"SubagentStart","agent_id":"aresearcher-20ab","agent_type":"researcher"}"#);
    assert_eq!(
        story.stood_in(ends),
        ["+TeammateIdle aresearcher-20ab researcher"]
    );
    let other = r#"{"hook_event_name":"SubagentStop","agent_id":"a7","agent_type":"Explore","stop_hook_active":false}"#;
    assert!(
        story.stood_in(other).is_empty(),
        "a subagent is no teammate"
    );
    let mut newest = Story::of("2.1.325");
    assert!(newest.stood_in(ends).is_empty());
}

#[test]
fn a_new_folder_is_told_with_the_next_event() {
    let at = |folder: &str| {
        format!(r#"{{"hook_event_name":"UserPromptSubmit","prompt":"go","cwd":"{folder}"}}"#)
    };
    let mut story = Story::of("2.1.67");
    story.tell(&at("/p"));
    assert_eq!(story.stood_in(&at("/p/sub")), ["+CwdChanged"]);
    assert!(story.stood_in(&at("/p/sub")).is_empty());
    let mut newest = Story::of("2.1.325");
    newest.tell(&at("/p"));
    assert!(newest.stood_in(&at("/p/sub")).is_empty());
}

#[test]
fn a_refused_call_did_not_fail() {
    let mut story = Story::of("2.0.30");
    let input = r#""tool_name":"Bash","tool_input":{"command":"rm -rf ~"}"#;
    let record = format!(
        r#"{{"v":1,"meta":{{"id":"{}","at_ms":{AT_MS},"from":"user","client_version":"2.0.30","guard":{{"said":"deny","rules":["x"]}}}},"payload":{{"hook_event_name":"PreToolUse","session_id":"s",{input}}}}}"#,
        uuid::Uuid::nil()
    );
    let refused = Row::from_record(record.as_bytes()).unwrap();
    let tool = |command: &'static str| -> Row {
        let input =
            serde_json::value::to_raw_value(&serde_json::json!({ "command": command })).unwrap();
        let input: &'static serde_json::value::RawValue = Box::leak(input);
        let mut tool = Client::default().tool("Bash", Some(input));
        tool.use_id = Some("t".into());
        tool.error = Some("no".into());
        stand_in(&refused, Kind::PostToolUseFailure, |event| Event {
            tool: Some(tool),
            ..event
        })
        .unwrap()
    };
    let mut keep = |row: Row| {
        let harvest = Harvest {
            rows: vec![row],
            ..Harvest::default()
        };
        story.keeper.keep(harvest, AT_MS).unwrap().rows.len()
    };
    keep(refused.clone());
    assert_eq!(keep(tool("rm -rf ~")), 0);
    assert_eq!(keep(tool("exit 3")), 1);
}

#[test]
fn what_others_send_carries_nothing() {
    let mut story = Story::of("2.1.32").by("ingest", "2.1.32");
    assert!(story.stood_in(CREATE).is_empty());
}

#[test]
fn helpers_of_the_client_are_no_agents() {
    let begins = |id: &str| {
        format!(r#"{{"hook_event_name":"SubagentStart","agent_id":"{id}","agent_type":"Explore"}}"#)
    };
    let ends = |id: &str| {
        format!(
            r#"{{"hook_event_name":"SubagentStop","agent_id":"{id}","stop_hook_active":false}}"#
        )
    };
    let call = r#"{"hook_event_name":"PreToolUse","tool_name":"Task","tool_use_id":"t1","tool_input":{"description":"Count","prompt":"count","subagent_type":"Explore"}}"#;
    let mut story = Story::of("2.0.77");
    story.tell(r#"{"hook_event_name":"SessionStart","source":"startup"}"#);
    story.tell(&begins("warm"));
    story.tell(call);
    story.tell(&begins("real"));
    story.tell(&ends("warm"));
    story.tell(&ends("real"));
    let flock = story.keeper.flock();
    assert!(flock.agent("warm").is_none() && flock.agent("real").is_some());
    // The plugin does not register the beginning.
    let mut plugin = Story::of("2.0.77").by("plugin", "2.0.77");
    assert!(plugin.stood_in(&ends("warm")).is_empty());
    plugin.tell(call);
    assert_eq!(
        plugin.stood_in(&ends("real")),
        ["+SubagentStart real Explore"]
    );
    assert!(plugin.keeper.flock().agent("warm").is_none());
    let mut newest = Story::of("2.1.325");
    newest.tell(&begins("teammate"));
    assert!(newest.keeper.flock().agent("teammate").is_some());
}

#[test]
fn a_task_that_was_forgotten_is_looked_up_and_nothing_else_is_recalled() {
    let mut story = Story::of("2.1.32");
    story.tell(CREATE);
    for count in 0..600 {
        story.tell(&format!(
            r#"{{"hook_event_name":"Notification","message":"{count}"}}"#
        ));
    }
    // Another task is on the list that is known after the restart, and the session has moved.
    let second = CREATE.replace("\"1\"", "\"2\"").replace("t1", "t7");
    story.tell(&second);
    let mut story = story.restart();
    let moved = r#"{"hook_event_name":"UserPromptSubmit","prompt":"go","cwd":"/p/sub"}"#;
    assert_eq!(story.stood_in(moved), ["+CwdChanged"]);
    let done = COMPLETE.replacen('{', r#"{"cwd":"/p/sub","#, 1);
    assert_eq!(story.stood_in(&done), ["+TaskCompleted 1 Write the parser"]);
}

#[test]
fn a_refused_call_starts_nobody_and_equal_calls_end_one_by_one() {
    let call = r#""tool_name":"Task","tool_input":{"description":"Count","prompt":"count","subagent_type":"Explore"}"#;
    let begins = format!(r#"{{"hook_event_name":"PreToolUse",{call}}}"#);
    let ends = format!(r#"{{"hook_event_name":"PostToolUse",{call},"tool_response":{{}}}}"#);
    let mut story = Story::of("2.0.30");
    story.tell(&begins);
    story.tell(&begins);
    assert_eq!(story.stood_in(&ends).len(), 1);
    assert_eq!(story.stood_in(&ends).len(), 1);
    assert!(story.stood_in(&ends).is_empty(), "both have ended");
    let record = format!(
        r#"{{"v":1,"meta":{{"id":"{}","at_ms":{AT_MS},"from":"user","client_version":"2.0.30","guard":{{"said":"deny","rules":["x"]}}}},"payload":{{"hook_event_name":"PreToolUse","session_id":"s",{call}}}}}"#,
        uuid::Uuid::nil()
    );
    let harvest = Harvest {
        rows: vec![Row::from_record(record.as_bytes()).unwrap()],
        ..Harvest::default()
    };
    let kept = story.keeper.keep(harvest, story.at_ms).unwrap();
    assert_eq!(kept.rows.len(), 1, "a refused call starts nobody");
}
