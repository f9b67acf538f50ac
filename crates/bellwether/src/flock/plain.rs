//! The flock as plain text, for a pipe or a glance.

use bellwether_spine::clock;
use unicode_width::UnicodeWidthStr as _;

use super::line::{self, Line};
use super::order::Choice;
use super::{Seen, words};

/// The widest that a line may be when it is not known how wide the reader is.
const WIDTH: usize = 120;

/// Every agent in a table.
pub(crate) fn table(seen: &Seen, with_gone: bool) -> String {
    let choice = Choice {
        with_gone,
        ..Choice::default()
    };
    let lines = line::all(seen, &choice, clock::wall_ms());
    let names = ["AGENT", "STATE", "FOR", "TOOLS", "TOKENS", "WHAT"].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(names)
        .chain(lines.into_iter().map(cells))
        .collect();
    let widths: Vec<usize> = (0..5)
        .map(|column| {
            rows.iter()
                .map(|row| row[column].width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    rows.iter()
        .map(|row| written(row, &widths) + "\n")
        .collect()
}

fn cells(line: Line) -> [String; 6] {
    [
        line.name,
        words::of(line.status).to_owned(),
        line.since,
        line.tools,
        line.tokens,
        line.words,
    ]
}

fn written(row: &[String; 6], widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, width) in row.iter().zip(widths) {
        line.push_str(cell);
        line.push_str(&" ".repeat(width.saturating_sub(cell.width()) + 2));
    }
    let room = WIDTH.saturating_sub(line.width()).max(20);
    line.push_str(&fitting(&row[5], room));
    line.trim_end().to_owned()
}

/// As much of a text as there is room for.
fn fitting(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut cut = String::new();
    for letter in text.chars() {
        if cut.width() + 2 > room {
            break;
        }
        cut.push(letter);
    }
    cut + "…"
}

#[cfg(test)]
mod tests {
    use bellwether_flock::{Flock, Sender, intake};

    use super::*;

    fn seen() -> Seen {
        let mut flock = Flock::default();
        for payload in [
            r#"{"hook_event_name":"SessionStart","session_id":"s","_meta":{"workspace_id":"shop"}}"#,
            r#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"mend the fence"}"#,
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Agent","tool_use_id":"t","tool_input":{"description":"count"}}"#,
            r#"{"hook_event_name":"SubagentStart","session_id":"s","agent_id":"a1","agent_type":"Explore"}"#,
            r#"{"hook_event_name":"SubagentStart","session_id":"s","agent_id":"a2","agent_type":"数える"}"#,
            r#"{"hook_event_name":"PermissionRequest","session_id":"s","agent_id":"a1","agent_type":"Explore","tool_name":"Bash","tool_input":{"command":"rm it"}}"#,
        ] {
            let row = intake(payload, Sender::Other).row;
            flock.apply(&row, row.at_ms);
            flock.tick(row.at_ms + 1_600);
        }
        Seen {
            sessions: flock.sessions(),
            gone: Vec::new(),
        }
    }

    #[test]
    fn children_stand_below_their_parent_and_columns_line_up() {
        let table = table(&seen(), false);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[0].starts_with("AGENT"), "{table}");
        assert!(
            lines[1].starts_with("shop") && lines[1].contains("working"),
            "{table}"
        );
        assert!(lines[2].starts_with("├ Explore"), "{table}");
        assert!(
            lines[2].contains("needs you") && lines[2].contains("Bash: rm it"),
            "{table}"
        );
        assert!(lines[3].starts_with("└ 数える"), "{table}");
        let column = |line: &str, word: &str| line[..line.find(word).unwrap()].width();
        assert_eq!(
            column(lines[0], "STATE"),
            column(lines[3], "working"),
            "{table}"
        );
    }

    #[test]
    fn long_words_are_cut() {
        assert_eq!(fitting("abc", 3), "abc");
        assert_eq!(fitting("abcdef", 4), "abc…");
    }
}
