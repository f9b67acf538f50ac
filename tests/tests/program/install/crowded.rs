//! Installers that are killed, or that are many.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Result;
use bellwether_tests::{User, client};
use serde_json::Value;

/// Killed at any moment, the file is the old or the new one, and the next install is none the worse.
#[test]
fn a_killed_installer_leaves_the_old_file_or_the_new_one() -> Result<()> {
    /// How many times the kill is to come too late before every moment has been tried.
    const TOO_LATE: u32 = 10;
    let user = User::new()?;
    let old = format!("{{\n  \"filler\": \"{}\"\n}}\n", "x".repeat(2 << 20)).into_bytes();
    user.write(&old)?;
    // `--client-version`: what is to be killed is the writing, not the asking.
    let install = || {
        let mut command = user.command(&["install", "--client-version", client::CLIENT_VERSION]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let begun = Instant::now();
    assert!(install().status()?.success());
    let step = begun.elapsed() / 100;
    let new = fs::read(user.settings())?;
    let (mut olds, mut news, mut wait) = (0, 0, Duration::ZERO);
    // Where other tests have the machine now, an installer takes longer than it took before.
    while news < TOO_LATE {
        user.write(&old)?;
        let mut child = install().spawn()?;
        std::thread::sleep(wait);
        child.kill()?;
        child.wait()?;
        let found = fs::read(user.settings())?;
        assert!(
            found == old || found == new,
            "{} bytes after {wait:?}",
            found.len()
        );
        if found == old {
            olds += 1;
        } else {
            news += 1;
        }
        wait += step + wait / 50;
    }
    assert!(olds > 0, "it was never killed in time");
    user.write(&old)?;
    user.installed()?;
    assert!(user.at_terminal(&["uninstall"])?.starts_with("exit 0\n"));
    assert_eq!(fs::read(user.settings())?, old);
    assert_eq!(
        fs::read_dir(user.home.join(".claude"))?.count(),
        1,
        "nothing is left beside it"
    );
    Ok(())
}

#[test]
fn many_installers_at_once_write_one_good_file() -> Result<()> {
    let user = User::new()?;
    user.write("{\"a\": 1}")?;
    let children: Vec<_> = (0..12)
        .map(|_| user.command(&["install"]).stdout(Stdio::null()).spawn())
        .collect::<Result<_, _>>()?;
    for mut child in children {
        assert!(child.wait()?.success());
    }
    let settings: Value = serde_json::from_slice(&fs::read(user.settings())?)?;
    let stop = &settings["hooks"]["Stop"];
    assert_eq!(stop.as_array().map(Vec::len), Some(1), "{stop}");
    assert!(user.at_terminal(&["uninstall"])?.starts_with("exit 0\n"));
    assert_eq!(fs::read_to_string(user.settings())?, "{\"a\": 1}");
    Ok(())
}

/// Nothing that takes seconds stands between a person and the prompt.
#[test]
fn installing_takes_less_than_two_seconds() -> Result<()> {
    let user = User::new()?;
    let begun = Instant::now();
    user.installed()?;
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    Ok(())
}
