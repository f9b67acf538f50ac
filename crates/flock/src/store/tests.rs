use std::path::Path;

use bellwether_spine::chain::Head;
use bellwether_spine::journal::{Cursor, Segment};

use super::*;
use crate::{Filter, Retention, Row, Severity, StopHow, StoreError, TimelineWindow};

fn row(session: &str, name: &str) -> Row {
    let payload = format!(r#"{{"hook_event_name":"{name}","session_id":"{session}"}}"#);
    Row::from_record(record(&payload).as_bytes()).unwrap()
}

fn head(seq: u64) -> Head {
    Head {
        seq,
        hash: format!("{seq:064}"),
    }
}

/// A tool call that was refused, with where the chain stood.
fn refused(session: &str, seq: u64) -> Row {
    Row {
        audit: Some(head(seq)),
        ..row(session, "PreToolUse")
    }
}

fn record(payload: &str) -> String {
    format!(
        r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":1}},"payload":{payload}}}"#
    )
}

/// Stores rows as they are, without a flock.
fn append(store: &mut Sqlite, rows: &[Row], cursors: &[Cursor], gone: &[Segment]) -> i64 {
    let commit = Commit {
        rows,
        cursors,
        gone,
        ..Commit::default()
    };
    store.commit(&commit).unwrap()
}

fn cursor(segment: u64, offset: u64) -> Cursor {
    Cursor {
        segment: Segment(segment),
        offset,
        head: -5,
    }
}

fn open(path: &Path) -> Sqlite {
    Sqlite::open(path).unwrap()
}

#[test]
fn events_come_back_in_order_and_by_filter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    assert!(Reader::open(&path).unwrap().is_none());
    let mut store = open(&path);
    let rows = [
        row("abc", "Stop"),
        row("abd", "Stop"),
        row("abc", "PreToolUse"),
    ];
    assert_eq!(append(&mut store, &rows, &[cursor(1, 10)], &[]), 3);
    assert_eq!(
        append(
            &mut store,
            &[row("x", "Stop")],
            &[cursor(1, 20), cursor(2, 5)],
            &[]
        ),
        4
    );
    assert_eq!(store.cursors().unwrap(), [cursor(1, 20), cursor(2, 5)]);
    assert_eq!(append(&mut store, &[], &[], &[Segment(1)]), 4);

    let reader = Reader::open(&path).unwrap().unwrap();
    let seqs = |filter: &Filter, limit| -> Vec<i64> {
        reader
            .last(filter, limit)
            .unwrap()
            .iter()
            .map(|event| event.seq)
            .collect()
    };
    assert_eq!(reader.count().unwrap(), 4);
    assert_eq!(reader.cursors().unwrap(), [cursor(2, 5)]);
    assert_eq!(seqs(&Filter::default(), 2), [3, 4]);
    assert_eq!(
        seqs(
            &Filter {
                session: Some("ab".into()),
                ..Filter::default()
            },
            9
        ),
        [1, 2, 3]
    );
    assert_eq!(
        seqs(
            &Filter {
                session: Some("abc".into()),
                ..Filter::default()
            },
            9
        ),
        [1, 3]
    );
    assert_eq!(
        seqs(
            &Filter {
                name: Some("Stop".into()),
                after: 1,
                ..Filter::default()
            },
            9
        ),
        [2, 4]
    );
    let first = reader.first(&Filter::default(), 1).unwrap();
    assert_eq!(
        (first[0].seq, first[0].record.as_str()),
        (
            1,
            &*record(r#"{"hook_event_name":"Stop","session_id":"abc"}"#)
        )
    );
}

#[test]
fn what_is_stored_survives_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    append(&mut open(&path), &[row("a", "Stop")], &[cursor(1, 10)], &[]);
    let mut store = open(&path);
    assert_eq!(store.cursors().unwrap(), [cursor(1, 10)]);
    assert_eq!(append(&mut store, &[row("a", "Stop")], &[], &[]), 2);
}

