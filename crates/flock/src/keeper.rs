//! What is stored and what is alive, kept together: events go into the flock and, with all that
//! follows from them, into the store, in one transaction.

use bellwether_spine::journal::{Cursor, Segment};

use crate::live::{AgentRecord, Doubt, Measured};
use crate::normal::Window;
use crate::{Change, Commit, Flock, Retention, Row, Store, StoreError, Stored, Tidied};

/// The way that an event came by, when it was a hook without a name.
const NAMELESS: &str = "hook";
/// So many events of an older program are understood at a time.
const DERIVED_AT_ONCE: usize = 500;

/// A store and the flock that lives by it.
pub struct Keeper<S> {
    store: S,
    flock: Flock,
    window: Window,
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
}

impl Harvest {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
            && self.cursors.is_empty()
            && self.gone.is_empty()
            && self.usage.is_empty()
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
        };
        while keeper.derive()? {}
        Ok(keeper)
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
        rows.retain(|row| {
            let way = row.from.as_deref().unwrap_or(NAMELESS);
            !window.is_double(row.fingerprint, way, row.at_ms)
        });
        let doubles = (all - rows.len()) as u64;
        for row in &rows {
            self.recall(row)?;
            self.flock.hear(row, now_ms);
        }
        for measured in &harvest.usage {
            self.flock.add_usage(measured);
        }
        let seq = self.commit(&rows, &harvest.cursors, &harvest.gone)?;
        Ok(Kept {
            seq,
            rows,
            doubles,
            changes: self.flock.take_changes(),
        })
    }

    /// Lets time pass. What changes by it is stored.
    pub fn tick(&mut self, now_ms: u64) -> Result<Vec<Change>, StoreError> {
        let changes = self.flock.tick(now_ms);
        if self.flock.has_stale() {
            self.commit(&[], &[], &[])?;
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

    fn commit(
        &mut self,
        rows: &[Row],
        cursors: &[Cursor],
        gone: &[Segment],
    ) -> Result<i64, StoreError> {
        let (agents, sessions, tally) = self.flock.take_stale();
        self.store.commit(&Commit {
            rows,
            cursors,
            gone,
            agents: &agents,
            sessions: &sessions,
            tally: Some(&tally),
            ..Commit::default()
        })
    }
}
