//! What is printed, and what becomes of it when nobody reads it.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use bellwether_tests::installation::Daemon;
use bellwether_tests::run::printed;
use bellwether_tests::{Installation, fixture};
use serde_json::Value;

/// Every way to have something printed, with whether it is JSON.
const PRINTED: &[(&str, Form)] = &[
    ("--help", Form::Text),
    ("help", Form::Text),
    ("help config set", Form::Text),
    ("--version", Form::Text),
    ("versions 2.0.30", Form::Text),
    ("versions 2.0.30 --json", Form::Json),
    ("versions --all", Form::Text),
    ("versions --all --json", Form::Json),
    ("status", Form::Text),
    ("status --json", Form::Json),
    ("events", Form::Text),
    ("events --json", Form::Lines),
    ("events --event Stop", Form::Text),
    ("flock --once", Form::Text),
    ("flock --json", Form::Json),
    ("export", Form::Lines),
    ("export --format csv", Form::Text),
    ("purge --all --dry-run", Form::Text),
    ("purge --all --dry-run --json", Form::Json),
    ("announce --all", Form::Text),
    ("announce --all --json", Form::Lines),
    ("mute 1m", Form::Text),
    ("unmute", Form::Text),
    ("unmute", Form::Text),
    ("sounds list", Form::Text),
    ("sounds list --json", Form::Json),
    ("voices list", Form::Text),
    ("voices list --json", Form::Json),
    ("voices test embedded --silent", Form::Text),
    ("voices test embedded --silent --json", Form::Json),
    ("character list", Form::Text),
    ("character list --json", Form::Lines),
    ("character show toad", Form::Json),
    ("character try hello --profile toad", Form::Text),
    ("character try hello --profile toad --json", Form::Json),
    ("creature worker", Form::Text),
    ("overlay --status", Form::Text),
    ("overlay --status --json", Form::Json),
    ("open --print", Form::Text),
    ("open --json", Form::Json),
    ("open --tokens", Form::Text),
    ("open --tokens --json", Form::Json),
    ("transcript show session.jsonl", Form::Text),
    ("transcript show session.jsonl --json", Form::Lines),
    ("transcript export session.jsonl --output -", Form::Text),
    (
        "transcript export session.jsonl --md --output -",
        Form::Text,
    ),
    ("transcript summary notes.txt", Form::Text),
    ("transcript summary notes.txt --json", Form::Json),
    ("doctor", Form::Text),
    ("doctor --json", Form::Json),
    ("explain event.json", Form::Json),
    ("guard explain true", Form::Text),
    ("guard explain true --json", Form::Json),
    ("guard test table.jsonl", Form::Text),
    ("guard test table.jsonl --json", Form::Json),
    ("guard log", Form::Text),
    ("guard stats", Form::Text),
    ("guard stats --json", Form::Json),
    ("guard log --json", Form::Lines),
    ("guard log --verify", Form::Text),
    ("guard log --verify --json", Form::Json),
    ("guard allow --list", Form::Text),
    ("guard allow --list --json", Form::Json),
    ("guard rules", Form::Text),
    ("guard rules --json", Form::Json),
    ("gate run", Form::Text),
    ("gate run --json", Form::Json),
    ("gate status", Form::Text),
    ("gate status --json", Form::Json),
    ("gate explain", Form::Text),
    ("gate explain --json", Form::Json),
    ("gate clear --all", Form::Text),
    ("gate clear --all --json", Form::Json),
    ("workflow status", Form::Text),
    ("workflow status --json", Form::Json),
    ("workflow board", Form::Text),
    ("workflow board --json", Form::Json),
    ("config show", Form::Text),
    ("config show --json", Form::Json),
    ("config show --changed", Form::Text),
    ("config show --changed --json", Form::Json),
    ("config get audio", Form::Text),
    ("config get audio.volume --json", Form::Json),
    ("config path", Form::Text),
    ("config path --json", Form::Json),
    ("config check", Form::Text),
    ("config check --json", Form::Json),
    ("config set", Form::Text),
    ("config set --json", Form::Json),
    ("config set audio.volume 0.5", Form::Text),
    ("config unset audio.volume", Form::Text),
    ("config key list", Form::Text),
    ("config key list --json", Form::Json),
    ("config schema", Form::Json),
    ("daemon start --port 0", Form::Text),
    ("daemon start --port 0 --json", Form::Json),
    ("daemon status", Form::Text),
    ("daemon status --json", Form::Json),
    ("install --dry-run", Form::Text),
    ("uninstall --dry-run", Form::Text),
    ("upgrade --dry-run", Form::Text),
    ("upgrade --dry-run --json", Form::Json),
    ("daemon unit", Form::Text),
    ("completions bash", Form::Text),
    ("man", Form::Text),
    ("hook --help", Form::Text),
];

