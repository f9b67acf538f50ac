//! The processes of this machine, read off `/proc`.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use super::{Process, Processes, Program};
use crate::home;

/// As much of an environment or a command line is read.
const MOST: u64 = 256 * 1024;
/// So many words of a command line are looked at.
const WORDS: usize = 8;
/// A file that has been there for so long was not put there for this.
const SETTLED: Duration = Duration::from_hours(24);
/// How long a tmux server may take to say who looks at it.
const PATIENCE: Duration = Duration::from_secs(1);
/// Where programs of the system are.
const OF_SYSTEM: &[&str] = &[
    "/usr/",
    "/bin/",
    "/sbin/",
    "/opt/",
    "/snap/",
    "/nix/store/",
    "/app/",
];

/// The processes of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

impl System {
    /// Whether this system tells of its processes in the way that is read here.
    pub fn tells() -> bool {
        Path::new("/proc/self/stat").exists()
    }
}

fn place(pid: u32, name: &str) -> PathBuf {
    Path::new("/proc").join(pid.to_string()).join(name)
}

fn content(pid: u32, name: &str) -> Option<Vec<u8>> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(place(pid, name)).ok()?;
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

impl Processes for System {
    fn process(&self, pid: u32) -> Option<Process> {
        let stat = String::from_utf8_lossy(&content(pid, "stat")?).into_owned();
        let status = String::from_utf8_lossy(&content(pid, "status")?).into_owned();
        read(pid, &stat, &status)
    }

    fn all(&self) -> Vec<u32> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten();
        let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        pids.collect()
    }

    fn program(&self, pid: u32) -> Option<Program> {
        let path = std::fs::read_link(place(pid, "exe")).ok()?;
        let settled = std::fs::metadata(place(pid, "exe")).is_ok_and(|file| {
            let theirs = file.uid() == 0 && OF_SYSTEM.iter().any(|top| path.starts_with(top));
            theirs || is_old(&file)
        });
        Some(Program { path, settled })
    }

    fn words(&self, pid: u32) -> Vec<String> {
        let line = content(pid, "cmdline").unwrap_or_default();
        let words = line
            .split(|byte| *byte == 0)
            .filter(|word| !word.is_empty());
        words
            .take(WORDS)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect()
    }

    fn variable(&self, pid: u32, name: &str) -> Option<String> {
        let environment = content(pid, "environ")?;
        let mut entries = environment.split(|byte| *byte == 0);
        let value =
            entries.find_map(|entry| entry.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
        Some(String::from_utf8_lossy(value).into_owned())
    }

    fn login_scope(&self, pid: u32) -> Option<String> {
        scope(&String::from_utf8_lossy(&content(pid, "cgroup")?))
    }

    fn attached(&self, server: u32, socket: &str) -> Vec<u32> {
        let Some(program) = self.program(server).filter(|program| program.settled) else {
            return Vec::new();
        };
        let said = ask(Command::new(program.path).args([
            "-S",
            socket,
            "list-clients",
            "-F",
            "#{pid} #{client_pid}",
        ]));
        let clients = said.lines().filter_map(|line| {
            let (asked, client) = line.split_once(' ')?;
            (asked.parse() == Ok(server)).then(|| client.parse().ok())?
        });
        clients.collect()
    }

    fn homes(&self) -> Vec<String> {
        let said = std::env::var("HOME").ok();
        // What this process was told could be told by an agent; the list of users cannot.
        let listed = home::of_account().and_then(|home| home.to_str().map(str::to_owned));
        said.into_iter().chain(listed).collect()
    }
}

fn is_old(file: &std::fs::Metadata) -> bool {
    let changed = u64::try_from(file.ctime()).ok().map(Duration::from_secs);
    let age = changed.and_then(|changed| {
        SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH + changed)
            .ok()
    });
    age.is_some_and(|age| age > SETTLED)
}

/// Reads `/proc/PID/stat` and `status`. A name may hold anything, `)` too.
fn read(pid: u32, stat: &str, status: &str) -> Option<Process> {
    let (head, rest) = stat.rsplit_once(')')?;
    let name = head.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let user = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    Some(Process {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        began: fields.get(19)?.parse().ok()?,
        user: user.split_whitespace().next()?.parse().ok()?,
        name,
        session: fields.get(3)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        terminal: fields.get(4)?.parse().ok()?,
        foreground: fields.get(5)?.parse().ok()?,
    })
}

/// The login that a control group is of. Below `user@….service` the user may make groups of any name.
fn scope(groups: &str) -> Option<String> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let login = parts.find(|part| part.starts_with("session-") || part.starts_with("user@"))?;
    let number = login.strip_prefix("session-")?.strip_suffix(".scope")?;
    (!number.is_empty()).then(|| login.to_owned())
}

/// What a program says, if it does so in time.
fn ask(command: &mut Command) -> String {
    let child = command
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return String::new();
    };
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if matches!(child.try_wait(), Ok(Some(_))) {
            let said = child.wait_with_output().map(|output| output.stdout);
            return String::from_utf8_lossy(&said.unwrap_or_default()).into_owned();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_read() {
        let ours = System.process(std::process::id()).unwrap();
        let parent = rustix::process::getppid().unwrap().as_raw_pid();
        assert_eq!(i64::from(ours.parent), i64::from(parent));
        assert_eq!(ours.user, rustix::process::getuid().as_raw());
        assert!(ours.began > 0);
        assert!(System.all().contains(&ours.pid));
        assert!(System.words(ours.pid)[0].contains("spine"));
        assert_eq!(
            System.variable(ours.pid, "PATH"),
            std::env::var("PATH").ok()
        );
        assert_eq!(System.variable(ours.pid, "NO_SUCH_VARIABLE"), None);
    }

    #[test]
    fn a_name_may_hold_brackets() {
        let stat = "7 (a) b (c)) S 1 7 6 34816 5 4194560 1 0 0 0 0 0 0 0 20 0 1 0 1363857 0 0";
        let read = read(7, stat, "Name:\tx\nUid:\t1000\t1000\t1000\t1000\n").unwrap();
        assert_eq!(
            (read.name.as_str(), read.parent, read.began),
            ("a) b (c)", 1, 1_363_857)
        );
        assert_eq!((read.session, read.group, read.terminal), (6, 7, 34816));
        assert_eq!((read.foreground, read.user), (5, 1000));
    }

    #[test]
    fn only_the_login_manager_makes_a_login() {
        let of = |path: &str| scope(&format!("0::{path}\n"));
        let session = Some("session-4.scope".to_owned());
        assert_eq!(of("/user.slice/user-1000.slice/session-4.scope"), session);
        let own = "/user.slice/user-1000.slice/user@1000.service/app.slice";
        assert_eq!(of(&format!("{own}/session-9.scope")), None);
        assert_eq!(of(&format!("{own}/run-r5.service")), None);
        assert_eq!(of("/"), None);
    }
}
