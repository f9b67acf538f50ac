//! Everything that differs from event to event, in one table.
//!
//! "Context" is where `additionalContext` was seen to work: the newest schemas also accept it for
//! `Notification` and `PostModelSwitch`, where nothing is known to come of it.

use crate::client::catalog::{Answer, Entry, Matcher};
use crate::client::version::{Support, Version};
use crate::event::Kind;

/// The entry of a known event.
pub(super) fn entry(kind: Kind) -> Option<&'static Entry> {
    EVENTS.iter().find(|entry| entry.kind == kind)
}

macro_rules! catalog {
    ($(
        $kind:ident since $since:tt $(except $first:tt to $last:tt)?: $answer:ident $(since $answered:tt)?
            $(, matches $field:literal $(since $matched:tt)?)?
            $(, context since $context:tt)?;
    )+) => {
        pub(super) static EVENTS: &[Entry] = &[$(Entry {
            kind: Kind::$kind,
            name: stringify!($kind),
            support: Support { since: Version $since, gaps: &[$((Version $first, Version $last))?] },
            answer: Answer::$answer,
            answered: since!($($answered)? or $since),
            matcher: option!($(Matcher { field: $field, support: since!($($matched)? or $since) })?),
            context: option!($(Support::since(Version $context))?),
        },)+];
    };
}

macro_rules! since {
    (or $default:tt) => { Support::since(Version $default) };
    ($since:tt or $default:tt) => { Support::since(Version $since) };
}

macro_rules! option {
    () => {
        None
    };
    ($some:expr) => {
        Some($some)
    };
}

catalog! {
    PreToolUse since (1, 0, 23): Permission, matches "tool_name", context since (2, 1, 9);
    PostToolUse since (1, 0, 23): Block, matches "tool_name", context since (1, 0, 65);
    PostToolUseFailure since (2, 0, 56): Block, matches "tool_name", context since (2, 0, 56);
    PostToolBatch since (2, 1, 118): Block, context since (2, 1, 118);
    Notification since (1, 0, 23): Nothing, matches "notification_type" since (2, 0, 36);
    UserPromptSubmit since (1, 0, 53): Block, context since (1, 0, 59);
    UserPromptExpansion since (2, 1, 116): Block, matches "command_name", context since (2, 1, 116);
    SessionStart since (1, 0, 62): Nothing, matches "source", context since (1, 0, 62);
    SessionEnd since (1, 0, 85): Nothing, matches "reason";
    Stop since (1, 0, 31): Block, context since (2, 1, 163);
    StopFailure since (2, 1, 78): Silence, matches "error";
    SubagentStart since (2, 0, 44): Nothing, matches "agent_type", context since (2, 0, 44);
    SubagentStop since (1, 0, 41): Block, matches "agent_type" since (2, 1, 26), context since (2, 1, 163);
    PreCompact since (1, 0, 48): Block since (2, 1, 105), matches "trigger";
    PostCompact since (2, 1, 76): Nothing, matches "trigger";
    PreModelSwitch since (2, 1, 251): Denial, matches "to_model";
    PostModelSwitch since (2, 1, 251): Nothing, matches "to_model";
    PermissionRequest since (2, 0, 45): Dialog, matches "tool_name";
    PermissionDenied since (2, 1, 88): Nothing, matches "tool_name";
    Setup since (2, 1, 10): Nothing, matches "trigger", context since (2, 1, 10);
    TeammateIdle since (2, 1, 33): ExitCode;
    TaskCreated since (2, 1, 84): ExitCode;
    TaskCompleted since (2, 1, 33): ExitCode;
    Elicitation since (2, 1, 63): Decline, matches "mcp_server_name";
    ElicitationResult since (2, 1, 63): Decline, matches "mcp_server_name";
    ConfigChange since (2, 1, 48): Block, matches "source";
    WorktreeCreate since (2, 1, 50): Silence;
    WorktreeRemove since (2, 1, 50): Nothing;
    // 2.1.67 and 2.1.68 were read and lack it. 2.1.65 and 2.1.66 were not read and are taken to lack it
    // too: there an unknown event costs the whole settings file.
    InstructionsLoaded since (2, 1, 64) except (2, 1, 65) to (2, 1, 68): Nothing, matches "load_reason";
    CwdChanged since (2, 1, 83): Nothing;
    FileChanged since (2, 1, 83): Nothing;
    DirectoryAdded since (2, 1, 219): Nothing, matches "source";
    MessageDisplay since (2, 1, 152): Silence;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_one_entry_for_each_kind() {
        let kinds: Vec<Kind> = EVENTS.iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, Kind::ALL);
        assert!(entry(Kind::Other).is_none());
    }

    #[test]
    fn support_is_not_monotonic() {
        let known = |patch| {
            entry(Kind::InstructionsLoaded)
                .unwrap()
                .support
                .has(Version(2, 1, patch))
        };
        assert!(!known(63) && known(64) && !known(67) && !known(68) && known(69));
    }

    #[test]
    fn nothing_about_an_event_is_older_than_the_event() {
        for entry in EVENTS {
            let matched = entry.matcher.map(|matcher| matcher.support);
            for part in [Some(entry.answered), matched, entry.context]
                .into_iter()
                .flatten()
            {
                assert!(part.since >= entry.support.since, "{}", entry.kind);
            }
        }
    }
}
