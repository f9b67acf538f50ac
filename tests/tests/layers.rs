//! The house rules that can be read off the tree: what the hook links, and how.

use std::process::Command;

use anyhow::{Result, ensure};
use bellwether_tests::Programs;

/// What must never be on the way of an event through the hook.
const HEAVY: [&str; 14] = [
    "tokio",
    "mio",
    "rusqlite",
    "libsqlite3-sys",
    "axum",
    "hyper",
    "clap",
    "tracing",
    "regex",
    "toml",
    "serde_yaml",
    "serde-saphyr",
    "jiff",
    "pulseaudio",
];

fn dependencies(package: &str) -> Result<Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{lib}",
            "--package",
            package,
        ])
        .output()?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?
        .lines()
        .map(|name| name.replace('_', "-"))
        .collect())
}

#[test]
fn the_hook_and_what_it_stands_on_are_light() -> Result<()> {
    for package in ["bellwether-protocol", "bellwether-spine", "bellwether-hook"] {
        let found = dependencies(package)?;
        ensure!(
            found.iter().any(|name| name == "serde-json"),
            "cargo tree shows nothing: {found:?}"
        );
        let heavy: Vec<_> = HEAVY
            .iter()
            .filter(|name| found.iter().any(|found| found == *name))
            .collect();
        assert!(heavy.is_empty(), "{package} depends on {heavy:?}");
    }
    Ok(())
}

#[test]
fn the_daemon_is_what_the_rule_forbids() -> Result<()> {
    // If this fails the names above have changed, and the other test proves nothing.
    let found = dependencies("bellwether-daemon")?;
    for name in ["tokio", "rusqlite", "hyper", "tracing"] {
        assert!(
            found.iter().any(|found| found == name),
            "{name} is not in {found:?}"
        );
    }
    Ok(())
}

#[test]
fn dependencies_point_downwards() -> Result<()> {
    const ORDER: [&str; 11] = [
        "bellwether-protocol",
        "bellwether-shell",
        "bellwether-spine",
        "bellwether-hook",
        "bellwether-announce",
        "bellwether-audio",
        "bellwether-creature",
        "bellwether-flock",
        "bellwether-config",
        "bellwether-daemon",
        "bellwether",
    ];
    for (place, package) in ORDER.iter().enumerate() {
        let found = dependencies(package)?;
        for above in &ORDER[place + 1..] {
            assert!(
                !found.iter().any(|name| name == above),
                "{package} depends on {above}"
            );
        }
    }
    let flock = dependencies("bellwether-flock")?;
    assert!(
        !flock.iter().any(|name| name == "bellwether-hook"),
        "the flock knows the hook"
    );
    Ok(())
}

/// A dynamically linked hook would be a third slower; where the C library's static form is missing it is accepted.
#[test]
fn the_hook_is_linked_statically() -> Result<()> {
    let libc = Command::new("cc").arg("-print-file-name=libc.a").output()?;
    if !libc.stdout.contains(&b'/') {
        return Ok(());
    }
    let output = Command::new("ldd")
        .arg(Programs::built()?.hook())
        .output()?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(
        said.contains("statically linked") || said.contains("not a dynamic executable"),
        "{said}"
    );
    Ok(())
}
