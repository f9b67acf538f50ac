//! Since when the client understands what no single event owns.

use crate::client::feature::{Feature, FieldRule, FieldType, HandlerType};
use crate::client::version::{Support, Version};

const fn since(major: u32, minor: u32, patch: u32) -> Support {
    Support::since(Version(major, minor, patch))
}

pub(super) const fn support(feature: Feature) -> Support {
    match feature {
        Feature::SpecificOutput => since(1, 0, 59),
        Feature::SystemMessage => since(1, 0, 64),
        // Seen in 1.0.128, 2.0.30 and 2.1.325.
        Feature::Colours => since(1, 0, 128),
        Feature::Timeout | Feature::EventName => since(1, 0, 41),
        // 2.0.77 has such helpers and 2.1.32 has none; what is between was not run.
        Feature::OnlyStartedAgents => since(2, 1, 32),
        Feature::StatusMessage => since(2, 0, 44),
        Feature::Async => since(2, 1, 15),
        Feature::If => since(2, 1, 85),
        Feature::ExecForm => since(2, 1, 139),
        Feature::OnFailure => since(2, 1, 295),
        Feature::LoneWrongEvent => since(2, 1, 122),
        Feature::LoneWrongEntry
        | Feature::UnknownEventInPlugin
        | Feature::LoneWrongEntryInPlugin => since(2, 1, 257),
        Feature::HookModules => since(2, 1, 242),
        Feature::MatcherList => since(2, 1, 191),
        Feature::UnknownEventInSettings => since(2, 1, 101),
        // Before 1.0.65 it was not looked at; between, a foreign one makes the whole file ignored.
        Feature::AnySchemaInSettings => Support {
            since: Version(1, 0, 23),
            gaps: &[(Version(1, 0, 65), Version(2, 1, 173))],
        },
    }
}

pub(super) const HANDLERS: &[HandlerType] = &[
    handler("command", since(1, 0, 23), &["command"]),
    handler("prompt", since(2, 0, 30), &["prompt"]),
    handler("agent", since(2, 0, 44), &["prompt"]),
    handler("http", since(2, 1, 48), &["url"]),
    handler("mcp_tool", since(2, 1, 118), &["server", "tool"]),
];

const fn handler(
    name: &'static str,
    support: Support,
    required: &'static [&'static str],
) -> HandlerType {
    HandlerType {
        name,
        support,
        required,
    }
}

pub(super) const FIELDS: &[FieldRule] = &[
    field("command", since(1, 0, 23), FieldType::Text),
    field("prompt", since(2, 0, 30), FieldType::Text),
    field("url", since(2, 1, 48), FieldType::Text),
    field("timeout", support(Feature::Timeout), FieldType::Seconds),
    field(
        "statusMessage",
        support(Feature::StatusMessage),
        FieldType::Text,
    ),
    field("once", since(2, 0, 77), FieldType::Flag).or("runs the hook every time"),
    field("async", support(Feature::Async), FieldType::Flag).or("waits for the hook"),
    field("if", support(Feature::If), FieldType::Text).or("runs the hook every time"),
    field("args", support(Feature::ExecForm), FieldType::Texts)
        .or("starts the command without its arguments"),
    field("onFailure", support(Feature::OnFailure), FieldType::Failure)
        .or("goes on when the hook fails"),
];

const fn field(name: &'static str, support: Support, value: FieldType) -> FieldRule {
    FieldRule {
        name,
        support,
        value,
        unknown: None,
    }
}

impl FieldRule {
    /// Says what a version without the field does.
    const fn or(self, unknown: &'static str) -> Self {
        Self {
            unknown: Some(unknown),
            ..self
        }
    }
}
