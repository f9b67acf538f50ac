//! The timeline of a window. Events have no index by time, which would cost too much when they are stored:
//! their order is nearly that of time, so the window's two ends are found in it by halving.

use std::collections::HashMap;

use bellwether_spine::journal::Envelope;
use bellwether_spine::meta::COMMIT_CHECKED;
use bellwether_spine::text;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};

use super::agents;
use super::write::severity_number;
use crate::normal::{EventType, Meaning, Severity};
use crate::timeline::{Lane, Timeline, TimelineWindow, Told, Weaver, Woven};

/// So many events before the window are looked at: what goes on in it may have begun there.
const BEFORE: i64 = 8_000;
/// So many behind it: some are told late.
const BEHIND: i64 = 1_000;
/// For each span so many events are looked at, the newest of the window.
const FOR_A_SPAN: usize = 8;
/// No fewer events than this are looked at, and no more.
const LOOKED_AT: (usize, usize) = (10_000, 60_000);
/// A probe takes the middle of so many moments, as a single one may be anything.
const PROBE: i64 = 9;
/// As much is shown of a name.
const NAME: usize = 120;

pub(super) fn read(connection: &Connection, window: &TimelineWindow) -> rusqlite::Result<Timeline> {
    let (first, last) = ends(connection)?;
    let from = halve(connection, first, last, window.since_ms)?;
    let to = halve(connection, from, last, window.until_ms)?;
    let (told, cut) = told(connection, window, (from - BEFORE, to + BEHIND))?;
    let mut weaver = Weaver::default();
    for told in &told {
        weaver.hear(told);
    }
    let mut spans = weaver.finish();
    spans.retain(|woven| woven.span.to_ms.is_none_or(|to| to >= window.since_ms));
    let left_out = spans.len().saturating_sub(window.limit);
    spans.drain(..left_out);
    Ok(Timeline {
        since_ms: window.since_ms,
        until_ms: window.until_ms,
        truncated: cut || left_out > 0,
        lanes: lanes(connection, spans, window.since_ms)?,
    })
}

/// The first and the last place there is.
fn ends(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    let ends: (Option<i64>, Option<i64>) = connection
        .prepare_cached("SELECT (SELECT min(seq) FROM event), (SELECT max(seq) FROM event)")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((ends.0.unwrap_or_default(), ends.1.unwrap_or_default()))
}

