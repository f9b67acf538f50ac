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
        Feature::Timeout | Feature::EventName => since(1, 0, 41),
        Feature::StatusMessage => since(2, 0, 44),
        Feature::Async => since(2, 1, 15),
        Feature::If => since(2, 1, 85),
        Feature::ExecForm => since(2, 1, 139),
        Feature::OnFailure => since(2, 1, 295),
        Feature::LoneWrongEvent => since(2, 1, 122),
        Feature::LoneWrongEntry | Feature::UnknownEventInPlugin => since(2, 1, 257),
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
    field("once", since(2, 0, 77), FieldType::Flag),
    field("async", support(Feature::Async), FieldType::Flag),
    field("if", support(Feature::If), FieldType::Text),
    field("args", support(Feature::ExecForm), FieldType::Texts),
    field("onFailure", support(Feature::OnFailure), FieldType::Failure),
];

const fn field(name: &'static str, support: Support, value: FieldType) -> FieldRule {
    FieldRule {
        name,
        support,
        value,
    }
}
