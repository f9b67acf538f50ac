//! Who may be a person: the daemon knows the clients that send events, also those that have ended.

use std::collections::{HashSet, VecDeque};
use std::sync::Mutex;

use bellwether_flock::Row;
use bellwether_spine::ancestry::{Began, Origin, Processes as _, System, by_parents, origin};
use bellwether_spine::journal::Envelope;

use crate::shared::locked;

/// So many clients are remembered.
const REMEMBERED: usize = 256;

/// The clients that have sent events to this daemon.
#[derive(Debug, Default)]
pub(crate) struct People(Mutex<Heard>);

#[derive(Debug, Default)]
struct Heard {
    clients: VecDeque<Began>,
    /// Their numbers, so that most events end at one look.
    pids: HashSet<u32>,
}

impl People {
    /// Remembers the clients that sent these events.
    pub(crate) fn meet(&self, rows: &[Row]) {
        for row in rows {
            let Some(pid) = row.client_pid else { continue };
            if !locked(&self.0).pids.contains(&pid) && says_its_own_process(row) {
                self.note(pid);
            }
        }
    }

    fn note(&self, pid: u32) {
        let process = System.process(pid);
        let mut heard = locked(&self.0);
        heard.pids.insert(pid);
        if let Some(process) = process {
            let began = process.began;
            heard.clients.push_back(Began { pid, began });
        }
        if heard.clients.len() > REMEMBERED {
            heard.clients.pop_front();
            // A number may be given again: then it is looked at anew.
            heard.pids = heard.clients.iter().map(|client| client.pid).collect();
        }
    }

    /// Where a process comes from. This reads files and may ask another program.
    pub(crate) fn origin(&self, pid: u32) -> Origin {
        if !System::tells() {
            return Origin::Person;
        }
        origin(&System, pid, &self.known())
    }

    /// The same by its parents alone, whatever marks it bears.
    pub(crate) fn by_parents(&self, pid: u32) -> Origin {
        by_parents(&System, pid, &self.known())
    }

    fn known(&self) -> Vec<Began> {
        locked(&self.0).clients.iter().copied().collect()
    }
}

/// Whether the client told its hook which process it is. Otherwise only the hook's parent is known, which may be the
/// shell of a person who tries the hook.
fn says_its_own_process(row: &Row) -> bool {
    let envelope = Envelope::parse(&row.record);
    envelope.is_ok_and(|envelope| {
        let client = envelope.meta.client();
        client.product.wire().variables.pid.is_some() && envelope.meta.entrypoint.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(pid: u32, client: &str) -> Row {
        let record = format!(
            r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","client_pid":{pid},"client":"{client}","entrypoint":"cli"}},"payload":{{"hook_event_name":"Stop"}}}}"#
        );
        Row::from_record(record.as_bytes()).unwrap()
    }

    #[test]
    fn whoever_sent_events_is_a_client_and_so_are_its_children() {
        let people = People::default();
        let ours = std::process::id();
        assert_eq!(people.origin(ours), Origin::Person);
        people.meet(&[row(ours, "gemini")]);
        assert_eq!(people.origin(ours), Origin::Person, "that is only a parent");
        people.meet(&[row(ours, "claude")]);
        assert!(matches!(people.origin(ours), Origin::Agent(_)));
    }
}
