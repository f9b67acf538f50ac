//! The guard's table: every row of `tables/guard` is judged in the world that it names.
//!
//! Commands are judged, never run. A defect of the guard adds a row.

mod table;
mod world;

use std::collections::{HashMap, HashSet};

use bellwether_hook::guard::{Call, Config, Verdict, judge};
use bellwether_protocol::client::Client;
use bellwether_spine::Home;
use serde_json::value::RawValue;

use table::{Expected, Row};
use world::{Setting, World};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The fewest rows that the table has.
const FEWEST: usize = 600;

#[test]
fn the_guard_says_what_the_table_says() -> Result<()> {
    let mut worlds = HashMap::new();
    for setting in Setting::ALL {
        worlds.insert(setting, World::make(setting)?);
    }
    let (mut rows, mut wrong) = (0, Vec::new());
    for row in table::read()?.iter().flat_map(|file| &file.rows) {
        rows += 1;
        let said = verdict(row, &worlds[&row.setting])?;
        if !row.expect.fits(said) {
            wrong.push(complaint(row, said));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {rows} rows are judged otherwise:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    Ok(())
}

#[test]
fn the_table_is_large_two_sided_and_without_repetition() -> Result<()> {
    let files = table::read()?;
    let rows: Vec<&Row> = files.iter().flat_map(|file| &file.rows).collect();
    assert!(rows.len() >= FEWEST, "only {} rows", rows.len());

    for file in &files {
        let silent = file
            .rows
            .iter()
            .filter(|row| row.expect == Expected::Silent)
            .count();
        assert!(silent > 0, "{} has nothing harmless", file.name);
        assert!(
            silent < file.rows.len(),
            "{} has nothing dangerous",
            file.name
        );
    }

    let mut seen = HashSet::new();
    let again: Vec<&str> = rows
        .iter()
        .filter(|row| !seen.insert(row.identity()))
        .map(|row| row.place.as_str())
        .collect();
    assert!(again.is_empty(), "said before: {}", again.join(", "));
    Ok(())
}

/// What the guard says about a row's call in a world.
fn verdict(row: &Row, world: &World) -> Result<Verdict> {
    let input = RawValue::from_string(world.fill(&row.input().to_string()))?;
    let project = world.project();
    let call = Call {
        deed: &Client::default().tool(&row.tool, Some(&input)).deed(),
        cwd: &project.join(&row.cwd),
        project: Some(&project),
        home: &Home::find(Some(world.own()))?,
        user: Some(&world.home()),
        transcript: None,
    };
    let config = Config {
        mode: row.mode,
        ..Config::default()
    };
    Ok(judge(&call, &config).judgement.verdict)
}

fn complaint(row: &Row, said: Verdict) -> String {
    format!(
        "{}: {:?} instead of {:?} in {:?}, {:?} ({})\n    {}",
        row.place,
        said,
        row.expect,
        row.setting,
        row.mode,
        row.why,
        row.shown()
    )
}
