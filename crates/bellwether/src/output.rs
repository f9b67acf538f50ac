//! What people read in a terminal: times, sizes, and one line for an event. `printed` is how it gets there.

#[macro_use]
mod printed;
mod bar;
pub(crate) mod key;

use std::ffi::OsStr;
use std::io::IsTerminal as _;
use std::path::Path;

use bellwether_flock::{GuardStop, StopHow, Stored};
use bellwether_protocol::event::{Event, Tool};
use bellwether_protocol::fields::Fields;
use bellwether_spine::config::nearest;
use bellwether_spine::journal::Envelope;
use bellwether_spine::text;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use similar::TextDiff;

pub(crate) use bar::Bar;
pub(crate) use printed::{
    finish, json_line, line, line_aside, reader_has_gone, show_json, stdout, text as show_text,
};

/// A session's id is told apart by this much of it.
const SESSION: usize = 8;
/// As much of an event's words as a line takes.
const WORDS: usize = 100;

/// A moment in the person's own time.
pub(crate) fn moment(at_ms: u64) -> String {
    let at = i64::try_from(at_ms)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok());
    at.map_or_else(
        || "?".to_owned(),
        |at| {
            at.to_zoned(TimeZone::system())
                .strftime("%Y-%m-%d %H:%M:%S%.3f")
                .to_string()
        },
    )
}

/// A value as JSON over several lines, as it may be printed in a terminal.
pub(crate) fn json(value: &impl serde::Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string_pretty(value)?;
    Ok(text::escaped_json(&json).into_owned())
}

/// A number of bytes, short.
pub(crate) fn bytes(count: u64) -> String {
    const STEPS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match STEPS.iter().find(|(_, size)| count >= *size) {
        // Tenths are enough, and whole numbers do not lose them.
        Some((unit, size)) => format!("{}.{} {unit}", count / size, count % size * 10 / size),
        None => format!("{count} B"),
    }
}

/// A length of time, short.
pub(crate) fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// A number of things, in the right number.
pub(crate) fn many(count: usize, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{ending}")
}

/// The same of a number that may be larger than what fits into memory.
pub(crate) fn many_of(count: u64, thing: &str) -> String {
    many(usize::try_from(count).unwrap_or(usize::MAX), thing)
}

/// Asks about a word that is near one that is known; else nothing.
pub(crate) fn did_you_mean(word: &str, known: &[&str]) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"))
}

/// Colours are for a terminal whose person has not said no (<https://no-color.org>).
pub(crate) fn in_colour() -> bool {
    let terminal = std::io::stdout().is_terminal();
    wants_colour(terminal, std::env::var_os("NO_COLOR").as_deref())
}

/// Whether the person wants colours, where there is a terminal.
pub(crate) fn wants_colour_here() -> bool {
    wants_colour(true, std::env::var_os("NO_COLOR").as_deref())
}

fn wants_colour(terminal: bool, no_color: Option<&OsStr>) -> bool {
    terminal && no_color.is_none_or(OsStr::is_empty)
}

