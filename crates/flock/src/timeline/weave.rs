//! Makes spans of events, in their order. What was begun and never ended is ended by what cannot happen
//! while it goes on: the next prompt, the end of the turn, of the agent or of the session.

use std::collections::HashMap;

use bellwether_protocol::event::Kind;
use bellwether_spine::meta::COMMIT_CHECKED;

use super::view::{Span, SpanKind};

/// What is read of an event.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub seq: i64,
    pub at_ms: u64,
    pub session: Option<String>,
    pub agent: String,
    pub name: String,
    pub tool: Option<String>,
    pub tool_use: Option<String>,
    /// Whether it tells of a failure, or of a call that was refused.
    pub failed: bool,
}

/// A span, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Woven {
    pub agent: String,
    pub session: Option<String>,
    pub span: Span,
}

/// Events on their way to become spans.
#[derive(Default)]
pub(crate) struct Weaver {
    agents: HashMap<String, Open>,
    done: Vec<Woven>,
}

/// What an agent has begun.
#[derive(Default)]
struct Open {
    session: Option<String>,
    turn: Option<Span>,
    waiting: Option<Span>,
    tools: Vec<(Option<String>, Span)>,
}

impl Weaver {
    /// The names of events that matter here. All others only tell that nobody waits any more.
    pub(crate) fn hear(&mut self, told: &Told) {
        // The client tells of a question twice: the second time it is as open as before.
        let kind = Kind::from_name(&told.name);
        if kind != Kind::Notification {
            self.end_waiting(told);
        }
        match kind {
            Kind::UserPromptSubmit | Kind::SubagentStart => {
                self.end_turn(told, false);
                self.open(told).turn = Some(begun(SpanKind::Turn, told));
            }
            Kind::Stop | Kind::SubagentStop => self.end_turn(told, false),
            Kind::StopFailure => self.end_turn(told, true),
            Kind::SessionEnd => self.end_session(told),
            // What was refused never runs.
            Kind::PreToolUse if told.failed => {
                self.close(told, Some(begun(SpanKind::Tool, told)), true);
            }
            Kind::PreToolUse => {
                let span = begun(SpanKind::Tool, told);
                self.open(told).tools.push((told.tool_use.clone(), span));
            }
            Kind::PostToolUse | Kind::PostToolUseFailure => self.end_tool(told),
            // What the gate refused never runs.
            Kind::Other if told.name == COMMIT_CHECKED && told.failed => self.end_tool(told),
            Kind::PermissionRequest | Kind::Elicitation => {
                self.open(told).waiting = Some(begun(SpanKind::Waiting, told));
            }
            _ => {}
        }
    }

    /// All spans, in the order of their beginning; what goes on has no end.
    pub(crate) fn finish(mut self) -> Vec<Woven> {
        for (agent, open) in std::mem::take(&mut self.agents) {
            let tools = open.tools.into_iter().map(|(_, span)| span);
            let spans = tools.chain(open.turn).chain(open.waiting);
            self.done.extend(spans.map(|span| Woven {
                agent: agent.clone(),
                session: open.session.clone(),
                span,
            }));
        }
        self.done
            .sort_by_key(|woven| (woven.span.from_ms, woven.span.seq));
        self.done
    }

    fn open(&mut self, told: &Told) -> &mut Open {
        let open = self.agents.entry(told.agent.clone()).or_default();
        if told.session.is_some() {
            open.session.clone_from(&told.session);
        }
        open
    }

    fn end_waiting(&mut self, told: &Told) {
        let waiting = self.open(told).waiting.take();
        self.close(told, waiting, false);
    }

    fn end_turn(&mut self, told: &Told, failed: bool) {
        let open = self.open(told);
        let (tools, turn) = (std::mem::take(&mut open.tools), open.turn.take());
        self.close(told, tools.into_iter().map(|(_, span)| span), false);
        self.close(told, turn, failed);
    }

    fn end_session(&mut self, told: &Told) {
        let of_session = |open: &Open| told.session.is_some() && open.session == told.session;
        let agents: Vec<String> = self
            .agents
            .iter()
            .filter(|(agent, open)| **agent == told.agent || of_session(open))
            .map(|(agent, _)| agent.clone())
            .collect();
        for agent in agents {
            let told = Told {
                agent,
                ..told.clone()
            };
            self.end_waiting(&told);
            self.end_turn(&told, false);
        }
    }

    /// A call is known by its id; without one the oldest of the same tool has ended.
    fn end_tool(&mut self, told: &Told) {
        let tools = &mut self.open(told).tools;
        let same_id = |(id, _): &(Option<String>, Span)| id.is_some() && *id == told.tool_use;
        let same_tool = |(id, span): &(Option<String>, Span)| {
            (id.is_none() || told.tool_use.is_none()) && Some(&span.name) == told.tool.as_ref()
        };
        let found = tools
            .iter()
            .position(same_id)
            .or_else(|| tools.iter().position(same_tool));
        let span = match found {
            Some(found) => tools.remove(found).1,
            None => begun(SpanKind::Tool, told),
        };
        self.close(told, Some(span), told.failed);
    }

