//! The demo: what a newcomer sees and hears in the first minute.

use anyhow::{Context as _, Result};
use bellwether_flock::{AgentNode, Filter, StoreReader as _};
use bellwether_tests::Installation;
use serde_json::Value;

/// An agent and all below it.
fn family(node: &AgentNode) -> usize {
    1 + node.children.iter().map(family).sum::<usize>()
}

/// How many events the session `mine` has, and how many those of the demo.
fn sessions_of(place: &Installation) -> Result<(usize, usize)> {
    let events = place.events()?;
    let ids = events
        .iter()
        .filter_map(|event| event["payload"]["session_id"].as_str());
    let ids: Vec<&str> = ids.collect();
    let count = |of: fn(&&&str) -> bool| ids.iter().filter(of).count();
    Ok((
        count(|id| **id == "mine"),
        count(|id| id.starts_with("demo-")),
    ))
}

#[test]
fn agents_come_work_are_stopped_ask_and_leave() -> Result<()> {
    let place = Installation::fresh()?;
    let _daemon = place.start_daemon(&[])?;
    let told = place.printed(&["demo", "--no-open", "--speed", "40"])?;
    let stopped: Vec<&str> = told.lines().filter(|line| line.contains('⛔')).collect();
    assert_eq!(stopped.len(), 1, "{told}");
    assert!(stopped[0].ends_with('.'), "whole sentences: {stopped:?}");
    let (command, refusal) = (told.find("rm -rf ~ /dist"), told.find('⛔'));
    assert!(command.is_some() && command < refusal, "{told}");
    assert!(
        told.contains("You will hear nothing: no sound here"),
        "{told}"
    );
    let offer = told.split_once("bellwether purge --session ");
    let (_, showing) = offer.context("how to remove its events is not said")?;
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

    let purge = ["purge", "--yes", "--session", showing.trim()];
    assert!(place.at_terminal(purge).output()?.status.success());
    assert_eq!(sessions_of(&place)?.1, 0, "all of the demo's have gone");
    Ok(())
}

#[test]
fn it_removes_its_own_events_and_no_others() -> Result<()> {
    let place = Installation::fresh()?;
    let _daemon = place.start_daemon(&[])?;
    place.visit(br#"{"hook_event_name":"Stop","session_id":"mine","cwd":"/p/demo-shop"}"#)?;
    place.settle()?;
    let words = ["demo", "--no-open", "--speed", "40", "--purge"];
    let shown = place.at_terminal(words).output()?;
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("events of the demo removed"), "{shown}");
    assert_eq!(sessions_of(&place)?, (1, 0), "mine and the demo's");
    Ok(())
}
