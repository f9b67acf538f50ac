//! One agent in one line.

use bellwether_flock::{AgentNode, AgentView, Status};
use bellwether_spine::text;

use super::Seen;
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

/// All lines: sessions as trees, and behind them who has gone.
pub(super) fn all(seen: &Seen, with_gone: bool, now_ms: u64) -> Vec<Line> {
    let mut lines = Vec::new();
    for session in &seen.sessions {
        for node in &session.agents {
            branch(node, "", "", now_ms, &mut lines);
        }
    }
    if with_gone {
        lines.extend(seen.gone.iter().map(|agent| line(agent, "", now_ms)));
    }
    lines
}

/// An agent and, behind their branches, its children.
fn branch(node: &AgentNode, before: &str, below: &str, now_ms: u64, lines: &mut Vec<Line>) {
    lines.push(line(&node.agent, before, now_ms));
    let last = node.children.len().saturating_sub(1);
    for (number, child) in node.children.iter().enumerate() {
        let (branch_here, branch_below) = if number == last {
            ("└ ", "  ")
        } else {
            ("├ ", "│ ")
        };
        branch(
            child,
            &format!("{below}{branch_here}"),
            &format!("{below}{branch_below}"),
            now_ms,
            lines,
        );
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

/// What is of most interest in a state: the question, the error, the work, the last words.
fn words(agent: &AgentView) -> String {
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

fn tools(agent: &AgentView) -> String {
    match (agent.tool_calls, agent.tool_failures) {
        (0, _) => String::new(),
        (calls, 0) => calls.to_string(),
        (calls, failed) => format!("{calls} ({failed} failed)"),
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
