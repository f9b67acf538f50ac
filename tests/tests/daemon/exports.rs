//! Sessions that have ended become pages, also when the daemon ends before they do.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use bellwether_tests::Installation;
use serde_json::json;

/// An installation whose person has named a folder, and the transcripts of two sessions.
fn keeping() -> Result<(Installation, Vec<PathBuf>)> {
    let place = Installation::fresh()?;
    let config = format!("transcripts: {{folder: {}}}\n", kept(&place).display());
    place.configure(&config)?;
    let projects = place.client_folder().join("projects/-home-dev-proj");
    std::fs::create_dir_all(&projects)?;
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/transcript/fixtures");
    let mut transcripts = Vec::new();
    for name in ["basic", "shop"] {
        let entries = std::fs::read_dir(PathBuf::from(fixtures).join(name))?;
        let mut files = entries.flatten().map(|entry| entry.path());
        let file = files.find(|path| path.is_file()).context("no transcript")?;
        let to = projects.join(file.file_name().context("a file has a name")?);
        std::fs::copy(&file, &to)?;
        transcripts.push(to);
    }
    Ok((place, transcripts))
}

fn kept(place: &Installation) -> PathBuf {
    place.root().join("kept")
}

/// How many files a folder has with something in their names.
fn count(folder: &std::path::Path, part: &str) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().contains(part))
        .count()
}

fn end(place: &Installation, transcript: &std::path::Path) -> Result<()> {
    let session = transcript.file_stem().unwrap_or_default();
    let event = json!({
        "hook_event_name": "SessionEnd", "session_id": session.to_string_lossy(), "reason": "other",
        "transcript_path": transcript, "cwd": "/home/dev/proj",
    });
    place.visit(event.to_string().as_bytes())?;
    Ok(())
}

#[test]
fn sessions_that_wait_when_the_daemon_dies_are_exported_by_the_next() -> Result<()> {
    let (place, transcripts) = keeping()?;
    // A file that is being written has a point in its name.
    let waiting = || count(&place.home().exports(), "") - count(&place.home().exports(), ".");
    let daemon = place.start_daemon(&[])?;
    for transcript in &transcripts {
        end(&place, transcript)?;
    }
    place.wait_for("both to wait", || Ok(waiting() == 2))?;
    // An export waits for the last lines of its transcript for longer than this takes.
    place.kill_all()?;
    drop(daemon);
    assert_eq!(count(&kept(&place), ".html"), 0, "none is made yet");
    let _daemon = place.start_daemon(&[])?;
    place.wait_for("both pages", || Ok(count(&place.home().exports(), "") == 0))?;
    let index = std::fs::read_to_string(kept(&place).join("index.html"))?;
    assert_eq!(count(&kept(&place), ".html"), 3, "two pages and the index");
    assert_eq!(index.matches("<tr><td").count(), 2);
    Ok(())
}

#[test]
fn what_is_noted_reads_no_other_file_than_the_client_s_own() -> Result<()> {
    let (place, transcripts) = keeping()?;
    let elsewhere = place.root().join("elsewhere.jsonl");
    std::fs::copy(&transcripts[0], &elsewhere)?;
    let folder = place.home().exports();
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("01"), elsewhere.display().to_string())?;
    let _daemon = place.start_daemon(&[])?;
    place.wait_for("it to be settled", || Ok(count(&folder, "") == 0))?;
    assert_eq!(count(&kept(&place), ".html"), 0);
    Ok(())
}
