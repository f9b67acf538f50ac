//! How what was understood of a command is shown.

use std::fmt::Write as _;

use bellwether_hook::guard::judge::Analysis;
use serde_json::{Value, json};

pub(crate) fn json(analysis: &Analysis) -> Value {
    let commands = analysis
        .commands
        .iter()
        .map(|ran| json!({ "words": ran.words, "via": ran.via }));
    let acts = analysis.acts.iter().map(|act| {
        json!({
            "effect": act.effect.to_string(),
            "command": act.command,
            "via": act.via,
        })
    });
    json!({
        "tree": analysis.tree(),
        "commands": commands.collect::<Vec<_>>(),
        "effects": acts.collect::<Vec<_>>(),
        "syntax": analysis.syntax,
    })
}

/// As lines for a person.
pub(crate) fn text(analysis: &Analysis) -> String {
    let mut out = String::new();
    part(&mut out, "parsed", analysis.tree().into_iter());
    part(
        &mut out,
        "runs",
        analysis
            .commands
            .iter()
            .map(|ran| with_way(&ran.words.join(" "), &ran.via)),
    );
    part(
        &mut out,
        "effects",
        analysis.acts.iter().map(|act| act.effect.to_string()),
    );
    part(&mut out, "not understood", analysis.syntax.iter().cloned());
    out
}

/// A heading in the margin, and a line for each.
fn part(out: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
    for (number, line) in lines.enumerate() {
        let heading = if number == 0 { heading } else { "" };
        // Writing into a string does not fail.
        let _ = writeln!(out, "{heading:15} {line}");
    }
}

fn with_way(command: &str, via: &[String]) -> String {
    if via.is_empty() {
        return command.to_owned();
    }
    format!("{command}   (from {})", via.join(" → "))
}
