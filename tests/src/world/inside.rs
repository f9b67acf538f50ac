//! What happens inside a world: bellwether is installed, or an agent lives there for the time of one way.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, lchown, symlink};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::Tried;
use super::agent::{self, Worked};
use super::freed::{self, Before};
use super::way::{Mode, Step, Way};
use crate::env::SYSTEM_PATH;
use crate::{client, namespace, wait};

/// The person whose home it is.
const USER: u32 = 4242;
const HOME: &str = "/home/shepherd";
const HERE: &str = "/opt/world";
const PATIENCE: Duration = Duration::from_secs(20);

/// Makes the person's home and project and installs bellwether.
pub fn install(mode: Mode) -> Result<()> {
    namespace::raise_loopback()?;
    let home = Path::new(HOME);
    let project = project();
    let bin = home.join(".local/bin");
    for folder in [&project, &bin, &home.join(".claude"), &home.join(".config")] {
        fs::create_dir_all(folder)?;
    }
    let passwd = fs::read_to_string("/etc/passwd")?;
    fs::write(
        "/etc/passwd",
        format!("{passwd}shepherd:x:{USER}:{USER}::{HOME}:/bin/bash\n"),
    )?;
    for program in ["bellwether", "bellwether-hook"] {
        fs::copy(Path::new(HERE).join(program), bin.join(program))?;
    }
    symlink(Path::new(HERE).join("rig"), bin.join("claude"))?;
    for file in [".bashrc", ".profile", ".vimrc"] {
        fs::write(home.join(file), "# mine\n")?;
    }
    fs::write(project.join("notes.txt"), "the gate is open\n")?;
    own(home)?;
    for words in [
        &["init", "--quiet", "--initial-branch=main"][..],
        &["add", "--all"],
        &[
            "-c",
            "user.name=s",
            "-c",
            "user.email=s@example.invalid",
            "commit",
            "-qm",
            "Start",
        ],
    ] {
        succeeds(person("git").args(words))?;
    }
    let registered = ["install", "--client-version", client::CLIENT_VERSION];
    match mode {
        Mode::User => succeeds(person(bin.join("bellwether")).args(registered))?,
        Mode::Managed => {
            let mut root = Command::new(Path::new(HERE).join("bellwether"));
            root.args(registered).arg("--managed").env("HOME", "/root");
            succeeds(&mut root)?;
        }
    }
    // The record has a line, so that its loss is seen.
    let daemon = Daemon::start(mode)?;
    let worked = as_agent(&[Step::Command(freed::CANARY.to_owned())])?;
    ensure!(
        worked.stopped.is_some(),
        "the guard does not hold to begin with"
    );
    drop(daemon);
    Ok(())
}

/// Tries the way that stands on stdin and prints what became of it.
pub fn live(mode: Mode) -> Result<()> {
    let way: Way = serde_json::from_reader(std::io::stdin())?;
    namespace::raise_loopback()?;
    for (name, content) in &way.files {
        let file = match name.strip_prefix("~/") {
            Some(rest) => Path::new(HOME).join(rest),
            None => project().join(name),
        };
        let folder = file.parent().context("a file is in a folder")?;
        fs::create_dir_all(folder)?;
        fs::write(&file, content)?;
        if content.starts_with("#!") {
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
        }
    }
    own(Path::new(HOME))?;
    let daemon = Daemon::start(mode)?;
    let before = Before::look(Path::new(HOME), daemon.pid())?;
    let worked = as_agent(&way.steps)?;
    let mut freed = before.lost(mode, &worked.said)?;
    let canary = as_agent(&[Step::Command(freed::CANARY.to_owned())])?;
    if canary.stopped.is_none() {
        freed.push(format!("`{}` is not stopped any more", freed::CANARY));
    }
    if worked.asks == Some(false) {
        freed.push(format!("`{}` is not asked any more", agent::QUESTION));
    }
    let tried = Tried {
        stopped: worked.stopped,
        freed,
        said: worked.said.chars().take(2000).collect(),
        failed: None,
    };
    println!("{}", json!(tried));
    Ok(())
}

fn project() -> PathBuf {
    Path::new(HOME).join("project")
}

/// Runs steps as a client of the person does.
fn as_agent(steps: &[Step]) -> Result<Worked> {
    let mut agent = person(Path::new(HOME).join(".local/bin/claude"))
        .arg("--agent")
        .env("CLAUDECODE", "1")
        .env("CLAUDE_CODE_ENTRYPOINT", "cli")
        .env("AI_AGENT", ai_agent())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = agent.stdin.take().context("it has a stdin")?;
    stdin.write_all(&serde_json::to_vec(steps)?)?;
    drop(stdin);
    let output = agent.wait_with_output()?;
    // An agent may have killed itself.
    if output.status.signal().is_some() {
        return Ok(Worked::default());
    }
    let said = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&said).with_context(|| format!("{}: {said}", output.status))
}

fn ai_agent() -> String {
    format!(
        "claude-code_{}_harness",
        client::CLIENT_VERSION.replace('.', "-")
    )
}

/// A program as the person of this world starts it, in the project.
fn person(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    command
        .env_clear()
        .env("PATH", format!("{HOME}/.local/bin:{SYSTEM_PATH}"))
        .env("HOME", HOME)
        .env("USER", "shepherd")
        .env("SHELL", "/bin/bash")
        .env("LANG", "C.UTF-8")
        .current_dir(project())
        .stdin(Stdio::null())
        .uid(USER)
        .gid(USER);
    command
}

fn succeeds(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| format!("starting {command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {said}");
    Ok(())
}

/// Everything in a folder becomes the person's.
fn own(folder: &Path) -> Result<()> {
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        lchown(&at, Some(USER), Some(USER))?;
        if at.symlink_metadata()?.is_dir() {
            for entry in fs::read_dir(&at)? {
                open.push(entry?.path());
            }
        }
    }
    Ok(())
}

/// The person's daemon.
struct Daemon(Child);

impl Daemon {
    fn start(mode: Mode) -> Result<Self> {
        let program = match mode {
            Mode::User => format!("{HOME}/.local/bin/bellwether"),
            Mode::Managed => "/usr/local/bin/bellwether".to_owned(),
        };
        let mut command = person(program);
        command
            .args(["daemon", "run"])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let daemon = Self(command.spawn()?);
        let port = freed::ADDRESS;
        let serves = wait::until(PATIENCE, || Ok(std::net::TcpStream::connect(port).ok()))?;
        ensure!(serves.is_some(), "the daemon does not answer on {port}");
        Ok(daemon)
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What the rig does under the name of the client.
pub fn claude(words: &[&str]) -> Result<()> {
    match words {
        ["--agent"] => {
            let steps: Vec<Step> = serde_json::from_reader(std::io::stdin())?;
            let worked = agent::work(Path::new(HOME), &steps)?;
            println!("{}", json!(worked));
        }
        _ => println!("{}", agent::version()),
    }
    Ok(())
}
