//! Our reply, written so that one version of the client obeys it.
//!
//! The client fails open: invalid JSON, a wrong `hookEventName` or a value it does not know lose a
//! deny silently. So only what the catalog says that version obeys is written, as one line of JSON
//! or as nothing. The exit code is 0 but for [`Answer::ExitCode`], where nothing else is obeyed.

mod stdout;

use stdout::Stdout;

use super::{catalog, feature};
use crate::client::catalog::{Answer, Entry};
use crate::client::feature::Feature;
use crate::client::{Rendered, Version};
use crate::event::Kind;
use crate::reply::{Decision, Reply};

/// Writes a reply to an event of that kind, for that version of the client.
///
/// What the version cannot be told is dropped. A [`Decision::Ask`] that it cannot put to the person
/// becomes a refusal, except in `PermissionRequest`, where it is being asked already. Context on
/// `Stop` and `SubagentStop` makes the agent go on.
pub(super) fn render(kind: Kind, version: Version, reply: &Reply) -> Rendered {
    let Some(entry) = catalog::entry(kind).filter(|entry| entry.answer != Answer::Silence) else {
        return Rendered::default();
    };
    let decision = reply
        .decision
        .as_ref()
        .filter(|_| entry.answered.has(version));
    match (entry.answer, decision.and_then(Decision::reason)) {
        (Answer::ExitCode, Some(reason)) => exit_code(reason),
        _ => Rendered {
            stdout: stdout(entry, version, decision, reply),
            ..Rendered::default()
        },
    }
}

/// Exit code 2 makes the client read stderr only, so a message or context cannot go with it.
fn exit_code(reason: &str) -> Rendered {
    Rendered {
        stdout: None,
        stderr: Some(reason.to_owned()),
        exit: 2,
    }
}

fn stdout(
    entry: &Entry,
    version: Version,
    decision: Option<&Decision>,
    reply: &Reply,
) -> Option<String> {
    let mut output = Stdout::deciding(entry, version, decision);
    output.system_message = reply
        .message
        .as_deref()
        .filter(|_| feature::support(Feature::SystemMessage).has(version));
    match reply.context.as_deref() {
        Some(context) if entry.context.is_some_and(|support| support.has(version)) => {
            output.specific(entry.kind).additional_context = Some(context);
        }
        Some(context) if output.is_empty() => return plain(entry.kind, context),
        _ => {}
    }
    if output.is_empty() {
        None
    } else {
        serde_json::to_string(&output).ok()
    }
}

