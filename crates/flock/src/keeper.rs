//! What is stored and what is alive, kept together: events go into the flock and, with all that
//! follows from them, into the store, in one transaction.

use bellwether_protocol::event::{Kind, ToolKind};
use bellwether_spine::journal::{Cursor, Segment};

use crate::live::{AgentRecord, Doubt, Measured};
use crate::normal::Window;
use crate::stand_in::{Around, StandIns};
use crate::{Change, Commit, Decision, Flock, Retention, Row, Store, StoreError, Stored, Tidied};

/// So many events of an older program are understood at a time.
const DERIVED_AT_ONCE: usize = 500;
/// So many of the last stored events are remembered after a restart, so that none of them is stored again.
const REMEMBERED: usize = 500;

/// So many calls that made tasks are looked up, when one of those tasks is done.
const TASKS_RECALLED: usize = 200;

/// A store and the flock that lives by it.
pub struct Keeper<S> {
    store: S,
    flock: Flock,
    window: Window,
    stand_ins: StandIns,
}

/// What is to be kept.
#[derive(Debug, Default)]
pub struct Harvest {
    pub rows: Vec<Row>,
    /// Up to where the journal was read for them.
    pub cursors: Vec<Cursor>,
    /// Segments of the journal that are gone.
    pub gone: Vec<Segment>,
    pub usage: Vec<Measured>,
    /// What came of events that were kept before.
    pub decisions: Vec<Decision>,
}

impl Harvest {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
            && self.cursors.is_empty()
            && self.gone.is_empty()
            && self.usage.is_empty()
            && self.decisions.is_empty()
    }
}

#[derive(Debug, Default)]
pub struct Kept {
    /// The place of the last event in the order.
    pub seq: i64,
    /// The events that were stored: those that had come by another way before are not among them.
    pub rows: Vec<Row>,
    pub doubles: u64,
    /// What has changed in the flock.
    pub changes: Vec<Change>,
}

impl<S: Store> Keeper<S> {
    /// Goes on where the store stands.
    pub fn new(store: S) -> Result<Self, StoreError> {
        let (agents, sessions) = store.present()?;
        let mut keeper = Self {
            store,
            flock: Flock::load(agents, sessions),
            window: Window::default(),
            stand_ins: StandIns::default(),
        };
        while keeper.derive()? {}
        keeper.remember()?;
        Ok(keeper)
    }

    /// Knows again which events came last.
    fn remember(&mut self) -> Result<(), StoreError> {
        for event in self.store.newest(REMEMBERED)? {
            let row = Row::of_text(&event.record);
            self.window.is_double(row.fingerprint, row.came());
            self.stand_ins.recall(&event);
        }
        Ok(())
    }

    /// Understands some of the events that an older program stored; false when none is left.
    fn derive(&mut self) -> Result<bool, StoreError> {
        let stored = self.store.underived(DERIVED_AT_ONCE)?;
        let understood = |event: Stored| (event.seq, Row::of_text(&event.record));
        let derived: Vec<(i64, Row)> = stored.into_iter().map(understood).collect();
        for (_, row) in &derived {
            self.recall(row)?;
            // Time passes as it did then.
            self.flock.tick(row.at_ms);
            self.flock.hear(row, row.at_ms);
        }
        self.flock.take_changes();
        if !derived.is_empty() {
            let (agents, sessions, tally) = self.flock.take_stale();
            self.store.commit(&Commit {
                agents: &agents,
                sessions: &sessions,
                tally: Some(&tally),
                derived: &derived,
                ..Commit::default()
            })?;
        }
        Ok(!derived.is_empty())
    }

    pub fn store(&self) -> &S {
        &self.store
    }

    pub fn into_store(self) -> S {
        self.store
    }

    pub fn flock(&self) -> &Flock {
        &self.flock
    }

