//! The client and our own programs.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use super::machine::{Machine, executable, mode};

#[test]
fn the_client_is_asked_for_its_version() -> Result<()> {
    let machine = Machine::healthy()?;
    for (script, level, words) in [
        ("echo '2.1.100 (Claude Code)'", "note", "older than 2.1.139"),
        ("echo '2.2.0 (Claude Code)'", "note", "newer than 2.1.325"),
        ("echo hello", "warning", "its answer was \"hello\""),
        ("exit 3", "warning", "it fails: exit status: 3"),
        ("sleep 60", "warning", "does not answer within"),
    ] {
        machine.client(script)?;
        machine.doctor()?.finds("client", level, words)?;
    }
    std::fs::remove_file(machine.path("bin/claude"))?;
    machine
        .doctor()?
        .finds("client", "warning", "not on PATH")?;
    Ok(())
}

/// A copy of the programs that can be spoilt.
fn copied(machine: &Machine) -> Result<PathBuf> {
    let folder = machine.path("copy");
    std::fs::create_dir(&folder)?;
    let programs = machine.bellwether.programs();
    std::fs::copy(programs.hook(), folder.join("bellwether-hook"))?;
    std::fs::copy(programs.main(), folder.join("bellwether"))?;
    Ok(folder)
}

#[test]
fn both_programs_are_there_and_nobody_else_changes_them() -> Result<()> {
    let machine = Machine::healthy()?;
    let folder = copied(&machine)?;
    let (main, hook) = (folder.join("bellwether"), folder.join("bellwether-hook"));
    machine.run(&main, &["--json"])?.assert_good("binary");

    mode(&folder, 0o777)?;
    mode(&hook, 0o757)?;
    let said = machine.run(&main, &["--json"])?;
    said.finds("binary", "problem", "everyone may change")?;
    assert_eq!(said.of("binary").len(), 2);
    assert_eq!(said.exit, Some(1));
    machine
        .run(&main, &["--json", "--fix"])?
        .assert_good("binary");
    assert_eq!(hook.metadata()?.permissions().mode() & 0o777, 0o755);

    executable(
        &hook,
        "#!/bin/sh\necho 'bellwether-hook 0.0.1: reads one event'\n",
    )?;
    machine
        .run(&main, &["--json"])?
        .finds("binary", "warning", "the hook is version 0.0.1")?;
    std::fs::remove_file(&hook)?;
    machine
        .run(&main, &["--json"])?
        .finds("binary", "problem", "does not exist")?;
    Ok(())
}

/// The beginning of a 64-bit program with one header of this type.
fn program_with_header(kind: u8) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
    bytes.resize(64 + 56, 0);
    (bytes[32], bytes[54], bytes[56], bytes[64]) = (64, 56, 1, kind);
    bytes
}

#[test]
fn a_dynamic_hook_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let folder = copied(&machine)?;
    let (main, hook) = (folder.join("bellwether"), folder.join("bellwether-hook"));
    executable(&hook, program_with_header(1))?;
    machine.run(&main, &["--json"])?.assert_good("linked");
    executable(&hook, program_with_header(3))?;
    let said = machine.run(&main, &["--json"])?;
    let finding = said.finds("linked", "warning", "linked dynamically")?;
    assert!(
        finding["advice"].to_string().contains("libc6-dev"),
        "{finding}"
    );
    Ok(())
}

#[test]
fn who_is_slow_is_told_by_the_clients_own_clock() -> Result<()> {
    let machine = Machine::healthy()?;
    let folder = machine.path(".claude/projects/-project");
    std::fs::create_dir_all(&folder)?;
    let run = |command: &str, ms: u64| json!({"command": command, "durationMs": ms});
    let stop = json!({"type": "system", "subtype": "stop_hook_summary",
        "hookInfos": [run("/o/bellwether-hook --client 2.1.325", 9), run("python3 /x/slow.py", 1200)]});
    std::fs::write(folder.join("a.jsonl"), format!("{stop}\n"))?;
    let said = machine.doctor()?;
    said.finds(
        "cost",
        "good",
        "slow.py 1200 ms (longest 1200 ms, 1 run), bellwether-hook 9 ms (user settings, longest 9 ms, 1 run)",
    )?;
    said.finds("cost", "warning", "slow.py 1200 ms")?;
    Ok(())
}
