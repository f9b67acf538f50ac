//! Which turns the conversation went on from. A person who rewinds leaves turns behind, and the file keeps them: the next
//! prompt says which line it follows, and that line stands before them.
//!
//! A turn counts as rewound only when the lines prove it; where a line's parent is unknown, it follows what stands before it.

use std::collections::HashMap;

use super::survey::Key;
use crate::raw::RawLine;

#[derive(Debug, Default)]
pub(super) struct Lineage {
    /// The turn that each line is in, by the line's id; `None` before the first.
    of_line: HashMap<Key, Option<u32>>,
    /// The turn that each turn follows.
    follows: Vec<Option<u32>>,
}

impl Lineage {
    /// Takes the next line of the conversation's own, which begins a turn or does not.
    pub(super) fn take(&mut self, line: &RawLine<'_>, begins_turn: bool) {
        let parent = self.parent_of(line, begins_turn);
        let turn = if begins_turn {
            self.follows.push(parent);
            self.newest()
        } else {
            parent
        };
        if let Some(id) = line.text("uuid") {
            self.of_line.insert(Key::of(&id), turn);
        }
    }

    /// The turn that a line follows.
    fn parent_of(&self, line: &RawLine<'_>, begins_turn: bool) -> Option<u32> {
        // A conversation that was compacted goes on at a line without a parent, which names one that it had.
        let named = line
            .text("parentUuid")
            .or_else(|| line.text("logicalParentUuid"));
        match named {
            Some(id) => match self.of_line.get(&Key::of(&id)) {
                Some(turn) => *turn,
                None => self.newest(),
            },
            // Whoever rewinds to the beginning leaves everything behind.
            None if begins_turn && line.is_null("parentUuid") => None,
            None => self.newest(),
        }
    }

    fn newest(&self) -> Option<u32> {
        u32::try_from(self.follows.len()).ok()?.checked_sub(1)
    }

    /// For each turn, whether the conversation went on without it.
    pub(super) fn rewound(&self) -> Vec<bool> {
        let mut rewound = vec![true; self.follows.len()];
        let mut turn = self.newest();
        while let Some(number) = turn.map(|turn| turn as usize) {
            rewound[number] = false;
            // It always stands before the one that follows it, so this ends.
            turn = self.follows[number];
        }
        rewound
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Lines as (id, parent, whether it begins a turn).
    fn rewound(lines: &[(&str, Value, bool)]) -> Vec<bool> {
        let mut lineage = Lineage::default();
        for (id, parent, begins_turn) in lines {
            let line = json!({"type": "user", "uuid": id, "parentUuid": parent}).to_string();
            lineage.take(&RawLine::parse(line.as_bytes()).unwrap(), *begins_turn);
        }
        lineage.rewound()
    }

    #[test]
    fn turns_that_follow_each_other_stay() {
        let lines = [
            ("a", Value::Null, true),
            ("b", json!("a"), false),
            ("c", json!("b"), true),
            ("d", json!("c"), false),
        ];
        assert_eq!(rewound(&lines), [false, false]);
        assert_eq!(rewound(&[]), [false; 0]);
    }

    #[test]
    fn what_was_rewound_is_told_apart() {
        let lines = [
            ("a", Value::Null, true),
            ("b", json!("a"), false),
            ("c", json!("b"), true),
            ("d", json!("c"), false),
            ("e", json!("d"), true),
            ("f", json!("b"), true),
            ("g", json!("f"), false),
        ];
        assert_eq!(rewound(&lines), [false, true, true, false]);
        let from_the_beginning = [("a", Value::Null, true), ("b", Value::Null, true)];
        assert_eq!(rewound(&from_the_beginning), [true, false]);
    }

    #[test]
    fn answers_beside_each_other_and_unknown_parents_rewind_nothing() {
        let beside = [
            ("a", Value::Null, true),
            ("call1", json!("a"), false),
            ("call2", json!("call1"), false),
            ("answer1", json!("call1"), false),
            ("answer2", json!("call2"), false),
            ("b", json!("answer2"), true),
            ("c", json!("lost"), true),
        ];
        assert_eq!(rewound(&beside), [false, false, false]);
    }

    #[test]
    fn a_line_without_ids_follows_what_stands_before_it() {
        let mut lineage = Lineage::default();
        for line in [r#"{"role":"user"}"#, r#"{"role":"user"}"#] {
            lineage.take(&RawLine::parse(line.as_bytes()).unwrap(), true);
        }
        assert_eq!(lineage.rewound(), [false, false]);
    }

    #[test]
    fn a_compacted_conversation_goes_on() {
        let mut lineage = Lineage::default();
        let lines = [
            (r#"{"type":"user","uuid":"a","parentUuid":null}"#, true),
            (
                r#"{"type":"system","uuid":"b","parentUuid":null,"logicalParentUuid":"a"}"#,
                false,
            ),
            (r#"{"type":"user","uuid":"c","parentUuid":"b"}"#, true),
        ];
        for (line, begins_turn) in lines {
            lineage.take(&RawLine::parse(line.as_bytes()).unwrap(), begins_turn);
        }
        assert_eq!(lineage.rewound(), [false, false]);
    }
}
