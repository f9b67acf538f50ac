//! The rule itself.

use std::collections::HashSet;

use bellwether_protocol::client::marks;

use super::clients::{looks_like, older_than};
use super::login::{is_login, is_reaper, is_tmux};
use super::{Began, Process, Processes};

/// No chain of parents is longer, unless somebody made it so.
const LONGEST: usize = 64;

/// Where a process comes from; the words are for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Person,
    /// A client is among its parents, or has left its mark on one.
    Agent(String),
    /// It left its parents, and nothing shows that a person began it.
    Unclear(String),
}

/// Where a process comes from. `known` are the clients that have sent us events.
pub fn origin(processes: &dyn Processes, pid: u32, known: &[Began]) -> Origin {
    let line = match parents(processes, pid) {
        Ok(line) => line,
        Err(why) => return Origin::Unclear(why),
    };
    if let Some(why) = line
        .iter()
        .find_map(|process| of_client(processes, process, known))
    {
        return Origin::Agent(why);
    }
    came_by_itself(processes, &line, known, Server::Asked)
}

/// Whether a client is among the parents of a process. Marks are not looked at: a browser keeps those of whatever
/// opened its first window.
pub fn by_parents(processes: &dyn Processes, pid: u32, known: &[Began]) -> Origin {
    let line = parents(processes, pid).unwrap_or_default();
    let client = line.iter().find_map(|it| is_client(processes, it, known));
    client.map_or(Origin::Person, Origin::Agent)
}

/// Whether a tmux server may be asked who looks at it: not when that is what somebody asks already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Server {
    Asked,
    Passed,
}

/// A process and its parents, up to the first that cannot be seen.
fn parents(processes: &dyn Processes, pid: u32) -> Result<Vec<Process>, String> {
    let mut line: Vec<Process> = Vec::new();
    let mut seen = HashSet::new();
    let mut next = pid;
    while next != 0 && seen.insert(next) {
        if line.len() == LONGEST {
            return Err(format!("it has more than {LONGEST} processes above it"));
        }
        match processes.process(next) {
            Some(process) => {
                next = process.parent;
                line.push(process);
            }
            None if line.is_empty() => return Err("its process cannot be seen".to_owned()),
            None => break,
        }
    }
    Ok(line)
}

/// Why a process is a client, if it is.
fn is_client(processes: &dyn Processes, process: &Process, known: &[Began]) -> Option<String> {
    let pid = process.pid;
    if let Some(product) = looks_like(processes, process) {
        let title = product.wire().title;
        return Some(format!("{title} started it (process {pid})"));
    }
    let is_known = |client: &Began| (client.pid, client.began) == (pid, process.began);
    let text = || format!("a client that sends events started it (process {pid})");
    known.iter().any(is_known).then(text)
}

/// Why a process is a client's, if it is.
fn of_client(processes: &dyn Processes, process: &Process, known: &[Began]) -> Option<String> {
    is_client(processes, process, known).or_else(|| {
        let pid = process.pid;
        let mark = marks().find(|name| processes.variable(pid, name).is_some())?;
        Some(format!(
            "an agent's tool started it (process {pid} has {mark})"
        ))
    })
}

/// What is to be thought of a line of processes with no client in it.
fn came_by_itself(
    processes: &dyn Processes,
    line: &[Process],
    known: &[Began],
    server: Server,
) -> Origin {
    // The first that nobody above it answers for.
    let above = line.iter().position(is_reaper).unwrap_or(line.len());
    let Some(first) = above.checked_sub(1).and_then(|at| line.get(at)) else {
        return Origin::Person;
    };
    // What came from outside, as `docker exec` does, or from a user whose processes are hidden, has lost no parent.
    let lost_its_parent = above < line.len() || first.parent == 1;
    let older = older_than(processes, first.began, known);
    if !lost_its_parent || older.is_empty() {
        return Origin::Person;
    }
    let shown = logged_in(processes, &line[..above])
        || in_another_login(processes, first, &older)
        || line
            .get(above)
            .is_some_and(|root| is_at_terminal_of(line, root))
        || (server == Server::Asked && is_looked_at(processes, line, first, known));
    if shown {
        return Origin::Person;
    }
    Origin::Unclear(format!(
        "{} (process {}) has no parent, began after an agent did, and nothing shows that you started it",
        first.name, first.pid
    ))
}

fn logged_in(processes: &dyn Processes, line: &[Process]) -> bool {
    let user = line.first().map_or(0, |process| process.user);
    line.iter()
        .any(|process| is_login(processes, process, user))
}

/// Whether the system's login manager has it in another login than every client.
fn in_another_login(processes: &dyn Processes, first: &Process, clients: &[Began]) -> bool {
    let Some(scope) = processes.login_scope(first.pid) else {
        return false;
    };
    // A client that has ended could have been in any.
    clients.iter().all(|client| {
        let theirs = processes.login_scope(client.pid);
        theirs.is_some_and(|theirs| theirs != scope)
    })
}

/// In a container the first process often is the person's own shell: what runs in front of its terminal, in its
/// session, it has started. Whoever left an agent is behind, or in a session of its own.
fn is_at_terminal_of(line: &[Process], root: &Process) -> bool {
    line.first().is_some_and(|caller| {
        root.terminal != 0
            && (caller.terminal, caller.session) == (root.terminal, root.session)
            && i64::from(caller.foreground) == i64::from(caller.group)
    })
}

/// Whether a person looks at the tmux server that a process runs in.
fn is_looked_at(
    processes: &dyn Processes,
    line: &[Process],
    server: &Process,
    known: &[Began],
) -> bool {
    let below = line.iter().take_while(|process| process.pid != server.pid);
    let Some(pane) = below.last().filter(|_| is_tmux(server)) else {
        return false;
    };
    let said = processes.variable(pane.pid, "TMUX").unwrap_or_default();
    let socket = said.split(',').next().unwrap_or_default();
    let clients = processes.attached(server.pid, socket);
    clients.into_iter().any(|client| {
        parents(processes, client).is_ok_and(|line| {
            let of_agent = line
                .iter()
                .any(|it| of_client(processes, it, known).is_some());
            !of_agent && came_by_itself(processes, &line, known, Server::Passed) == Origin::Person
        })
    })
}
