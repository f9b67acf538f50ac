//! GNU screen: the terminal that shows it. The window within it is left as it is.

use bellwether_spine::ancestry::{Process, Processes as _, System};

use super::NotRaised;
use super::line::Line;

/// What the system calls the part of screen that keeps running, and the part in the terminal.
const SERVER: &str = "SCREEN";
const CLIENT: &str = "screen";

/// The screen that a process says it is in, if that is above it.
pub(super) fn server_of(line: &Line) -> Option<u32> {
    let session = line.variable("STY")?;
    let pid = session.split('.').next()?.parse().ok()?;
    line.has(pid).then_some(pid)
}

/// The process in the terminal that shows it.
pub(super) fn client_of(server: u32) -> Result<u32, NotRaised> {
    let server = System.process(server).ok_or(NotRaised::Gone)?;
    // The first terminal has started the server.
    let first = System.process(server.parent);
    if let Some(first) = first.filter(|first| is_client(first, &server)) {
        return Ok(first.pid);
    }
    let all = System
        .all()
        .into_iter()
        .filter_map(|pid| System.process(pid));
    let clients = all.filter(|process| is_client(process, &server));
    // Another session's terminal may be newer; the one that names this session is surer.
    let names = |process: &Process| {
        let number = server.pid.to_string();
        let words = System.words(process.pid);
        words
            .iter()
            .any(|word| word.split('.').next() == Some(&number))
    };
    let newest = clients.max_by_key(|process| (names(process), process.began));
    Ok(newest.ok_or(NotRaised::Detached)?.pid)
}

fn is_client(process: &Process, server: &Process) -> bool {
    process.user == server.user && process.name == CLIENT && process.name != SERVER
}
