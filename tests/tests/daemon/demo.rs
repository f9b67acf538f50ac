//! The demo: what a newcomer sees and hears in the first minute.

use anyhow::{Context as _, Result};
use bellwether_flock::{AgentNode, Filter, StoreReader as _};
use bellwether_tests::Installation;
use serde_json::Value;

/// An agent and all below it.
fn family(node: &AgentNode) -> usize {
    1 + node.children.iter().map(family).sum::<usize>()
}

#[test]
fn agents_come_work_are_stopped_ask_and_leave() -> Result<()> {
    let place = Installation::fresh()?;
    let _daemon = place.start_daemon(&[])?;
    let told = place.printed(&["demo", "--no-open", "--speed", "40"])?;
    let stopped: Vec<&str> = told.lines().filter(|line| line.contains('⛔')).collect();
    assert_eq!(stopped.len(), 1, "{told}");
    place.settle()?;

    let reader = place.reader()?.context("there is a store")?;
    let sessions = reader.sessions(10)?;
    let mut ours: Vec<usize> = sessions
        .iter()
        .filter(|view| view.session.session_id.starts_with("demo-"))
        .map(|view| view.agents.iter().map(family).sum())
        .collect();
    ours.sort_unstable();
    assert_eq!(ours, [1, 3], "one works alone, one has two helpers");
    let refusals = reader.overview()?.refusals;
    assert_eq!(refusals, 1, "the guard itself stopped it");
    let failed = Filter {
        name: Some("PostToolUseFailure".to_owned()),
        ..Filter::default()
    };
    assert_eq!(reader.page(&failed, 10)?.events.len(), 1);

    let log: Value = serde_json::from_str(
        place
            .printed(&["guard", "log", "--json"])?
            .lines()
            .next()
            .context("one line")?,
    )?;
    assert_eq!(log["verdict"], "deny", "{log}");
    let said = place.printed(&["announce", "--json"])?;
    assert!(said.contains("May a code be used twice"), "{said}");
    Ok(())
}