#[test]
fn a_newer_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    drop(open(&path));
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .pragma_update(None, "user_version", VERSION + 1)
        .unwrap();
    drop(other);
    let before = std::fs::read(&path).unwrap();
    let error = Sqlite::open(&path).err().unwrap();
    assert!(matches!(error, StoreError::Newer { .. }), "{error}");
    assert!(error.to_string().contains("update bellwether"));
    assert!(matches!(Reader::open(&path), Err(StoreError::Newer { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_damaged_database_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    for number in 1..=2 {
        std::fs::write(
            &path,
            "this is no database, but it is long enough to look at".repeat(50),
        )
        .unwrap();
        assert!(Sqlite::open(&path).err().unwrap().is_damage());
        let aside = Sqlite::set_aside(&path).unwrap();
        let mut store = open(&path);
        assert!(
            aside
                .to_str()
                .unwrap()
                .ends_with(&format!("flock.db.damaged-{number}"))
        );
        assert!(
            std::fs::read_to_string(&aside)
                .unwrap()
                .starts_with("this is no database")
        );
        assert_eq!(append(&mut store, &[row("a", "Stop")], &[], &[]), 1);
    }
}

#[test]
fn where_the_audit_chain_stood_is_kept_with_the_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    let mut store = open(&path);
    append(
        &mut store,
        &[refused("s", 1), row("s", "Stop"), refused("s", 2)],
        &[],
        &[],
    );
    let reader = Reader::open(&path).unwrap().unwrap();
    assert_eq!(reader.audit_heads().unwrap(), [head(1), head(2)]);
}

#[test]
fn refused_events_go_and_the_chain_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    let mut store = open(&path);
    let rows = [refused("a", 1), row("a", "Stop"), refused("b", 2)];
    assert_eq!(append(&mut store, &rows, &[], &[]), 3);
    let of_a = Filter {
        session: Some("a".into()),
        ..Filter::default()
    };
    assert_eq!(store.purge(&of_a).unwrap(), 2);
    let old = Retention {
        keep_days: 1,
        max_mib: 0,
    };
    assert_eq!(store.tidy(&old, u64::MAX).unwrap().removed, 1);
    let later = append(&mut store, &[refused("c", 3)], &[], &[]);
    assert_eq!(later, 4, "no place is given twice");
    let reader = Reader::open(&path).unwrap().unwrap();
    assert_eq!(reader.audit_heads().unwrap(), [head(1), head(2), head(3)]);
    assert_eq!(reader.overview().unwrap().refusals, 1);
    assert_eq!(reader.audit(None, 10).unwrap().len(), 1);
    assert_eq!(store.purge(&Filter::default()).unwrap(), 1);
    assert_eq!(append(&mut store, &[refused("d", 4)], &[], &[]), 5);
}

struct File(tempfile::TempDir);

impl File {
    fn path(&self) -> std::path::PathBuf {
        self.0.path().join("flock.db")
    }
}

impl story::Backend for File {
    type Writer = Sqlite;
    type Reader = Reader;

    fn open(&self) -> Sqlite {
        open(&self.path())
    }

    fn read(&self) -> Reader {
        Reader::open(&self.path()).unwrap().unwrap()
    }
}

#[test]
fn sqlite_tells_the_story() {
    story::tell(&File(tempfile::tempdir().unwrap()));
}

/// The database of the version before this one, as its program made it.
const VERSION_2: &str = include_str!("../../fixtures/version-2.sql");

#[test]
fn what_the_version_before_stored_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    let old = rusqlite::Connection::open(&path).unwrap();
    old.pragma_update(None, "journal_mode", "WAL").unwrap();
    old.execute_batch(VERSION_2).unwrap();
    drop(old);
    let before = Reader::open(&path).unwrap().unwrap();
    assert_eq!(
        before.count().unwrap(),
        10,
        "it can be read before it is brought up"
    );
    assert_eq!(before.overview().unwrap(), crate::Overview::default());
    assert_eq!(before.last(&Filter::default(), 20).unwrap().len(), 10);
    drop(before);
    let mut keeper = crate::Keeper::new(open(&path)).unwrap();
    keeper.settle().unwrap();
    let reader = Reader::open(&path).unwrap().unwrap();
    let overview = reader.overview().unwrap();
    assert_eq!(
        (overview.events, overview.sessions, overview.agents),
        (10, 1, 2)
    );
    let session = &reader.sessions(1).unwrap()[0];
    assert_eq!(
        session.agents[0].children[0].agent.display_name,
        "general-purpose"
    );
    let failed = Filter {
        kind: Some(crate::EventType::ToolFailed),
        ..Filter::default()
    };
    assert_eq!(reader.page(&failed, 10).unwrap().events.len(), 1);
    let found = Filter {
        search: Some("scripted run complete".into()),
        ..Filter::default()
    };
    assert_eq!(reader.page(&found, 10).unwrap().events.len(), 1);
    drop(keeper);
    let again = crate::Keeper::new(open(&path)).unwrap();
    assert_eq!(again.store().underived(10).unwrap().len(), 0);
    assert_eq!(
        reader.tools(0).unwrap()[0].count,
        2,
        "nothing is counted twice"
    );
}

