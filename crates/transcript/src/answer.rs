//! Whether a tool call that ended in an error has run at all.

/// How the client tells the model that a call did not run: the person or a hook said no, nobody may, or there is no such
/// tool or input.
const NEVER_RAN: &[&str] = &[
    "The user doesn't want to",
    "Hook PreToolUse:",
    "Permission to use ",
    "Claude requested permissions ",
    "<tool_use_error>",
    "Error: No such tool",
    "No such tool",
    "[Request interrupted by user",
];
const BY_HOOK: &str = "operation blocked by hook";

/// Whether an error is one of a call that ran.
pub fn has_run(error: &str) -> bool {
    let first = error.lines().next().unwrap_or_default();
    let refused = NEVER_RAN.iter().any(|start| error.starts_with(start));
    !refused && !first.contains(BY_HOOK)
}
