//! A change of a file, line by line.

use bellwether_protocol::event::{FileChange, NewText, ToldHunk};
use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use crate::shown;

/// Lines around a change that stay in sight.
const AROUND: usize = 3;
/// Longer texts are not compared.
const LONGEST: usize = 256 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub path: String,
    pub added: usize,
    pub removed: usize,
    pub hunks: Vec<Hunk>,
    /// Whether something was left out.
    pub cut: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Hunk {
    pub lines: Vec<ChangeLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeLine {
    pub sign: Sign,
    /// Its number in the file, counted from one, where that is known.
    pub old: Option<usize>,
    pub new: Option<usize>,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    Same,
    Added,
    Removed,
}

/// A text before and after, masked, and where both begin in the file.
struct Sides {
    old: String,
    new: String,
    starts: Option<(usize, usize)>,
}

impl Change {
    /// What a change does, by what the client says became of the file, else by what the call says.
    pub(super) fn of(change: &FileChange<'_>, told: &[ToldHunk], most: usize) -> Self {
        let sides = if told.is_empty() {
            of_call(&change.to)
        } else {
            told.iter().map(of_told).collect()
        };
        let mut found = Self {
            path: shown::line(&change.path, 400),
            added: 0,
            removed: 0,
            hunks: Vec::new(),
            cut: false,
        };
        let mut room = most;
        for sides in sides {
            found.take(&sides, &mut room);
        }
        found
    }

    fn take(&mut self, sides: &Sides, room: &mut usize) {
        let diff = TextDiff::from_lines(&sides.old, &sides.new);
        for group in diff.grouped_ops(AROUND) {
            let mut hunk = Hunk::default();
            for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let sign = match change.tag() {
                    ChangeTag::Equal => Sign::Same,
                    ChangeTag::Insert => Sign::Added,
                    ChangeTag::Delete => Sign::Removed,
                };
                self.added += usize::from(sign == Sign::Added);
                self.removed += usize::from(sign == Sign::Removed);
                let text = change.value().trim_end_matches(['\n', '\r']);
                if text.len() >= *room {
                    self.cut = true;
                    continue;
                }
                *room -= text.len() + 1;
                let number = |index: Option<usize>, start: usize| index.map(|at| at + start);
                let starts = sides.starts;
                hunk.lines.push(ChangeLine {
                    sign,
                    old: starts.and_then(|(old, _)| number(change.old_index(), old)),
                    new: starts.and_then(|(_, new)| number(change.new_index(), new)),
                    text: text.to_owned(),
                });
            }
            if !hunk.lines.is_empty() {
                self.hunks.push(hunk);
            }
        }
    }
}

fn masked(text: &str) -> String {
    shown::beginning(text, LONGEST)
}

fn of_told(hunk: &ToldHunk) -> Sides {
    let start = |line: u64| usize::try_from(line).unwrap_or(1);
    Sides {
        old: masked(&hunk.old),
        new: masked(&hunk.new),
        starts: Some((start(hunk.old_start), start(hunk.new_start))),
    }
}

fn of_call(to: &NewText<'_>) -> Vec<Sides> {
    match to {
        NewText::Whole(text) => vec![Sides {
            old: String::new(),
            new: masked(text),
            starts: Some((1, 1)),
        }],
        NewText::Replaced(parts) => {
            let sides = |part: &bellwether_protocol::event::Replacement<'_>| Sides {
                old: masked(&part.old),
                new: masked(&part.new),
                starts: None,
            };
            parts.iter().map(sides).collect()
        }
        NewText::Unknown => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(change: &Change) -> Vec<String> {
        let lines = change.hunks.iter().flat_map(|hunk| &hunk.lines);
        let sign = |line: &ChangeLine| match line.sign {
            Sign::Same => ' ',
            Sign::Added => '+',
            Sign::Removed => '-',
        };
        let number = |number: Option<usize>| number.map_or("?".to_owned(), |it| it.to_string());
        lines
            .map(|line| {
                format!(
                    "{}{}{}{}",
                    number(line.old),
                    sign(line),
                    number(line.new),
                    line.text
                )
            })
            .collect()
    }

    fn file(to: NewText<'_>) -> FileChange<'_> {
        FileChange {
            path: "/p/a".into(),
            to,
        }
    }

    #[test]
    fn what_the_client_says_counts_and_else_what_the_call_says() {
        let told = ToldHunk {
            old_start: 7,
            new_start: 8,
            old: "a\nb\n".into(),
            new: "a\nc\n".into(),
        };
        let change = Change::of(&file(NewText::Unknown), &[told], 1000);
        assert_eq!(shown(&change), ["7 8a", "8-?b", "?+9c"]);
        assert_eq!((change.added, change.removed), (1, 1));
        let whole = Change::of(&file(NewText::Whole("x\ny".into())), &[], 1000);
        assert_eq!(shown(&whole), ["?+1x", "?+2y"]);
        let part = bellwether_protocol::event::Replacement {
            old: "a".into(),
            new: "b".into(),
            everywhere: false,
        };
        let replaced = Change::of(&file(NewText::Replaced(vec![part])), &[], 1000);
        assert_eq!(shown(&replaced), ["?-?a", "?+?b"]);
        assert!(Change::of(&file(NewText::Unknown), &[], 9).hunks.is_empty());
    }

    #[test]
    fn secrets_are_masked_on_both_sides_and_long_ones_are_cut() {
        let key = "API_KEY=sk-abcdefghijklmnopqrstuvwxyz0123456789\n";
        let change = Change::of(&file(NewText::Whole(key.into())), &[], 1000);
        assert!(!shown(&change).concat().contains("abcdef"), "{change:?}");
        let long = "line\n".repeat(100);
        let change = Change::of(&file(NewText::Whole(long.into())), &[], 50);
        assert!(change.cut && change.added == 100 && change.hunks[0].lines.len() == 10);
    }
}