#[test]
fn a_lost_or_damaged_index_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    let words = Filter {
        search: Some("Stop".into()),
        ..Filter::default()
    };
    let mut store = open(&path);
    let prompt =
        r#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"Stop the sheep"}"#;
    let row = Row::from_record(record(prompt).as_bytes()).unwrap();
    append(&mut store, &[row], &[], &[]);
    store.settle().unwrap();
    drop(store);
    let index = folder.path().join("flock.db-search");
    for damage in ["", "this is no database".repeat(500).as_str()] {
        for side in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.path().join(format!("flock.db-search{side}")));
        }
        std::fs::write(&index, damage).unwrap();
        let mut store = open(&path);
        store.settle().unwrap();
        let reader = Reader::open(&path).unwrap().unwrap();
        assert_eq!(reader.page(&words, 10).unwrap().events.len(), 1);
    }
}

#[test]
fn a_backup_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    let mut store = open(&path);
    append(&mut store, &[row("a", "Stop")], &[cursor(1, 10)], &[]);
    let copy = folder.path().join("copy.db");
    Reader::open(&path).unwrap().unwrap().backup(&copy).unwrap();
    let reader = Reader::open(&copy).unwrap().unwrap();
    assert_eq!(reader.count().unwrap(), 1);
    assert_eq!(reader.cursors().unwrap(), [cursor(1, 10)]);
}

#[test]
fn a_store_that_is_too_large_loses_its_oldest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    let mut store = open(&path);
    let long = format!(
        r#"{{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"{}"}}"#,
        "wool ".repeat(2_000)
    );
    let rows: Vec<Row> = (0..400)
        .map(|_| Row::from_record(record(&long).as_bytes()).unwrap())
        .collect();
    append(&mut store, &rows, &[], &[]);
    let keep = crate::Retention {
        keep_days: 0,
        max_mib: 1,
    };
    let tidied = store.tidy(&keep, 0).unwrap();
    assert_eq!(tidied.removed, 400, "four megabytes are more than one");
    assert_eq!(store.tidy(&keep, 0).unwrap().removed, 0);
}

/// A decision about an event of this session, which happened at the time of [`record`].
fn decision(number: u64, session: &str, said: bool) -> Decision {
    Decision {
        number,
        at_ms: 1,
        session: session.to_owned(),
        said,
        body: format!("about {session}"),
    }
}

fn decide(store: &mut Sqlite, decisions: &[Decision]) {
    let commit = Commit {
        decisions,
        ..Commit::default()
    };
    store.commit(&commit).unwrap();
}

fn numbers(path: &Path, said: bool, after: u64, limit: usize) -> Vec<u64> {
    let reader = Reader::open(path).unwrap().unwrap();
    let filter = DecisionFilter { said, after };
    let found = reader.decisions(filter, limit).unwrap();
    found.iter().map(|decision| decision.number).collect()
}

