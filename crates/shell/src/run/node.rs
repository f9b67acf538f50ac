//! Compound commands: lists, pipelines, branches, loops, functions.

use std::rc::Rc;

use rable::{CasePattern, ListItem, ListOperator, Node, NodeKind};

use super::file::Left;
use super::truth::is_question;
use super::{MOST_CHOICES, Runner};
use crate::effect::Effect;
use crate::matching::matches;
use crate::state::{Function, Held, Steps};
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
            self.state.settle(false);
            if nodes.len() > 1 && !leaves_on_failure(node) {
                self.doubt(&folders);
            }
        }
        out
    }

    /// Runs one node and returns what it writes.
    pub(crate) fn node(&mut self, node: &Node, stdin: Stream) -> Stream {
        if self.is_done || self.left != Left::No || !self.deeper() {
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
            NodeKind::Negation { pipeline } => {
                let out = self.node(pipeline, stdin);
                self.state.git.hoped = None;
                out
            }
            NodeKind::Time { pipeline, .. } => self.node(pipeline, stdin),
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
        let (before, left) = (self.state.clone(), self.left);
        let out = run(self);
        for _ in 1..MOST_CHOICES {
            if !self.choice.advance() {
                break;
            }
            let reached = std::mem::replace(&mut self.state, before.clone());
            // What leaves with one value may go on with another.
            self.left = left;
            run(self);
            self.left = left;
            self.state.join(reached);
        }
        self.choice = outer;
        out
    }

    fn pipeline(&mut self, commands: &[Node], stdin: Stream) -> Stream {
        let mut flowing = stdin;
        let reading = self.reading.len();
        self.piped += 1;
        for command in commands {
            flowing = self.apart(|runner| runner.node(command, flowing));
        }
        self.piped -= 1;
        self.reading.truncate(reading);
        // Whether a pipeline succeeds is for its last command to say.
        if commands.len() > 1 {
            self.state.git.hoped = None;
        }
        flowing
    }

    fn items(&mut self, items: &[ListItem], stdin: &Stream) -> Stream {
        let mut out = Stream::Nothing;
        let (mut before, mut holds) = (None, None);
        for (at, item) in items.iter().enumerate() {
            let way = way(
                before,
                holds,
                at.checked_sub(1).map(|at| &items[at].command),
            );
            if way == Way::Never {
                before = item.operator;
                continue;
            }
            holds = self.truth(&item.command).filter(|_| way == Way::Surely);
            // What stands behind `||`, or a last assignment behind `&&`, may not have happened.
            let maybe = item.operator.is_none()
                && match before {
                    Some(ListOperator::Or) => true,
                    Some(ListOperator::And) => is_assignment(&item.command),
                    _ => false,
                };
            before = item.operator;
            self.maybe += usize::from(way == Way::Perhaps);
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
            self.maybe -= usize::from(way == Way::Perhaps);
            match item.operator {
                Some(ListOperator::And) => self.state.settle(true),
                Some(ListOperator::Or) => self.state.git = Steps::default(),
                Some(_) => self.state.settle(false),
                None => {}
            }
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
        let holds = self.truth(condition);
        self.node(condition, stdin.clone());
        match (holds, otherwise) {
            (Some(true), _) => return self.node(then, stdin),
            (Some(false), Some(otherwise)) => return self.node(otherwise, stdin),
            (Some(false), None) => return Stream::Nothing,
            (None, _) => {}
        }
        let before = self.state.clone();
        let out = self.perhaps(|runner| runner.node(then, stdin.clone()));
        let reached = std::mem::replace(&mut self.state, before);
        let other = otherwise.map_or(Stream::Nothing, |node| {
            self.perhaps(|runner| runner.node(node, stdin))
        });
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
        if self.counted(condition, body, &stdin) {
            return Stream::Unknown("…".to_owned());
        }
        self.node(condition, stdin.clone());
        let before = self.state.clone();
        let out = self.perhaps(|runner| runner.node(body, stdin.clone()));
        // What the first round sets, the second sees.
        let changes = self.state.variables != before.variables
            || self.state.folders != before.folders
            || self.state.arguments != before.arguments;
        if changes {
            self.state.join(before);
            let arguments = self.state.arguments.clone();
            self.perhaps(|runner| runner.node(body, stdin));
            // After any number of rounds they may be anything that they were after one.
            self.state.arguments = arguments;
        }
        out
    }

    /// A loop in a file whose end can be told, as of one over the arguments: `while [ $# -gt 0 ]`. False when it cannot.
    fn counted(&mut self, condition: &Node, body: &Node, stdin: &Stream) -> bool {
        if is_always(condition) {
            return false;
        }
        for _ in 0..MOST_ROUNDS {
            match self.truth(condition) {
                Some(true) => drop(self.node(body, stdin.clone())),
                Some(false) => return true,
                None => return false,
            }
            if !self.goes_on() {
                return true;
            }
        }
        false
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
            self.set(name, item.clone());
            out = out.then(self.node(body, stdin.clone()));
            if !self.goes_on() {
                break;
            }
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
        if let Some(taken) = self.taken(word, &value, patterns) {
            let bodies = taken.iter().filter_map(|pattern| pattern.body.as_ref());
            return bodies.fold(Stream::Nothing, |out, body| {
                out.then(self.node(body, stdin.clone()))
            });
        }
        let before = self.state.clone();
        let mut after = before.clone();
        let mut out = Stream::Nothing;
        let mut falls = false;
        self.maybe += 1;
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
        self.maybe -= 1;
        self.state = after;
        out
    }

    /// The ways that a known value takes in a file; `None` when that cannot be told.
    fn taken<'n>(
        &mut self,
        word: &Node,
        value: &Text,
        patterns: &'n [CasePattern],
    ) -> Option<Vec<&'n CasePattern>> {
        let known = value.known().filter(|_| !self.files.is_empty())?;
        let is_one = matches!(&word.kind, NodeKind::Word { value, .. } if !self.has_several(value));
        is_one.then_some(())?;
        let (mut taken, mut falls) = (Vec::new(), false);
        for pattern in patterns {
            let mut fits = falls;
            for one in &pattern.patterns {
                let one = word::text(self, one);
                fits |= matches(&one.literal()?, known);
            }
            if fits {
                taken.push(pattern);
                match pattern.terminator.as_str() {
                    ";&" => falls = true,
                    ";;&" => falls = false,
                    _ => return Some(taken),
                }
            }
        }
        Some(taken)
    }

    /// Whether a word names a variable that may have several values.
    fn has_several(&self, word: &str) -> bool {
        self.state.variables.iter().any(|(name, held)| {
            matches!(held, Held::Text(texts) if texts.len() > 1) && word.contains(name.as_str())
        })
    }

    fn define(&mut self, name: &str, body: &Node) {
        let function = Function {
            body: Rc::new(body.clone()),
            file: self.files.last().cloned(),
        };
        self.state.functions.insert(name.to_owned(), function);
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

/// Whether an item of a list is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Never,
    Perhaps,
    Surely,
}

/// Whether what stands behind an operator is run: whether what is before it holds, and what that is.
fn way(operator: Option<ListOperator>, holds: Option<bool>, before: Option<&Node>) -> Way {
    match (operator, holds) {
        (Some(ListOperator::And), Some(false)) | (Some(ListOperator::Or), Some(true)) => Way::Never,
        (Some(ListOperator::And), None) if before.is_some_and(is_question) => Way::Perhaps,
        (Some(ListOperator::Or), None) => Way::Perhaps,
        _ => Way::Surely,
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