/// Before there was `additionalContext`, the plain stdout of `UserPromptSubmit` reached the model.
/// Text that begins like JSON would be taken for a reply.
fn plain(kind: Kind, context: &str) -> Option<String> {
    let readable = kind == Kind::UserPromptSubmit && !context.trim_start().starts_with('{');
    readable.then(|| context.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEWEST: Version = Version::UNKNOWN;

    fn allow() -> Reply {
        Reply {
            decision: Some(Decision::Allow),
            ..Reply::default()
        }
    }

    fn ask() -> Reply {
        Reply {
            decision: Some(Decision::Ask("why".into())),
            ..Reply::default()
        }
    }

    fn block() -> Reply {
        Reply {
            decision: Some(Decision::Block("why".into())),
            ..Reply::default()
        }
    }

    fn deny() -> Reply {
        Reply {
            decision: Some(Decision::Deny("why".into())),
            ..Reply::default()
        }
    }

    fn context() -> Reply {
        Reply {
            context: Some("c\nd".into()),
            ..Reply::default()
        }
    }

    fn message() -> Reply {
        Reply {
            message: Some("m".into()),
            ..Reply::default()
        }
    }

    fn specific(kind: Kind, rest: &str) -> String {
        format!(r#"{{"hookSpecificOutput":{{"hookEventName":"{kind}",{rest}}}}}"#)
    }

    #[test]
    fn decisions_are_written_as_each_version_obeys_them() {
        let denied = r#""permissionDecision":"deny","permissionDecisionReason":"why""#;
        let asked = r#""permissionDecision":"ask","permissionDecisionReason":"why""#;
        let blocked = r#"{"decision":"block","reason":"why"}"#;
        for (kind, version, reply, expected) in [
            (
                Kind::PreToolUse,
                NEWEST,
                deny(),
                specific(Kind::PreToolUse, denied),
            ),
            (
                Kind::PreToolUse,
                NEWEST,
                block(),
                specific(Kind::PreToolUse, denied),
            ),
            (
                Kind::PreToolUse,
                NEWEST,
                ask(),
                specific(Kind::PreToolUse, asked),
            ),
            (
                Kind::PreToolUse,
                NEWEST,
                allow(),
                specific(Kind::PreToolUse, r#""permissionDecision":"allow""#),
            ),
            (
                Kind::PreToolUse,
                Version(1, 0, 59),
                ask(),
                specific(Kind::PreToolUse, asked),
            ),
            (Kind::PreToolUse, Version(1, 0, 58), ask(), blocked.into()),
            (Kind::PreToolUse, Version(1, 0, 58), deny(), blocked.into()),
            (
                Kind::PreToolUse,
                Version(1, 0, 58),
                allow(),
                r#"{"decision":"approve"}"#.into(),
            ),
            (
                Kind::PreModelSwitch,
                NEWEST,
                ask(),
                specific(Kind::PreModelSwitch, denied),
            ),
            (
                Kind::PermissionRequest,
                NEWEST,
                allow(),
                specific(
                    Kind::PermissionRequest,
                    r#""decision":{"behavior":"allow"}"#,
                ),
            ),
            (
                Kind::PermissionRequest,
                NEWEST,
                deny(),
                specific(
                    Kind::PermissionRequest,
                    r#""decision":{"behavior":"deny","message":"why"}"#,
                ),
            ),
            (Kind::PostToolUse, NEWEST, block(), blocked.into()),
            (
                Kind::UserPromptSubmit,
                Version(1, 0, 53),
                deny(),
                blocked.into(),
            ),
            (Kind::Stop, Version(1, 0, 31), block(), blocked.into()),
            (Kind::SubagentStop, NEWEST, block(), blocked.into()),
            (
                Kind::PreCompact,
                Version(2, 1, 105),
                block(),
                blocked.into(),
            ),
            (Kind::ConfigChange, NEWEST, deny(), blocked.into()),
            (
                Kind::Elicitation,
                NEWEST,
                deny(),
                specific(Kind::Elicitation, r#""action":"decline""#),
            ),
        ] {
            let rendered = render(kind, version, &reply);
            assert_eq!(
                rendered,
                Rendered {
                    stdout: Some(expected),
                    ..Rendered::default()
                },
                "{kind} {version}"
            );
        }
    }

    #[test]
    fn what_the_client_would_not_obey_is_not_written() {
        for (kind, version, reply) in [
            (Kind::PreToolUse, NEWEST, Reply::default()),
            (Kind::Stop, NEWEST, allow()),
            (Kind::PreModelSwitch, NEWEST, allow()),
            (Kind::PermissionRequest, NEWEST, ask()),
            (Kind::TeammateIdle, NEWEST, allow()),
            (Kind::TeammateIdle, NEWEST, context()),
            (Kind::PreCompact, Version(2, 1, 104), block()),
            (Kind::SessionEnd, NEWEST, deny()),
            (Kind::Notification, NEWEST, context()),
            (Kind::PreToolUse, Version(2, 1, 8), context()),
            (Kind::Stop, Version(2, 1, 162), context()),
            (Kind::SessionStart, Version(1, 0, 63), message()),
            (Kind::WorktreeCreate, NEWEST, deny()),
            (Kind::WorktreeCreate, NEWEST, message()),
            (Kind::MessageDisplay, NEWEST, message()),
            (Kind::Other, NEWEST, deny()),
        ] {
            assert_eq!(
                render(kind, version, &reply),
                Rendered::default(),
                "{kind} {version}"
            );
        }
    }

    #[test]
    fn context_and_messages_go_where_they_arrive() {
        let added = r#""additionalContext":"c\nd""#;
        for (kind, version, reply, expected) in [
            (Kind::SessionStart, Version(1, 0, 62), context(), specific(Kind::SessionStart, added)),
            (Kind::UserPromptSubmit, Version(1, 0, 59), context(), specific(Kind::UserPromptSubmit, added)),
            (Kind::UserPromptSubmit, Version(1, 0, 58), context(), "c\nd".into()),
            (Kind::PreToolUse, Version(2, 1, 9), context(), specific(Kind::PreToolUse, added)),
            (Kind::SubagentStop, Version(2, 1, 163), context(), specific(Kind::SubagentStop, added)),
            (Kind::SessionStart, Version(1, 0, 64), message(), r#"{"systemMessage":"m"}"#.into()),
            (Kind::SessionEnd, NEWEST, message(), r#"{"systemMessage":"m"}"#.into()),
            (
                Kind::PostToolUse,
                NEWEST,
                block().merge(context()).merge(message()),
                r#"{"decision":"block","reason":"why","systemMessage":"m","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"c\nd"}}"#.into(),
            ),
        ] {
            assert_eq!(render(kind, version, &reply).stdout, Some(expected), "{kind} {version}");
        }
    }

    #[test]
    fn plain_text_is_never_taken_for_a_reply() {
        let json = Reply {
            context: Some(" {\"decision\":\"block\"}".into()),
            ..Reply::default()
        };
        assert_eq!(
            render(Kind::UserPromptSubmit, Version(1, 0, 58), &json),
            Rendered::default()
        );
    }

    #[test]
    fn only_teams_and_tasks_are_refused_by_exit_code() {
        for &kind in Kind::ALL {
            let rendered = render(kind, NEWEST, &deny().merge(message()));
            if matches!(
                kind,
                Kind::TeammateIdle | Kind::TaskCreated | Kind::TaskCompleted
            ) {
                assert_eq!(rendered, exit_code("why"), "{kind}");
            } else {
                assert_eq!((rendered.exit, rendered.stderr), (0, None), "{kind}");
            }
        }
    }

    #[test]
    fn stdout_is_one_line_of_json_that_names_its_event() {
        let hard = "a\n\"b\"\u{2028}\u{0}";
        let reply = Reply {
            decision: Some(Decision::Block(hard.into())),
            context: Some(hard.into()),
            message: Some(hard.into()),
        };
        for &kind in Kind::ALL {
            let Some(stdout) = render(kind, NEWEST, &reply).stdout else {
                continue;
            };
            assert!(!stdout.contains('\n'), "{kind}");
            let value: serde_json::Value = serde_json::from_str(&stdout).unwrap();
            if let Some(specific) = value.get("hookSpecificOutput") {
                assert_eq!(specific["hookEventName"], kind.as_str());
            }
        }
    }
}
