//! Everything about one agent.

use bellwether_flock::{AgentNode, AgentView, SessionView};
use bellwether_spine::text;

use super::{Seen, words};
use crate::output;

/// As much is shown of each fact.
const FACT: usize = 400;

/// What is known of an agent, a line each; `None` when it is not there any more.
pub(super) fn lines(seen: &Seen, id: &str, now_ms: u64) -> Option<Vec<String>> {
    let agent = find(seen, id)?;
    let session = session_of(seen, agent);
    let folder = session.and_then(|session| session.session.project_dir.clone());
    let lasting = output::duration(now_ms.saturating_sub(agent.since_ms));
    let refused = agent.refused.as_ref().map(|refusal| {
        let what = refusal.what.as_deref().unwrap_or_default();
        format!("{what} ({})", refusal.rules.join(", "))
    });
    let asks = agent.waits_for.clone();
    let says = agent
        .bubble
        .clone()
        .filter(|bubble| asks.as_ref() != Some(bubble));
    let facts = [
        ("agent", Some(who(agent))),
        (
            "state",
            Some(format!("{} for {lasting}", words::of(agent.status))),
        ),
        ("asks", asks),
        ("refused", refused),
        ("task", agent.assignment.clone()),
        ("doing", agent.current_task.clone()),
        ("says", says),
        ("thinks", agent.thinking_text.clone()),
        ("folder", folder),
        ("behind it", background(agent)),
        ("model", agent.model.clone()),
        ("used", (!agent.usage.is_nothing()).then(|| used(agent))),
        ("session", agent.session_id.clone()),
        ("id", Some(agent.agent_id.clone())),
    ];
    let told = facts.into_iter().filter_map(|(name, fact)| {
        let fact = text::shown(&fact?, FACT);
        (!fact.is_empty()).then(|| format!("{name:9} {fact}"))
    });
    Some(told.collect())
}

fn who(agent: &AgentView) -> String {
    let kind = agent.agent_type.as_ref();
    match kind.filter(|kind| **kind != agent.display_name) {
        Some(kind) => format!("{} ({kind})", agent.display_name),
        None => agent.display_name.clone(),
    }
}

fn background(agent: &AgentView) -> Option<String> {
    let named = agent.background.iter();
    let named: Vec<&str> = named.filter_map(|task| task.what.as_deref()).collect();
    (!named.is_empty()).then(|| named.join(", "))
}

fn used(agent: &AgentView) -> String {
    let usage = &agent.usage;
    format!(
        "{} messages, {} tokens in, {} out, {} from the cache",
        usage.messages, usage.input_tokens, usage.output_tokens, usage.cache_read_tokens
    )
}

fn session_of<'a>(seen: &'a Seen, agent: &AgentView) -> Option<&'a SessionView> {
    let id = agent.session_id.as_ref()?;
    let mut sessions = seen.sessions.iter();
    sessions.find(|session| session.session.session_id == *id)
}

fn find<'a>(seen: &'a Seen, id: &str) -> Option<&'a AgentView> {
    fn below<'a>(nodes: &'a [AgentNode], id: &str) -> Option<&'a AgentView> {
        nodes.iter().find_map(|node| {
            let here = (node.agent.agent_id == id).then_some(&node.agent);
            here.or_else(|| below(&node.children, id))
        })
    }
    seen.sessions
        .iter()
        .find_map(|session| below(&session.agents, id))
        .or_else(|| seen.gone.iter().find(|agent| agent.agent_id == id))
}
