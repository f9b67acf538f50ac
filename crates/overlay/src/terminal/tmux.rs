//! The pane of tmux that a process runs in, and the terminal that shows it.

use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bellwether_spine::ancestry::{Processes as _, System};

use super::NotRaised;
use super::line::Line;

/// A tmux that a process runs in.
#[derive(Debug)]
pub(super) struct Server {
    socket: PathBuf,
    pid: u32,
    pane: String,
}

/// A terminal that is attached to it.
#[derive(Debug, PartialEq, Eq)]
struct Client {
    /// When something was last typed there.
    active: u64,
    pid: u32,
    name: String,
}

impl Server {
    /// The tmux that a process says it is in, if it is: a window that was opened from within tmux has the variables too.
    pub(super) fn around(line: &Line) -> Option<Self> {
        let server = Self::told(&line.variable("TMUX")?, &line.variable("TMUX_PANE")?)?;
        let is_ours = line.has(server.pid) && is_own_socket(&server.socket);
        (is_ours && server.has_in_pane(line)).then_some(server)
    }

    /// Whether the pane's terminal is the one that the process has, if it has one: that of a window which was opened from
    /// the pane is another.
    fn has_in_pane(&self, line: &Line) -> bool {
        let Some(number) = line.terminal() else {
            return true;
        };
        let told = self.ask(&["display-message", "-p", "-t", &self.pane, "#{pane_tty}"]);
        let device = told.ok().and_then(|tty| std::fs::metadata(tty.trim()).ok());
        device.is_some_and(|device| device.rdev() == number)
    }

    fn told(tmux: &str, pane: &str) -> Option<Self> {
        // Path, process and session; a path may hold a comma.
        let mut parts = tmux.rsplitn(3, ',').skip(1);
        let pid = parts.next()?.parse().ok()?;
        let socket = PathBuf::from(parts.next()?);
        let number = pane.strip_prefix('%')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && socket.is_absolute()).then(|| Self {
            socket,
            pid,
            pane: pane.to_owned(),
        })
    }

    /// Shows the pane in the terminal that was used last, and says which process that terminal runs.
    pub(super) fn show_pane(&self) -> Result<u32, NotRaised> {
        let format = "#{client_activity} #{client_pid} #{client_control_mode} #{client_name}";
        let listed = self.ask(&["list-clients", "-F", format])?;
        let clients = listed.lines().filter_map(client);
        let newest = clients.max_by_key(|client| client.active);
        let newest = newest.ok_or(NotRaised::Detached)?;
        self.ask(&["select-window", "-t", &self.pane])?;
        self.ask(&["select-pane", "-t", &self.pane])?;
        self.ask(&["switch-client", "-c", &newest.name, "-t", &self.pane])?;
        Ok(newest.pid)
    }

    fn ask(&self, words: &[&str]) -> Result<String, NotRaised> {
        // Versions differ in what they say to each other: the server's own program understands it.
        let own = System.program(self.pid).filter(|program| program.settled);
        let program = own.map_or_else(|| PathBuf::from("tmux"), |own| own.path);
        let asked = Command::new(program)
            .arg("-S")
            .arg(&self.socket)
            .args(words)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let output = asked.map_err(|_| NotRaised::Failed)?;
        if !output.status.success() {
            return Err(NotRaised::Failed);
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// A line of the list; a program that reads tmux as a protocol is no terminal.
fn client(line: &str) -> Option<Client> {
    let mut parts = line.splitn(4, ' ');
    let active = parts.next()?.parse().ok()?;
    let pid = parts.next()?.parse().ok()?;
    let is_terminal = parts.next()? != "1";
    let name = parts.next()?.to_owned();
    is_terminal.then_some(Client { active, pid, name })
}

/// Whoever owns the socket learns what is asked and can answer anything.
fn is_own_socket(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|file| {
        file.file_type().is_socket() && file.uid() == rustix::process::getuid().as_raw()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_tells_its_pane() {
        let server = Server::told("/tmp/a,b/default,1234,0", "%17").unwrap();
        assert_eq!(server.socket, Path::new("/tmp/a,b/default"));
        assert_eq!((server.pid, server.pane.as_str()), (1234, "%17"));
    }

    #[test]
    fn what_is_no_pane_is_not_asked_about() {
        for (tmux, pane) in [
            ("/tmp/s,1,0", "17"),
            ("/tmp/s,1,0", "%"),
            ("/tmp/s,1,0", "%1;kill-server"),
            ("relative,1,0", "%1"),
            ("/tmp/s,one,0", "%1"),
            ("/tmp/s", "%1"),
            ("", ""),
        ] {
            assert!(Server::told(tmux, pane).is_none(), "{tmux} {pane}");
        }
    }

    #[test]
    fn a_client_of_the_list() {
        let expected = Client {
            active: 1_700_000_000,
            pid: 42,
            name: "/dev/pts/3".into(),
        };
        assert_eq!(client("1700000000 42 0 /dev/pts/3"), Some(expected));
        assert_eq!(client("1700000000 42 1 client-42"), None, "control mode");
        assert_eq!(client(""), None);
    }
}
