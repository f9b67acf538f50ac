//! Gemini CLI: events and tools have names of its own, and most fields are those of the others.
//!
//! The facts were recorded on version 0.61.0. It cannot be trusted to ask: without a person in front
//! of it a question hangs, so a question becomes a refusal.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::client::catalog::{Answer, Entry, Matcher};
use crate::client::version::Support;
use crate::client::{Rendered, Running, Tools, Variables, Version, Wire};
use crate::event::{Event, Kind, Tool, ToolKind};
use crate::fields::{Fields, FromRaw as _};
use crate::reply::{Decision, Reply};

pub(super) const WIRE: Wire = Wire {
    title: "Gemini CLI",
    newest: Version(0, 61, 0),
    catalog: EVENTS,
    handlers: &[],
    fields: &[],
    variables: Variables {
        project: &["GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
        pid: None,
        entrypoint: None,
        attended: None,
        interactive: "",
        version: |_| None,
    },
    running: Running {
        names: &["gemini"],
        files: &["/@google/gemini-cli", "/bin/gemini"],
        marks: &["GEMINI_CLI"],
        versions: &[],
    },
    feature: |_| None,
    read,
    render,
    tools: TOOLS,
    plugin: Version(0, 61, 0),
    stand_ins: &[],
    write: None,
};

const TOOLS: Tools = Tools {
    listed: &[
        (ToolKind::Command, &["run_shell_command"]),
        (ToolKind::Change, &["write_file", "replace"]),
        (ToolKind::Read, &["read_file"]),
        (ToolKind::Search, &["search_file_content", "grep_search"]),
        (ToolKind::Question, &["ask_user"]),
        (ToolKind::Plan, &["exit_plan_mode"]),
        (ToolKind::AgentStart, &["invoke_agent"]),
        (
            ToolKind::Lookup,
            &["glob", "list_directory", "google_web_search", "web_fetch"],
        ),
        (ToolKind::Other, &["write_todos"]),
    ],
    mcp: "mcp_",
    folders: &["dir_path", "directory"],
};

/// Hooks came with 0.13.
const HOOKS: Support = Support::since(Version(0, 13, 0));
const BY_TOOL: Option<Matcher> = Some(Matcher {
    field: "tool_name",
    support: HOOKS,
});

const EVENTS: &[Entry] = &[
    entry(
        Kind::PreToolUse,
        "BeforeTool",
        Answer::Denial,
        BY_TOOL,
        None,
    ),
    entry(
        Kind::PostToolUse,
        "AfterTool",
        Answer::Nothing,
        BY_TOOL,
        Some(HOOKS),
    ),
    entry(
        Kind::UserPromptSubmit,
        "BeforeAgent",
        Answer::Denial,
        None,
        Some(HOOKS),
    ),
    entry(Kind::Stop, "AfterAgent", Answer::Denial, None, None),
    entry(
        Kind::Notification,
        "Notification",
        Answer::Nothing,
        None,
        None,
    ),
    entry(
        Kind::SessionStart,
        "SessionStart",
        Answer::Nothing,
        None,
        Some(HOOKS),
    ),
    entry(Kind::SessionEnd, "SessionEnd", Answer::Nothing, None, None),
];

const fn entry(
    kind: Kind,
    name: &'static str,
    answer: Answer,
    matcher: Option<Matcher>,
    context: Option<Support>,
) -> Entry {
    Entry {
        kind,
        name,
        support: HOOKS,
        answer,
        answered: HOOKS,
        matcher,
        context,
    }
}

fn read<'a>(fields: &Fields<'a>, _: Option<Kind>) -> Event<'a> {
    let name: Cow<'a, str> = fields.get("hook_event_name").unwrap_or_default();
    let known = EVENTS.iter().find(|entry| entry.name == name);
    let mut event = Event {
        kind: known.map_or(Kind::Other, |entry| entry.kind),
        name,
        session: fields.get("session_id"),
        cwd: fields.get("cwd"),
        transcript: fields.get("transcript_path"),
        ..Event::default()
    };
    match event.kind {
        Kind::PreToolUse | Kind::PostToolUse => called(fields, &mut event),
        Kind::UserPromptSubmit => event.message = fields.get("prompt"),
        Kind::Stop => {
            event.message = fields.get("prompt_response");
            event.stop_hook_active = fields.get("stop_hook_active").unwrap_or_default();
        }
        Kind::Notification => notified(fields, &mut event),
        _ => event.detail = fields.first(&["source", "reason"]),
    }
    event
}

fn called<'a>(fields: &Fields<'a>, event: &mut Event<'a>) {
    let name: Cow<'a, str> = fields.get("tool_name").unwrap_or_default();
    let response: Option<&RawValue> = fields.get("tool_response");
    let answer: Fields<'a> = fields.get("tool_response").unwrap_or_default();
    let failure: Option<Fields<'a>> = answer.get("error");
    let said: Option<Cow<'a, str>> = answer.get("llmContent");
    let code = said.as_deref().and_then(exit_code);
    let failed = failure.is_some() || code.is_some_and(|code| code != 0);
    if failed {
        event.kind = Kind::PostToolUseFailure;
    }
    event.tool = Some(Tool {
        does: TOOLS.kind(&name),
        name,
        input: fields.get("tool_input"),
        response,
        failed,
        error: failure.map_or_else(|| said.filter(|_| failed), |failure| failure.get("message")),
        exit_code: code,
        folders: TOOLS.folders,
        ..Tool::default()
    });
}