    /// Keeps events and what follows from them, all or nothing. After an error the keeper knows more
    /// than its store: it is to be made anew.
    pub fn keep(&mut self, harvest: Harvest, now_ms: u64) -> Result<Kept, StoreError> {
        let mut rows = harvest.rows;
        let all = rows.len();
        let window = &mut self.window;
        rows.retain(|row| !window.is_double(row.fingerprint, row.came()));
        let told = rows.len();
        let mut heard = Vec::with_capacity(told);
        let mut repeated = 0;
        for row in rows {
            if self.stand_ins.is_repeated(&row) {
                repeated += 1;
                continue;
            }
            self.hear(row, now_ms, &mut heard)?;
        }
        let rows = heard;
        let doubles = (all - told + repeated) as u64;
        for measured in &harvest.usage {
            self.recall_session_of(&measured.agent_id)?;
            self.flock.add_usage(measured);
        }
        let seq = self.commit(Commit {
            rows: &rows,
            cursors: &harvest.cursors,
            gone: &harvest.gone,
            decisions: &harvest.decisions,
            ..Commit::default()
        })?;
        Ok(Kept {
            seq,
            rows,
            doubles,
            changes: self.flock.take_changes(),
        })
    }

    /// Hears an event, with what it carries beside itself.
    fn hear(&mut self, mut row: Row, now_ms: u64, heard: &mut Vec<Row>) -> Result<(), StoreError> {
        self.recall(&row)?;
        let is_new = !self.flock.knows(&row.meaning.agent);
        if self.stand_ins.is_of_helper(&row, is_new) {
            row.set_helper();
        }
        if let Some(session) = self.stand_ins.wants_tasks(&row) {
            for name in row.client.tools_for(ToolKind::TaskNew) {
                for call in self.store.calls(session, name, TASKS_RECALLED)? {
                    self.stand_ins.recall_tasks(session, &call);
                }
            }
        }
        let Around { before, after } = self.stand_ins.around(&row, is_new);
        for row in before.into_iter().chain([row]).chain(after) {
            self.recall(&row)?;
            self.flock.hear(&row, now_ms);
            heard.push(row);
        }
        Ok(())
    }

    /// Lets time pass. What changes by it is stored.
    pub fn tick(&mut self, now_ms: u64) -> Result<Vec<Change>, StoreError> {
        let changes = self.flock.tick(now_ms);
        if self.flock.has_stale() {
            self.commit(Commit::default())?;
        }
        Ok(changes)
    }

