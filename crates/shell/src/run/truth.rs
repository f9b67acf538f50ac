//! Whether a condition in a file holds, as far as that is written down: texts and numbers that are known are compared.
//!
//! So the way is found that the arguments of a script take: `case "$1" in`, `[ "$1" = --help ]`. What is on the disk, what
//! programs answer and what is not known is no answer, and both ways are followed.

use rable::{ListOperator, Node, NodeKind};

use super::Runner;
use crate::matching::matches;
use crate::parse;
use crate::text::Text;
use crate::word;

impl Runner<'_> {
    /// Whether a condition holds. In the command itself both ways are always followed.
    pub(super) fn truth(&mut self, condition: &Node) -> Option<bool> {
        if self.files.is_empty() {
            return None;
        }
        let outer = std::mem::take(&mut self.choice);
        let holds = self.holds(condition);
        let picked = std::mem::replace(&mut self.choice, outer);
        // A variable that may have several values compares in several ways.
        holds.filter(|_| picked.picks.is_empty())
    }

    fn holds(&mut self, condition: &Node) -> Option<bool> {
        match &condition.kind {
            NodeKind::Command {
                assignments, words, ..
            } if assignments.is_empty() => self.command_holds(words),
            NodeKind::Negation { pipeline } => self.holds(pipeline).map(|holds| !holds),
            NodeKind::ConditionalExpr { body, .. } => self.expression_holds(body),
            NodeKind::List { items } => {
                let mut holds = None;
                for (at, item) in items.iter().enumerate() {
                    let before = at.checked_sub(1).and_then(|at| items[at].operator);
                    holds = match (before, holds) {
                        (None, _) => self.holds(&item.command),
                        (Some(ListOperator::And), Some(false)) => Some(false),
                        (Some(ListOperator::Or), Some(true)) => Some(true),
                        (Some(ListOperator::And | ListOperator::Or), Some(_)) => {
                            self.holds(&item.command)
                        }
                        _ => return None,
                    };
                }
                holds
            }
            _ => None,
        }
    }

    /// `[ a = b ]`, `test -n x`, `true`, `$FLAG`.
    fn command_holds(&mut self, words: &[Node]) -> Option<bool> {
        let fields = self.plain_fields(words)?;
        let (name, rest) = fields.split_first()?;
        match name.known()? {
            "true" | ":" => Some(true),
            "false" => Some(false),
            "[" => match rest {
                [tested @ .., last] if last.is("]") => test(tested),
                _ => None,
            },
            "test" => test(rest),
            _ => None,
        }
    }

    /// The words of a condition, when nothing need be run for them.
    fn plain_fields(&mut self, words: &[Node]) -> Option<Vec<Text>> {
        let runs = |word: &Node| match &word.kind {
            NodeKind::Word { value, .. } => is_run(value),
            _ => true,
        };
        if words.iter().any(runs) {
            return None;
        }
        let fields = words.iter().flat_map(|word| word::fields(self, word));
        Some(fields.collect())
    }

    /// What stands in `[[ … ]]`.
    fn expression_holds(&mut self, node: &Node) -> Option<bool> {
        match &node.kind {
            NodeKind::CondParen { inner } => self.expression_holds(inner),
            NodeKind::CondNot { operand } => self.expression_holds(operand).map(|holds| !holds),
            NodeKind::CondAnd { left, right } => {
                match (self.expression_holds(left), self.expression_holds(right)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                }
            }
            NodeKind::CondOr { left, right } => {
                match (self.expression_holds(left), self.expression_holds(right)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                }
            }
            NodeKind::UnaryTest { op, operand } => unary(op, &self.term(operand)?),
            NodeKind::BinaryTest { op, left, right } => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                match op.as_str() {
                    "=" | "==" | "!=" => {
                        let pattern = right.literal()?;
                        Some(matches(&pattern, left.known()?) == (op != "!="))
                    }
                    _ => binary(&left, op, &right),
                }
            }
            _ => unary("-n", &self.term(node)?),
        }
    }

    fn term(&mut self, node: &Node) -> Option<Text> {
        let (NodeKind::CondTerm { value, .. } | NodeKind::Word { value, .. }) = &node.kind else {
            return None;
        };
        (!is_run(value)).then_some(())?;
        let word = parse::as_word(value)?;
        Some(word::text(self, &word))
    }
}

/// Whether something is run for a word.
fn is_run(word: &str) -> bool {
    word.contains("$(") || word.contains('`') || word.contains("<(")
}

/// `test` with these words.
fn test(words: &[Text]) -> Option<bool> {
    match words {
        [] => Some(false),
        [not, rest @ ..] if not.is("!") && !rest.is_empty() => test(rest).map(|holds| !holds),
        [only] => unary("-n", only),
        [op, operand] => unary(op.known()?, operand),
        [left, op, right] => match op.known()? {
            "=" | "==" => Some(left.known()? == right.known()?),
            "!=" => Some(left.known()? != right.known()?),
            op => binary(left, op, right),
        },
        _ => None,
    }
}

fn unary(op: &str, operand: &Text) -> Option<bool> {
    let is_empty = match operand.known() {
        Some(known) => known.is_empty(),
        // A text with a known part is not empty, whatever stands in its holes.
        None if !operand.lead().is_empty() => false,
        None => return None,
    };
    match op {
        "-n" => Some(!is_empty),
        "-z" => Some(is_empty),
        _ => None,
    }
}

fn binary(left: &Text, op: &str, right: &Text) -> Option<bool> {
    let number = |text: &Text| text.known()?.trim().parse::<i64>().ok();
    let (left, right) = (number(left)?, number(right)?);
    match op {
        "-eq" => Some(left == right),
        "-ne" => Some(left != right),
        "-lt" => Some(left < right),
        "-le" => Some(left <= right),
        "-gt" => Some(left > right),
        "-ge" => Some(left >= right),
        _ => None,
    }
}

/// Whether a command is there to be asked something: what stands behind its `&&` may not be run.
pub(super) fn is_question(node: &Node) -> bool {
    const ASKING: [&str; 14] = [
        "[", "test", "[[", "grep", "egrep", "fgrep", "rg", "command", "which", "type", "hash",
        "diff", "cmp", "read",
    ];
    match &node.kind {
        NodeKind::Command { words, .. } => {
            matches!(words.first().map(|word| &word.kind), Some(NodeKind::Word { value, .. })
                if ASKING.contains(&value.as_str()))
        }
        NodeKind::Pipeline { commands, .. } => commands.last().is_some_and(is_question),
        NodeKind::List { items } => items.last().is_some_and(|item| is_question(&item.command)),
        NodeKind::Negation { .. }
        | NodeKind::ConditionalExpr { .. }
        | NodeKind::ArithmeticCommand { .. } => true,
        _ => false,
    }
}
