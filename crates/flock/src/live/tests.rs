//! Short stories: what happens, and what somebody watching would say.

use bellwether_protocol::client::{Client, Product, Version};

use super::*;
use crate::{Row, Sender, Status, intake};

/// What the watcher sees of one agent, each state once.
struct Watcher {
    flock: Flock,
    now_ms: u64,
    seen: Vec<(String, Status)>,
}

impl Watcher {
    fn new() -> Self {
        Self {
            flock: Flock::default(),
            now_ms: 1_000_000,
            seen: Vec::new(),
        }
    }

    /// An event happens, so many milliseconds after the one before.
    fn after(mut self, ms: u64, payload: &str) -> Self {
        self.wait(ms);
        let mut row = row(payload);
        row.at_ms = self.now_ms;
        let changes = self.flock.apply(&row, self.now_ms);
        self.note(&changes);
        self
    }

    /// Time passes, a second at a time as in the daemon.
    fn wait(&mut self, ms: u64) {
        let until = self.now_ms + ms;
        while self.now_ms < until {
            self.now_ms = (self.now_ms + 1_000).min(until);
            let changes = self.flock.tick(self.now_ms);
            self.note(&changes);
        }
    }

    fn note(&mut self, changes: &[Change]) {
        for change in changes {
            let agent = change.agent();
            let seen = (agent.display_name.clone(), agent.status);
            let last = self.seen.iter().rfind(|(name, _)| *name == seen.0);
            if last != Some(&seen) {
                self.seen.push(seen);
            }
        }
    }

