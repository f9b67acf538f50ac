//! Since when the client understands the parts of settings and replies that no single event owns.

use super::version::{Support, Version};

const fn since(major: u32, minor: u32, patch: u32) -> Support {
    Support::since(Version(major, minor, patch))
}

/// Reply: `hookSpecificOutput`, and with it `permissionDecision` of allow, deny and ask.
pub const SPECIFIC_OUTPUT: Support = since(1, 0, 59);
/// Reply: `systemMessage`, shown to the person.
pub const SYSTEM_MESSAGE: Support = since(1, 0, 64);

/// Handler: `timeout`, in seconds.
pub const TIMEOUT: Support = since(1, 0, 41);
/// Handler: `statusMessage`, shown while the hook runs.
pub const STATUS_MESSAGE: Support = since(2, 0, 44);
/// Handler: `async`.
pub const ASYNC: Support = since(2, 1, 15);
/// Handler: `if`.
pub const IF: Support = since(2, 1, 85);
/// Handler: `args`, which starts the program without a shell.
pub const EXEC_FORM: Support = since(2, 1, 139);
/// Handler: `onFailure`, which can make a broken hook a refusal.
pub const ON_FAILURE: Support = since(2, 1, 295);

/// `settings.json`: an event that is no array is dropped alone; before, the whole file is ignored.
pub const LONE_WRONG_EVENT: Support = since(2, 1, 122);
/// `settings.json`: a wrong handler is dropped alone, but for the events that guard; before, the
/// whole file is ignored.
pub const LONE_WRONG_ENTRY: Support = since(2, 1, 257);

#[derive(Debug, Clone, Copy)]
pub struct HandlerType {
    /// The value of `type`.
    pub name: &'static str,
    pub support: Support,
    /// The fields it cannot do without.
    pub required: &'static [&'static str],
}

pub const HANDLERS: &[HandlerType] = &[
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

/// A field of a handler.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    /// Which versions look at it; to the others it may be anything.
    pub support: Support,
    pub value: FieldType,
}

/// What a field of a handler must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    Text,
    /// An array of strings.
    Texts,
    /// A number above 0.
    Seconds,
    /// True or false.
    Flag,
}

impl FieldType {
    /// What it is, for a person.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Texts => "an array of strings",
            Self::Seconds => "a number of seconds above 0",
            Self::Flag => "true or false",
        }
    }
}

/// The fields whose type the client checks.
pub const FIELDS: &[Field] = &[
    field("command", since(1, 0, 23), FieldType::Text),
    field("prompt", since(2, 0, 30), FieldType::Text),
    field("url", since(2, 1, 48), FieldType::Text),
    field("timeout", TIMEOUT, FieldType::Seconds),
    field("statusMessage", STATUS_MESSAGE, FieldType::Text),
    field("once", since(2, 0, 77), FieldType::Flag),
    field("async", ASYNC, FieldType::Flag),
    field("if", IF, FieldType::Text),
    field("args", EXEC_FORM, FieldType::Texts),
    field("onFailure", ON_FAILURE, FieldType::Text),
];

const fn field(name: &'static str, support: Support, value: FieldType) -> Field {
    Field {
        name,
        support,
        value,
    }
}

/// Payload: `hook_event_name`. Before it only the registration says which event it is.
pub const EVENT_NAME: Support = since(1, 0, 41);

/// `settings.json`: an unknown event is dropped alone; before, the whole file is ignored.
pub const UNKNOWN_EVENT_IN_SETTINGS: Support = since(2, 1, 101);
/// A plugin's `hooks.json`: an unknown event is dropped alone; before, all its hooks are lost.
pub const UNKNOWN_EVENT_IN_PLUGIN: Support = since(2, 1, 257);
/// `settings.json`: any `$schema` is accepted. Before 1.0.65 it was ignored; between, a foreign one
/// makes the whole file ignored.
pub const ANY_SCHEMA_IN_SETTINGS: Support = Support {
    since: Version(1, 0, 23),
    gaps: &[(Version(1, 0, 65), Version(2, 1, 173))],
};
