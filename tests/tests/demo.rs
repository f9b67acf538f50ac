//! The demo: what a newcomer sees and hears in the first minute.

use anyhow::{Context as _, Result, ensure};
use bellwether_flock::{AgentNode, Filter, StoreReader as _};
use bellwether_tests::{Installation, Programs};
use serde_json::Value;

fn printed(place: &Installation, words: &[&str]) -> Result<String> {
    let output = place.cli(words.iter().copied()).output()?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

/// An agent and all below it.
fn family(node: &AgentNode) -> usize {
    1 + node.children.iter().map(family).sum::<usize>()
}

#[test]
fn agents_come_work_are_stopped_ask_and_leave() -> Result<()> {
    let place = Installation::new(&Programs::built()?)?;
    let _daemon = place.start_daemon(&[])?;
    let told = printed(&place, &["demo", "--no-open", "--speed", "40"])?;
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
        printed(&place, &["guard", "log", "--json"])?
            .lines()
            .next()
            .context("one line")?,
    )?;
    assert_eq!(log["verdict"], "deny", "{log}");
    let said = printed(&place, &["announce", "--json"])?;
    assert!(said.contains("May a code be used twice"), "{said}");
    Ok(())
}