/// Commands that are not in the table, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    ("say", "speaks; prints nothing"),
    ("demo", "takes a minute"),
    ("forward", "prints nothing"),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Text,
    Json,
    /// One value a line.
    Lines,
}

/// A place in which there is something to print.
fn place() -> Result<(Installation, Daemon)> {
    let place = Installation::fresh()?;
    let rows = (0..3).map(|_| r#"{"command": "true", "expect": "deny"}"#);
    let project = place.root().join("project");
    std::fs::create_dir_all(project.join(".bellwether"))?;
    std::fs::write(
        project.join(".bellwether/workflow.json"),
        r#"{"version": 1, "flow": "pdca", "features": {}, "history": []}"#,
    )?;
    std::fs::write(
        project.join("table.jsonl"),
        rows.collect::<Vec<_>>().join("\n"),
    )?;
    std::fs::write(
        project.join("notes.txt"),
        "I have built the house. It stands.\n",
    )?;
    std::fs::write(project.join("event.json"), fixture::tool_call("x", 100))?;
    printed(
        Command::new("git")
            .args(["init", "-q"])
            .current_dir(&project),
    )?;
    std::fs::copy(fixture::transcript("shop")?, project.join("session.jsonl"))?;
    // The page's address needs one that serves it.
    let (daemon, _) = place.start_serving(&[])?;
    assert!(place.visit(&fixture::tool_call("one", 100))?.success());
    Ok((place, daemon))
}

fn started(place: &Installation, line: &str) -> Command {
    let mut command = place.cli(line.split(' '));
    command.current_dir(place.root().join("project"));
    command
}

/// A pipe that nobody reads.
fn unread() -> Result<Stdio> {
    let (reader, writer) = std::io::pipe()?;
    drop(reader);
    Ok(writer.into())
}

#[test]
fn a_reader_that_has_gone_harms_nothing() -> Result<()> {
    let (place, _daemon) = place()?;
    for (line, _) in PRINTED {
        let usual = started(&place, line).stdin(Stdio::null()).output()?;
        let output = started(&place, line)
            .stdin(Stdio::null())
            .stdout(unread()?)
            .stderr(Stdio::piped())
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.signal(), None, "{line}: {said}");
        let code = output.status.code();
        assert!(
            code == Some(0) || code == usual.status.code(),
            "{line}: {code:?} {said}"
        );
        assert!(
            !said.contains("panicked") && !said.contains("pipe"),
            "{line}: {said}"
        );
        // The same when both are read by whoever has gone.
        let both = started(&place, line)
            .stdin(Stdio::null())
            .stdout(unread()?)
            .stderr(unread()?)
            .status()?;
        assert_eq!((both.signal(), both.code()), (None, code), "{line}");
    }
    Ok(())
}

/// What cannot be printed for another reason is told.
#[test]
fn a_full_disk_is_told_once() -> Result<()> {
    let (place, _daemon) = place()?;
    for line in [
        "status",
        "config show",
        "mute 1m",
        "unmute",
        "guard rules --json",
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full")?;
        let output = started(&place, line).stdout(full).output()?;
        let said = String::from_utf8(output.stderr)?;
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        assert_eq!(said.matches("os error").count(), 1, "{line}: {said}");
        assert!(
            said.starts_with("bellwether: cannot print: "),
            "{line}: {said}"
        );
    }
    Ok(())
}

#[test]
fn what_says_that_it_is_json_is() -> Result<()> {
    let (place, _daemon) = place()?;
    for (line, form) in PRINTED.iter().filter(|(_, form)| *form != Form::Text) {
        let output = started(&place, line).stdin(Stdio::null()).output()?;
        let said = String::from_utf8(output.stdout)?;
        let why = || format!("{line}: {said}{}", String::from_utf8_lossy(&output.stderr));
        match form {
            Form::Json => drop(serde_json::from_str::<Value>(&said).with_context(why)?),
            _ => {
                for line in said.lines() {
                    serde_json::from_str::<Value>(line).with_context(why)?;
                }
            }
        }
    }
    Ok(())
}

/// A new command is in the table, or says why not.
#[test]
fn every_command_is_tried() -> Result<()> {
    let place = Installation::fresh()?;
    let help = place.printed(&["--help"])?;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let tried = PRINTED
            .iter()
            .any(|(line, _)| line.split(' ').next() == Some(name));
        let elsewhere = ELSEWHERE.iter().any(|(known, _)| *known == name);
        assert!(tried != elsewhere, "{name}");
    }
    Ok(())
}
