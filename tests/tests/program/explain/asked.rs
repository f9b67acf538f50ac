//! How `explain` is asked.

use std::process::{Command, Output};

use anyhow::{Context as _, Result};
use bellwether_tests::Installation;
use bellwether_tests::run::fed;

const PAYLOADS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/protocol/fixtures/payloads"
);

pub(super) fn recorded(place: &Installation, name: &str, words: &[&str]) -> Result<String> {
    let file = format!("{PAYLOADS}/{name}.json");
    let words = ["explain", &file].into_iter().chain(words.iter().copied());
    shown(&as_hook(place.cli(words)).output()?)
}

/// Whose event it is, as the client says to its hooks.
fn as_hook(mut explain: Command) -> Command {
    explain.env("AI_AGENT", "claude-code_2-1-325_harness");
    explain
}

/// Explains what comes on stdin.
pub(super) fn given(place: &Installation, text: &str) -> Result<String> {
    shown(&fed(as_hook(place.cli(["explain"])), text)?)
}

/// Exit code, stdout and stderr, without the size of a record, which depends on the environment.
pub(super) fn shown(output: &Output) -> Result<String> {
    let (stdout, stderr) = (
        std::str::from_utf8(&output.stdout)?,
        std::str::from_utf8(&output.stderr)?,
    );
    let lines = stdout
        .lines()
        .map(|line| match line.split_once("\"bytes\": ") {
            Some((before, _)) => format!("{before}\"bytes\": #,"),
            None => line.to_owned(),
        });
    let code = output.status.code().context("it was killed")?;
    let said = lines.collect::<Vec<_>>().join("\n");
    Ok(format!("exit {code}\n{said}\n{stderr}"))
}
