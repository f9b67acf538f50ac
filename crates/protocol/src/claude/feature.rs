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

/// Types of handlers, by the `type` that they are written with.
pub const HANDLER_TYPES: &[(&str, Support)] = &[
    ("command", since(1, 0, 23)),
    ("prompt", since(2, 0, 30)),
    ("agent", since(2, 0, 44)),
    ("http", since(2, 1, 48)),
    ("mcp_tool", since(2, 1, 118)),
];

/// Payload: `hook_event_name`. Before it only the registration says which event it is.
pub const EVENT_NAME: Support = since(1, 0, 41);

/// `settings.json`: an unknown event is dropped alone; before, the whole file is ignored.
pub const UNKNOWN_EVENT_IN_SETTINGS: Support = since(2, 1, 101);
/// `settings.json`: an event whose value is no list is dropped alone; before, the whole file is ignored.
pub const BAD_LIST_IN_SETTINGS: Support = since(2, 1, 122);
/// `settings.json`: a handler of an unknown type is dropped alone; before, the whole file is
/// ignored. Under an event that can refuse something the file is refused in every version.
pub const BAD_TYPE_IN_SETTINGS: Support = since(2, 1, 257);
/// A plugin's `hooks.json`: an unknown event is dropped alone; before, all its hooks are lost.
pub const UNKNOWN_EVENT_IN_PLUGIN: Support = since(2, 1, 257);
/// The only `$schema` that every version accepts.
pub const SETTINGS_SCHEMA: &str = "https://json.schemastore.org/claude-code-settings.json";
/// `settings.json`: any `$schema` is accepted. Before 1.0.65 it was ignored; between, a foreign one
/// makes the whole file ignored.
pub const ANY_SCHEMA_IN_SETTINGS: Support = Support {
    since: Version(1, 0, 23),
    gaps: &[(Version(1, 0, 65), Version(2, 1, 173))],
};