    fn close(&mut self, told: &Told, spans: impl IntoIterator<Item = Span>, failed: bool) {
        let session = self.open(told).session.clone();
        self.done.extend(spans.into_iter().map(|span| Woven {
            agent: told.agent.clone(),
            session: session.clone(),
            span: Span {
                to_ms: Some(told.at_ms.max(span.from_ms)),
                failed,
                ..span
            },
        }));
    }
}

fn begun(kind: SpanKind, told: &Told) -> Span {
    let tool = told.tool.as_ref().filter(|_| kind != SpanKind::Turn);
    Span {
        kind,
        name: tool.unwrap_or(&told.name).clone(),
        from_ms: told.at_ms,
        to_ms: None,
        failed: false,
        seq: told.seq,
        summary: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events as `name agent tool/id`, one a second.
    fn spans(events: &[&str]) -> Vec<String> {
        let mut weaver = Weaver::default();
        for (seq, event) in (1_i64..).zip(events) {
            let mut words = event.split(' ');
            let name = words.next().unwrap().to_owned();
            let agent = words.next().unwrap().to_owned();
            let call = words.next().map(|call| call.split_once('/').unwrap());
            let refused = words.next() == Some("refused");
            weaver.hear(&Told {
                seq,
                at_ms: seq.cast_unsigned() * 1000,
                session: Some("s".to_owned()),
                agent,
                failed: refused || name.ends_with("Failure"),
                name,
                tool: call.map(|(tool, _)| tool.to_owned()),
                tool_use: call
                    .map(|(_, id)| id.to_owned())
                    .filter(|id| !id.is_empty()),
            });
        }
        let line = |woven: &Woven| {
            let span = &woven.span;
            let to = span
                .to_ms
                .map_or("…".to_owned(), |to| (to / 1000).to_string());
            let failed = if span.failed { " failed" } else { "" };
            let (from, name) = (span.from_ms / 1000, &span.name);
            format!("{} {name} {from}-{to}{failed}", woven.agent)
        };
        weaver.finish().iter().map(line).collect()
    }

    #[test]
    fn a_turn_with_its_tools() {
        assert_eq!(
            spans(&[
                "UserPromptSubmit m",
                "PreToolUse m Bash/1",
                "PreToolUse m Read/2",
                "PostToolUse m Read/2",
                "PostToolUseFailure m Bash/1",
                "Stop m",
                "UserPromptSubmit m",
                "PreToolUse m Edit/3",
            ]),
            [
                "m UserPromptSubmit 1-6",
                "m Bash 2-5 failed",
                "m Read 3-4",
                "m UserPromptSubmit 7-…",
                "m Edit 8-…",
            ]
        );
    }

    #[test]
    fn a_refused_call_does_not_run_on() {
        assert_eq!(
            spans(&[
                "UserPromptSubmit m",
                "PreToolUse m Bash/1 refused",
                "PreToolUse m Bash/2",
            ]),
            ["m UserPromptSubmit 1-…", "m Bash 2-2 failed", "m Bash 3-…"]
        );
    }

    #[test]
    fn calls_without_an_id_end_in_their_order() {
        assert_eq!(
            spans(&[
                "PreToolUse m Bash/",
                "PreToolUse m Bash/",
                "PostToolUse m Bash/",
                "PostToolUse m Read/9"
            ]),
            ["m Bash 1-3", "m Bash 2-…", "m Read 4-4"]
        );
    }

    #[test]
    fn somebody_waits_until_the_agent_is_heard_of_again() {
        assert_eq!(
            spans(&[
                "PermissionRequest m Bash/",
                "Notification m",
                "PreToolUse a Read/1",
                "PostToolUse m Bash/7"
            ]),
            ["m Bash 1-4", "a Read 3-…", "m Bash 4-4"]
        );
        assert_eq!(
            spans(&["Elicitation m", "ElicitationResult m"]),
            ["m Elicitation 1-2"]
        );
    }

    #[test]
    fn what_nobody_ended_is_ended_by_what_comes_after() {
        assert_eq!(
            spans(&[
                "UserPromptSubmit m",
                "PreToolUse m Bash/1",
                "UserPromptSubmit m",
                "StopFailure m"
            ]),
            [
                "m UserPromptSubmit 1-3",
                "m Bash 2-3",
                "m UserPromptSubmit 3-4 failed"
            ]
        );
        assert_eq!(
            spans(&[
                "SubagentStart a",
                "PreToolUse a Bash/1",
                "PermissionRequest m Bash/",
                "SessionEnd m"
            ]),
            ["a SubagentStart 1-4", "a Bash 2-4", "m Bash 3-4"]
        );
    }
}
