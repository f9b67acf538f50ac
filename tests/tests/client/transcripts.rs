//! Sessions of the real client as pages: there once the session has ended, if the person wants that.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::{Headless, Scenario, Watched, scenarios};

use crate::RIG;

const PATIENCE: Duration = Duration::from_mins(1);

/// A client whose person has named a folder.
fn keeping() -> Result<(Watched, PathBuf)> {
    let watched = Watched::new(RIG)?;
    let folder = watched.home.dir().join("kept");
    let config = watched.home.dir().join(".config/bellwether");
    std::fs::create_dir_all(&config)?;
    let text = "transcripts: {folder: ~/kept}\naudio: {enabled: false}\n";
    std::fs::write(config.join("config.yaml"), text)?;
    Ok((watched, folder))
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_page = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".html") && name != "index.html"
    };
    entries.map(|entry| entry.path()).filter(is_page).collect()
}

/// Waits until so many pages are there and the index names them.
fn wait_for(folder: &Path, count: usize) -> Result<Vec<PathBuf>> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let found = pages(folder);
        let index = std::fs::read_to_string(folder.join("index.html")).unwrap_or_default();
        let named = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            index.contains(&*name)
        };
        if found.len() == count && found.iter().all(named) {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    anyhow::bail!("{} pages after {PATIENCE:?}: {:?}", count, pages(folder))
}

#[test]
fn a_session_that_has_ended_is_a_page_in_the_named_folder() -> Result<()> {
    let (watched, folder) = keeping()?;
    watched.play(scenarios::subagents())?;
    let first = wait_for(&folder, 1)?;
    let page = std::fs::read_to_string(&first[0])?;
    for wanted in [
        "<details class=\"agent\">",
        "the client says $",
        "<section class=\"turn\" id=\"t1\">",
    ] {
        assert!(
            page.contains(wanted),
            "{wanted} is not in {}",
            first[0].display()
        );
    }
    // One that asks to be left alone is not exported, and the next one is.
    let outcome = Headless::new(&watched.home)
        .scenario(scenarios::one_bash())
        .env("SKIP_SESSION_END_HOOK", "1")
        .args(["--permission-mode", "acceptEdits", "--allowedTools", "Bash"])
        .run()?;
    ensure!(outcome.status.success(), "{}", outcome.stderr);
    let guarded = Scenario::new("kept")
        .says("A secret.")
        .write(".env", "TOKEN=abc\n")
        .says("A file of mine.")
        .read("notes.txt")
        .says("Better.")
        .edit("notes.txt", "asleep", "awake")
        .says("Done.");
    watched.play(guarded)?;
    let both = wait_for(&folder, 2)?;
    let second = both.iter().find(|path| !first.contains(path));
    let page = std::fs::read_to_string(second.context("no second page")?)?;
    for wanted in [
        "stopped by the guard",
        ".env may hold secrets",
        "<span>the dog is awake</span>",
    ] {
        assert!(page.contains(wanted), "{wanted} is not there");
    }
    let stored = watched.stored()?;
    let ended = stored
        .iter()
        .filter(|event| event["payload"]["hook_event_name"] == "SessionEnd");
    let skipped: Vec<bool> = ended
        .map(|event| event["meta"]["skip_session_end"] == true)
        .collect();
    assert_eq!(skipped, [false, true, false]);
    let status = watched.printed(&["status", "--json"])?;
    assert!(!status.contains("transcript_export"), "{status}");
    Ok(())
}

/// A folder that cannot be made is a trouble, which the person is told.
#[test]
fn a_folder_that_cannot_be_used_is_told() -> Result<()> {
    let (watched, folder) = keeping()?;
    std::fs::write(&folder, "a file")?;
    watched.play(scenarios::one_bash())?;
    let begun = Instant::now();
    let told = loop {
        let status = watched.printed(&["status", "--json"])?;
        let found = status
            .lines()
            .find(|line| line.contains("a session was not exported"));
        if let Some(found) = found {
            break found.to_owned();
        }
        ensure!(begun.elapsed() < PATIENCE, "nothing is told: {status}");
        std::thread::sleep(Duration::from_millis(100));
    };
    let name = folder
        .file_name()
        .context("no name")?
        .to_string_lossy()
        .into_owned();
    assert!(told.contains(&name), "{told}");
    Ok(())
}
