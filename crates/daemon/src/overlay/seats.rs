//! Notices the displays that sessions are at.

use std::collections::HashSet;

use bellwether_config::load;
use bellwether_flock::Row;
use bellwether_spine::journal::Envelope;
use bellwether_spine::meta::{self, Seat};
use bellwether_spine::{Home, clock};
use tokio::sync::{mpsc, watch};

use crate::shared::Shared;

/// So many sessions are remembered.
const REMEMBERED: usize = 1024;
/// What happened longer ago, while no daemon ran, shows nobody in front of a display.
const RECENT_MS: u64 = 60_000;

/// An event of a session on a display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub seat: Seat<'static>,
    pub client_pid: Option<u32>,
}

/// Looks at the first event of each session, while the person wants the overlay to be started.
pub(crate) struct Seats {
    home: Home,
    is_wanted: Option<bool>,
    settings: watch::Receiver<()>,
    sessions: HashSet<String>,
    seen: mpsc::UnboundedSender<Seen>,
}

impl Seats {
    pub(crate) fn new(home: &Home, shared: &Shared) -> Self {
        Self {
            home: home.clone(),
            is_wanted: None,
            settings: shared.preferences.subscribe(),
            sessions: HashSet::new(),
            seen: shared.seats.clone(),
        }
    }

    pub(crate) fn look(&mut self, rows: &[Row]) {
        if rows.is_empty() || !self.is_wanted() {
            return;
        }
        let now_ms = clock::wall_ms();
        let shows_a_person =
            |row: &&Row| row.attended && now_ms.saturating_sub(row.at_ms) < RECENT_MS;
        for row in rows.iter().filter(shows_a_person) {
            let session = row.session.as_deref().unwrap_or_default();
            if self.sessions.contains(session) {
                continue;
            }
            if self.sessions.len() >= REMEMBERED {
                self.sessions.clear();
            }
            self.sessions.insert(session.to_owned());
            if let Some(seen) = of(row) {
                let _ = self.seen.send(seen);
            }
        }
    }

    /// Whether the person wants it. The settings are read when they have changed.
    fn is_wanted(&mut self) -> bool {
        if self.settings.has_changed().unwrap_or(false) {
            self.settings.mark_unchanged();
            self.is_wanted = None;
        }
        let home = &self.home;
        let read = || load(home, None, &meta::variable).config.overlay.auto;
        let is_wanted = *self.is_wanted.get_or_insert_with(read);
        if !is_wanted {
            // Switched on later, it counts for the sessions that there are.
            self.sessions.clear();
        }
        is_wanted
    }
}

/// Where a person sits in front of a display of this machine.
fn of(row: &Row) -> Option<Seen> {
    let meta = Envelope::parse(&row.record).ok()?.meta;
    let seat = &meta.seat;
    let has_display = seat.display.is_some() || seat.wayland_display.is_some();
    (has_display && seat.ssh_connection.is_none()).then(|| Seen {
        seat: seat.to_static(),
        client_pid: row.client_pid,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(session: &str, attended: bool, seat: &str) -> Row {
        let now = clock::wall_ms();
        let record = format!(
            r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":{now},"attended":{attended},"client_pid":7,"seat":{seat}}},"payload":{{"hook_event_name":"Stop","session_id":"{session}"}}}}"#
        );
        Row::from_record(record.as_bytes()).unwrap()
    }

    #[test]
    fn a_display_with_a_person_is_seen_once_a_session() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        std::fs::create_dir_all(home.config()).unwrap();
        let (to, mut from) = mpsc::unbounded_channel();
        let changed = watch::Sender::new(());
        let mut seats = Seats {
            home: home.clone(),
            is_wanted: None,
            settings: changed.subscribe(),
            sessions: HashSet::new(),
            seen: to,
        };
        let here = r#"{"display":":0"}"#;
        seats.look(&[row("a", true, here)]);
        assert!(from.try_recv().is_err(), "nobody wants it");
        std::fs::write(home.config_file(), "overlay: {auto: true}\n").unwrap();
        changed.send_replace(());
        seats.look(&[
            row("b", false, here),
            row(
                "c",
                true,
                r#"{"display":"localhost:10.0","ssh_connection":"1 2 3 4"}"#,
            ),
            row("d", true, "{}"),
        ]);
        assert!(from.try_recv().is_err());
        seats.look(&[row("a", true, here), row("a", true, here)]);
        let seen = from.try_recv().unwrap();
        assert_eq!(seen.seat.display.as_deref(), Some(":0"));
        assert_eq!(seen.client_pid, Some(7));
        assert!(from.try_recv().is_err());
    }
}
