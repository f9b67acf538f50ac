//! A question that the person has answered with yes, under the real client: it is not asked again until what it rested on has
//! changed.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use bellwether_tests::{Interactive, Scenario};

use super::guarded::{Guarded, PATIENCE};

const DIALOG: &str = "Do you want to proceed?";

#[test]
fn a_yes_counts_until_something_has_changed() -> Result<()> {
    let guarded = Guarded::new()?;
    let program = guarded.programs.main().canonicalize()?;
    let folder: &Path = program.parent().context("a program is in a folder")?;
    // Without the guard's question the client asks nothing.
    let terminal = Interactive::new(&guarded.home)
        .path_first(folder)
        .args(["--permission-mode", "default", "--allowedTools", "Bash"])
        .start()?;
    let play = |name: &str, command: &str, end: &str| {
        terminal.play(&Scenario::new(name).says("May I?").bash(command).says(end))
    };
    // Nothing is really deleted, so the same can be asked again.
    let (once, other) = (
        "test -e nowhere && rm -rf victim",
        "[ -e nowhere ] && rm -r -f ./victim",
    );

    play("refused", once, "A no, then.")?;
    terminal.answer(DIALOG, "2")?;

    play("said_yes", once, "First done.")?;
    terminal.answer(DIALOG, "Enter")?;
    terminal.wait_for(|screen| screen.contains("First done."), PATIENCE)?;

    play("not_asked", other, "Second done.")?;
    terminal.wait_for(|screen| screen.contains("Second done."), PATIENCE)?;

    fs::write(guarded.victim().join("more.txt"), "a fourth day\n")?;
    play("asked_again", once, "Third done.")?;
    terminal.answer(DIALOG, "Enter")?;
    terminal.wait_for(|screen| screen.contains("Third done."), PATIENCE)?;

    let audit = guarded.audit()?;
    let said: Vec<&str> = audit.iter().filter_map(|it| it["said"].as_str()).collect();
    assert_eq!(said, ["ask", "ask", "silent", "ask"], "{audit:?}");
    assert_eq!(audit[2]["earlier"], audit[1]["call"], "{audit:?}");
    Ok(())
}