/// A failed command is told in the words for the model alone.
fn exit_code(said: &str) -> Option<i64> {
    let mut lines = said.lines();
    lines.find_map(|line| line.strip_prefix("Exit Code: ")?.trim().parse().ok())
}

/// The dialog before a tool runs comes as a notification.
fn notified<'a>(fields: &Fields<'a>, event: &mut Event<'a>) {
    event.message = fields.get("message");
    let about: Option<Cow<'a, str>> = fields.get("notification_type");
    if about.as_deref() != Some("ToolPermission") {
        event.notification_type = about;
        return;
    }
    event.kind = Kind::PermissionRequest;
    let details: Option<&'a RawValue> = fields.get("details");
    let read = details.and_then(Fields::from_raw).unwrap_or_default();
    let runs = read.get::<Cow<'a, str>>("type").as_deref() == Some("exec");
    event.tool = Some(Tool {
        name: read.get("title").unwrap_or_default(),
        does: if runs {
            ToolKind::Command
        } else {
            ToolKind::Unknown
        },
        input: details,
        ..Tool::default()
    });
}

#[derive(Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct GeminiReply<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Added<'a>>,
}

#[derive(PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Added<'a> {
    hook_event_name: &'static str,
    additional_context: &'a str,
}

fn render(kind: Kind, version: Version, reply: &Reply) -> Rendered {
    let known = EVENTS.iter().find(|entry| entry.kind == kind);
    let Some(entry) = known.filter(|entry| entry.support.has(version)) else {
        return Rendered::default();
    };
    let decides = entry.answer == Answer::Denial;
    let reason = reply
        .decision
        .as_ref()
        .and_then(Decision::reason)
        .filter(|_| decides);
    let context = reply.context.as_deref().filter(|_| entry.context.is_some());
    let output = GeminiReply {
        decision: reason.map(|_| "deny"),
        reason,
        system_message: reply.message.as_deref(),
        hook_specific_output: context.map(|additional_context| Added {
            hook_event_name: entry.name,
            additional_context,
        }),
    };
    Rendered {
        stdout: (output != GeminiReply::default())
            .then(|| serde_json::to_string(&output).ok())
            .flatten(),
        ..Rendered::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Client, Product};
    use crate::event::Deed;

    const CLIENT: Client = Client::unknown(Product::Gemini);

    fn told(file: &str) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/gemini");
        let text = std::fs::read_to_string(format!("{folder}/{file}.json")).unwrap();
        let event = CLIENT.parse(&text).unwrap();
        assert!(event.session.is_some() && event.cwd.is_some(), "{file}");
        let tool = event.tool.unwrap_or_default();
        let deed = match tool.deed() {
            Deed::Command(command) => command.text.into_owned(),
            Deed::Change(change) => change.path.into_owned(),
            Deed::Read(path) | Deed::Search(path) => path.into_owned(),
            Deed::Other => String::new(),
        };
        let words = event.message.or(event.detail).unwrap_or_default();
        let code = tool.exit_code.map(|code| code.to_string());
        [
            event.kind.as_str(),
            &deed,
            &words,
            code.as_deref().unwrap_or_default(),
        ]
        .join("|")
    }

    #[test]
    fn recorded_payloads_are_told_in_our_words() {
        for (file, expected) in [
            ("SessionStart-startup", "SessionStart||startup|"),
            (
                "BeforeAgent",
                "UserPromptSubmit||[[script:gemini_shell]] please run|",
            ),
            (
                "BeforeTool-run_shell_command",
                "PreToolUse|echo one && ls||",
            ),
            (
                "AfterTool-run_shell_command",
                "PostToolUse|echo one && ls||",
            ),
            (
                "AfterTool-run_shell_command-exit3",
                "PostToolUseFailure|echo oops >&2; exit 3||3",
            ),
            (
                "AfterTool-read_file-missing",
                "PostToolUseFailure|missing.txt||",
            ),
            ("AfterTool-write_file", "PostToolUse|made.txt||"),
            ("BeforeTool-invoke_agent", "PreToolUse|||"),
            (
                "Notification-ToolPermission",
                "PermissionRequest|touch ran.txt && echo ran|Tool Confirm Shell Command requires execution|",
            ),
            (
                "AfterAgent",
                "Stop||I will look at the folder.\nDone. Shall I go on?|",
            ),
            ("SessionEnd-exit", "SessionEnd||exit|"),
            ("PreCompress-auto", "Other|||"),
        ] {
            assert_eq!(told(file), expected, "{file}");
        }
    }

    #[test]
    fn a_question_becomes_a_refusal_in_its_own_words() {
        let said = |kind, decision| {
            let reply = Reply {
                decision: Some(decision),
                ..Reply::default()
            };
            CLIENT.render(kind, &reply).stdout
        };
        let denied = Some(r#"{"decision":"deny","reason":"why"}"#.to_owned());
        assert_eq!(said(Kind::PreToolUse, Decision::Ask("why".into())), denied);
        assert_eq!(said(Kind::PreToolUse, Decision::Deny("why".into())), denied);
        assert_eq!(said(Kind::PreToolUse, Decision::Allow), None);
        assert_eq!(
            said(Kind::PermissionRequest, Decision::Deny("why".into())),
            None
        );
        let context = Reply {
            context: Some("c".into()),
            message: Some("m".into()),
            ..Reply::default()
        };
        assert_eq!(
            CLIENT
                .render(Kind::UserPromptSubmit, &context)
                .stdout
                .unwrap(),
            r#"{"systemMessage":"m","hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"c"}}"#
        );
    }
}
