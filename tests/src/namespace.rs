//! A network namespace of its own for every run: the client can reach the fake API and nothing else.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, ensure};

use crate::env::SYSTEM_PATH;

/// Ways to a namespace: root needs no more than the right, a user also maps itself to root within.
const WAYS: [&[&str]; 2] = [&["--net"], &["--map-root-user", "--net"]];

/// A command that will run `program` in a fresh namespace, with no variable but PATH. Loopback is still down there.
pub fn command(program: &Path) -> Result<Command> {
    let way = way().context("a network namespace can be made neither by `unshare --net` nor by `unshare --map-root-user --net`: run as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)")?;
    let mut command = unshare(way);
    command.arg("--").arg(program);
    Ok(command)
}

/// Brings loopback up; only for a process that [`command`] started.
pub fn raise_loopback() -> Result<()> {
    let output = Command::new("ip")
        .args(["link", "set", "lo", "up"])
        .output()
        .context("ip does not start: install iproute2")?;
    ensure!(
        output.status.success(),
        "ip link set lo up: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

fn way() -> Result<&'static [&'static str]> {
    static WAY: OnceLock<Option<&'static [&'static str]>> = OnceLock::new();
    WAY.get_or_init(|| WAYS.into_iter().find(|way| works(way)))
        .ok_or_else(|| anyhow!("unshare is refused or missing (package util-linux)"))
}

fn works(way: &[&str]) -> bool {
    unshare(way)
        .arg("true")
        .output()
        .is_ok_and(|output| output.status.success())
}

fn unshare(way: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command.args(way).env_clear().env("PATH", SYSTEM_PATH);
    command
}
