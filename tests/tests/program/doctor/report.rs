//! What a person reads, and that looking does no harm.

use anyhow::{Result, ensure};
use bellwether_spine::trouble::Troubles;
use bellwether_tests::{Settings, trace};
use serde_json::json;

use super::machine::Machine;

#[test]
fn a_healthy_machine_has_nothing_to_complain_of() -> Result<()> {
    let machine = Machine::healthy()?;
    let said = machine.doctor()?;
    for finding in &said.findings {
        // How the hook is linked depends on who built it, and whether something plays sound on the machine; both
        // have tests of their own.
        let own = finding["check"] == "linked" || finding["check"] == "sound";
        ensure!(own || finding["level"] == "good", "{finding}");
    }
    assert_eq!(said.exit, Some(0));
    Ok(())
}

#[test]
fn looking_changes_nothing() -> Result<()> {
    let machine = Machine::healthy()?;
    std::fs::write(machine.path("project/.claude/settings.local.json"), "{")?;
    Troubles(machine.bellwether.home()).note("disk", "the disk is full")?;
    let folders = [machine.folder.path(), machine.bellwether.root()];
    let before = folders.map(trace::of);
    assert_eq!(machine.doctor()?.exit, Some(1));
    for (before, folder) in before.into_iter().zip(folders) {
        assert_eq!(trace::of(folder)?, before?);
    }
    Ok(())
}

#[test]
fn a_person_reads_a_line_a_check() -> Result<()> {
    let machine = Machine::healthy()?;
    machine.project_settings(&Settings::new().set("disableAllHooks", json!(true)))?;
    let program = machine.bellwether.programs().main();
    let output = machine.command(&program, &[]).output()?;
    let text = String::from_utf8(output.stdout)?;
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr)?, "");
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(
        text.contains("✓ troubles      none in the last day\n"),
        "{text}"
    );
    assert!(text.contains("\n✗ project       "), "{text}");
    assert!(
        text.contains("\n                → remove disableAllHooks"),
        "{text}"
    );
    assert!(text.contains("\n1 problem, "), "{text}");
    Ok(())
}
