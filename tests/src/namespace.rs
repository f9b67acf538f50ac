//! Namespaces: one of the network for every run of the client, so that it can reach the fake API and nothing else; one
//! of mounts for a test that fills a disk or takes its right to write away.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};

use crate::env::SYSTEM_PATH;

/// Root needs no more than the right; a user also maps itself to root within.
const AS: [&[&str]; 2] = [&[], &["--map-root-user"]];

/// A command that will run `program` in a fresh namespace, with no variable but PATH. Loopback is still down there.
pub fn command(program: &Path) -> Result<Command> {
    entering("--net", &NETWORK, program)
}

/// A command that will run `program` in the network of a process that [`command`] started.
pub fn joining(pid: u32, program: &str) -> Result<Command> {
    let way = NETWORK.get().copied().flatten();
    let way = way.context("no process of ours has a network of its own yet")?;
    let mut command = Command::new("nsenter");
    command.args(["--target", &pid.to_string(), "--net"]);
    if !way.is_empty() {
        command.args(["--user", "--preserve-credentials"]);
    }
    command.args(["--", program]);
    command.env_clear().env("PATH", SYSTEM_PATH);
    Ok(command)
}

/// A command that will run `program` where it may mount what it likes and nobody else sees it.
pub fn mounting(program: &Path) -> Result<Command> {
    static WAY: Way = OnceLock::new();
    entering("--mount", &WAY, program)
}

/// The same as root, for what needs other users too: by sudo where we are not root.
pub fn mounting_as_root(program: &Path) -> Command {
    let is_root = rustix::process::geteuid().is_root();
    let words: &[&str] = if is_root {
        &["unshare"]
    } else {
        &["sudo", "--non-interactive", "unshare"]
    };
    let mut command = Command::new(words[0]);
    command
        .args(&words[1..])
        .args(["--mount", "--"])
        .arg(program)
        .env_clear()
        .env("PATH", SYSTEM_PATH);
    command
}

/// How a namespace of the network is made here.
static NETWORK: Way = OnceLock::new();

type Way = OnceLock<Option<&'static [&'static str]>>;

fn entering(kind: &str, way: &Way, program: &Path) -> Result<Command> {
    let way = way.get_or_init(|| AS.into_iter().find(|way| works(kind, way)));
    let way = way.with_context(|| {
        format!(
            "a namespace can be made neither by `unshare {kind}` nor by `unshare --map-root-user {kind}`: run as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0); unshare itself is in the package util-linux"
        )
    })?;
    let mut command = unshare(kind, way);
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

fn works(kind: &str, way: &[&str]) -> bool {
    unshare(kind, way)
        .arg("true")
        .output()
        .is_ok_and(|output| output.status.success())
}

fn unshare(kind: &str, way: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command
        .args(way)
        .arg(kind)
        .env_clear()
        .env("PATH", SYSTEM_PATH);
    command
}
