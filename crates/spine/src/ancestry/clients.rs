//! Which clients run, or ran a while ago.

use bellwether_protocol::client::{Product, Seen, client_that_runs};
use serde::{Deserialize, Serialize};

use super::{Process, Processes};

/// A client's process that the daemon has heard of: a number alone is given again to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Began {
    pub pid: u32,
    pub began: u64,
}

/// The program that a process is, when it looks like a client.
pub(super) fn looks_like(processes: &dyn Processes, process: &Process) -> Option<Product> {
    let program = processes.program(process.pid);
    let words = processes.words(process.pid);
    client_that_runs(Seen {
        name: &process.name,
        program: program.as_ref().map(|program| program.path.as_path()),
        words: &words,
    })
}

/// Every client of this person that began before a moment, those that have ended included as far as they are known.
pub(super) fn older_than(processes: &dyn Processes, began: u64, known: &[Began]) -> Vec<Began> {
    let homes = processes.homes();
    let is_ours = |pid| {
        let home = processes.variable(pid, "HOME");
        home.is_some_and(|home| homes.contains(&home))
    };
    let running = processes.all().into_iter().filter_map(|pid| {
        let process = processes.process(pid)?;
        let counts = process.began <= began;
        (counts && looks_like(processes, &process).is_some() && is_ours(pid)).then_some(Began {
            pid,
            began: process.began,
        })
    });
    let heard_of = known.iter().copied().filter(|client| client.began <= began);
    running.chain(heard_of).collect()
}
