//! Short stories: what happens, and what somebody watching would say.

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
        "appearing working pending_input unknown"
    );
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