    /// What has stopped working in the store.
    pub fn complaint(&mut self) -> Option<&'static str> {
        self.store.complaint()
    }

    /// Waits until everything that is stored can also be searched for.
    pub fn settle(&mut self) -> Result<(), StoreError> {
        self.store.settle()
    }

    /// Removes some of the events that are older or more than is kept.
    pub fn tidy(&mut self, retention: &Retention, now_ms: u64) -> Result<Tidied, StoreError> {
        self.store.tidy(retention, now_ms)
    }

    /// Whether events of a kind do not come by themselves in an event's session.
    pub fn lacks(&self, row: &Row, kind: Kind) -> bool {
        self.stand_ins.lacks(row, kind)
    }

    /// Agents of which something should have been heard.
    pub fn doubts(&self, now_ms: u64) -> Vec<Doubt> {
        self.flock.doubts(now_ms)
    }

    /// One that was forgotten here may be known to the store.
    fn recall(&mut self, row: &Row) -> Result<(), StoreError> {
        let agent = &row.meaning.agent;
        let agent: Option<AgentRecord> = if self.flock.knows(agent) {
            None
        } else {
            self.store.agent(agent)?
        };
        let session = match &row.session {
            Some(session) if !self.flock.knows_session(session) => self.store.session(session)?,
            _ => None,
        };
        if agent.is_some() || session.is_some() {
            self.flock.recall(agent, session);
        }
        Ok(())
    }

    /// What an agent has used counts for its session too.
    fn recall_session_of(&mut self, agent: &str) -> Result<(), StoreError> {
        let session = self.flock.agent(agent);
        let session = session.and_then(|agent| agent.view.session_id.clone());
        if let Some(id) = session.filter(|id| !self.flock.knows_session(id)) {
            let session = self.store.session(&id)?;
            self.flock.recall(None, session);
        }
        Ok(())
    }

    /// Commits that, and what has changed in the flock.
    fn commit(&mut self, commit: Commit<'_>) -> Result<i64, StoreError> {
        let (agents, sessions, tally) = self.flock.take_stale();
        self.store.commit(&Commit {
            agents: &agents,
            sessions: &sessions,
            tally: Some(&tally),
            ..commit
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Sqlite;
    use crate::normal::moment;

    const NOW_MS: u64 = 1_800_000_000_900;
    const MINUTE_MS: u64 = 60_000;
    const NOTICE: &str =
        r#"{"hook_event_name":"Notification","session_id":"s","message":"Claude is waiting"}"#;

    /// An event that came by a way.
    fn row(way: &str, at_ms: u64, payload: &str) -> Row {
        let record = format!(
            r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":{at_ms},"from":"{way}"}},"payload":{payload}}}"#
        );
        Row::from_record(record.as_bytes()).unwrap()
    }

    fn hook(at_ms: u64) -> Row {
        row("user", at_ms, NOTICE)
    }

    /// The same as `bellwether forward` sends it, and as it arrives.
    fn forwarded(own_ms: u64, at_ms: u64) -> Row {
        let bare = NOTICE.trim_end_matches('}');
        let at = moment::utc(own_ms);
        let meta = format!(r#""_meta":{{"workspace_id":"w","collected_at":"{at}"}}"#);
        row("ingest", at_ms, &format!("{bare},{meta}}}"))
    }

    /// The same as a program sends it that adds nothing.
    fn bare(at_ms: u64) -> Row {
        row("ingest", at_ms, NOTICE)
    }

    fn call(way: &str, id: &str) -> Row {
        let payload = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read","tool_use_id":"{id}","tool_input":{{}}}}"#
        );
        row(way, NOW_MS, &payload)
    }

    fn keeper(path: &Path) -> Keeper<Sqlite> {
        Keeper::new(Sqlite::open(path).unwrap()).unwrap()
    }

    fn keep(keeper: &mut Keeper<Sqlite>, row: Row) -> usize {
        let harvest = Harvest {
            rows: vec![row],
            ..Harvest::default()
        };
        keeper.keep(harvest, NOW_MS).unwrap().rows.len()
    }

    /// How many of two events are stored: at once, and when the daemon was started anew in between.
    fn stored(pair: &[Row; 2]) -> usize {
        let counts = [false, true].map(|anew| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("flock.db");
            let [first, second] = pair.clone();
            let mut keeper = keeper(&path);
            let count = keep(&mut keeper, first);
            if anew {
                drop(keeper);
                keeper = self::keeper(&path);
            }
            count + keep(&mut keeper, second)
        });
        assert_eq!(counts[0], counts[1], "a restart changes nothing: {pair:?}");
        counts[0]
    }

    #[test]
    fn one_event_is_stored_once_however_it_comes() {
        // NOW_MS is a tenth of a second before a second's end.
        for pair in [
            [bare(NOW_MS), bare(NOW_MS + 300)],
            [bare(NOW_MS), bare(NOW_MS + 6_000)],
            [hook(NOW_MS), forwarded(NOW_MS + 200, NOW_MS + 4_000)],
            [forwarded(NOW_MS, NOW_MS + 300), hook(NOW_MS + 50)],
            [hook(NOW_MS), bare(NOW_MS + 700)],
            [
                forwarded(NOW_MS, NOW_MS + 100),
                forwarded(NOW_MS + 150, NOW_MS + 400),
            ],
            [
                forwarded(NOW_MS, NOW_MS + 100),
                forwarded(NOW_MS, NOW_MS + 5 * MINUTE_MS),
            ],
            [call("ingest", "t1"), call("user", "t1")],
        ] {
            assert_eq!(stored(&pair), 1, "{pair:?}");
        }
    }

    #[test]
    fn two_events_are_stored_twice_however_alike() {
        for pair in [
            [hook(NOW_MS), hook(NOW_MS + 10)],
            [bare(NOW_MS), bare(NOW_MS + 3 * MINUTE_MS)],
            [
                hook(NOW_MS),
                forwarded(NOW_MS + MINUTE_MS, NOW_MS + MINUTE_MS),
            ],
            [
                forwarded(NOW_MS, NOW_MS),
                forwarded(NOW_MS + 5_000, NOW_MS + 5_010),
            ],
            [call("ingest", "t1"), call("ingest", "t2")],
            [call("user", "t1"), call("ingest", "t2")],
        ] {
            assert_eq!(stored(&pair), 2, "{pair:?}");
        }
    }
}
