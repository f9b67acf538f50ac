//! Compound commands: lists, pipelines, branches, loops, functions.

use std::rc::Rc;

use rable::{CasePattern, ListItem, ListOperator, Node, NodeKind};

use super::{MOST_CHOICES, Runner};
use crate::effect::Effect;
use crate::matching::matches;
use crate::state::Held;
use crate::stream::Stream;
use crate::text::{Fill, Text};
use crate::word;

/// The most items that a loop is followed through.
const MOST_ROUNDS: usize = 24;

impl Runner<'_> {
    pub(crate) fn nodes(&mut self, nodes: &[Node], stdin: &Stream) -> Stream {
        let mut out = Stream::Nothing;
        for node in nodes {
            let folders = self.state.folders.clone();
            out = out.then(self.node(node, stdin.clone()));
            if nodes.len() > 1 && !leaves_on_failure(node) {
                self.doubt(&folders);
            }
        }
        out
    }

    /// Runs one node and returns what it writes.
    pub(crate) fn node(&mut self, node: &Node, stdin: Stream) -> Stream {
        if self.is_done || !self.deeper() {
            return Stream::Unknown("…".to_owned());
        }
        let out = self.kind(node, stdin);
        self.depth -= 1;
        out
    }

    fn kind(&mut self, node: &Node, stdin: Stream) -> Stream {
        match &node.kind {
            NodeKind::Command {
                assignments,
                words,
                redirects,
            } => self.choices(|runner| runner.simple(assignments, words, redirects, stdin.clone())),
            NodeKind::Pipeline { commands, .. } => self.pipeline(commands, stdin),
            NodeKind::List { items } => self.items(items, &stdin),
            NodeKind::If {
                condition,
                then_body,
                else_body,
                redirects,
            } => self.redirected(redirects, stdin, |runner, stdin| {
                runner.branch(condition, then_body, else_body.as_deref(), stdin)
            }),
            NodeKind::While {
                condition,
                body,
                redirects,
            }
            | NodeKind::Until {
                condition,
                body,
                redirects,
            } => self.redirected(redirects, stdin, |runner, stdin| {
                runner.repeat(condition, body, stdin)
            }),
            NodeKind::For {
                var,
                words,
                body,
                redirects,
            }
            | NodeKind::Select {
                var,
                words,
                body,
                redirects,
            } => self.redirected(redirects, stdin, |runner, stdin| {
                runner.each(var, words.as_deref(), body, stdin)
            }),
            NodeKind::ForArith {
                init,
                cond,
                incr,
                body,
                redirects,
            } => {
                for source in [init, cond, incr] {
                    self.substitutions_in(source);
                }
                self.redirected(redirects, stdin, |runner, stdin| {
                    runner.bombs(body, None);
                    runner.node(body, stdin)
                })
            }
            NodeKind::Case {
                word,
                patterns,
                redirects,
            } => self.redirected(redirects, stdin, |runner, stdin| {
                runner.case(word, patterns, &stdin)
            }),
            NodeKind::Function { name, body } => {
                self.define(name, body);
                Stream::Nothing
            }
            NodeKind::Subshell { body, redirects } => {
                self.redirected(redirects, stdin, |runner, stdin| {
                    runner.apart(|runner| runner.node(body, stdin))
                })
            }
            NodeKind::BraceGroup { body, redirects } => {
                self.redirected(redirects, stdin, |runner, stdin| runner.node(body, stdin))
            }
            NodeKind::Coproc { command, .. } => self.node(command, stdin),
            NodeKind::Negation { pipeline } | NodeKind::Time { pipeline, .. } => {
                self.node(pipeline, stdin)
            }
            NodeKind::ArithmeticCommand { raw_content, .. } => {
                self.substitutions_in(raw_content);
                Stream::Nothing
            }
            NodeKind::ConditionalExpr { body, .. } => {
                self.condition(body);
                Stream::Nothing
            }
            _ => Stream::Nothing,
        }
    }

    /// Runs something once for each combination of the values that its variables may have.
    pub(super) fn choices(&mut self, mut run: impl FnMut(&mut Self) -> Stream) -> Stream {
        // Nearly always everything has one value, and nothing need be kept.
        if !self.state.has_alternatives() {
            return run(self);
        }
        let outer = std::mem::take(&mut self.choice);
        let before = self.state.clone();
        let out = run(self);
        for _ in 1..MOST_CHOICES {
            if !self.choice.advance() {
                break;
            }
            let reached = std::mem::replace(&mut self.state, before.clone());
            run(self);
            self.state.join(reached);
        }
        self.choice = outer;
        out
    }

    fn pipeline(&mut self, commands: &[Node], stdin: Stream) -> Stream {
        let mut flowing = stdin;
        for command in commands {
            flowing = self.apart(|runner| runner.node(command, flowing));
        }
        flowing
    }

    fn items(&mut self, items: &[ListItem], stdin: &Stream) -> Stream {
        let mut out = Stream::Nothing;
        let mut before = None;
        for item in items {
            // What stands behind `||`, or a last assignment behind `&&`, may not have happened.
            let maybe = item.operator.is_none()
                && match before {
                    Some(ListOperator::Or) => true,
                    Some(ListOperator::And) => is_assignment(&item.command),
                    _ => false,
                };
            before = item.operator;
            let variables = maybe.then(|| self.state.variables.clone());
            let folders = self.state.folders.clone();
            let next = match item.operator {
                Some(ListOperator::Background) => {
                    self.background += 1;
                    let out = self.apart(|runner| runner.node(&item.command, stdin.clone()));
                    self.background -= 1;
                    out
                }
                _ => self.node(&item.command, stdin.clone()),
            };
            out = out.then(next);
            if let Some(variables) = variables {
                let ran = std::mem::replace(&mut self.state.variables, variables);
                self.state.join_variables(ran);
            }
            let goes_on = matches!(
                item.operator,
                Some(ListOperator::Semi | ListOperator::Background)
            );
            if goes_on && !leaves_on_failure(&item.command) {
                self.doubt(&folders);
            }
        }
        out
    }

    /// A folder that does not exist cannot be gone to: what follows without `&&` then runs where we were.
    fn doubt(&mut self, before: &[std::path::PathBuf]) {
        let missing = !self.state.leaves_on_failure
            && self.state.folders != before
            && self.state.folders.iter().any(|folder| {
                !self.state.made.contains(folder)
                    && self.world.look(folder) == crate::Entry::Missing
            });
        if missing {
            for folder in before {
                if !self.state.folders.contains(folder) {
                    self.state.folders.push(folder.clone());
                }
            }
        }
    }

    fn branch(
        &mut self,
        condition: &Node,
        then: &Node,
        otherwise: Option<&Node>,
        stdin: Stream,
    ) -> Stream {
        self.node(condition, stdin.clone());
        let before = self.state.clone();
        let out = self.node(then, stdin.clone());
        let reached = std::mem::replace(&mut self.state, before);
        let other = otherwise.map_or(Stream::Nothing, |node| self.node(node, stdin));
        self.state.join(reached);
        match other {
            Stream::Nothing => out,
            other if other == out => out,
            other => Stream::Unknown(format!(
                "{} or {}",
                out.text().shown(),
                other.text().shown()
            )),
        }
    }

    fn repeat(&mut self, condition: &Node, body: &Node, stdin: Stream) -> Stream {
        self.bombs(body, Some(condition));
        self.node(condition, stdin.clone());
        let before = self.state.clone();
        let out = self.node(body, stdin.clone());
        // What the first round sets, the second sees.
        if self.state.variables != before.variables || self.state.folders != before.folders {
            self.state.join(before);
            self.node(body, stdin);
        }
        out
    }

    fn each(&mut self, name: &str, words: Option<&[Node]>, body: &Node, stdin: Stream) -> Stream {
        let items: Vec<Text> = match words {
            Some(words) if !words.is_empty() => words
                .iter()
                .flat_map(|word| word::fields(self, word))
                .collect(),
            _ => self.arguments(),
        };
        let before = self.state.clone();
        let mut out = Stream::Nothing;
        for item in items.iter().take(MOST_ROUNDS) {
            if self.is_done {
                break;
            }
            self.set(name, item.clone());
            out = out.then(self.node(body, stdin.clone()));
        }
        if items.len() > MOST_ROUNDS {
            self.set(name, Text::hole(format!("${name}"), Fill::Anything));
            out = out.then(self.node(body, stdin));
        }
        self.state.join(before);
        let values = items.into_iter().take(MOST_ROUNDS).collect();
        self.state
            .variables
            .insert(name.to_owned(), Held::any(values, &format!("${name}")));
        out
    }

    fn case(&mut self, word: &Node, patterns: &[CasePattern], stdin: &Stream) -> Stream {
        let value = word::text(self, word);
        let before = self.state.clone();
        let mut after = before.clone();
        let mut out = Stream::Nothing;
        let mut falls = false;
        for pattern in patterns {
            let may = falls
                || value.is("")
                || pattern.patterns.iter().any(|pattern| {
                    let pattern = word::text(self, pattern);
                    match (value.known(), pattern.literal()) {
                        (Some(value), Some(pattern)) => matches(&pattern, value),
                        _ => true,
                    }
                });
            falls = may && pattern.terminator == ";&";
            if may && let Some(body) = &pattern.body {
                self.state = before.clone();
                out = out.then(self.node(body, stdin.clone()));
                after.join(std::mem::take(&mut self.state));
            }
        }
        self.state = after;
        out
    }

    fn define(&mut self, name: &str, body: &Node) {
        self.state
            .functions
            .insert(name.to_owned(), Rc::new(body.clone()));
    }

    /// What is substituted in `[[ … ]]`.
    fn condition(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::CondTerm { value, .. } | NodeKind::Word { value, .. } => {
                self.substitutions_in(value);
            }
            NodeKind::UnaryTest { operand, .. } | NodeKind::CondNot { operand } => {
                self.condition(operand);
            }
            NodeKind::CondParen { inner } => self.condition(inner),
            NodeKind::BinaryTest { left, right, .. }
            | NodeKind::CondAnd { left, right }
            | NodeKind::CondOr { left, right } => {
                self.condition(left);
                self.condition(right);
            }
            _ => {}
        }
    }

    /// A loop without end that starts something in the background each time.
    fn bombs(&mut self, body: &Node, condition: Option<&Node>) {
        let endless = condition.is_none_or(is_always);
        if endless && starts_in_background(body) && !waits_or_leaves(body) {
            self.note(Effect::Bomb, "a loop without end that starts processes");
        }
    }
}

