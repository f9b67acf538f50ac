//! What a hook leaves behind: a daemon that holds nothing of the hook's.

use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use bellwether_spine::Home as Files;
use bellwether_tests::{Installation, fixture};

use super::fed::{GUARD, give, quiet};

#[test]
fn a_hook_leaves_nobody_holding_its_streams() -> Result<()> {
    let place = Installation::fresh()?;
    let mut hook = place.hook();
    let (mut ours, theirs) = UnixStream::pair()?;
    ours.set_read_timeout(Some(GUARD))?;
    hook.stdin(Stdio::from(OwnedFd::from(theirs.try_clone()?)));
    hook.stdout(Stdio::from(OwnedFd::from(theirs.try_clone()?)));
    hook.stderr(Stdio::from(OwnedFd::from(theirs)));
    let mut child = hook.spawn()?;
    drop(hook);
    ours.write_all(&fixture::tool_call("x", 100))?;
    let mut said = String::new();
    // The end comes only when the hook and the daemon it started have let go of all three.
    ours.read_to_string(&mut said)?;
    assert_eq!(said, "");
    assert!(child.wait()?.success());
    assert_eq!(place.events()?.len(), 1);
    assert_eq!(place.daemons()?.len(), 1);
    Ok(())
}

#[test]
fn a_started_daemon_has_a_clean_environment() -> Result<()> {
    let place = Installation::fresh()?;
    let mut hook = place.hook();
    hook.env("ANTHROPIC_API_KEY", "sk-secret")
        .env("LD_PRELOAD", "")
        .env("PATH", "/evil:/bin")
        .current_dir("/tmp");
    quiet(&give(hook, &fixture::tool_call("x", 100), false)?.0);
    assert_eq!(place.events()?.len(), 1);
    let pid = place
        .daemons()?
        .first()
        .context("no daemon")?
        .as_raw_nonzero();
    let environment = std::fs::read_to_string(format!("/proc/{pid}/environ"))?;
    assert!(
        !environment.contains("sk-secret") && !environment.contains("evil"),
        "{environment:?}"
    );
    assert_eq!(
        std::fs::read_link(format!("/proc/{pid}/cwd"))?,
        Path::new("/")
    );
    for stream in 0..3 {
        assert_eq!(
            std::fs::read_link(format!("/proc/{pid}/fd/{stream}"))?,
            Path::new("/dev/null")
        );
    }
    Ok(())
}

#[test]
fn a_long_path_finds_its_sockets() -> Result<()> {
    let place = Installation::fresh()?;
    let deep = place.root().join("d".repeat(100)).join("e".repeat(100));
    let files = Files::find(Some(deep.clone()))?;
    let mut hook = Command::new(place.programs().hook());
    hook.arg("--home").arg(&deep);
    quiet(&give(hook, &fixture::tool_call("x", 100), false)?.0);
    let cli = |words: &[&str]| {
        Command::new(place.programs().main())
            .arg("--home")
            .arg(&deep)
            .args(words)
            .output()
    };
    assert!(String::from_utf8(cli(&["events", "--json"])?.stdout)?.contains("mark-x"));
    // Stopping is for a person at a terminal.
    let main = place.programs().main();
    let stop = format!(
        "'{}' --home '{}' daemon stop",
        main.display(),
        deep.display()
    );
    let stopped = Command::new("script")
        .args(["-qec", &stop, "/dev/null"])
        .env_remove("CLAUDECODE")
        .stdin(Stdio::null())
        .output()?;
    assert!(stopped.status.success());
    let sockets = files.wake_socket();
    std::fs::remove_dir(sockets.parent().context("a socket is in a folder")?)?;
    Ok(())
}
