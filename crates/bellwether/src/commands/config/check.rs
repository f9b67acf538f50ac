//! `bellwether config check`: what is wrong, and what does not count.

use bellwether_spine::config::{Origin, Place, Problem};
use serde_json::{Value, json};

use crate::config::{Ignored, Loaded, Why};
use crate::exit::AlreadyTold;
use crate::output;

pub(super) fn run(loaded: &Loaded, json: bool) -> anyhow::Result<()> {
    if json {
        output::show_json(&as_json(loaded))?;
        anyhow::ensure!(loaded.problems.is_empty(), AlreadyTold);
        return Ok(());
    }
    for problem in &loaded.problems {
        tell!("{problem}");
    }
    for what in &loaded.unconfirmed {
        tell!("{what}: not in effect until you run `bellwether config confirm`");
    }
    for ignored in &loaded.ignored {
        tell!("{}", passed_over(ignored));
    }
    anyhow::ensure!(
        loaded.problems.is_empty(),
        "{} wrong; the last valid values stay in effect",
        loaded.problems.len()
    );
    tell!("no configuration problems");
    Ok(())
}

fn passed_over(ignored: &Ignored) -> String {
    let why = match ignored.why {
        Why::Untrusted => "is ignored until you run `bellwether config trust`",
        Why::PersonOnly => "is ignored in a project's file: only your own configuration can set it",
    };
    format!("{}: {} {why}", ignored.node.place, ignored.path)
}

fn as_json(loaded: &Loaded) -> Value {
    let problems = loaded.problems.iter().map(problem);
    let ignored = loaded.ignored.iter().map(|ignored| {
        let why = match ignored.why {
            Why::Untrusted => "untrusted",
            Why::PersonOnly => "person_only",
        };
        json!({"key": ignored.path, "place": ignored.node.place.to_string(), "why": why})
    });
    json!({
        "problems": problems.collect::<Vec<_>>(),
        "unconfirmed": loaded.unconfirmed,
        "ignored": ignored.collect::<Vec<_>>(),
    })
}

fn problem(problem: &Problem) -> Value {
    let Place {
        origin,
        line,
        column,
    } = &problem.place;
    let file = match origin {
        Origin::File(path) => Some(path.display().to_string()),
        _ => None,
    };
    json!({
        "file": file, "line": line, "column": column, "key": problem.path,
        "message": problem.message, "suggestion": problem.suggestion,
    })
}