/// What nobody shall miss.
pub(crate) fn red(text: &str) -> String {
    if in_colour() {
        format!("\u{1b}[31m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

/// What would change in a file, as `diff -u` shows it.
pub(crate) fn diff(path: &Path, old: &str, new: &str) -> String {
    if old == new {
        return format!("nothing would change in {}\n", path.display());
    }
    let name = path.display().to_string();
    let diff = TextDiff::from_lines(old, new);
    diff.unified_diff().header(&name, &name).to_string()
}

/// An event as one line: time, session, what, and the first of its words.
pub(crate) fn event(stored: &Stored) -> String {
    let Ok(envelope) = Envelope::parse(&stored.record) else {
        return format!("{:>6}  unreadable record", stored.seq);
    };
    let at = moment(envelope.meta.at_ms);
    let Ok(event) = envelope.event() else {
        let why = envelope.meta.unreadable.as_deref().unwrap_or("no event");
        return format!(
            "{:>6}  {at}  {:SESSION$}  (unreadable)  {}",
            stored.seq,
            "",
            text::shown(why, WORDS)
        );
    };
    let session = text::shown(
        &event
            .session
            .as_deref()
            .unwrap_or_default()
            .chars()
            .take(SESSION)
            .collect::<String>(),
        SESSION,
    );
    let name = text::shown(event.shown_name(), 24);
    let stopped = envelope.meta.guard.as_ref().and_then(GuardStop::of);
    format!(
        "{:>6}  {at}  {session:SESSION$}  {name:18}  {}{}",
        stored.seq,
        stopped
            .map(|stopped| guard_word(&stopped))
            .unwrap_or_default(),
        words(&event)
    )
    .trim_end()
    .to_owned()
}

/// What the guard did, before what it did it to.
fn guard_word(stopped: &GuardStop) -> String {
    let word = match stopped.how {
        StopHow::Refused => "refused",
        StopHow::Asked => "asked first",
    };
    format!("{word} ({})  ", stopped.rules.join(", "))
}

/// What an event is about, in a few words.
fn words(event: &Event<'_>) -> String {
    let agent = event
        .agent
        .as_ref()
        .and_then(|agent| agent.name.as_deref().or(agent.kind.as_deref()));
    let parts = [
        agent.map(|agent| format!("[{agent}]")),
        event.tool.as_ref().map(tool),
        event
            .task
            .as_ref()
            .and_then(|task| task.subject.as_deref().map(str::to_owned)),
        event.notification_type.as_deref().map(str::to_owned),
        event.detail.as_deref().map(str::to_owned),
        event.path.as_deref().map(str::to_owned),
        event.message.as_deref().map(str::to_owned),
    ];
    text::shown(
        &parts.into_iter().flatten().collect::<Vec<_>>().join("  "),
        WORDS,
    )
}

/// A tool call: its name, what it works on, how it failed.
fn tool(tool: &Tool<'_>) -> String {
    const TELLING: [&str; 8] = [
        "command",
        "file_path",
        "pattern",
        "url",
        "description",
        "subject",
        "question",
        "taskId",
    ];
    let input = tool.input.and_then(|input| Fields::parse(input.get()).ok());
    let on = input.and_then(|fields| {
        TELLING.iter().find_map(|name| {
            fields
                .get::<std::borrow::Cow<'_, str>>(name)
                .map(std::borrow::Cow::into_owned)
        })
    });
    [
        Some(tool.name.to_string()),
        on,
        tool.error.as_deref().map(|error| format!("— {error}")),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(16 << 20), "16.0 MiB");
        assert_eq!(duration(59_999), "59 s");
        assert_eq!(duration(61_000), "1 min 1 s");
        assert_eq!(duration(7_260_000), "2 h 1 min");
        assert_eq!(
            (many(1, "event"), many(0, "event")),
            ("1 event".into(), "0 events".into())
        );
    }

    #[test]
    fn colours_are_for_terminals_that_want_them() {
        assert!(wants_colour(true, None));
        assert!(wants_colour(true, Some("".as_ref())));
        assert!(!wants_colour(true, Some("1".as_ref())));
        assert!(!wants_colour(false, None));
    }

    #[test]
    fn a_line_says_what_the_guard_did() {
        let line = |guard: &str| {
            let record = format!(
                r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":0{guard}}},"payload":{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{{"command":"rm -rf ~"}}}}}}"#
            );
            event(&Stored { seq: 3, record })
        };
        let refused = line(r#","guard":{"said":"deny","rules":["delete-home","unseen"]}"#);
        assert!(
            refused.ends_with("refused (delete-home, unseen)  Bash rm -rf ~"),
            "{refused}"
        );
        let asked = line(r#","guard":{"said":"ask","rules":["git-push"]}"#);
        assert!(
            asked.ends_with("asked first (git-push)  Bash rm -rf ~"),
            "{asked}"
        );
        for silent in ["", r#","guard":{"said":"shrug","rules":[]}"#] {
            let line = line(silent);
            assert!(
                line.ends_with("PreToolUse          Bash rm -rf ~"),
                "{line}"
            );
        }
    }

    #[test]
    fn a_line_shows_the_tool_and_no_secret() {
        let record = r#"{"v":1,"meta":{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":0},"payload":{"hook_event_name":"PreToolUse","session_id":"abcdefgh-more","agent_type":"Explore","tool_name":"Bash","tool_input":{"command":"curl -H 'Authorization: Bearer abc' \u001b[31mx"}}}"#;
        let line = event(&Stored {
            seq: 3,
            record: record.into(),
        });
        assert!(line.contains("abcdefgh  PreToolUse"), "{line}");
        assert!(
            line.ends_with("[Explore] Bash curl -H 'Authorization: Bearer [masked]' x"),
            "{line}"
        );
    }
}