/// `cd x || exit`: what follows runs only where it was meant to.
fn leaves_on_failure(node: &Node) -> bool {
    let NodeKind::List { items } = &node.kind else {
        return false;
    };
    items.windows(2).any(|pair| {
        pair[0].operator == Some(ListOperator::Or)
            && ["exit", "return", "break", "continue", "die", "false"]
                .iter()
                .any(|name| any(&pair[1].command, &mut |node| is_call(name, node)))
    })
}

fn is_assignment(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Command { words, assignments, .. }
        if words.is_empty() && !assignments.is_empty())
}

fn is_always(condition: &Node) -> bool {
    match &condition.kind {
        NodeKind::Command { words, .. } => {
            let words: Vec<&str> = words
                .iter()
                .filter_map(|word| match &word.kind {
                    NodeKind::Word { value, .. } => Some(value.as_str()),
                    _ => None,
                })
                .collect();
            matches!(
                words.as_slice(),
                ["true" | ":"] | ["[" | "test", "1" | "true", ..]
            )
        }
        NodeKind::ConditionalExpr { body, .. } => {
            matches!(&body.kind, NodeKind::UnaryTest { operand, .. } if is_term(operand))
                || is_term(body)
        }
        NodeKind::ArithmeticCommand { raw_content, .. } => raw_content.trim() == "1",
        _ => false,
    }
}

