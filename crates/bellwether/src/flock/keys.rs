//! The keys of the live view, as the bottom line and the help show them.

/// What each key does.
const KEYS: &[(&str, &str)] = &[
    ("↑ ↓, j k", "choose an agent"),
    ("PgUp PgDn", "ten lines up or down"),
    ("Home End, g G", "the first, the last"),
    (
        "Enter, space",
        "show everything about the agent, or hide it",
    ),
    ("/", "show only agents with these words; Esc clears them"),
    ("s", "sort: oldest, last active, name, most tool calls"),
    ("a", "show or hide agents that have finished"),
    ("?", "show or hide this help"),
    ("q, Esc, Ctrl-C", "quit"),
];

/// What stands above the keys.
const ABOUT: &str =
    "Agents that need you are always on top. Subagents stand below the agent that started them.";

/// The bottom line, in as much room as there is.
pub(super) fn line(width: u16, with_gone: bool) -> String {
    let finished = if with_gone {
        "a hide finished"
    } else {
        "a show finished"
    };
    let end = format!("{finished} · q quit · ? help");
    let whole = format!("↑↓ choose · Enter details · / filter · s sort · {end}");
    if whole.chars().count() <= usize::from(width) {
        whole
    } else {
        end
    }
}

/// The bottom line while a filter is typed.
pub(super) fn typing(filter: &str) -> String {
    format!("filter: {filter}▏  Enter keep · Esc clear")
}

pub(super) fn help() -> String {
    let keys = KEYS.iter().map(|(key, does)| format!("{key:15} {does}"));
    let keys: Vec<String> = keys.collect();
    format!("{ABOUT}\n\n{}", keys.join("\n"))
}
