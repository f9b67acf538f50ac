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
    // What sessions had used before has no price: nobody knows any more which model used what.
    "
    CREATE TABLE spend (
        hour        INTEGER NOT NULL,
        project     TEXT    NOT NULL,
        model       TEXT    NOT NULL,
        messages    INTEGER NOT NULL,
        input       INTEGER NOT NULL,
        output      INTEGER NOT NULL,
        cache_read  INTEGER NOT NULL,
        cache_write INTEGER NOT NULL,
        usd         REAL,
        unpriced    INTEGER NOT NULL,
        PRIMARY KEY (hour, project, model)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE work (
        hour      INTEGER NOT NULL,
        project   TEXT    NOT NULL,
        prompts   INTEGER NOT NULL,
        turns     INTEGER NOT NULL,
        tasks     INTEGER NOT NULL,
        failures  INTEGER NOT NULL,
        refusals  INTEGER NOT NULL,
        waits     INTEGER NOT NULL,
        waited_ms INTEGER NOT NULL,
        PRIMARY KEY (hour, project)
    ) STRICT, WITHOUT ROWID;
    -- The counts of all hours together: the first view of the page is not to sum them up.
    CREATE TABLE tally_all (
        name   TEXT    NOT NULL,
        type   TEXT    NOT NULL,
        tool   TEXT    NOT NULL,
        events INTEGER NOT NULL,
        PRIMARY KEY (name, type, tool)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO tally_all SELECT name, type, tool, sum(events) FROM tally GROUP BY name, type, tool;
    CREATE TABLE duration_all (
        tool  TEXT    NOT NULL,
        step  INTEGER NOT NULL,
        calls INTEGER NOT NULL,
        PRIMARY KEY (tool, step)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO duration_all SELECT tool, step, sum(calls) FROM duration GROUP BY tool, step;
    CREATE INDEX agent_by_status ON agent (status);
    ALTER TABLE session ADD COLUMN started_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN ended      INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN project    TEXT    NOT NULL DEFAULT '';
    ALTER TABLE session ADD COLUMN about      TEXT    NOT NULL DEFAULT '';
    ALTER TABLE session ADD COLUMN tokens     INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN usd        REAL    NOT NULL DEFAULT 0;
    UPDATE agent SET body = json_set(body, '$.view.usage.unpriced',
        coalesce(body ->> '$.view.usage.messages', 0)) WHERE json_valid(body);
    UPDATE session SET body = json_set(body, '$.usage', json((
        SELECT json_object(
            'messages', coalesce(sum(agent.body ->> '$.view.usage.messages'), 0),
            'input_tokens', coalesce(sum(agent.body ->> '$.view.usage.input_tokens'), 0),
            'output_tokens', coalesce(sum(agent.body ->> '$.view.usage.output_tokens'), 0),
            'cache_read_tokens', coalesce(sum(agent.body ->> '$.view.usage.cache_read_tokens'), 0),
            'cache_creation_tokens',
                coalesce(sum(agent.body ->> '$.view.usage.cache_creation_tokens'), 0),
            'cost_usd', sum(agent.body ->> '$.view.usage.cost_usd'),
            'unpriced', coalesce(sum(agent.body ->> '$.view.usage.messages'), 0))
        FROM agent WHERE agent.session = session.id AND json_valid(agent.body))))
        WHERE json_valid(body);
    UPDATE session SET
        started_ms = coalesce(body ->> '$.started_ms', 0),
        ended = (body ->> '$.ended_ms') IS NOT NULL,
        project = coalesce(body ->> '$.workspace_id', ''),
        about = coalesce(body ->> '$.title', ''),
        tokens = (body ->> '$.usage.input_tokens') + (body ->> '$.usage.output_tokens')
            + (body ->> '$.usage.cache_read_tokens') + (body ->> '$.usage.cache_creation_tokens'),
        usd = coalesce(body ->> '$.usage.cost_usd', 0.0)
        WHERE json_valid(body);
",
];

/// The version of the schema that this program writes.
#[expect(clippy::cast_possible_wrap, reason = "a handful of steps")]
pub const VERSION: i64 = STEPS.len() as i64;

/// The version that first had agents, sessions and counts.
pub(super) const WITH_AGENTS: i64 = 3;

/// The version that first had decisions.
pub(super) const WITH_DECISIONS: i64 = 5;

/// The version that first had what was used and done.
pub(super) const WITH_SPENDING: i64 = 6;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// What an older program has counted is kept, and said to have no price.
    #[test]
    fn sessions_of_an_older_program_have_what_their_agents_used() {
        let mut connection = Connection::open_in_memory().unwrap();
        let before = usize::try_from(WITH_SPENDING - 1).unwrap();
        STEPS[..before]
            .iter()
            .for_each(|step| connection.execute_batch(step).unwrap());
        connection
            .pragma_update(None, "user_version", WITH_SPENDING - 1)
            .unwrap();
        connection
            .execute_batch(
                r#"INSERT INTO session VALUES
                   ('s', 9, '{"session_id":"s","workspace_id":"shop","title":"Sell","started_ms":4,"ended_ms":8}'),
                   ('t', 9, '{"session_id":"t","workspace_id":null,"title":null,"started_ms":5,"ended_ms":null}');
                   INSERT INTO agent VALUES
                   ('s', 's', 'idle', 4, 9, '{"view":{"usage":{"messages":2,"input_tokens":30,"output_tokens":4,"cache_read_tokens":0,"cache_creation_tokens":1,"cost_usd":null}}}'),
                   ('a', 's', 'idle', 4, 9, '{"view":{"usage":{"messages":1,"input_tokens":5,"output_tokens":1,"cache_read_tokens":0,"cache_creation_tokens":0,"cost_usd":0.5}}}');"#,
            )
            .unwrap();
        migrate(&mut connection).unwrap();
        let rows: Vec<(i64, bool, String, String, i64, f64, i64)> = connection
            .prepare("SELECT started_ms, ended, project, about, tokens, usd, body ->> '$.usage.unpriced' FROM session ORDER BY id")
            .unwrap()
            .query_map([], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
            })
            .unwrap()
            .collect::<rusqlite::Result<_>>()
            .unwrap();
        assert_eq!(
            rows,
            [
                (4, true, "shop".into(), "Sell".into(), 41, 0.5, 3),
                (5, false, String::new(), String::new(), 0, 0.0, 0)
            ]
        );
    }
}
