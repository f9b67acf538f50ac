//! The tables, and how an older database becomes a newer one.
//!
//! There is no unique index on the random id: it would halve the rate at which events are taken.
//! The order of the journal is the primary key. Records are kept apart from what is searched, so
//! that listing events does not read their payloads.

use rusqlite::Connection;

/// One step from each version to the next; a step is never changed once it has been released.
const STEPS: &[&str] = &[
    "
    CREATE TABLE event (
        seq       INTEGER PRIMARY KEY,
        id        BLOB    NOT NULL,
        at_ms     INTEGER NOT NULL,
        session   TEXT,
        agent     TEXT,
        name      TEXT    NOT NULL,
        tool      TEXT,
        tool_use  TEXT,
        workspace TEXT
    ) STRICT;
    CREATE INDEX event_by_session ON event (session, seq);
    CREATE TABLE record (
        seq  INTEGER PRIMARY KEY REFERENCES event (seq),
        body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE cursor (
        segment INTEGER PRIMARY KEY,
        place   INTEGER NOT NULL,
        head    INTEGER NOT NULL
    ) STRICT;
",
    "
    CREATE TABLE audit (
        event INTEGER PRIMARY KEY REFERENCES event (seq),
        seq   INTEGER NOT NULL,
        hash  TEXT    NOT NULL
    ) STRICT;
",
    "
    ALTER TABLE event ADD COLUMN type TEXT;
    ALTER TABLE event ADD COLUMN severity INTEGER;
    CREATE TABLE agent (
        id       TEXT    PRIMARY KEY,
        session  TEXT,
        status   TEXT    NOT NULL,
        first_ms INTEGER NOT NULL,
        last_ms  INTEGER NOT NULL,
        body     TEXT    NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX agent_by_session ON agent (session);
    CREATE INDEX agent_by_last ON agent (last_ms);
    CREATE TABLE session (
        id      TEXT    PRIMARY KEY,
        last_ms INTEGER NOT NULL,
        body    TEXT    NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_by_last ON session (last_ms);
    CREATE TABLE tally (
        hour   INTEGER NOT NULL,
        name   TEXT    NOT NULL,
        type   TEXT    NOT NULL,
        tool   TEXT    NOT NULL,
        events INTEGER NOT NULL,
        PRIMARY KEY (hour, name, type, tool)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE duration (
        hour  INTEGER NOT NULL,
        tool  TEXT    NOT NULL,
        step  INTEGER NOT NULL,
        calls INTEGER NOT NULL,
        PRIMARY KEY (hour, tool, step)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE fact (
        name  TEXT    PRIMARY KEY,
        value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO fact SELECT 'events', count(*) FROM event;
    INSERT INTO fact SELECT 'older', coalesce(max(seq), 0) FROM event;
",
    // Where the chain stood outlives its event.
    "
    CREATE TABLE head (
        place INTEGER PRIMARY KEY,
        event INTEGER UNIQUE REFERENCES event (seq) ON DELETE SET NULL,
        seq   INTEGER NOT NULL,
        hash  TEXT    NOT NULL
    ) STRICT;
    INSERT INTO head (event, seq, hash) SELECT event, seq, hash FROM audit ORDER BY event;
    DROP TABLE audit;
    ALTER TABLE head RENAME TO audit;
",
    // What was said of an event goes with it.
    "
    CREATE TABLE decision (
        number  INTEGER PRIMARY KEY,
        event   INTEGER REFERENCES event (seq) ON DELETE CASCADE,
        at_ms   INTEGER NOT NULL,
        session TEXT    NOT NULL,
        said    INTEGER NOT NULL,
        body    TEXT    NOT NULL
    ) STRICT;
    CREATE INDEX decision_by_event ON decision (event);
    CREATE INDEX decision_by_said ON decision (said, number);
",
];

/// The version of the schema that this program writes.
#[expect(clippy::cast_possible_wrap, reason = "a handful of steps")]
pub const VERSION: i64 = STEPS.len() as i64;

/// The version that first had agents, sessions and counts.
pub(super) const WITH_AGENTS: i64 = 3;

/// The version that first had decisions.
pub(super) const WITH_DECISIONS: i64 = 5;

/// The version of a database.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Brings a database to this program's version, each step whole or not at all.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let done = version(connection)?;
    for (number, step) in (1_i64..)
        .zip(STEPS)
        .skip_while(|(number, _)| *number <= done)
    {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", number)?;
        transaction.commit()?;
    }
    Ok(())
}
