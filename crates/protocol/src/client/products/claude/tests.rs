//! Whole payloads in our own words.

use crate::client::{Client, Product, Version};
use crate::error::ParseError;
use crate::event::{Event, Kind};

fn parse(text: &str) -> Result<Event<'_>, ParseError> {
    Client::unknown(Product::Claude).parse(text)
}

fn edit() -> &'static str {
    include_str!("../../../../fixtures/payloads/PostToolUse-Edit.json")
}

/// What a payload says, in one line for each field that has words.
fn told(text: &str) -> String {
    let event = parse(text).unwrap();
    let agent = event.agent.clone().unwrap_or_default();
    let tool = event.tool.clone().unwrap_or_default();
    let task = event.task.clone().unwrap_or_default();
    let facts = [
        ("session", event.session),
        ("parent", event.parent_session),
        ("message", event.message),
        ("detail", event.detail),
        ("level", event.level),
        ("path", event.path),
        ("thinking", event.thinking),
        ("agent", agent.kind),
        ("named", agent.name),
        ("team", agent.team),
        ("task", task.subject),
        ("response", tool.response.map(|raw| raw.get().into())),
        ("error", tool.error),
        ("failed", tool.failed.then(|| "yes".into())),
        ("exit", tool.exit_code.map(|code| code.to_string().into())),
        ("meta", event.meta.map(|raw| raw.get().into())),
    ];
    let said = facts
        .iter()
        .filter_map(|(name, fact)| Some(format!("{name}={}", fact.as_ref()?)));
    [event.kind.to_string()]
        .into_iter()
        .chain(said)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_guard_reads_tool_and_input() {
    let event = parse(include_str!(
        "../../../../fixtures/payloads/PreToolUse-Bash.json"
    ))
    .unwrap();
    let tool = event.tool.unwrap();
    assert_eq!(tool.name, "Bash");
    assert!(tool.input.unwrap().get().contains("\"command\""));
    assert!(tool.use_id.unwrap().starts_with("toolu_"));
    assert!(!tool.failed);
}

#[test]
fn a_batch_tells_each_of_its_calls() {
    let event = parse(include_str!(
        "../../../../fixtures/payloads/PostToolBatch-n1.json"
    ))
    .unwrap();
    let [call] = event.calls.as_slice() else {
        panic!("{:?}", event.calls)
    };
    assert_eq!(call.name, "Bash");
    assert!(call.response.is_some());
}

#[test]
fn a_teammate_is_told_by_name_and_team() {
    let event = parse(include_str!(
        "../../../../fixtures/payloads/TeammateIdle-in-subagent-teammate.json"
    ))
    .unwrap();
    let agent = event.agent.unwrap();
    assert_eq!(
        (agent.name.unwrap(), agent.team.unwrap()),
        ("researcher".into(), "session-c6835796".into())
    );
}

#[test]
fn older_names_are_understood() {
    for (text, expected) in [
        (
            r#"{"hook_type":"Stop","reason":"done","summary":"all"}"#,
            "Stop message=all detail=done",
        ),
        (
            r#"{"hook_type":"SubagentStop","result":"found"}"#,
            "SubagentStop message=found",
        ),
        (
            r#"{"hook_type":"SubagentStart","subagent_type":"Explore","agent_name":"w","team_name":"t","prompt":"go"}"#,
            "SubagentStart message=go agent=Explore named=w team=t",
        ),
        (
            r#"{"hook_type":"SubagentStart","session_id":"s","parent_session_id":"p"}"#,
            "SubagentStart session=s parent=p",
        ),
        (
            r#"{"hook_event_name":"TaskCompleted","task_title":"a"}"#,
            "TaskCompleted task=a",
        ),
        (
            r#"{"hook_event_name":"TaskCompleted","title":"a"}"#,
            "TaskCompleted task=a",
        ),
        (
            r#"{"hook_event_name":"TaskCreated","subject":"a"}"#,
            "TaskCreated task=a",
        ),
        (
            r#"{"hook_type":"PostToolUse","tool_name":"Read","tool_result":"r"}"#,
            r#"PostToolUse response="r""#,
        ),
        (
            r#"{"hook_type":"PostToolUse","tool_name":"Read","tool_output":[1]}"#,
            "PostToolUse response=[1]",
        ),
        (
            r#"{"hook_type":"PostToolUse","tool_name":"Read","result":{}}"#,
            "PostToolUse response={}",
        ),
        (
            r#"{"hook_type":"PostToolUse","tool_name":"Bash","error":"oops","exit_code":3}"#,
            "PostToolUse error=oops failed=yes exit=3",
        ),
        (
            r#"{"hook_type":"PostToolUse","tool_name":"Bash","error":{"m":1}}"#,
            "PostToolUse failed=yes",
        ),
        (
            r#"{"hook_type":"PostToolUse","tool_name":"Bash","error":null}"#,
            "PostToolUse",
        ),
        (
            r#"{"hook_type":"Notification","message":"m","level":"warn"}"#,
            "Notification message=m level=warn",
        ),
        (
            r#"{"hook_type":"Notification","thinking":"hm"}"#,
            "Notification thinking=hm",
        ),
        (
            r#"{"hook_type":"Notification","extended_thinking":"hm"}"#,
            "Notification thinking=hm",
        ),
        (
            r#"{"hook_event_name":"FileChanged","filePath":"/f"}"#,
            "FileChanged path=/f",
        ),
        (
            r#"{"hook_event_name":"PostCompact","summary":"short"}"#,
            "PostCompact message=short",
        ),
        (
            r#"{"hook_type":"Stop","_meta":{"workspace_id":"w"}}"#,
            r#"Stop meta={"workspace_id":"w"}"#,
        ),
    ] {
        assert_eq!(told(text), expected, "{text}");
    }
}

#[test]
fn the_clients_own_name_wins_over_an_older_one() {
    for (text, expected) in [
        (r#"{"hook_type":"Stop","hook_event_name":"Setup"}"#, "Setup"),
        (
            r#"{"hook_event_name":"TaskCreated","subject":"old","task_subject":"new"}"#,
            "TaskCreated task=new",
        ),
        (
            r#"{"hook_event_name":"Stop","summary":"old","last_assistant_message":"new"}"#,
            "Stop message=new",
        ),
        (
            r#"{"hook_event_name":"Stop","summary":"old","last_assistant_message":7}"#,
            "Stop message=old",
        ),
        (
            r#"{"hook_event_name":"PostToolUse","tool_name":"X","tool_response":1,"tool_result":2}"#,
            "PostToolUse response=1",
        ),
    ] {
        assert_eq!(told(text), expected, "{text}");
    }
}

#[test]
fn an_unknown_event_keeps_its_name_and_tool() {
    let event = parse(r#"{"hook_event_name":"Moonrise","tool_name":"Bash","new_field":{"a":[1]}}"#)
        .unwrap();
    assert_eq!((event.kind, event.name.as_ref()), (Kind::Other, "Moonrise"));
    assert_eq!(event.tool.unwrap().name, "Bash");
    let nameless = parse("{}").unwrap();
    assert_eq!((nameless.kind, nameless.name.as_ref()), (Kind::Other, ""));
    assert!(nameless.tool.is_none() && nameless.agent.is_none());
}

#[test]
fn a_field_of_the_wrong_type_is_missing_alone() {
    let odd = r#"{"hook_event_name":"PostToolUse","session_id":7,"cwd":"/w","effort":"high",
        "agent_id":[],"tool_name":"Bash","tool_use_id":{},"duration_ms":"9","mcp_server":3}"#;
    let event = parse(odd).unwrap();
    assert_eq!(event.cwd.unwrap(), "/w");
    assert!(event.session.is_none() && event.effort.is_none() && event.agent.is_none());
    let tool = event.tool.unwrap();
    assert_eq!(tool.name, "Bash");
    assert!(tool.use_id.is_none() && tool.duration_ms.is_none() && tool.mcp_server.is_none());
}

#[test]
fn any_field_may_be_of_any_type() {
    let keys: Vec<String> = serde_json::from_str::<serde_json::Map<_, _>>(edit())
        .unwrap()
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    for key in keys {
        for value in ["null", "true", "-1e999", "\"x\"", "[]", "{}", "[[{}]]"] {
            // The last of two equal keys counts, so this one replaces the recorded value.
            let text = edit().trim_end().trim_end_matches('}').to_owned()
                + &format!(",\"{key}\":{value}}}");
            let event = parse(&text).unwrap();
            assert!(
                key == "hook_event_name" || event.kind == Kind::PostToolUse,
                "{key}: {value}"
            );
        }
    }
}

#[test]
fn nesting_of_any_depth_is_carried_and_never_entered() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    for key in [
        "tool_input",
        "session_id",
        "effort",
        "mcp_server",
        "tool_calls",
        "anything",
    ] {
        for name in ["PreToolUse", "PostToolBatch"] {
            let text = format!(r#"{{"hook_event_name":"{name}","{key}":{deep}}}"#);
            assert_eq!(parse(&text).unwrap().name, name);
        }
    }
    assert!(parse(&"[".repeat(100_000)).is_err());
    assert!(parse(&"{\"a\":".repeat(100_000)).is_err());
}

#[test]
fn only_an_object_is_a_payload() {
    for text in [
        "{\"\":\"\",\"\u{1e}\":\"\"}",
        "",
        " ",
        "null",
        "7",
        "\"{}\"",
        "[]",
        "{",
        "{}x",
        "{'a':1}",
        "\u{feff}{}",
    ] {
        assert!(parse(text).is_err(), "{text:?}");
    }
    let error = parse("{\"a\": 1,\n \"b\": }").unwrap_err();
    assert_eq!((error.line(), error.column()), (2, 7));
}

/// Payloads as 1.0.38 sends them, which has four events.
const NAMELESS: &[(Kind, &str)] = &[
    (
        Kind::PreToolUse,
        r#"{"session_id":"s","transcript_path":"/t","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
    ),
    (
        Kind::PostToolUse,
        r#"{"session_id":"s","transcript_path":"/t","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a"}}"#,
    ),
    (
        Kind::Notification,
        r#"{"session_id":"s","transcript_path":"/t","message":"waits","title":"Claude Code"}"#,
    ),
    (
        Kind::Stop,
        r#"{"session_id":"s","transcript_path":"/t","stop_hook_active":true}"#,
    ),
];

#[test]
fn a_payload_without_a_name_is_what_the_registration_says() {
    let old = Client::new(Product::Claude, Version(1, 0, 38));
    let known: Vec<Kind> = old
        .catalog()
        .iter()
        .filter(|entry| entry.support.has(old.version))
        .map(|entry| entry.kind)
        .collect();
    let tried: Vec<Kind> = NAMELESS.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(tried, known);
    for (kind, payload) in NAMELESS {
        let event = old.parse_as(payload, Some(*kind)).unwrap();
        assert_eq!((event.kind, &*event.name), (*kind, kind.as_str()));
        assert_eq!(event.session.as_deref(), Some("s"));
        assert_eq!(event.transcript.as_deref(), Some("/t"));
        let unnamed = old.parse(payload).unwrap();
        assert_eq!((unnamed.kind, &*unnamed.name), (Kind::Other, ""));
        for empty in ["\"\"", "null", "7"] {
            let payload = payload.replacen('{', &format!("{{\"hook_event_name\":{empty},"), 1);
            assert_eq!(old.parse_as(&payload, Some(*kind)).unwrap().kind, *kind);
        }
    }
    let told = |at: usize| old.parse_as(NAMELESS[at].1, Some(NAMELESS[at].0)).unwrap();
    assert_eq!(
        told(1).tool.unwrap().response.unwrap().get(),
        r#"{"stdout":"a"}"#
    );
    assert_eq!(told(2).message.as_deref(), Some("waits"));
    assert!(told(3).stop_hook_active);
}

#[test]
fn a_payload_that_names_its_event_is_believed() {
    for (name, kind) in [("Stop", Kind::Stop), ("Unheard", Kind::Other)] {
        let payload = format!(r#"{{"hook_event_name":"{name}","session_id":"s"}}"#);
        let event = Client::default().parse_as(&payload, Some(Kind::PreToolUse));
        let event = event.unwrap();
        assert_eq!((event.kind, &*event.name), (kind, name));
    }
}

#[test]
fn the_client_tells_its_version_by_a_variable() {
    for (agent, expected) in [
        ("claude-code_2-1-325_harness", Some(Version(2, 1, 325))),
        ("claude-code_2-1_harness", None),
        ("codex_2-1-325_harness", None),
        ("2.1.325", None),
    ] {
        assert_eq!(super::version(agent), expected, "{agent}");
    }
}
