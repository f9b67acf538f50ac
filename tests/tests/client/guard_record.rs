//! The guard under the real client: ordinary work passes, and what was stopped is on record.

use std::fs;

use anyhow::{Context as _, Result};
use bellwether_flock::Reader;
use bellwether_tests::{Scenario, wait};

use super::guarded::{CLEANS, DENIED, Guarded, PATIENCE, assert_refused};

#[test]
fn what_is_harmless_passes_and_what_was_stopped_is_on_record() -> Result<()> {
    let guarded = Guarded::new()?;
    let scenario = Scenario::new("files")
        .says("Some ordinary work.")
        .bash("echo 'rm -rf /' && grep -c gate notes.txt")
        .says("A file that can be made again.")
        .bash("mkdir -p node_modules/x && rm -rf node_modules && echo built")
        .says("A secret.")
        .write(".env", "TOKEN=abc\n")
        .says("A file of mine.")
        .read("notes.txt")
        .says("Better.")
        .edit("notes.txt", "asleep", "awake")
        .says("And away with it all.")
        .bash(DENIED)
        .says("Done.");
    guarded.play("acceptEdits", scenario)?;
    let results = guarded.results("files")?;
    assert!(results[0].contains("rm -rf /\n1"), "{results:?}");
    assert!(results[1].contains("built"), "{results:?}");
    assert_refused(&results[2], ".env may hold secrets");
    assert!(!guarded.home.project().join(".env").exists());
    let notes = fs::read_to_string(guarded.home.project().join("notes.txt"))?;
    assert!(notes.contains("the dog is awake"), "{notes}");
    assert_refused(&results[5], CLEANS);
    on_record(&guarded)
}

fn on_record(guarded: &Guarded) -> Result<()> {
    let log = fs::read_to_string(guarded.state("security.log"))?;
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    for (line, rest) in lines.iter().zip([
        r#"/.env may hold secrets" ""#,
        r#"] BLOCKED validate-bash "`git clean` deletes files"#,
    ]) {
        assert!(line.starts_with("[20") && line.contains(rest), "{line}");
        assert!(line.contains("Z] BLOCKED "), "{line}");
    }
    // The daemon takes each head out of the journal.
    let kept = wait::until(PATIENCE, || {
        let reader = Reader::open(&guarded.state("flock.db")).ok().flatten();
        let heads = reader.map(|reader| reader.audit_heads()).transpose()?;
        Ok(heads.filter(|heads| heads.len() == 2))
    })?;
    kept.context("the daemon has not kept the heads")?;
    assert_eq!(guarded.verify()?, "2 lines, the chain is intact\n");

    let audit = guarded.state("audit.jsonl");
    let whole = fs::read_to_string(&audit)?;
    fs::write(&audit, whole.replacen("acceptEdits", "plan", 1))?;
    let told = guarded.verify()?;
    assert!(told.contains(":1: it was changed"), "{told}");
    let (first, _) = whole.split_once('\n').context("no line")?;
    fs::write(&audit, format!("{first}\n"))?;
    let told = guarded.verify()?;
    assert!(told.contains("number 2 is missing"), "{told}");
    Ok(())
}
