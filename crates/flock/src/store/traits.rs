//! What every store can do, whichever database is behind it.

use bellwether_spine::journal::{Cursor, Segment};

use crate::{
    AgentFilter, AgentRecord, AgentView, AuditRow, Decision, DecisionFilter, EventDetail, Filter,
    Overview, Page, People, PersonPlace, Row, SessionFilter, SessionRecord, SessionTable,
    SessionView, Spending, StoreError, Stored, Tally, Timeline, TimelineWindow, ToolStats,
};

use super::retention::{Retention, Tidied};

/// What goes into a store at once, all or nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Commit<'a> {
    pub rows: &'a [Row],
    /// Up to where the journal was read for them.
    pub cursors: &'a [Cursor],
    /// Segments of the journal that are gone.
    pub gone: &'a [Segment],
    pub agents: &'a [AgentRecord],
    pub sessions: &'a [SessionRecord],
    pub tally: Option<&'a Tally>,
    /// Events that were stored by an older program, with their places, as they are understood now.
    pub derived: &'a [(i64, Row)],
    /// What came of events that were stored before.
    pub decisions: &'a [Decision],
}

/// The one writer of a store.
pub trait Store: Send {
    /// Stores all of it, durably. Returns the place of the last event in the order.
    fn commit(&mut self, commit: &Commit<'_>) -> Result<i64, StoreError>;

    /// What has stopped working in the store and is not told otherwise; each is said once.
    fn complaint(&mut self) -> Option<&'static str> {
        None
    }

    /// Waits until everything that is stored can also be searched for.
    fn settle(&mut self) -> Result<(), StoreError>;

    /// How far the journal has been stored.
    fn cursors(&self) -> Result<Vec<Cursor>, StoreError>;

    /// Every agent that has not gone, and its session.
    fn present(&self) -> Result<(Vec<AgentRecord>, Vec<SessionRecord>), StoreError>;

    /// One agent, gone or not.
    fn agent(&self, id: &str) -> Result<Option<AgentRecord>, StoreError>;

    /// One session, ended or not.
    fn session(&self, id: &str) -> Result<Option<SessionRecord>, StoreError>;

    /// The newest events, at most so many, oldest first.
    fn newest(&self, limit: usize) -> Result<Vec<Stored>, StoreError>;

    /// The last calls of a tool that have ended in a session, at most so many, oldest first.
    fn calls(&self, session: &str, tool: &str, limit: usize) -> Result<Vec<Stored>, StoreError>;

    /// The next events, at most so many, of which an older program stored less than is known now.
    fn underived(&self, limit: usize) -> Result<Vec<Stored>, StoreError>;

    /// Removes some of the events that are older or more than is kept.
    fn tidy(&mut self, retention: &Retention, now_ms: u64) -> Result<Tidied, StoreError>;

    /// Removes all events that fit, and everything that came of them. Returns how many went.
    fn purge(&mut self, filter: &Filter) -> Result<u64, StoreError>;
}

/// A reader of a store. There may be many, while one writes.
pub trait StoreReader: Send {
    fn overview(&self) -> Result<Overview, StoreError>;

    /// Every agent that has not gone, and its session, as they are kept.
    fn present(&self) -> Result<(Vec<AgentRecord>, Vec<SessionRecord>), StoreError>;

    /// The newest agents, at most so many, those that have gone too.
    fn agents(&self, limit: usize) -> Result<Vec<AgentView>, StoreError>;

    /// Agents that fit, the last heard of first, at most so many.
    fn some_agents(
        &self,
        filter: &AgentFilter,
        limit: usize,
    ) -> Result<People<AgentView>, StoreError>;

    /// The newest agents in which all words of a search stand, at most so many.
    fn find_agents(&self, search: &str, limit: usize) -> Result<Vec<AgentView>, StoreError>;

    fn agent(&self, id: &str) -> Result<Option<AgentView>, StoreError>;

    /// The newest sessions, at most so many, each with its agents.
    fn sessions(&self, limit: usize) -> Result<Vec<SessionView>, StoreError>;

    /// Sessions behind a place, the last heard of first, at most so many, each with its agents.
    fn some_sessions(
        &self,
        after: Option<&PersonPlace>,
        limit: usize,
    ) -> Result<People<SessionView>, StoreError>;

    /// Sessions as rows of a table, at most so many.
    fn session_table(
        &self,
        filter: &SessionFilter,
        limit: usize,
    ) -> Result<SessionTable, StoreError>;

    /// What was used and done from one moment to another, in whole hours.
    fn spending(&self, since_ms: u64, until_ms: u64) -> Result<Spending, StoreError>;

    /// The newest sessions in which all words of a search stand, at most so many.
    fn find_sessions(&self, search: &str, limit: usize) -> Result<Vec<SessionRecord>, StoreError>;

    /// One session with its agents.
    fn session(&self, id: &str) -> Result<Option<SessionView>, StoreError>;

    /// The transcript of a session's main agent, as the client named it last.
    fn transcript(&self, session: &str) -> Result<Option<String>, StoreError>;

    /// The newest events that fit, at most so many.
    fn page(&self, filter: &Filter, limit: usize) -> Result<Page, StoreError>;

    fn event(&self, seq: i64) -> Result<Option<EventDetail>, StoreError>;

    /// The oldest events that fit, at most so many, as they were recorded.
    fn first(&self, filter: &Filter, limit: usize) -> Result<Vec<Stored>, StoreError>;

    /// The newest events that fit, oldest first, as they were recorded.
    fn last(&self, filter: &Filter, limit: usize) -> Result<Vec<Stored>, StoreError>;

    /// When the agents did what, in a window of time.
    fn timeline(&self, window: &TimelineWindow) -> Result<Timeline, StoreError>;

    /// How the tools did since a moment, the most used first.
    fn tools(&self, since_ms: u64) -> Result<Vec<ToolStats>, StoreError>;

    /// What the guard refused, the newest first, before a place in the order.
    fn audit(&self, before: Option<i64>, limit: usize) -> Result<Vec<AuditRow>, StoreError>;

    /// The newest decisions that fit, oldest first, at most so many.
    fn decisions(&self, filter: DecisionFilter, limit: usize) -> Result<Vec<Decision>, StoreError>;

    /// How many events are stored.
    fn count(&self) -> Result<u64, StoreError>;

    /// The place of the last event that can be searched for.
    fn searchable(&self) -> Result<i64, StoreError>;
}
