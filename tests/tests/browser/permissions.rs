//! A permission dialog of the real client, answered by a click.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::{Answered, Beside, DIALOG, Scenario};

use super::driver::{alone, web};
use crate::RIG;

const PATIENCE: Duration = Duration::from_mins(1);

/// What is done on the page with a request for a command; true when the command then ran.
fn clicked(scenario: &str, answer: &str) -> Result<bool> {
    let _alone = alone();
    let answered = Answered::new(RIG)?;
    let terminal = answered.terminal()?;
    // The daemon is there once it answers.
    Beside::of(&terminal, &answered.state())?;
    let address = answered.cli(&["open", "--print"])?;
    let mut browser = terminal.beside("node")?;
    let mut browser = browser
        .args(["tests/client.mjs", address.trim(), "touch made.txt", answer])
        .current_dir(web()?)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start node")?;
    let mut lines = BufReader::new(browser.stdout.take().context("no stdout")?).lines();
    ensure!(
        lines.next().transpose()?.as_deref() == Some("ready"),
        "the page did not open"
    );
    let touches = Scenario::new(scenario)
        .says("I make a file.")
        .bash("touch made.txt")
        .says("That is all.");
    terminal.play(&touches)?;
    ensure!(
        lines.next().transpose()?.as_deref() == Some("answered"),
        "the page was not answered"
    );
    ensure!(browser.wait()?.success(), "the browser failed");
    terminal.wait_for(
        |screen| screen.contains("That is all.") && !screen.contains(DIALOG),
        PATIENCE,
    )?;
    Ok(answered.made().exists())
}

#[test]
fn a_click_allows_what_the_real_client_asks() -> Result<()> {
    ensure!(
        clicked("clicked", "allow")?,
        "it was allowed and did not run"
    );
    Ok(())
}

#[test]
fn a_click_refuses_what_the_real_client_asks() -> Result<()> {
    ensure!(!clicked("refused", "deny")?, "it was refused and ran");
    Ok(())
}