    /// The states of an agent, in a line.
    fn story(&self, name: &str) -> String {
        let states = self.seen.iter().filter(|(who, _)| who == name);
        let states: Vec<&str> = states.map(|(_, status)| status.as_str()).collect();
        states.join(" ")
    }

    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.seen.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn row(payload: &str) -> Row {
    let taken = intake(payload, Sender::Other);
    assert_eq!(taken.invalid, None, "{payload}");
    taken.row
}

/// A payload of the client.
fn event(name: &str, more: &str) -> String {
    let more = if more.is_empty() {
        String::new()
    } else {
        format!(",{more}")
    };
    format!(
        r#"{{"hook_event_name":"{name}","session_id":"s","transcript_path":"/t","_meta":{{"workspace_id":"main"}}{more}}}"#
    )
}

fn tool(name: &str, tool: &str, id: &str) -> String {
    let more = format!(
        r#""tool_name":"{tool}","tool_use_id":"{id}","tool_input":{{"command":"make"}},"error":"Exit code 1""#
    );
    let more = if name == "PostToolUseFailure" {
        more
    } else {
        more.replace(r#","error":"Exit code 1""#, "")
    };
    event(name, &more)
}

const EXPLORE: &str = r#""agent_id":"a1","agent_type":"Explore""#;
const MATE: &str = r#""agent_id":"aresearcher-20ab","agent_type":"researcher""#;

#[test]
fn a_turn_is_worked_and_ends_in_rest() {
    let mut watcher = Watcher::new()
        .after(0, &event("SessionStart", r#""source":"startup""#))
        .after(5_000, &event("UserPromptSubmit", r#""prompt":"mend it""#))
        .after(1_000, &tool("PreToolUse", "Bash", "t1"))
        .after(1_000, &tool("PostToolUse", "Bash", "t1"))
        .after(
            1_000,
            &event("Stop", r#""last_assistant_message":"Mended.""#),
        );
    watcher.wait(125_000);
    assert_eq!(watcher.story("main"), "appearing idle working idle resting");
    let agent = watcher.flock.agent("s").unwrap();
    assert_eq!((agent.view.tool_calls, agent.view.turns), (1, 1));
    assert_eq!(agent.view.bubble.as_deref(), Some("Mended."));
}

#[test]
fn a_permission_is_waited_for_until_its_own_tool_runs() {
    let watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &tool("PreToolUse", "Read", "t1"))
        .after(10, &tool("PreToolUse", "Bash", "t2"))
        .after(
            10,
            &event("PermissionRequest", r#""tool_name":"Bash","tool_input":{}"#),
        )
        .after(100, &tool("PostToolUse", "Read", "t1"))
        .after(
            6_000,
            &event(
                "Notification",
                r#""notification_type":"permission_prompt","message":"?""#,
            ),
        )
        .after(600_000, &tool("PostToolUse", "Bash", "t2"))
        .after(1_000, &event("Stop", ""));
    assert_eq!(
        watcher.story("main"),
        "appearing working pending_input working idle"
    );
}

#[test]
fn a_refused_permission_and_an_interrupted_turn_do_not_last_for_ever() {
    let mut refused = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(
            2_000,
            &event("PermissionRequest", r#""tool_name":"Bash","tool_input":{}"#),
        );
    refused.wait(60_000);
    assert_eq!(
        refused.story("main"),
        "appearing working pending_input",
        "nobody can know by the events that the dialog was closed"
    );
    let refused = refused.after(0, &event("UserPromptSubmit", r#""prompt":"not so""#));
    assert!(refused.story("main").ends_with("pending_input working"));
    let mut interrupted = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &tool("PreToolUse", "Bash", "t1"));
    interrupted.wait(16 * 60_000);
    assert_eq!(interrupted.story("main"), "appearing working unknown");
    // Whoever reads the transcript knows earlier.
    let told = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("Stop", r#""reason":"interrupted""#));
    assert_eq!(told.story("main"), "appearing working idle");
}

#[test]
fn failures_are_seen_when_they_come_one_after_another() {
    let mut watcher = Watcher::new().after(0, &event("UserPromptSubmit", r#""prompt":"go""#));
    for number in 0..3 {
        let id = format!("t{number}");
        watcher = watcher
            .after(2_000, &tool("PreToolUse", "Bash", &id))
            .after(100, &tool("PostToolUseFailure", "Bash", &id));
    }
    assert_eq!(watcher.story("main"), "appearing working failed");
    let watcher = watcher
        .after(100, &tool("PreToolUse", "Bash", "t9"))
        .after(100, &tool("PostToolUse", "Bash", "t9"))
        .after(100, &event("StopFailure", r#""error":"server_error""#));
    assert_eq!(
        watcher.story("main"),
        "appearing working failed working failed"
    );
    assert_eq!(watcher.flock.agent("s").unwrap().view.tool_failures, 3);
}

#[test]
fn a_subagent_comes_works_and_leaves() {
    let mut watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(
            2_000,
            &event(
                "PreToolUse",
                r#""tool_name":"Agent","tool_use_id":"t1","tool_input":{"description":"Count files"}"#,
            ),
        )
        .after(50, &event("SubagentStart", EXPLORE))
        .after(3_000, &event("SubagentStop", EXPLORE));
    assert_eq!(watcher.story("Explore"), "appearing working completed");
    let child = &watcher.flock.agent("a1").unwrap().view;
    assert_eq!(child.parent_id.as_deref(), Some("s"));
    let parent = &watcher.flock.agent("s").unwrap().view;
    assert_eq!(child.appearance.body_index, parent.appearance.body_index);
    watcher.wait(70_000);
    assert_eq!(
        watcher.story("Explore"),
        "appearing working completed disappearing offline"
    );
}

#[test]
fn a_subagent_of_a_subagent_is_its_child() {
    let inner = r#""agent_id":"a2","agent_type":"inner""#;
    let call = format!(
        r#""tool_name":"Agent","tool_use_id":"t2","tool_input":{{"description":"deeper"}},{EXPLORE}"#
    );
    let watcher = Watcher::new()
        .after(0, &event("SubagentStart", EXPLORE))
        .after(2_000, &event("PreToolUse", &call))
        .after(10, &event("SubagentStart", inner));
    assert_eq!(
        watcher.flock.agent("a2").unwrap().view.parent_id.as_deref(),
        Some("a1")
    );
    let sessions = watcher.flock.sessions();
    assert_eq!(sessions.len(), 1);
    assert_eq!(sessions[0].agents[0].children.len(), 1);
}

#[test]
fn teammates_work_in_turns_and_are_not_made_anew() {
    let mut watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("SubagentStart", MATE))
        .after(2_000, &event("SubagentStop", MATE))
        .after(
            10,
            &event(
                "TeammateIdle",
                &format!(r#""teammate_name":"researcher","team_name":"session-s",{MATE}"#),
            ),
        )
        .after(5_000, &event("SubagentStart", MATE))
        .after(2_000, &event("SubagentStop", MATE))
        .after(100, &event("Stop", ""));
    assert_eq!(watcher.names(), ["main", "researcher"]);
    assert_eq!(
        watcher.story("researcher"),
        "appearing working idle working idle"
    );
    let watcher = {
        watcher.wait(1_000);
        watcher.after(0, &event("SessionEnd", r#""reason":"other""#))
    };
    assert!(watcher.story("researcher").ends_with("idle disappearing"));
}

#[test]
fn compaction_invents_nobody() {
    let compactor = r#""agent_id":"acompact1","agent_type":"""#;
    let mut watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("PreCompact", r#""trigger":"auto""#))
        .after(500, &event("SubagentStop", compactor))
        .after(10, &event("SessionStart", r#""source":"compact""#))
        .after(10, &event("PostCompact", r#""trigger":"auto""#))
        .after(500, &event("Stop", ""));
    assert_eq!(watcher.names(), ["main"]);
    assert_eq!(watcher.story("main"), "appearing working idle");
    watcher.wait(1_000);
    let by_hand = watcher
        .after(0, &event("PreCompact", r#""trigger":"manual""#))
        .after(2_000, &event("PostCompact", r#""trigger":"manual""#));
    assert_eq!(by_hand.story("main"), "appearing working idle working idle");
}

#[test]
fn background_work_outlives_the_turn_and_a_cut_turn_does_not() {
    let with = r#""background_tasks":[
        {"id":"b1","type":"shell","status":"running","description":"Start the server","command":"npm start"},
        {"id":"b2","type":"shell","description":"","command":"TOKEN=sk-ant-api03-abcdefghijklmnopqrstuvwxyz npm run watch"},
        5]"#;
    let goes_on = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("SubagentStart", EXPLORE))
        .after(2_000, &event("Stop", with));
    assert_eq!(goes_on.story("Explore"), "appearing working");
    let view = &goes_on.flock.agent("s").unwrap().view;
    let known: Vec<Option<&str>> = view
        .background
        .iter()
        .map(|task| task.what.as_deref())
        .collect();
    assert_eq!(view.background_tasks, 3, "also those that nobody can read");
    assert_eq!(known[0], Some("Start the server"));
    assert!(
        known[1].is_some_and(|what| what.ends_with("npm run watch") && !what.contains("abcdef")),
        "{known:?}"
    );
    assert_eq!(known[2], None);
    let cut = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("SubagentStart", EXPLORE))
        .after(2_000, &event("Stop", ""));
    assert_eq!(cut.story("Explore"), "appearing working completed");
}

#[test]
fn a_late_event_moves_nothing_and_a_clock_that_was_set_does_not_hold_anybody() {
    let mut watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(5_000, &event("Stop", ""));
    let mut late = row(&tool("PreToolUse", "Bash", "t1"));
    late.at_ms = watcher.now_ms - 20;
    let changes = watcher.flock.apply(&late, watcher.now_ms);
    watcher.note(&changes);
    assert_eq!(watcher.story("main"), "appearing working idle");
    // The clock goes back by an hour, and work goes on.
    let mut earlier = row(&tool("PreToolUse", "Bash", "t2"));
    earlier.at_ms = watcher.now_ms - 900_000;
    let changes = watcher.flock.apply(&earlier, earlier.at_ms);
    watcher.note(&changes);
    assert_eq!(watcher.story("main"), "appearing working idle working");
    assert!(watcher.flock.tick(earlier.at_ms + 1).is_empty());
    // And jumps ahead by a day: everybody rests or has gone, and nothing else.
    watcher.flock.tick(watcher.now_ms + 86_400_000);
    assert_eq!(watcher.flock.agents().len(), 0);
}

#[test]
fn nobody_comes_by_leaving_and_a_restart_forgets_nothing() {
    let watcher = Watcher::new()
        .after(0, &event("SessionEnd", r#""reason":"other""#))
        .after(0, &event("SubagentStop", EXPLORE));
    assert!(watcher.seen.is_empty());
    let mut before = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &tool("PreToolUse", "Bash", "t1"));
    let (agents, sessions, _) = before.flock.take_stale();
    let json = serde_json::to_string(&agents).unwrap();
    let agents = serde_json::from_str(&json).unwrap();
    let mut after = Flock::load(agents, sessions);
    assert_eq!(after.agents(), before.flock.agents());
    let mut end = row(&tool("PostToolUse", "Bash", "t1"));
    end.at_ms = before.now_ms + 500;
    after.apply(&end, end.at_ms);
    let (_, _, tally) = after.take_stale();
    assert_eq!(
        tally.durations.values().sum::<u64>(),
        1,
        "the call's begin was remembered"
    );
}

#[test]
fn two_who_write_to_each_other_meet() {
    let send = r#""tool_name":"SendMessage","tool_use_id":"t1","tool_input":{"to":"researcher","message":"hi"}"#;
    let mut watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("PreToolUse", send));
    assert_eq!(
        watcher
            .flock
            .agent("s")
            .unwrap()
            .view
            .peer_agent_id
            .as_deref(),
        Some("researcher")
    );
    watcher.wait(12_000);
    assert_eq!(
        watcher.story("main"),
        "appearing working walking chatting returning working"
    );
}

#[test]
fn doubts_are_about_main_agents_that_are_quiet() {
    let mut watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(10, &event("SubagentStart", EXPLORE));
    assert!(watcher.flock.doubts(watcher.now_ms).is_empty());
    watcher.wait(20_000);
    let doubts = watcher.flock.doubts(watcher.now_ms);
    assert_eq!(doubts.len(), 1);
    assert!(doubts[0].at_work);
    assert_eq!(doubts[0].transcript.as_deref(), Some("/t"));
}

fn start(id: &str, kind: &str, about: &str, name: &str) -> String {
    let name = if name.is_empty() {
        String::new()
    } else {
        format!(r#","name":"{name}""#)
    };
    format!(
        r#""tool_name":"Agent","tool_use_id":"{id}","tool_input":{{"description":"{about}","prompt":"please {about}","subagent_type":"{kind}"{name}}}"#
    )
}

fn answered(call: &str, agent: &str) -> String {
    format!(r#"{call},"tool_response":{{"status":"async_launched","agentId":"{agent}"}}"#)
}

fn comes(id: &str, kind: &str) -> String {
    event(
        "SubagentStart",
        &format!(r#""agent_id":"{id}","agent_type":"{kind}""#),
    )
}

fn assignment<'a>(watcher: &'a Watcher, id: &str) -> &'a str {
    let view = &watcher.flock.agent(id).unwrap().view;
    view.assignment.as_deref().unwrap_or("-")
}

#[test]
fn subagents_that_come_in_the_other_order_keep_their_own_tasks() {
    let (first, second) = (
        start("t1", "general-purpose", "Count", ""),
        start("t2", "Explore", "Read", ""),
    );
    let watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("PreToolUse", &first))
        .after(1, &event("PreToolUse", &second))
        .after(1, &comes("a2", "Explore"))
        .after(1, &comes("a1", "general-purpose"));
    assert_eq!(assignment(&watcher, "a1"), "Count");
    assert_eq!(assignment(&watcher, "a2"), "Read");
    let shown = &watcher.flock.agent("a2").unwrap().view;
    assert_eq!(shown.current_task.as_deref(), Some("Read"));
}

#[test]
fn the_end_of_a_call_says_which_of_two_alike_it_started() {
    let (first, second) = (
        start("t1", "Explore", "Count", ""),
        start("t2", "Explore", "Read", ""),
    );
    let both = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("PreToolUse", &first))
        .after(1, &event("PreToolUse", &second))
        .after(1, &comes("a2", "Explore"))
        .after(1, &comes("a1", "Explore"))
        .after(5, &event("PostToolUse", &answered(&first, "a1")));
    assert_eq!(assignment(&both, "a1"), "Count");
    assert_eq!(assignment(&both, "a2"), "Read", "it gets the other one");
    let both = both.after(5, &event("PostToolUse", &answered(&second, "a2")));
    assert_eq!(
        (assignment(&both, "a1"), assignment(&both, "a2")),
        ("Count", "Read")
    );
    // Only one has come when the end of its call tells that it is the other's.
    let one = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("PreToolUse", &first))
        .after(1, &event("PreToolUse", &second))
        .after(1, &comes("a2", "Explore"))
        .after(5, &event("PostToolUse", &answered(&second, "a2")))
        .after(5, &comes("a1", "Explore"));
    assert_eq!(
        (assignment(&one, "a1"), assignment(&one, "a2")),
        ("Count", "Read")
    );
    // The end of the call overtakes the agent's own beginning.
    let overtaken = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("PreToolUse", &first))
        .after(1, &event("PreToolUse", &second))
        .after(5, &event("PostToolUse", &answered(&second, "a2")))
        .after(5, &event("PostToolUse", &answered(&first, "a1")))
        .after(1, &comes("a2", "Explore"))
        .after(1, &comes("a1", "Explore"));
    assert_eq!(
        (assignment(&overtaken, "a1"), assignment(&overtaken, "a2")),
        ("Count", "Read")
    );
}

#[test]
fn a_subagent_that_was_given_a_name_is_called_by_it() {
    let call = start("t1", "general-purpose", "Look it up", "researcher");
    let watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("PreToolUse", &call))
        .after(1, &comes("a1", "general-purpose"))
        .after(
            2_000,
            &event(
                "PreToolUse",
                r#""agent_id":"a1","agent_type":"general-purpose","tool_name":"Read","tool_use_id":"t9","tool_input":{}"#,
            ),
        );
    assert_eq!(watcher.names(), ["main", "researcher"]);
    let view = &watcher.flock.agent("a1").unwrap().view;
    assert_eq!(view.agent_type.as_deref(), Some("general-purpose"));
    // Nobody else is called so.
    let unnamed = watcher.after(1, &comes("a2", "Explore"));
    assert!(unnamed.names().contains(&"Explore"));
}

#[test]
fn who_is_first_heard_of_at_an_end_was_there() {
    let mut main = Watcher::new().after(
        0,
        &event("Stop", r#""last_assistant_message":"Done, all of it.""#),
    );
    main.wait(2_000);
    assert_eq!(main.story("main"), "appearing idle");
    let view = &main.flock.agent("s").unwrap().view;
    assert_eq!(
        (view.bubble.as_deref(), view.turns),
        (Some("Done, all of it."), 1)
    );
    let mut sub = Watcher::new().after(0, &event("SubagentStop", EXPLORE));
    sub.wait(70_000);
    assert_eq!(
        sub.story("Explore"),
        "appearing completed disappearing offline"
    );
    let mut mate = Watcher::new().after(0, &event("SubagentStop", MATE));
    mate.wait(2_000);
    assert_eq!(mate.story("researcher"), "appearing idle");
    let gone = Watcher::new().after(0, &event("SessionEnd", r#""reason":"other""#));
    assert!(gone.seen.is_empty());
}

const BOTH_RUN: &str = r#""background_tasks":[
    {"id":"a1","type":"subagent","status":"running","description":"Count","agent_type":"Explore"},
    {"id":"a2","type":"subagent","status":"running","description":"Read","agent_type":"Explore"},
    {"id":"b1","type":"shell","status":"running","description":"Serve"}]"#;

#[test]
fn a_finished_subagent_is_in_nobodys_background() {
    let ends = |id: &str, tasks: &str| {
        let more = format!(r#""agent_id":"{id}","agent_type":"Explore",{tasks}"#);
        event("SubagentStop", &more)
    };
    let count = |watcher: &Watcher, id: &str| {
        let view = &watcher.flock.agent(id).unwrap().view;
        assert_eq!(view.background.len() as u64, view.background_tasks);
        view.background_tasks
    };
    let watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &comes("a1", "Explore"))
        .after(1, &comes("a2", "Explore"))
        .after(1_000, &event("Stop", BOTH_RUN))
        .after(2_000, &ends("a1", BOTH_RUN));
    assert_eq!((count(&watcher, "a1"), count(&watcher, "s")), (0, 2));
    let watcher = watcher.after(
        10,
        &ends(
            "a2",
            r#""background_tasks":[{"id":"a2","type":"subagent"},{"id":"b2","type":"shell","command":"make watch"}]"#,
        ),
    );
    assert_eq!(count(&watcher, "s"), 1, "the server runs on");
    assert_eq!(count(&watcher, "a2"), 1, "what nobody else has is its own");
}

fn request(more: &str) -> String {
    event(
        "PermissionRequest",
        &format!(r#""tool_name":"Bash","tool_input":{{"command":"git push"}}{more}"#),
    )
}

const REMINDER: &str =
    r#""notification_type":"permission_prompt","message":"Claude needs your permission""#;

fn pushes(name: &str, more: &str) -> String {
    event(
        name,
        &format!(
            r#""tool_name":"Bash","tool_use_id":"t1","tool_input":{{"command":"git push"}}{more}"#
        ),
    )
}

fn waits_for<'a>(watcher: &'a Watcher, id: &str) -> (Option<&'a str>, Option<&'a str>) {
    let view = &watcher.flock.agent(id).unwrap().view;
    (view.waits_for.as_deref(), view.bubble.as_deref())
}

#[test]
fn what_is_waited_for_stays_until_it_is_answered_and_goes_with_the_answer() {
    let push = (Some("Bash: git push"), Some("Bash: git push"));
    let asked = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &pushes("PreToolUse", ""))
        .after(10, &request(""));
    assert_eq!(waits_for(&asked, "s"), push);
    let reminded = asked.after(6_000, &event("Notification", REMINDER));
    assert_eq!(waits_for(&reminded, "s"), push);
    // Another command that ends beside it is no answer, however it ends.
    let beside = reminded
        .after(10, &tool("PostToolUse", "Bash", "t5"))
        .after(10, &tool("PostToolUseFailure", "Read", "t6"));
    assert_eq!(waits_for(&beside, "s").0, push.0);
    let ran = beside.after(9_000, &pushes("PostToolUse", ""));
    assert_eq!(waits_for(&ran, "s"), (None, None));
    assert_eq!(ran.flock.agent("s").unwrap().view.status, Status::Working);
    // A question is told by its words.
    let question =
        r#""tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which way?"}]}"#;
    let asked = ran.after(10, &event("PermissionRequest", question));
    assert_eq!(waits_for(&asked, "s").0, Some("Which way?"));
    let next = asked.after(10, &request(""));
    assert_eq!(waits_for(&next, "s"), push, "the newest question counts");
    let refused = next.after(10, &event("UserPromptSubmit", r#""prompt":"not so""#));
    assert_eq!(waits_for(&refused, "s"), (None, None));
}

#[test]
fn a_reminder_is_about_whoever_waits() {
    let of_explore = format!(",{EXPLORE}");
    let mut watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &event("SubagentStart", EXPLORE))
        .after(2_000, &request(&of_explore))
        .after(6_000, &event("Notification", REMINDER));
    assert_eq!(waits_for(&watcher, "a1").0, Some("Bash: git push"));
    assert_eq!(watcher.story("main"), "appearing working");
    watcher.wait(60_000);
    assert_eq!(
        watcher.story("Explore"),
        "appearing working pending_input",
        "the reminder says that it is still open"
    );
    let answered = watcher.after(10, &pushes("PostToolUse", &of_explore));
    assert_eq!(
        answered.story("Explore"),
        "appearing working pending_input working"
    );
    // When nobody is known to wait, it is the main one.
    let alone = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(6_000, &event("Notification", REMINDER));
    assert_eq!(alone.story("main"), "appearing working pending_input");
    assert_eq!(
        waits_for(&alone, "s").0,
        Some("Claude needs your permission")
    );
    let on = alone.after(10, &tool("PostToolUse", "Bash", "t1"));
    assert_eq!(waits_for(&on, "s"), (None, None));
}

/// A tool call with what the guard said of it.
fn ruled(watcher: &mut Watcher, said: &str, payload: &str) {
    watcher.wait(10);
    let record = format!(
        r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":{},"workspace_id":"main","guard":{{"said":"{said}","rules":["delete-home"]}}}},"payload":{payload}}}"#,
        watcher.now_ms
    );
    let row = Row::from_record(record.as_bytes()).unwrap();
    let changes = watcher.flock.apply(&row, watcher.now_ms);
    watcher.note(&changes);
}

#[test]
fn a_refused_call_is_marked_and_does_not_run() {
    let mut watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &tool("PreToolUse", "Read", "t0"));
    ruled(&mut watcher, "deny", &pushes("PreToolUse", ""));
    let view = watcher.flock.agent("s").unwrap().view.clone();
    let refused = view.refused.unwrap();
    assert_eq!(
        (view.refusals, refused.rules),
        (1, vec!["delete-home".to_owned()])
    );
    assert_eq!(refused.what.as_deref(), Some("Bash: git push"));
    assert_eq!(view.status, Status::Working);
    assert_ne!(view.current_task.as_deref(), Some("Bash: git push"));
    ruled(
        &mut watcher,
        "deny",
        &event("PreToolUse", &start("t7", "Explore", "Count", "")),
    );
    let watcher = watcher.after(10, &comes("a1", "Explore"));
    assert_eq!(
        assignment(&watcher, "a1"),
        "-",
        "a refused call starts nobody"
    );
    let mut on = watcher.after(10, &tool("PreToolUse", "Bash", "t2"));
    let view = &on.flock.agent("s").unwrap().view;
    assert_eq!((view.refusals, &view.refused), (2, &None));
    ruled(&mut on, "ask", &pushes("PreToolUse", ""));
    let view = &on.flock.agent("s").unwrap().view;
    assert_eq!(
        (view.refusals, view.current_task.as_deref()),
        (2, Some("Bash: git push"))
    );
}

/// A call of a subagent, or what becomes of it.
fn touches(name: &str, agent: &str) -> String {
    let more = format!(
        r#""agent_id":"{agent}","agent_type":"Explore","tool_name":"Bash","tool_use_id":"t{agent}","tool_input":{{"command":"touch {agent}.txt"}}"#
    );
    event(name, &more)
}

fn waiting(watcher: &Watcher) -> Vec<&str> {
    let agents = watcher.flock.agents.values();
    let mut ids: Vec<&str> = agents
        .filter(|agent| agent.view.status == Status::PendingInput)
        .map(|agent| agent.view.agent_id.as_str())
        .collect();
    ids.sort_unstable();
    ids
}

#[test]
fn whoever_has_a_dialog_open_needs_the_person_until_it_is_settled() {
    let launched = |call: &str, agent: &str| {
        let more = format!(
            r#"{},"tool_response":{{"status":"async_launched","agentId":"{agent}"}}"#,
            start(call, "Explore", "Look", "")
        );
        event("PostToolUse", &more)
    };
    let mut both = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(
            2_000,
            &event("PreToolUse", &start("t1", "Explore", "Look", "")),
        )
        .after(1, &event("PreToolUse", &start("t2", "Explore", "Look", "")))
        .after(10, &comes("a1", "Explore"))
        .after(1, &comes("a2", "Explore"))
        .after(10, &launched("t1", "a1"))
        .after(1, &launched("t2", "a2"))
        .after(2_000, &touches("PreToolUse", "a1"))
        .after(1, &touches("PreToolUse", "a2"))
        .after(1, &touches("PermissionRequest", "a1"))
        .after(1, &touches("PermissionRequest", "a2"))
        .after(1_000, &event("Stop", BOTH_RUN));
    both.wait(20 * 60_000);
    assert_eq!(waiting(&both), ["a1", "a2"], "nobody has answered");
    // The main agent is interrupted in a turn of its own.
    let both = both
        .after(10, &event("UserPromptSubmit", r#""prompt":"and you?""#))
        .after(10, &event("Stop", r#""reason":"interrupted""#));
    assert_eq!(waiting(&both), ["a1", "a2"]);
    let mut one = both
        .after(10, &touches("PostToolUse", "a1"))
        .after(10, &event("SubagentStop", EXPLORE))
        .after(
            10,
            &event("UserPromptSubmit", r#""prompt":"<task-notification>""#),
        )
        .after(10, &event("Stop", BOTH_RUN));
    one.wait(5 * 60_000);
    assert_eq!(waiting(&one), ["a2"], "the second is still asked");
    assert_eq!(waits_for(&one, "a2").0, Some("Bash: touch a2.txt"));
    // Refused in the terminal: the batch ends without a word about the call.
    let none = one.after(
        10,
        &event(
            "PostToolBatch",
            r#""agent_id":"a2","agent_type":"Explore","tool_calls":[]"#,
        ),
    );
    assert!(waiting(&none).is_empty());
}

#[test]
fn of_several_dialogs_of_one_agent_each_is_settled_by_itself() {
    let fetch = |name: &str, url: &str| {
        let more = format!(
            r#""tool_name":"WebFetch","tool_use_id":"{url}","tool_input":{{"url":"{url}"}}"#
        );
        event(name, &more)
    };
    let asked = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &fetch("PreToolUse", "http://a"))
        .after(1, &fetch("PermissionRequest", "http://a"))
        .after(1, &fetch("PreToolUse", "http://b"))
        .after(1, &fetch("PermissionRequest", "http://b"));
    assert_eq!(waits_for(&asked, "s").0, Some("WebFetch: http://b"));
    let mut one = asked.after(3_000, &fetch("PostToolUse", "http://b"));
    one.wait(60_000);
    assert_eq!(waiting(&one), ["s"]);
    let shown = (Some("WebFetch: http://a"), Some("WebFetch: http://a"));
    assert_eq!(waits_for(&one, "s"), shown, "the other one is still open");
    let none = one.after(10, &fetch("PostToolUseFailure", "http://a"));
    assert_eq!(waits_for(&none, "s").0, None);
    assert!(waiting(&none).is_empty());
}

#[test]
fn a_client_that_tells_no_end_of_a_batch_tells_by_the_next_call_that_a_dialog_is_closed() {
    let asked = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &request(""));
    let mut next = row(&tool("PreToolUse", "Read", "t9"));
    next.client = Client::new(Product::Claude, Version(2, 1, 67));
    next.at_ms = asked.now_ms + 10;
    let mut asked = asked;
    asked.flock.apply(&next, next.at_ms);
    assert!(waiting(&asked).is_empty());
}

#[test]
fn what_was_refused_is_not_what_the_agent_works_on() {
    let mut watcher = Watcher::new()
        .after(0, &event("UserPromptSubmit", r#""prompt":"go""#))
        .after(2_000, &tool("PreToolUse", "Read", "t0"));
    ruled(&mut watcher, "deny", &pushes("PreToolUse", ""));
    let told = watcher.after(10, &pushes("PermissionDenied", r#","reason":"no""#));
    let view = &told.flock.agent("s").unwrap().view;
    assert_eq!(view.current_task, None);
    assert!(
        view.refused.is_some(),
        "the mark stays until it does something else"
    );
    // Asked about, and refused in the terminal: only the end of the batch is heard of.
    let mut asked = told.after(10, &tool("PreToolUse", "Read", "t3"));
    ruled(&mut asked, "ask", &pushes("PreToolUse", ""));
    let refused = asked
        .after(10, &request(""))
        .after(10, &event("PostToolBatch", r#""tool_calls":[]"#));
    let view = &refused.flock.agent("s").unwrap().view;
    assert_eq!((view.status, &view.current_task), (Status::Working, &None));
}
