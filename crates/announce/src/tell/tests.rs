//! The rule that one moment which concerns the person is told once, case by case.

use std::path::Path;

use bellwether_protocol::client::Client;
use bellwether_workflow::Moved;
use serde_json::{Value, json};

use super::*;
use crate::{Hooks, Language, Muted, Mutes, Preset, Presets as _, Quiet};
use bellwether_transcript::{Ending, LastWords, Message, Whose};

/// An announcer with settings, a clock, and what stands in the transcript.
struct Stage {
    announcer: Announcer,
    settings: Settings,
    mutes: Mutes,
    said: Option<&'static str>,
    refused_by: Option<Vec<String>>,
    workflow: Option<Moved>,
}

struct LastSaid(Option<&'static str>);

impl Transcripts for LastSaid {
    fn ending(&self, _: &Path, _: Whose) -> Option<Ending> {
        let text = self.0?.to_owned();
        Some(Ending {
            last: Message {
                text: Some(text.clone()),
                ..Message::default()
            },
            words: Some(LastWords {
                text,
                this_turn: true,
                acted_on: false,
            }),
            failed: None,
        })
    }
}

impl Stage {
    fn new(preset: Preset) -> Self {
        Self {
            announcer: Announcer::default(),
            settings: Settings {
                hooks: Hooks::of(preset, Language::En),
                ..Settings::default()
            },
            mutes: Mutes::default(),
            said: None,
            refused_by: None,
            workflow: None,
        }
    }

    fn full() -> Self {
        Self::new(Preset::Full)
    }

    fn hear_at(&mut self, at_s: u64, payload: &str) -> Outcome {
        self.hear(at_s, 0, true, payload)
    }

    fn hear(&mut self, at_s: u64, age_ms: u64, attended: bool, payload: &str) -> Outcome {
        let fields = r#""session_id":"s","transcript_path":"/t.jsonl","#;
        let payload = payload.replacen('{', &format!("{{{fields}"), 1);
        let event = Client::default().parse(&payload).unwrap();
        let heard = Heard {
            event: &event,
            at_ms: 1_000_000 + at_s * 1000,
            age_ms,
            attended,
            project: Some("/p/shop"),
            refused_by: self.refused_by.as_deref(),
            workflow: self.workflow.as_ref(),
        };
        let transcript = LastSaid(self.said);
        let told = self
            .announcer
            .hear(&heard, &self.settings, &self.mutes, &transcript);
        told.outcome
    }

    /// The words that are said at each time, or why none are.
    fn told(&mut self, events: &[(u64, &str)]) -> Vec<String> {
        let tell = |(at_s, payload): &(u64, &str)| match self.hear_at(*at_s, payload) {
            Outcome::Said(said) if said.voice.is_some() => said.text,
            Outcome::Said(said) => format!("({})", said.sound.unwrap().effect_name()),
            Outcome::Silent(silence) => format!("- {silence:?}"),
        };
        events.iter().map(tell).collect()
    }
}

fn asks(tool: &str, input: &Value) -> String {
    json!({"hook_event_name": "PermissionRequest", "tool_name": tool, "tool_input": input})
        .to_string()
}

const PROMPT: &str = r#"{"hook_event_name":"UserPromptSubmit","prompt":"go"}"#;
const REPORT: &str = r#"{"hook_event_name":"UserPromptSubmit","prompt":"<task-notification>x"}"#;
const BASH: &str = r#"{"hook_event_name":"PermissionRequest","tool_name":"Bash"}"#;
const EDIT: &str = r#"{"hook_event_name":"PermissionRequest","tool_name":"Edit"}"#;
const ASK: &str = r#"{"hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which `way`?"}]}}"#;
const ASKED: &str = r#"{"hook_event_name":"PostToolUse","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which `way`?"}]}}"#;
const LEAVE: &str = r#"{"hook_event_name":"Notification","notification_type":"permission_prompt","message":"Claude needs your permission"}"#;
const IDLE: &str = r#"{"hook_event_name":"Notification","notification_type":"idle_prompt","message":"Claude is waiting for your input"}"#;
const STOP: &str = r#"{"hook_event_name":"Stop","last_assistant_message":"Looked. Fixed it."}"#;
const STOP_ASKS: &str = r#"{"hook_event_name":"Stop","last_assistant_message":"Fixed it. Push?"}"#;
const SUBAGENT: &str =
    r#"{"hook_event_name":"SubagentStop","agent_id":"a","agent_type":"Explore"}"#;
const DENIED: &str =
    r#"{"hook_event_name":"PermissionDenied","tool_name":"Bash","reason":"risky"}"#;
const FAILED: &str = r#"{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","error":"no"}"#;
const ELICITATION: &str =
    r#"{"hook_event_name":"Elicitation","mcp_server_name":"shop","message":"What size?"}"#;
const DIALOG: &str = r#"{"hook_event_name":"Notification","notification_type":"elicitation_dialog","message":"Claude Code needs your input"}"#;
const TEAMMATE: &str = r#"{"hook_event_name":"TeammateIdle","agent_id":"a","agent_type":"ann","teammate_name":"ann","team_name":"t"}"#;

#[test]
fn leave_is_asked_for_once_and_the_notification_of_it_is_silent() {
    let mut stage = Stage::full();
    stage.said = Some("I will run the tests. They take long.");
    let told = stage.told(&[
        (0, BASH),
        (6, LEAVE),
        (8, EDIT),
        (9, EDIT),
        (50, EDIT),
        (120, LEAVE),
    ]);
    let expected = [
        "I will run the tests.",
        "- AlreadyTold",
        "Approve Edit?",
        "- AlreadyTold",
        "Approve Edit?",
        "Claude needs your permission",
    ];
    assert_eq!(told, expected);
}

#[test]
fn four_requests_at_once_are_one_moment() {
    let told = Stage::full().told(&[(0, EDIT), (0, EDIT), (1, EDIT), (2, EDIT), (5, EDIT)]);
    let silent = "- AlreadyTold";
    assert_eq!(
        told,
        ["Approve Edit?", silent, silent, silent, "Approve Edit?"]
    );
}

#[test]
fn a_question_is_told_once_however_long_it_waits() {
    let told = Stage::full().told(&[(0, ASK), (6, LEAVE), (300, ASKED), (301, STOP)]);
    assert_eq!(
        told,
        ["Which way?", "- AlreadyTold", "- AlreadyTold", "Fixed it."]
    );
    // A client that does not ask for permission first.
    assert_eq!(Stage::full().told(&[(0, ASKED)]), ["Which way?"]);
    // And once more when it is asked once more.
    assert_eq!(
        Stage::full().told(&[(0, ASK), (9, PROMPT), (10, ASK)])[2],
        "Which way?"
    );
}

#[test]
fn a_stop_that_asks_is_told_as_a_question_unless_that_was_told() {
    let mut stage = Stage::full();
    let Outcome::Said(said) = stage.hear_at(0, STOP_ASKS) else {
        panic!("silent")
    };
    assert_eq!(
        (said.text.as_str(), said.priority),
        ("Fixed it.", Priority::Question)
    );
    assert_eq!(said.sound.unwrap().effect_name(), "bell_ring_1");
    let Outcome::Said(again) = Stage::full().told_after(BASH, STOP_ASKS) else {
        panic!("silent")
    };
    assert_eq!(again.priority, Priority::Done);
    let mut stage = Stage::full();
    stage.said = Some("Fixed it. Push?");
    assert_eq!(
        stage.told(&[(0, BASH), (3, STOP_ASKS)]),
        ["Fixed it.", "- AlreadyTold"]
    );
}

impl Stage {
    fn told_after(mut self, first: &str, then: &str) -> Outcome {
        self.hear_at(0, first);
        self.hear_at(3, then)
    }
}

#[test]
fn an_idle_agent_is_told_of_only_if_its_stop_was_not_spoken() {
    let mut stage = Stage::full();
    assert_eq!(
        stage.told(&[(0, STOP), (60, IDLE), (91, IDLE)])[1..],
        ["- AlreadyTold", "Claude is idle"]
    );
    let mut calm = Stage::new(Preset::Calm);
    let told = calm.told(&[
        (0, PROMPT),
        (5, STOP),
        (65, IDLE),
        (70, PROMPT),
        (95, STOP),
        (155, IDLE),
    ]);
    let expected = [
        "- Off",
        "(ui_open_1)",
        "Claude is idle",
        "- Off",
        "Fixed it.",
        "- AlreadyTold",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_finished_task_is_always_told_and_subagents_as_the_preset_says() {
    let told = Stage::full().told(&[(0, SUBAGENT), (1, SUBAGENT), (2, STOP), (3, STOP)]);
    let (subagent, stop) = ("Subagent Explore finished", "Fixed it.");
    assert_eq!(told, [subagent, subagent, stop, stop]);
    let told = Stage::new(Preset::Calm).told(&[(0, SUBAGENT), (1, SUBAGENT), (9, SUBAGENT)]);
    assert_eq!(
        told,
        ["(marimba_complete)", "- Merged", "(marimba_complete)"]
    );
    let compaction = r#"{"hook_event_name":"SubagentStop","agent_id":"a","agent_type":""}"#;
    assert_eq!(Stage::full().told(&[(0, compaction)]), ["- Compaction"]);
}

#[test]
fn what_auto_mode_and_servers_and_teams_tell() {
    let told =
        Stage::new(Preset::Calm).told(&[(0, DENIED), (1, FAILED), (2, ELICITATION), (8, DIALOG)]);
    assert_eq!(
        told,
        [
            "Bash was denied",
            "- Off",
            "shop asks: What size?",
            "- AlreadyTold"
        ]
    );
    let told = Stage::full().told(&[(0, TEAMMATE), (5, TEAMMATE), (90, TEAMMATE)]);
    assert_eq!(told, ["ann is idle", "- AlreadyTold", "ann is idle"]);
    let failure = r#"{"hook_event_name":"StopFailure","error":"server_error"}"#;
    assert_eq!(
        Stage::full().told(&[(0, failure)]),
        ["Claude stopped: server error"]
    );
    let other = r#"{"hook_event_name":"Notification","notification_type":"elicitation_response","message":"It was answered"}"#;
    assert_eq!(Stage::full().told(&[(0, other)]), ["- NotificationType"]);
}

#[test]
fn a_typed_prompt_ends_every_moment_and_a_report_none() {
    let told = Stage::full().told(&[(0, EDIT), (1, REPORT), (1, EDIT), (2, PROMPT), (2, EDIT)]);
    assert_eq!(told[2], "- AlreadyTold");
    assert_eq!(told[4], "Approve Edit?");
    let mut stage = Stage::full();
    stage.settings.hooks.user_prompt_submit.enabled = true;
    stage.settings.hooks.user_prompt_submit.sound = crate::Sound::effect("blink", 0.2);
    assert_eq!(
        stage.told(&[(0, PROMPT), (1, REPORT)]),
        ["(blink)", "- NotTyped"]
    );
}

#[test]
fn quiet_by_sense() {
    let silent = |stage: &mut Stage, payload: &str| match stage.hear_at(0, payload) {
        Outcome::Silent(silence) => Some(silence),
        Outcome::Said(_) => None,
    };
    let unattended = Stage::full().hear(0, 0, false, BASH);
    assert_eq!(unattended, Outcome::Silent(Silence::Unattended));
    let mut stage = Stage::full();
    stage.settings.quiet = Quiet {
        subagents: true,
        teammates: true,
        ..Quiet::default()
    };
    assert_eq!(silent(&mut stage, SUBAGENT), Some(Silence::Subagents));
    assert_eq!(silent(&mut stage, TEAMMATE), Some(Silence::Teammates));
    let leave = r#"{"hook_event_name":"PermissionRequest","agent_id":"a","agent_type":"x","tool_name":"Bash"}"#;
    assert_eq!(
        silent(&mut stage, leave),
        None,
        "what waits for an answer is told"
    );
    stage.settings.quiet.hours = vec!["00:00-23:59".to_owned().try_into().unwrap()];
    assert_eq!(silent(&mut stage, BASH), Some(Silence::QuietHours));
    stage.mutes.mute(Some(Path::new("/p")), None);
    let muted = Muted {
        until_ms: None,
        project: Some("/p".into()),
    };
    assert_eq!(silent(&mut stage, BASH), Some(Silence::Muted(muted)));
    let mut stage = Stage::full();
    stage.settings.quiet.min_turn_seconds = 10;
    assert_eq!(
        stage.told(&[(0, PROMPT), (9, STOP), (10, STOP)])[1..],
        ["- ShortTurn", "Fixed it."]
    );
}

#[test]
fn nothing_is_said_late() {
    let late = |age_ms, payload: &str| {
        Stage::full().hear(0, age_ms, true, payload) == Outcome::Silent(Silence::TooLate)
    };
    assert!(!late(45_000, STOP) && late(45_001, STOP));
    assert!(!late(60_000, FAILED) && late(60_001, FAILED));
    assert!(!late(15_000, SUBAGENT) && late(15_001, SUBAGENT));
    assert!(!late(500_000, BASH) && late(600_001, BASH));
}

#[test]
fn sessions_do_not_know_of_each_other() {
    let mut stage = Stage::full();
    stage.hear_at(0, EDIT);
    let other =
        r#"{"hook_event_name":"PermissionRequest","session_id":"other","tool_name":"Edit"}"#;
    assert!(matches!(stage.hear_at(1, other), Outcome::Said(_)));
}

#[test]
fn korean_is_spoken_where_it_is_wanted() {
    let mut stage = Stage::full();
    stage.settings.language = Language::Ko;
    stage.settings.hooks = Hooks::of(Preset::Full, Language::Ko);
    let told = stage.told(&[
        (0, BASH),
        (20, IDLE),
        (100, r#"{"hook_event_name":"TaskCompleted"}"#),
    ]);
    assert_eq!(
        told,
        [
            "Bash 실행을 승인할까요?",
            "클로드가 기다리고 있습니다",
            "작업 완료: 이름 없는 작업"
        ]
    );
}

#[test]
fn no_secret_and_no_control_character_is_said() {
    let secret = "sk-ant-api03-abcdefghijklmnop0123";
    let dirty = format!(r"key {secret} \u001b[31mred\u0007 \u202e postgres://a:hunter2@db/x ");
    let payloads = [
        format!(r#"{{"hook_event_name":"Stop","last_assistant_message":"{dirty}"}}"#),
        format!(r#"{{"hook_event_name":"Notification","message":"{dirty}"}}"#),
        format!(r#"{{"hook_event_name":"TaskCompleted","task_subject":"{dirty}"}}"#),
        format!(r#"{{"hook_event_name":"SubagentStop","agent_type":"{dirty}"}}"#),
        format!(r#"{{"hook_event_name":"PermissionRequest","tool_name":"{dirty}"}}"#),
        format!(r#"{{"hook_event_name":"TeammateIdle","teammate_name":"{dirty}"}}"#),
        format!(r#"{{"hook_event_name":"StopFailure","error":"{dirty}"}}"#),
        format!(
            r#"{{"hook_event_name":"Elicitation","mcp_server_name":"{dirty}","message":"{dirty}"}}"#
        ),
        ASK.replace("Which `way`", &dirty),
    ];
    for payload in payloads {
        let Outcome::Said(said) = Stage::full().hear_at(0, &payload) else {
            panic!("{payload}")
        };
        let text = serde_json::to_string(&said).unwrap();
        assert!(
            !text.contains("sk-ant") && !text.contains("hunter2"),
            "{text}"
        );
        assert!(
            said.text
                .chars()
                .all(|char| !char.is_control() && char != '\u{202e}'),
            "{text}"
        );
        assert!(said.text.contains("red"), "{text}");
    }
}

/// Every option that the kit's configuration has, and some of ours: the table says which is obeyed how.
const OPTIONS: &str = include_str!("../../tables/options.tsv");

/// A stage on which one handler has these settings.
fn with(handler: &str, options: &str, more: &Value) -> Stage {
    let mut settings: Value = serde_json::from_str(&format!("{{{options}}}")).unwrap();
    for (key, value) in more.as_object().unwrap() {
        settings[key] = value.clone();
    }
    let mut stage = Stage::full();
    stage.settings.hooks = serde_json::from_value(json!({ handler: settings })).unwrap();
    stage
}

#[test]
fn every_option_counts() {
    let own = json!({
        "enabled": true,
        "sound": {"enabled": true, "file": "x/own.wav", "volume": 0.11, "delay_ms": 7},
        "voice": {"enabled": true, "name": "Ann", "volume": 0.12, "rate": 99},
    });
    let mute = json!({"enabled": true, "sound": {"enabled": false}, "voice": {"enabled": false}});
    for row in OPTIONS.lines().filter(|line| !line.starts_with('#')) {
        let [handler, options, payload, expected] =
            row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let Outcome::Said(said) = with(handler, options, &own).hear_at(0, payload) else {
            panic!("{row}")
        };
        assert_eq!(said.text, expected, "{row}");
        let sound = said.sound.unwrap();
        assert_eq!(
            (sound.effect_name(), sound.volume, sound.delay_ms),
            ("own", 0.11, 7)
        );
        let voice = said
            .voice
            .map(|voice| (voice.name, voice.volume, voice.rate));
        let spoken = handler != "user_prompt_submit";
        assert_eq!(voice, spoken.then(|| ("Ann".to_owned(), 0.12, 99)), "{row}");
        let silence = |more: &Value| with(handler, options, more).hear_at(0, payload);
        assert_eq!(
            silence(&json!({"enabled": false})),
            Outcome::Silent(Silence::Off)
        );
        assert_eq!(silence(&mute), Outcome::Silent(Silence::NothingToSay));
    }
}

#[test]
fn a_permission_says_who_asks_and_what_for() {
    let page = json!({"url": "https://docs.rs/serde?token=hunter2", "prompt": "x"});
    let question = json!({"questions": [{"question": "Which `way`?"}]});
    for (tool, input, english, korean) in [
        (
            "Bash",
            json!({"command": "git push"}),
            "shop: allow git push?",
            "shop 프로젝트에서 git push 실행 허용할까요?",
        ),
        (
            "Bash",
            json!({"command": "npm test && npm publish"}),
            "shop: allow npm test and more?",
            "shop 프로젝트에서 npm test 외 여러 명령 실행 허용할까요?",
        ),
        (
            "Edit",
            json!({"file_path": "/p/shop/src/main.rs", "old_string": "a", "new_string": "b"}),
            "shop: allow a change to main.rs?",
            "shop 프로젝트에서 main.rs 수정 허용할까요?",
        ),
        (
            "Read",
            json!({"file_path": "/home/dev/.ssh/id_rsa"}),
            "shop: allow reading id_rsa?",
            "shop 프로젝트에서 id_rsa 읽기 허용할까요?",
        ),
        (
            "WebFetch",
            page,
            "shop: allow reading docs.rs?",
            "shop 프로젝트에서 docs.rs 읽기 허용할까요?",
        ),
        (
            "WebSearch",
            json!({"query": "how to"}),
            "shop: allow web search?",
            "shop 프로젝트에서 web search 사용 허용할까요?",
        ),
        (
            "mcp__github__create_issue",
            json!({"title": "x", "path": "/etc/x", "text": "y"}),
            "shop: allow github create issue?",
            "shop 프로젝트에서 github create issue 사용 허용할까요?",
        ),
        (
            "ExitPlanMode",
            json!({"plan": "First. Then."}),
            "shop: allow the plan?",
            "shop 프로젝트에서 계획 진행 허용할까요?",
        ),
        (
            "AskUserQuestion",
            question,
            "shop: Which way?",
            "shop 프로젝트의 질문: Which way?",
        ),
        (
            "Bash",
            json!({}),
            "shop: allow Bash?",
            "shop 프로젝트에서 Bash 사용 허용할까요?",
        ),
    ] {
        for (language, expected) in [(Language::En, english), (Language::Ko, korean)] {
            let mut stage = Stage::new(Preset::Calm);
            stage.settings.language = language;
            stage.settings.hooks = Hooks::of(Preset::Calm, language);
            // What the agent said before it asked does not tell who asks what.
            stage.said = Some("I will do it now.");
            assert_eq!(
                stage.told(&[(0, &asks(tool, &input))]),
                [expected],
                "{tool}"
            );
        }
    }
}

#[test]
fn a_permission_names_the_subagent_and_stays_short() {
    let of_agent = |agent: &str| {
        let mut asked: Value =
            serde_json::from_str(&asks("Bash", &json!({"command": "cargo test"}))).unwrap();
        asked["agent_id"] = "a1".into();
        asked["agent_type"] = agent.into();
        asked.to_string()
    };
    let told = Stage::new(Preset::Calm).told(&[(0, &of_agent("Explore"))]);
    assert_eq!(told, ["shop, Explore: allow cargo test?"]);
    let mut stage = Stage::new(Preset::Calm);
    stage.settings.hooks.permission_request.message_template = "{agent}, {command}".into();
    stage.settings.hooks.permission_request.subagent_template = String::new();
    let plain = asks("Bash", &json!({"command": "cargo test"}));
    assert_eq!(stage.told(&[(0, &plain)]), ["Claude, cargo test"]);
    assert_eq!(
        stage.told(&[(9, &of_agent("Explore"))]),
        ["Explore, cargo test"]
    );
    let long = "x".repeat(300);
    let endless = format!("{long} {}", "word ".repeat(300));
    for input in [
        json!({"command": endless}),
        json!({"file_path": format!("/p/{long}/{long}.rs"), "content": ""}),
        json!({"url": format!("https://{long}.example/")}),
    ] {
        for tool in ["Bash", "Write", "WebFetch", &format!("mcp__{long}__{long}")] {
            let told = Stage::new(Preset::Calm).told(&[(0, &asks(tool, &input))]);
            assert!(told[0].chars().count() < 90, "{told:?}");
        }
    }
}

#[test]
fn a_permission_tells_no_secret_and_no_path() {
    for (tool, input) in [
        (
            "Bash",
            json!({"command": "curl -u app:hunter2 https://app:hunter2@db.example/secret/place"}),
        ),
        (
            "Bash",
            json!({"command": "export TOKEN=sk-ant-api03-abcdefghijklmnop0123; ./secret/place/go.sh --key hunter2"}),
        ),
        (
            "Write",
            json!({"file_path": "/home/hunter2/secret/place/x.txt", "content": "hunter2"}),
        ),
        (
            "WebFetch",
            json!({"url": "https://x:hunter2@docs.rs/secret/place?key=hunter2"}),
        ),
    ] {
        let told = Stage::new(Preset::Calm).told(&[(0, &asks(tool, &input))]);
        let told = &told[0];
        assert!(told.starts_with("shop: allow "), "{told}");
        for never in ["hunter2", "sk-ant", "secret", "place", "/"] {
            assert!(!told.contains(never), "{told}");
        }
    }
}

#[test]
fn every_message_may_say_which_project_it_is_about() {
    let mut stage = Stage::full();
    let hooks = &mut stage.settings.hooks;
    hooks.notification.idle_message = "{project} is idle".into();
    hooks.pre_compact.message = "{project} compacts".into();
    hooks.permission_denied.message_template = "{project}: no {command}".into();
    let compacts = r#"{"hook_event_name":"PreCompact","trigger":"auto"}"#;
    let denied = r#"{"hook_event_name":"PermissionDenied","tool_name":"Bash","tool_input":{"command":"git push -f"}}"#;
    assert_eq!(
        stage.told(&[(0, IDLE), (1, compacts), (2, denied)]),
        ["shop is idle", "shop compacts", "shop: no git push"]
    );
}

#[test]
fn what_came_of_a_long_background_job_is_spoken() {
    let mut calm = Stage::new(Preset::Calm);
    let told = calm.told(&[(0, PROMPT), (3, STOP), (600, REPORT), (604, STOP)]);
    assert_eq!(told[1..], ["(ui_open_1)", "- Off", "Fixed it."]);
    // A message of another agent begins a turn of its own.
    let message =
        r#"{"hook_event_name":"UserPromptSubmit","prompt":"<agent-message from=\"ann\">hi"}"#;
    let told = calm.told(&[(700, message), (704, STOP)]);
    assert_eq!(told[1], "(ui_open_1)");
}

#[test]
fn nothing_is_said_of_an_agent_that_is_idle_because_its_turn_failed() {
    let failure = r#"{"hook_event_name":"StopFailure","error":"server_error"}"#;
    for preset in [Preset::Calm, Preset::Full] {
        assert_eq!(
            Stage::new(preset).told(&[(0, failure), (60, IDLE), (200, IDLE)]),
            [
                "Claude stopped: server error",
                "- AlreadyTold",
                "Claude is idle"
            ]
        );
    }
}

#[test]
fn the_end_of_a_teammate_is_told_once() {
    let ended = r#"{"hook_event_name":"SubagentStop","agent_id":"aann-1","agent_type":"ann","team_name":"t"}"#;
    for preset in [Preset::Calm, Preset::Full] {
        let told = Stage::new(preset).told(&[(0, ended), (1, TEAMMATE)]);
        assert_eq!(told, ["- ToldAsIdle", "ann is idle"]);
        let told = Stage::new(preset).told(&[(0, TEAMMATE), (1, ended)]);
        assert_eq!(told, ["ann is idle", "- ToldAsIdle"]);
    }
    let mut stage = Stage::full();
    stage.settings.hooks.teammate_idle.enabled = false;
    assert_eq!(
        stage.told(&[(0, ended), (1, TEAMMATE)]),
        ["Subagent ann finished", "- Off"]
    );
    // One that does not show itself as a teammate.
    let unknown = r#"{"hook_event_name":"SubagentStop","agent_id":"7","agent_type":"ann"}"#;
    assert_eq!(
        Stage::full().told(&[(0, unknown), (1, TEAMMATE), (90, TEAMMATE), (91, unknown)]),
        [
            "Subagent ann finished",
            "- AlreadyTold",
            "ann is idle",
            "- AlreadyTold"
        ]
    );
}

#[test]
fn a_turn_that_ends_in_a_question_speaks_the_question() {
    let mut calm = Stage::new(Preset::Calm);
    let Outcome::Said(said) = calm.hear_at(0, STOP_ASKS) else {
        panic!("silent")
    };
    assert_eq!(
        (said.text.as_str(), said.priority),
        ("shop: Push?", Priority::Question)
    );
    assert_eq!(said.sound.unwrap().effect_name(), "bell_ring_1");
    // However short the turn was, and after something else was asked.
    let mut calm = Stage::new(Preset::Calm);
    let told = calm.told(&[(0, PROMPT), (1, BASH), (3, STOP_ASKS), (63, IDLE)]);
    assert_eq!(told[2..], ["shop: Push?", "- AlreadyTold"]);
    // Not what was just asked.
    let asked = r#"{"hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Push?"}]}}"#;
    let told = Stage::new(Preset::Calm).told(&[(0, asked), (3, STOP_ASKS)]);
    assert_eq!(told, ["shop: Push?", "Fixed it."]);
    let long = format!(
        r#"{{"hook_event_name":"Stop","last_assistant_message":"{} Push?"}}"#,
        "This is what I did. ".repeat(40)
    );
    assert_eq!(
        Stage::new(Preset::Calm).told(&[(0, &long)]),
        ["shop: Push?"]
    );
}

#[test]
fn a_refusal_of_the_guard_has_a_sound_of_its_own_and_any_other_call_has_none() {
    const CALL: &str = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf ~"}}"#;
    let mut calm = Stage::new(Preset::Calm);
    assert_eq!(calm.told(&[(0, CALL)]), ["- NoHandler"]);
    calm.refused_by = Some(vec!["delete-home".into(), "unseen".into()]);
    assert_eq!(
        calm.told(&[(1, CALL), (2, CALL), (9, CALL)]),
        ["(marimba_warning)", "- Merged", "(marimba_warning)"]
    );
    let mut full = Stage::full();
    full.refused_by = Some(vec!["delete-home".into()]);
    assert_eq!(
        full.told(&[(0, CALL)]),
        ["The guard refused Bash: delete home"]
    );
    full.refused_by = Some(Vec::new());
    assert_eq!(full.told(&[(9, CALL)]), ["The guard refused Bash: a rule"]);
    let mut plain = Stage::new(Preset::Plain);
    plain.refused_by = Some(vec!["delete-home".into()]);
    assert_eq!(plain.told(&[(0, CALL)]), ["- Off"]);
    assert_eq!(
        calm.hear(20, 0, false, CALL),
        Outcome::Silent(Silence::Unattended)
    );
}

#[test]
fn planned_work_is_told_when_a_phase_ends_or_waits_and_only_by_our_own_event() {
    const MOVED: &str = r#"{"hook_event_name":"WorkflowMoved","workflow":{"feature":"login"}}"#;
    let moved = |how: &str, by: &str, waits: Option<&str>| -> Option<Moved> {
        let moved = json!({"feature": "login", "how": how, "by": by, "phase": "do", "ended": "design",
            "next": waits.map(|_| "do"), "waits_for": waits});
        Some(serde_json::from_value(moved).unwrap())
    };
    let mut calm = Stage::new(Preset::Calm);
    assert_eq!(
        calm.told(&[(0, MOVED)]),
        ["- NoHandler"],
        "anybody can say so"
    );
    for (how, by, waits, said) in [
        (
            "moved",
            "task",
            None,
            "shop: design of login is done, do begins",
        ),
        ("finished", "task", None, "shop: login is finished"),
        (
            "waits",
            "task",
            Some("checkpoint"),
            "shop: design of login is done, review it before do begins",
        ),
        (
            "waits",
            "task",
            Some("limit"),
            "shop: design of login failed as often as is allowed, please decide",
        ),
        ("waits", "task", Some("rate"), "- NoHandler"),
        ("moved", "person", None, "- NoHandler"),
        ("begun", "task", None, "- NoHandler"),
        ("changed", "agent", None, "- NoHandler"),
    ] {
        calm.workflow = moved(how, by, waits);
        assert_eq!(calm.told(&[(1, MOVED)]), [said], "{how} {by} {waits:?}");
    }
    let mut plain = Stage::new(Preset::Plain);
    plain.workflow = moved("moved", "task", None);
    assert_eq!(plain.told(&[(0, MOVED)]), ["- Off"]);
    let mut korean = Stage::new(Preset::Calm);
    korean.settings.hooks = Hooks::of(Preset::Calm, Language::Ko);
    korean.workflow = moved("moved", "task", None);
    assert_eq!(
        korean.told(&[(0, MOVED)]),
        ["shop 프로젝트: login의 design 단계가 끝나고 do 단계를 시작합니다"]
    );
}