/// About the first place whose event happened at a moment or after it.
fn halve(connection: &Connection, first: i64, last: i64, moment_ms: u64) -> rusqlite::Result<i64> {
    let (mut low, mut high) = (first, last + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if probe(connection, middle)?.is_none_or(|at_ms| at_ms >= moment_ms) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(low)
}

/// When things happened around a place.
fn probe(connection: &Connection, seq: i64) -> rusqlite::Result<Option<u64>> {
    let mut statement = connection
        .prepare_cached("SELECT at_ms FROM event WHERE seq >= ?1 ORDER BY seq LIMIT ?2")?;
    let moments = statement.query_map(params![seq, PROBE], |row| row.get::<_, i64>(0))?;
    let mut moments: Vec<i64> = moments.collect::<rusqlite::Result<_>>()?;
    moments.sort_unstable();
    Ok(moments.get(moments.len() / 2).map(|at| at.cast_unsigned()))
}

/// The events of a range that count, oldest first, and whether there were too many.
fn told(
    connection: &Connection,
    window: &TimelineWindow,
    (from, to): (i64, i64),
) -> rusqlite::Result<(Vec<Told>, bool)> {
    let mut sql =
        "SELECT seq, at_ms, session, agent, name, tool, tool_use, type, severity FROM event
                   WHERE seq >= ? AND seq <= ? AND at_ms < ?"
            .to_owned();
    let until = window.until_ms.cast_signed();
    let mut values: Vec<Value> = vec![from.into(), to.into(), until.into()];
    let mut and = |what: &str, value: &str| {
        sql.push_str(what);
        values.push(value.to_owned().into());
    };
    let session = match (&window.session, &window.agent) {
        (None, Some(agent)) => session_of(connection, agent)?,
        (session, _) => session.clone(),
    };
    if let Some(session) = session {
        and(" AND session = ?", &session);
    }
    if let Some(agent) = &window.agent {
        and(" AND agent = ?", agent);
    }
    sql.push_str(" ORDER BY seq DESC LIMIT ?");
    let most = window.limit.saturating_mul(FOR_A_SPAN);
    let most = most.clamp(LOOKED_AT.0, LOOKED_AT.1);
    values.push(i64::try_from(most + 1).unwrap_or(i64::MAX).into());
    let mut statement = connection.prepare_cached(&sql)?;
    let told = statement.query_map(params_from_iter(values), one)?;
    let mut told: Vec<Told> = told.collect::<rusqlite::Result<_>>()?;
    let cut = told.len() > most && told[most].at_ms >= window.since_ms;
    told.truncate(most);
    told.reverse();
    Ok((told, cut))
}

/// Events are found by their session much faster than by their agent alone.
fn session_of(connection: &Connection, agent: &str) -> rusqlite::Result<Option<String>> {
    let found = connection
        .prepare_cached("SELECT session FROM agent WHERE id = ?1")?
        .query_row([agent], |row| row.get(0))
        .optional()?;
    Ok(found.flatten())
}

fn one(row: &Row<'_>) -> rusqlite::Result<Told> {
    let kind = row.get::<_, Option<String>>(7)?.unwrap_or_default();
    let kind = EventType::from_name(&kind);
    let severity: Option<i64> = row.get(8)?;
    let name: String = row.get(4)?;
    // A call that does not begin as it should was refused, and so was a commit that did not pass.
    let may_be_refused = kind == Some(EventType::ToolStarted) || name == COMMIT_CHECKED;
    let refused = may_be_refused && severity >= Some(severity_number(Severity::Warn));
    Ok(Told {
        seq: row.get(0)?,
        at_ms: row.get::<_, i64>(1)?.cast_unsigned(),
        session: row.get(2)?,
        agent: row.get::<_, Option<String>>(3)?.unwrap_or_default(),
        name,
        tool: row.get(5)?,
        tool_use: row.get(6)?,
        failed: refused || kind == Some(EventType::ToolFailed),
    })
}

/// The spans by agent. What an agent that has gone left open ended when it was last heard of.
fn lanes(connection: &Connection, spans: Vec<Woven>, since_ms: u64) -> rusqlite::Result<Vec<Lane>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut lanes: Vec<(Lane, Option<u64>)> = Vec::new();
    for woven in spans {
        let place = if let Some(place) = places.get(&woven.agent) {
            *place
        } else {
            places.insert(woven.agent.clone(), lanes.len());
            lanes.push(lane(connection, &woven)?);
            lanes.len() - 1
        };
        let (lane, gone_ms) = &mut lanes[place];
        let mut span = woven.span;
        let left = gone_ms.map(|gone| gone.max(span.from_ms));
        span.to_ms = span.to_ms.or(left);
        if span.to_ms.is_some_and(|to| to < since_ms) {
            continue;
        }
        span.summary = summary(connection, span.seq)?;
        span.name = text::shown(&span.name, NAME);
        lane.spans.push(span);
    }
    let lanes = lanes.into_iter().map(|(lane, _)| lane);
    Ok(lanes.filter(|lane| !lane.spans.is_empty()).collect())
}

/// An agent without its spans, and when it was last heard of if it has gone.
fn lane(connection: &Connection, woven: &Woven) -> rusqlite::Result<(Lane, Option<u64>)> {
    let shown = |text: &str| text::shown(text, NAME);
    let known = agents::agent(connection, &woven.agent)?.map(|agent| agent.view);
    let gone = known
        .as_ref()
        .filter(|agent| !agent.status.is_present())
        .map(|agent| agent.last_active_ms);
    let (name, parent) = known.map_or((None, None), |agent| {
        (Some(agent.display_name), agent.parent_id)
    });
    let lane = Lane {
        agent_id: shown(&woven.agent),
        session_id: woven.session.as_deref().map(shown),
        display_name: name.unwrap_or_else(|| shown(&woven.agent)),
        parent_id: parent,
        spans: Vec::new(),
    };
    Ok((lane, gone))
}

/// What an event is about, in a line.
fn summary(connection: &Connection, seq: i64) -> rusqlite::Result<Option<String>> {
    let record: Option<String> = connection
        .prepare_cached("SELECT body FROM record WHERE seq = ?1")?
        .query_row([seq], |row| row.get(0))
        .optional()?;
    let label = record.and_then(|record| {
        let envelope = Envelope::parse(&record).ok()?;
        let event = envelope.event().ok()?;
        Meaning::of(&event).label
    });
    Ok(label)
}
