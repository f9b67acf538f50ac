//! Waits for the daemon's answer. Whatever is in the way of it ends the waiting: the terminal's own dialog is there.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use bellwether_spine::Home;
use bellwether_spine::permission::{Asked, Line, Told};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::getppid;

/// A daemon that is well takes a question at once.
const TAKEN_WITHIN: Duration = Duration::from_millis(250);
/// The daemon ends the waiting by itself; this much later it has forgotten to.
const SLACK: Duration = Duration::from_secs(5);
/// How often it is looked whether the client still lives: one that was killed does not stop its hooks.
const LOOK_EVERY: Timespec = Timespec {
    tv_sec: 2,
    tv_nsec: 0,
};

/// Puts a question to the daemon and waits for what it says in the end; `None` when nobody is there.
pub(super) fn wait(home: &Home, asked: &Asked) -> Option<Told> {
    let client = getppid();
    let mut line = serde_json::to_vec(&Line::Permission(asked)).ok()?;
    line.push(b'\n');
    let mut daemon = UnixStream::connect(home.control_socket()).ok()?;
    daemon.set_write_timeout(Some(TAKEN_WITHIN)).ok()?;
    daemon.set_read_timeout(Some(TAKEN_WITHIN)).ok()?;
    daemon.write_all(&line).ok()?;
    let mut daemon = BufReader::new(daemon);
    (next(&mut daemon)? == Told::Waiting).then_some(())?;
    let until = Instant::now() + Duration::from_millis(asked.wait_ms) + SLACK;
    while Instant::now() < until && getppid() == client {
        let mut fds = [PollFd::new(daemon.get_ref(), PollFlags::IN)];
        match poll(&mut fds, Some(&LOOK_EVERY)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return next(&mut daemon),
            Err(_) => return None,
        }
    }
    None
}

fn next(daemon: &mut BufReader<UnixStream>) -> Option<Told> {
    let mut line = String::new();
    daemon.read_line(&mut line).ok()?;
    let Line::Permission(told) = serde_json::from_str(&line).ok()?;
    Some(told)
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        (folder, home)
    }

    /// What comes of it when the daemon says these lines and then hangs up.
    fn told(lines: &'static [&'static str]) -> Option<Told> {
        let (_folder, home) = home();
        let listener = UnixListener::bind(home.control_socket()).unwrap();
        let daemon = std::thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            stream.read_line(&mut line).unwrap();
            for line in lines {
                writeln!(stream.get_mut(), "{line}").unwrap();
            }
            line
        });
        let asked = Asked {
            id: "7".into(),
            wait_ms: 60_000,
            ..Asked::default()
        };
        let told = wait(&home, &asked);
        let line = daemon.join().unwrap();
        assert!(line.starts_with(r#"{"permission":{"id":"7","#), "{line}");
        told
    }

    #[test]
    fn an_answer_is_heard_and_everything_else_is_none() {
        const WAITING: &str = r#"{"permission":"waiting"}"#;
        assert_eq!(
            told(&[WAITING, r#"{"permission":"allowed"}"#]),
            Some(Told::Allowed)
        );
        assert_eq!(
            told(&[WAITING, r#"{"permission":{"denied":"no"}}"#]),
            Some(Told::Denied("no".into()))
        );
        assert_eq!(told(&[WAITING]), None);
        assert_eq!(told(&[r#"{"permission":"nobody"}"#]), None);
        assert_eq!(told(&[r#"{"permission":"allowed"}"#]), None);
        assert_eq!(told(&[r#"{"failed":"no such request"}"#]), None);
        assert_eq!(told(&[]), None);
    }

    #[test]
    fn nobody_is_waited_for_who_is_not_there() {
        let (_folder, home) = home();
        let begun = Instant::now();
        assert_eq!(wait(&home, &Asked::default()), None);
        // One that does not answer, though somebody bound the socket.
        let _silent = UnixListener::bind(home.control_socket()).unwrap();
        assert_eq!(wait(&home, &Asked::default()), None);
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}