#[test]
fn decisions_come_back_in_order_and_silence_does_not_crowd_out_what_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    let mut store = open(&path);
    append(&mut store, &[row("a", "Stop")], &[], &[]);
    decide(&mut store, &[decision(3, "a", true)]);
    let silent: Vec<Decision> = (4..7_004)
        .map(|number| decision(number, "a", false))
        .collect();
    decide(&mut store, &silent);
    decide(&mut store, &[decision(8_000, "a", true)]);
    drop(store);
    assert_eq!(numbers(&path, true, 0, 200), [3, 8_000]);
    assert_eq!(numbers(&path, true, 3, 200), [8_000]);
    assert_eq!(numbers(&path, false, 0, 2), [7_003, 8_000]);
    assert_eq!(
        numbers(&path, false, 0, 100_000).len(),
        5_002,
        "of silence only the last is kept"
    );
}

#[test]
fn decisions_go_with_their_events() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    let mut store = open(&path);
    append(&mut store, &[row("a", "Stop"), row("b", "Stop")], &[], &[]);
    let lost = Decision {
        at_ms: 99,
        ..decision(3, "a", true)
    };
    decide(
        &mut store,
        &[decision(1, "a", true), decision(2, "b", true), lost],
    );
    let filter = Filter {
        session: Some("a".into()),
        ..Filter::default()
    };
    assert_eq!(store.purge(&filter).unwrap(), 1);
    assert_eq!(numbers(&path, false, 0, 10), [2]);
    let keep = Retention {
        keep_days: 1,
        max_mib: 0,
    };
    let stray = Decision {
        session: "c".into(),
        ..decision(4, "c", false)
    };
    decide(&mut store, &[stray]);
    let day = 24 * 60 * 60 * 1000;
    assert_eq!(store.tidy(&keep, 1 + 2 * day).unwrap().removed, 1);
    assert_eq!(numbers(&path, false, 0, 10), [0; 0]);
    append(&mut store, &[row("d", "Stop")], &[], &[]);
    decide(&mut store, &[decision(5, "d", true), decision(6, "", true)]);
    store.purge(&Filter::default()).unwrap();
    assert_eq!(numbers(&path, false, 0, 10), [0; 0]);
}

#[test]
fn a_stored_refusal_says_by_which_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flock.db");
    let mut store = open(&path);
    let call = r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"rm -rf ~"}}"#;
    let ruled = |said: &str| {
        let guard = format!(r#""guard":{{"said":"{said}","rules":["delete-home"]}},"at_ms""#);
        let record = record(call).replacen(r#""at_ms""#, &guard, 1);
        Row::from_record(record.as_bytes()).unwrap()
    };
    append(
        &mut store,
        &[ruled("deny"), ruled("ask"), row("s", "Stop")],
        &[],
        &[],
    );
    let reader = Reader::open(&path).unwrap().unwrap();
    let page = reader.page(&Filter::default(), 9).unwrap();
    let how = |place: usize| {
        page.events[place]
            .stopped
            .as_ref()
            .map(|stopped| stopped.how)
    };
    assert_eq!(
        [how(2), how(1), how(0)],
        [Some(StopHow::Refused), Some(StopHow::Asked), None]
    );
    let against = page.events[2]
        .stopped
        .as_ref()
        .map(|stopped| &stopped.rules);
    assert_eq!(against, Some(&vec!["delete-home".to_owned()]));
    let grave = Filter {
        severity: Some(Severity::Warn),
        ..Filter::default()
    };
    let grave = reader.page(&grave, 9).unwrap();
    assert_eq!(grave.events.len(), 1, "a question is nothing grave");
    let event = reader.event(grave.events[0].seq).unwrap().unwrap().event;
    assert_eq!(event.payload["stopped"]["how"], "refused");
    assert_eq!(event.severity, Severity::Warn);
    let window = TimelineWindow {
        until_ms: 10,
        limit: 9,
        ..TimelineWindow::default()
    };
    let timeline = reader.timeline(&window).unwrap();
    let refused = &timeline.lanes[0].spans[0];
    assert!(refused.failed && refused.to_ms == Some(refused.from_ms));
}
