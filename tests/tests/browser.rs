//! The page in a real browser: every view against a daemon with recorded events, and a permission dialog of the
//! real client answered by a click. `./test` installs the browser and what drives it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::{Answered, Beside, DIALOG, Programs, Scenario};

const RIG: &str = env!("CARGO_BIN_EXE_rig");
const PATIENCE: Duration = Duration::from_mins(1);

/// Where the page and its tests are.
fn web() -> Result<PathBuf> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    ensure!(
        web.join("node_modules/playwright-core").exists(),
        "what drives the browser is not installed; `./test` does that"
    );
    Ok(web)
}

#[test]
fn every_view_works() -> Result<()> {
    let output = Command::new("node")
        .arg("tests/run.mjs")
        .arg(std::path::absolute(Programs::built()?.main())?)
        .current_dir(web()?)
        .stdin(Stdio::null())
        .output()
        .context("cannot start node")?;
    let told = String::from_utf8_lossy(&output.stdout);
    println!("{told}");
    ensure!(
        output.status.success() && told.contains(" passed, 0 failed"),
        "{told}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// What is done on the page with a request for a command; true when the command then ran.
fn clicked(scenario: &str, answer: &str) -> Result<bool> {
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
