//! Bad disks: the hook exits 0, the person is told, and what was stored stays readable.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use bellwether_spine::trouble::Troubles;
use bellwether_tests::{Installation, Programs, fixture, namespace};

use super::fed::{give, prompt_of, quiet, start_of, told};

#[test]
fn a_journal_that_cannot_be_written_is_told_once_a_session() -> Result<()> {
    let place = Installation::fresh()?;
    std::fs::remove_dir(place.home().journal())?;
    std::fs::write(place.home().journal(), "a file where the folder should be")?;
    quiet(&give(place.hook(), &fixture::tool_call("lost", 100), false)?.0);
    let message =
        told(&give(place.hook(), &start_of("a"), false)?.0).context("nothing was told")?;
    assert!(
        message.starts_with("bellwether: events are being lost: cannot list "),
        "{message}"
    );
    quiet(&give(place.hook(), &prompt_of("a"), false)?.0);
    quiet(&give(place.hook(), &prompt_of("a"), false)?.0);
    assert!(told(&give(place.hook(), &prompt_of("b"), false)?.0).is_some());
    Ok(())
}

/// Runs a shell script where it may mount; `$HOOK` and `$CLI` are our programs, `$DISK` is a folder to mount on. The
/// programs are copies, so that a script may hide the folder they were built in.
fn mounted(script: &str) -> Result<String> {
    let folder = tempfile::Builder::new().prefix("bw-disk-").tempdir()?;
    let programs = Programs::built()?;
    let (hook, cli) = (
        folder.path().join("bellwether-hook"),
        folder.path().join("bellwether"),
    );
    std::fs::copy(programs.hook(), &hook)?;
    std::fs::copy(programs.main(), &cli)?;
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk)?;
    for (name, event) in [
        ("start", start_of("a")),
        ("prompt", prompt_of("a")),
        ("tool", fixture::tool_call("x", 100)),
    ] {
        std::fs::write(folder.path().join(name), event)?;
    }
    let output = namespace::mounting(Path::new("/bin/sh"))?
        .args(["-ec", script])
        .env("HOOK", hook)
        .env("CLI", cli)
        .env("DISK", disk)
        .current_dir(folder.path())
        .output()?;
    ensure!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn a_full_disk_is_told_and_what_was_stored_stays_readable() -> Result<()> {
    let said = mounted(
        r#"
        mount -t tmpfs -o size=4m none "$DISK"
        "$HOOK" --home "$DISK" < tool
        "$CLI" --home "$DISK" events > /dev/null
        script -qec "'$CLI' --home '$DISK' daemon stop" /dev/null < /dev/null > /dev/null
        dd if=/dev/zero of="$DISK/filler" bs=4k 2> /dev/null || true
        while "$HOOK" --home "$DISK" < tool && ! grep -q journal_not_written "$DISK/state/troubles.jsonl" 2> /dev/null; do
            n=$((n + 1)); [ $n -lt 100 ] || break
        done
        echo "start: $("$HOOK" --home "$DISK" < start)"
        echo "prompt: $("$HOOK" --home "$DISK" < prompt)"
        "$CLI" --home "$DISK" events --json --limit 1000 2> complaint || true
        rm "$DISK/filler"
        "$HOOK" --home "$DISK" < tool
        echo "after: $("$CLI" --home "$DISK" events --json --limit 0 | tail -n 1)"
        script -qec "'$CLI' --home '$DISK' daemon stop" /dev/null < /dev/null > /dev/null
        "#,
    )?;
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains("events are being lost"), "{said}");
    assert_eq!(lines[1], "prompt: ", "{said}");
    assert!(
        lines[2].contains("mark-x"),
        "the first event is still read: {said}"
    );
    assert!(said.contains("after: {"), "{said}");
    Ok(())
}

#[test]
fn a_read_only_disk_is_told_at_the_start_and_read_all_the_same() -> Result<()> {
    let said = mounted(
        r#"
        mount -t tmpfs none "$DISK"
        "$HOOK" --home "$DISK" < tool
        "$CLI" --home "$DISK" events > /dev/null
        script -qec "'$CLI' --home '$DISK' daemon stop" /dev/null < /dev/null > /dev/null
        mount --bind "$DISK" "$DISK"
        mount -o remount,bind,ro "$DISK"
        echo "tool: $("$HOOK" --home "$DISK" < tool 2>&1)"
        echo "start: $("$HOOK" --home "$DISK" < start)"
        echo "prompt: $("$HOOK" --home "$DISK" < prompt)"
        "$CLI" --home "$DISK" events --json
        "#,
    )?;
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "tool: ");
    assert!(
        lines[1].contains("systemMessage") && lines[1].contains("Read-only file system"),
        "{said}"
    );
    assert_eq!(lines[2], "prompt: ");
    assert!(lines[3].contains("mark-x"), "{said}");
    Ok(())
}

#[test]
fn without_home_the_user_database_is_asked() -> Result<()> {
    let said = mounted(
        r#"
        own=$(getent passwd "$(id -u)" | cut -d: -f6)
        mount -t tmpfs none "$own"
        "$HOOK" --no-daemon < tool
        find "$own/.local/state/bellwether" -name '*.jsonseq' -size +0
        "#,
    )?;
    assert!(said.contains("journal/0000000001.jsonseq"), "{said}");
    Ok(())
}

#[test]
fn a_user_without_any_home_is_told_and_not_harmed() -> Result<()> {
    let programs = Programs::built()?;
    let mut hook = Command::new("unshare");
    hook.args(["--user", "--map-user=54321", "--"])
        .arg(programs.hook())
        .env_clear();
    let (output, _) = give(hook, &start_of("a"), false)?;
    let message =
        told(&output).with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    assert!(message.contains("no home folder"), "{message}");
    Ok(())
}

#[test]
fn a_limit_on_file_sizes_does_not_kill_the_hook() -> Result<()> {
    let place = Installation::fresh()?;
    let event = place.root().join("event");
    std::fs::write(&event, fixture::tool_call("x", 100_000))?;
    let script = format!(
        "ulimit -f 8; exec \"$0\" --home \"$1\" --no-daemon < {}",
        event.display()
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .arg(place.programs().hook())
        .arg(place.root())
        .output()?;
    quiet(&output);
    assert!(
        Troubles(place.home()).recent()[0]
            .text
            .contains("bytes fitted"),
        "told as a short write"
    );
    Ok(())
}
