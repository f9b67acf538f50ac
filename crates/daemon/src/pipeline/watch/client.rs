//! Whether a client's process is still there.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use bellwether_flock::live::Doubt;
use bellwether_spine::clock;

use crate::shared::locked;

/// A process that was never seen alive may be one that cannot be seen from here, in a container for
/// instance. Only after this long without a word is it taken for gone.
const UNSEEN_MS: u64 = 60 * 60 * 1000;
/// So many are remembered.
const REMEMBERED: usize = 10_000;

/// Which clients were seen alive.
#[derive(Debug, Clone, Default)]
pub(super) struct Clients(Arc<Mutex<SeenAlive>>);

#[derive(Debug, Default)]
struct SeenAlive {
    alive: HashSet<u32>,
    all: HashSet<u32>,
}

impl Clients {
    /// Looks at a client that is heard of for the first time.
    pub(super) fn note(&self, pid: u32) {
        let mut seen = locked(&self.0);
        if seen.all.len() > REMEMBERED {
            *seen = SeenAlive::default();
        }
        if seen.all.insert(pid) && is_alive(pid) {
            seen.alive.insert(pid);
        }
    }

    /// Whether the client of an agent has gone without a word.
    pub(super) fn has_gone(&self, doubt: &Doubt) -> bool {
        let Some(pid) = doubt.client_pid else {
            return false;
        };
        if is_alive(pid) {
            return false;
        }
        let quiet = clock::wall_ms().saturating_sub(doubt.last_active_ms);
        locked(&self.0).alive.contains(&pid) || quiet > UNSEEN_MS
    }
}

fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok();
    let pid = pid.and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| {
        // Somebody else's process is there too.
        rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(pid: u32, last_active_ms: u64) -> Doubt {
        Doubt {
            agent_id: "s".into(),
            session_id: Some("s".into()),
            workspace_id: None,
            client_pid: Some(pid),
            transcript: None,
            last_active_ms,
            at_work: true,
        }
    }

    #[test]
    fn only_one_that_was_there_can_have_gone() {
        let clients = Clients::default();
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let (pid, now) = (child.id(), clock::wall_ms());
        clients.note(pid);
        assert!(!clients.has_gone(&doubt(pid, now)));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(clients.has_gone(&doubt(pid, now)));
        let never_seen = Clients::default();
        assert!(!never_seen.has_gone(&doubt(pid, now)));
        assert!(never_seen.has_gone(&doubt(pid, now - UNSEEN_MS - 1)));
    }
}
