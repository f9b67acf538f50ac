//! One agent in one line.

use bellwether_flock::{AgentNode, AgentView, Status};
use bellwether_spine::text;

use super::Seen;
use super::order::{Choice, needs_you};
use crate::output;

/// A line of the view.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub id: String,
    /// Its name, behind the branches of the tree.
    pub name: String,
    pub status: Status,
    pub since: String,
    /// What it works on, asks or said.
    pub words: String,
    /// How many tools it called, and how many of them failed.
    pub tools: String,
    /// How many tokens came back.
    pub tokens: String,
}

/// All lines that are wanted: agents as trees, and behind them who has gone.
pub(super) fn all(seen: &Seen, choice: &Choice, now_ms: u64) -> Vec<Line> {
    let mut lines = Vec::new();
    let tops = seen.sessions.iter().flat_map(|session| &session.agents);
    for node in choice.sorted(tops) {
        branch(node, choice, ("", ""), now_ms, &mut lines);
    }
    if choice.with_gone {
        let gone = seen.gone.iter().filter(|agent| choice.fits(agent));
        lines.extend(gone.map(|agent| line(agent, "", now_ms)));
    }
    lines
}

/// An agent and, behind their branches, its children.
fn branch(
    node: &AgentNode,
    choice: &Choice,
    (before, below): (&str, &str),
    now_ms: u64,
    lines: &mut Vec<Line>,
) {
    lines.push(line(&node.agent, before, now_ms));
    let children = choice.sorted(&node.children);
    let last = children.len().saturating_sub(1);
    for (number, child) in children.into_iter().enumerate() {
        let (here, further) = if number == last {
            ("└ ", "  ")
        } else {
            ("├ ", "│ ")
        };
        let (here, further) = (format!("{below}{here}"), format!("{below}{further}"));
        branch(child, choice, (&here, &further), now_ms, lines);
    }
}

fn line(agent: &AgentView, before: &str, now_ms: u64) -> Line {
    Line {
        id: agent.agent_id.clone(),
        name: format!("{before}{}", text::shown(&agent.display_name, 40)),
        status: agent.status,
        since: output::duration(now_ms.saturating_sub(agent.since_ms)),
        words: words(agent),
        tools: tools(agent),
        tokens: tokens(agent.usage.output_tokens),
    }
}

/// What is of most interest in a state: the question, what was refused, the error, the work, the last words.
fn words(agent: &AgentView) -> String {
    if let Some(refused) = refused(agent) {
        return refused;
    }
    let first = match agent.status {
        Status::PendingInput | Status::Failed | Status::Idle | Status::Completed => &agent.bubble,
        _ => &agent.current_task,
    };
    let words = first
        .as_ref()
        .or(agent.current_task.as_ref())
        .or(agent.bubble.as_ref());
    let task = agent.background.first();
    let named = task.and_then(|task| task.what.as_deref());
    let background = match (agent.background_tasks, named) {
        (0, _) => String::new(),
        (1, Some(what)) => format!("({} in the background) ", text::shown(what, 60)),
        (count, _) => format!("({count} in the background) "),
    };
    let words = words.map(|words| text::shown(words, 200));
    format!("{background}{}", words.unwrap_or_default())
}

/// What the guard refused, until the agent does something else.
fn refused(agent: &AgentView) -> Option<String> {
    let refusal = agent.refused.as_ref()?;
    let what = refusal.what.as_deref().unwrap_or_default();
    let said = format!("refused ({}) {what}", refusal.rules.join(", "));
    (!needs_you(agent.status)).then(|| text::shown(&said, 200))
}

fn tools(agent: &AgentView) -> String {
    let notes = [(agent.tool_failures, "failed"), (agent.refusals, "refused")];
    let notes = notes.into_iter().filter(|(count, _)| *count > 0);
    let notes: Vec<String> = notes
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match (agent.tool_calls, notes.is_empty()) {
        (0, true) => String::new(),
        (calls, true) => calls.to_string(),
        (calls, false) => format!("{calls} ({})", notes.join(", ")),
    }
}

fn tokens(count: u64) -> String {
    match count {
        0 => String::new(),
        1..1_000 => count.to_string(),
        1_000..1_000_000 => format!("{}.{}k", count / 1_000, count % 1_000 / 100),
        _ => format!("{}.{}M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_short() {
        assert_eq!(tokens(0), "");
        assert_eq!(tokens(999), "999");
        assert_eq!(tokens(12_345), "12.3k");
        assert_eq!(tokens(2_500_000), "2.5M");
    }
}
