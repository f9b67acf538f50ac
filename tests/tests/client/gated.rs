//! The real client and the gate: the model hears why its commit was not made, and its next step works.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::run::said;
use bellwether_tests::{Scenario, Terminal, Tools, process, typing, wait};

use super::guarded::{Guarded, PATIENCE};

/// A Python project with a real linter in it, and a gate that the person has switched on and trusts.
fn gated(config: &str) -> Result<Guarded> {
    let guarded = Guarded::new()?;
    let folder = guarded.home.dir().join(".config/bellwether");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("config.yaml"), config)?;
    let project = guarded.home.project();
    fs::create_dir_all(project.join(".venv/bin"))?;
    let ruff = Tools::installed()?.program("ruff")?;
    symlink(ruff.canonicalize()?, project.join(".venv/bin/ruff"))?;
    fs::write(
        project.join(".git/info/exclude"),
        ".venv\n.claude\n.ruff_cache\nvictim\n",
    )?;
    fs::write(
        project.join("pyproject.toml"),
        "[project]\nname = \"cart\"\nversion = \"1\"\n",
    )?;
    fs::write(project.join("cart.py"), "import os\n\nprint(\"cart\")\n")?;
    for (name, value) in [("user.name", "dev"), ("user.email", "dev@example.org")] {
        git(&guarded, &["config", name, value])?;
    }
    trust(&guarded)?;
    Ok(guarded)
}

fn trust(guarded: &Guarded) -> Result<()> {
    let line = format!("'{}' config trust", guarded.programs.main().display());
    let mut person = guarded.home.command("bash".as_ref());
    let trusted = person.args(typing::words(&line)).output()?;
    ensure!(trusted.status.success(), "{}", said(&trusted));
    Ok(())
}

fn git(guarded: &Guarded, words: &[&str]) -> Result<String> {
    let mut git = guarded.home.command("git".as_ref());
    let output = git.args(words).output()?;
    ensure!(output.status.success(), "{}", said(&output));
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[test]
fn the_model_hears_why_a_commit_was_refused_and_commits_what_it_has_mended() -> Result<()> {
    let guarded = gated("gate: {enabled: true}\n")?;
    let before = git(&guarded, &["rev-parse", "HEAD"])?;
    let scenario = Scenario::new("gated")
        .says("I commit.")
        .bash("git add -A && git commit -m 'Add the cart'")
        .says("An import is not used: I take it out.")
        .bash("printf 'print(\"cart\")\\n' > cart.py")
        .says("Again.")
        .bash("git add -A && git commit -m 'Add the cart'")
        .says("And once more, with other words.")
        .bash("git commit --amend -m 'Add a cart'")
        .says("Done.");
    guarded.play("acceptEdits", scenario)?;
    let results = guarded.results("gated")?;
    let [refused, _, committed, amended] = results.as_slice() else {
        anyhow::bail!("{results:#?}");
    };
    assert!(
        refused.contains("The checks before this commit failed: python-check")
            && refused.contains("F401")
            && refused.contains("cart.py"),
        "{refused}"
    );
    for made in [committed, amended] {
        assert!(
            made.contains("file") && !made.contains("checks before"),
            "{made}"
        );
    }
    assert_eq!(git(&guarded, &["log", "-1", "--format=%s"])?, "Add a cart");
    assert_eq!(git(&guarded, &["rev-parse", "HEAD~1"])?, before);
    let shown = guarded.by_person("events")?;
    assert!(shown.contains("gate: python-check failed"), "{shown}");
    assert!(shown.contains("gate: passed"), "{shown}");
    Ok(())
}

#[test]
fn nobody_bypasses_the_gate_with_the_permissions() -> Result<()> {
    let guarded = gated("gate: {enabled: true}\n")?;
    let before = git(&guarded, &["rev-parse", "HEAD"])?;
    let scenario = Scenario::new("bypassing")
        .says("I commit.")
        .bash("git add -A && git commit -m x")
        .says("Then so.")
        .bash("bash -c 'git add -A; git commit -m x'")
        .says("It is not to be.");
    guarded.play("bypassPermissions", scenario)?;
    for refused in guarded.results("bypassing")? {
        assert!(refused.contains("F401"), "{refused}");
    }
    assert_eq!(git(&guarded, &["rev-parse", "HEAD"])?, before);
    Ok(())
}

fn sleepers(nap: &str) -> Result<usize> {
    Ok(process::with_words(&[OsStr::new("sleep"), OsStr::new(nap)])?.len())
}

/// Esc ends the hook that waits, and with it the checks.
#[test]
fn checks_end_when_the_person_interrupts() -> Result<()> {
    let nap = format!("43{:07}", std::process::id());
    let guarded = gated(&format!(
        "gate: {{enabled: true, detect: false, steps: {{hang: {{run: 'sleep {nap}'}}}}}}\n"
    ))?;
    let before = git(&guarded, &["rev-parse", "HEAD"])?;
    let terminal = guarded.terminal("bypassPermissions")?;
    let scenario = Scenario::new("interrupted")
        .says("I commit.")
        .bash("git add cart.py && git commit -m x")
        .says("Done.");
    terminal.play(&scenario)?;
    wait::until(PATIENCE, || Ok((sleepers(&nap)? == 1).then_some(())))?
        .context("no check began")?;
    interrupt(&terminal)?;
    let gone = wait::until(PATIENCE, || Ok((sleepers(&nap)? == 0).then_some(())))?;
    gone.context("the check went on")?;
    terminal.stop();
    assert_eq!(git(&guarded, &["rev-parse", "HEAD"])?, before);
    Ok(())
}

fn interrupt(terminal: &Terminal<'_>) -> Result<()> {
    const PRESSES: u32 = 5;
    const HEARD: Duration = Duration::from_secs(5);
    let heard = |screen: &str| screen.contains("Interrupted") || screen.contains("interrupted");
    for _ in 0..PRESSES {
        terminal.keys(&["Escape"])?;
        if terminal.wait_for(heard, HEARD).is_ok() {
            return Ok(());
        }
    }
    anyhow::bail!("the client does not hear Esc: {}", terminal.screen()?)
}