fn is_term(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::CondTerm { value, .. } if value == "1" || value == "true")
}

fn starts_in_background(node: &Node) -> bool {
    any(node, &mut |node| {
        matches!(&node.kind, NodeKind::List { items }
            if items.iter().any(|item| item.operator == Some(ListOperator::Background)))
    })
}

/// Whether a loop has a bound of its own: it waits in the loop itself, sleeps or leaves.
fn waits_or_leaves(node: &Node) -> bool {
    let NodeKind::List { items } = &node.kind else {
        return false;
    };
    items.iter().any(|item| {
        item.operator != Some(ListOperator::Background)
            && ["wait", "break", "exit", "return", "sleep"]
                .iter()
                .any(|name| is_call(name, &item.command))
    }) && items
        .iter()
        .all(|item| !matches!(item.command.kind, NodeKind::Subshell { .. }))
}

fn is_call(name: &str, node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Command { words, .. }
        if matches!(words.first().map(|word| &word.kind), Some(NodeKind::Word { value, .. }) if value == name))
}

/// Whether something is true of a node or of one in it.
fn any(node: &Node, test: &mut dyn FnMut(&Node) -> bool) -> bool {
    if test(node) {
        return true;
    }
    match &node.kind {
        NodeKind::Pipeline { commands, .. } => commands.iter().any(|node| any(node, test)),
        NodeKind::List { items } => items.iter().any(|item| any(&item.command, test)),
        NodeKind::If {
            condition,
            then_body,
            else_body,
            ..
        } => {
            any(condition, test)
                || any(then_body, test)
                || else_body.as_ref().is_some_and(|node| any(node, test))
        }
        NodeKind::While { body, .. }
        | NodeKind::Until { body, .. }
        | NodeKind::For { body, .. }
        | NodeKind::ForArith { body, .. }
        | NodeKind::Subshell { body, .. }
        | NodeKind::BraceGroup { body, .. }
        | NodeKind::Function { body, .. } => any(body, test),
        NodeKind::Negation { pipeline } | NodeKind::Time { pipeline, .. } => any(pipeline, test),
        NodeKind::Coproc { command, .. } => any(command, test),
        _ => false,
    }
}
