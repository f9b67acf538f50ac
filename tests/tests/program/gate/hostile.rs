//! Checks that say too much, or what should steer a terminal.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result};
use bellwether_tests::{Project, process, wait};

use super::{lines, nothing_left, report, states};

const PATIENCE: Duration = Duration::from_secs(30);

fn project(run: &str) -> Result<Project> {
    Project::trusted(&format!(
        "gate: {{enabled: true, steps: {{loud: {{run: '{run}'}}}}}}\n"
    ))
}

#[test]
fn fifty_megabytes_are_read_and_cut() -> Result<()> {
    let project = project("yes line | head -c 50000000; echo error: the end; exit 1")?;
    let report = report(&project, &[])?;
    assert_eq!(states(&report), "loud failed");
    let said = lines(&report, "loud");
    assert!(said.contains("error: the end"), "{said}");
    assert!(said.len() < 3000, "{}", said.len());
    Ok(())
}

#[test]
fn an_endless_output_ends_at_the_deadline_in_little_memory() -> Result<()> {
    let project = project("while :; do echo all is well; done")?;
    let mut command = project.cli(["gate", "run", "--json", "--deadline-ms", "2000"]);
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let pid = rustix::process::Pid::from_child(&child);
    let mut memory = 0;
    let ended = wait::until(PATIENCE, || {
        // At its very end it has none.
        memory = memory.max(process::resident_kb(pid).unwrap_or_default());
        Ok(child.try_wait()?)
    })?;
    ended.context("it does not end")?;
    let report = super::read(&child.wait_with_output()?)?;
    assert_eq!(states(&report), "loud late");
    assert_eq!(lines(&report, "loud"), "all is well");
    assert!((1..60_000).contains(&memory), "{memory} kB");
    nothing_left(&project)
}

#[test]
fn a_flood_is_ended_without_a_deadline() -> Result<()> {
    let project = project("yes")?;
    let report = report(&project, &[])?;
    assert_eq!(states(&report), "loud failed");
    assert_eq!(
        lines(&report, "loud"),
        "it was ended: it said more than 256 MB"
    );
    nothing_left(&project)
}

#[test]
fn escapes_and_secrets_do_not_get_through() -> Result<()> {
    let project = project(
        r#"printf "\033[2J\033]0;owned\007error: \342\200\256evil\n"; echo "export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY0"; printf "\377\376 no text\n"; exit 1"#,
    )?;
    let output = project.cli(["gate", "run"]).output()?;
    let said = [output.stdout.as_slice(), &output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("error: evil"), "{said}");
    assert!(
        !said.contains('\u{1b}') && !said.contains('\u{7}') && !said.contains('\u{202e}'),
        "{said:?}"
    );
    assert!(!said.contains("wJalrXUtnFEMI"), "{said}");
    Ok(())
}

#[test]
fn checks_see_no_secret_of_whoever_started_them() -> Result<()> {
    let project = project("env; exit 1")?;
    let mut command = project.cli(["gate", "run", "--json"]);
    command
        .env("ANTHROPIC_API_KEY", "x")
        .env("CLAUDECODE", "1")
        .env("GIT_DIR", "/nowhere")
        .env("LANG", "C.UTF-8");
    let report = super::read(&command.output()?)?;
    let said = lines(&report, "loud");
    assert!(
        said.contains("LANG=C.UTF-8") && said.contains("UV_OFFLINE=1"),
        "{said}"
    );
    assert!(
        !said.contains("ANTHROPIC") && !said.contains("CLAUDECODE") && !said.contains("GIT_DIR"),
        "{said}"
    );
    Ok(())
}
