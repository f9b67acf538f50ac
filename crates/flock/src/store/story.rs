//! One story that every store must be able to tell: whatever database is behind it runs this.

use bellwether_spine::journal::{Cursor, Segment};

use crate::live::Measured;
use crate::{
    AgentFilter, EventType, Filter, HOUR_MS, Harvest, Keeper, Retention, Row, Sender,
    SessionFilter, SessionName, SessionSort, SessionState, Severity, Spending, Status, Store,
    StoreReader, TimelineWindow, Usage, intake,
};

/// A store of some kind, empty at first.
pub(super) trait Backend {
    type Writer: Store;
    type Reader: StoreReader;

    fn open(&self) -> Self::Writer;
    fn read(&self) -> Self::Reader;
}

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
const BEGIN_MS: u64 = 1_000 * DAY_MS;

fn row(at_ms: u64, payload: &str) -> Row {
    let mut row = intake(payload, Sender::Other).row;
    row.at_ms = at_ms;
    row
}

fn told(session: &str) -> Vec<Row> {
    let event = |at: u64, name: &str, more: &str| {
        let payload = format!(
            r#"{{"hook_event_name":"{name}","session_id":"{session}","_meta":{{"workspace_id":"shop"}}{more}}}"#
        );
        row(BEGIN_MS + at, &payload)
    };
    let call =
        r#","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"grep lilies poem.txt"}"#;
    let fails = r#","tool_name":"Bash","tool_use_id":"t1","error":"Exit code 1","duration_ms":40"#;
    vec![
        event(0, "SessionStart", r#","source":"startup""#),
        event(
            10,
            "UserPromptSubmit",
            r#","prompt":"Find the lilies with key sk-abcdefghijklmnopqrstuvwxyz123456""#,
        ),
        event(20, "PreToolUse", call),
        event(60, "PostToolUseFailure", fails),
        event(
            70,
            "SubagentStart",
            r#","agent_id":"a1","agent_type":"Explore""#,
        ),
        event(
            80,
            "Stop",
            r#","last_assistant_message":"No lilies.","background_tasks":[{}]"#,
        ),
    ]
}

fn harvest(rows: Vec<Row>, offset: u64) -> Harvest {
    Harvest {
        rows,
        cursors: vec![Cursor {
            segment: Segment(1),
            offset,
            head: 7,
        }],
        ..Harvest::default()
    }
}

pub(super) fn tell(backend: &impl Backend) {
    let mut keeper = Keeper::new(backend.open()).unwrap();
    let kept = keeper
        .keep(harvest(told("one"), 100), BEGIN_MS + 90)
        .unwrap();
    assert_eq!((kept.seq, kept.rows.len(), kept.doubles), (6, 6, 0));
    keeper
        .keep(harvest(told("two"), 200), BEGIN_MS + 90)
        .unwrap();
    keeper.settle().unwrap();
    pages(&backend.read());
    words(&backend.read());
    details(&backend.read());
    people(&backend.read());
    figures(&backend.read());
    drop(keeper);
    spends(backend);
    tables(backend);
    goes_on(backend);
    old_ones_go(backend);
    all_go(backend);
}

/// Events are found by what they are.
fn pages(reader: &impl StoreReader) {
    let page = |filter: &Filter, limit| reader.page(filter, limit).unwrap();
    let all = page(&Filter::default(), 4);
    assert_eq!(
        all.events.iter().map(|event| event.seq).collect::<Vec<_>>(),
        [12, 11, 10, 9]
    );
    assert_eq!(all.next, Some(9));
    let rest = page(
        &Filter {
            before: all.next,
            ..Filter::default()
        },
        100,
    );
    assert_eq!((rest.events.len(), rest.next), (8, None));
    let count = |filter: Filter| page(&filter, 100).events.len();
    assert_eq!(
        count(Filter {
            session: Some("on".into()),
            ..Filter::default()
        }),
        6
    );
    assert_eq!(
        count(Filter {
            agent: Some("a1".into()),
            ..Filter::default()
        }),
        2
    );
    assert_eq!(
        count(Filter {
            name: Some("Stop".into()),
            ..Filter::default()
        }),
        2
    );
    assert_eq!(
        count(Filter {
            kind: Some(EventType::ToolFailed),
            ..Filter::default()
        }),
        2
    );
    assert_eq!(
        count(Filter {
            tool: Some("Bash".into()),
            ..Filter::default()
        }),
        4
    );
    assert_eq!(
        count(Filter {
            workspace: Some("shop".into()),
            ..Filter::default()
        }),
        12
    );
    assert_eq!(
        count(Filter {
            severity: Some(Severity::Warn),
            ..Filter::default()
        }),
        2
    );
    assert_eq!(
        count(Filter {
            since_ms: Some(BEGIN_MS + 70),
            ..Filter::default()
        }),
        4
    );
    assert_eq!(
        count(Filter {
            until_ms: Some(BEGIN_MS + 10),
            ..Filter::default()
        }),
        2
    );
}

/// Events are found by their words, and by both.
fn words(reader: &impl StoreReader) {
    let page = |filter: &Filter, limit| reader.page(filter, limit).unwrap();
    let count = |filter: Filter| page(&filter, 100).events.len();
    let found = |search: &str| {
        count(Filter {
            search: Some(search.into()),
            ..Filter::default()
        })
    };
    assert_eq!(found("lilies"), 6);
    assert_eq!(found("lilies poem"), 2);
    assert_eq!(found("lil"), 6);
    assert_eq!(found("LILIES"), 6);
    assert_eq!(found("lilies roses"), 0);
    assert_eq!(
        found("abcdefghijklmnopqrstuvwxyz123456"),
        0,
        "secrets are no words"
    );
    let both = Filter {
        search: Some("lilies".into()),
        session: Some("two".into()),
        ..Filter::default()
    };
    let newest = page(&both, 1);
    assert_eq!((newest.events[0].seq, newest.next), (12, Some(12)));
    let rest = page(
        &Filter {
            before: newest.next,
            ..both.clone()
        },
        10,
    );
    assert_eq!(
        rest.events
            .iter()
            .map(|event| event.seq)
            .collect::<Vec<_>>(),
        [9, 8]
    );
    let oldest: Vec<i64> = reader
        .first(&both, 2)
        .unwrap()
        .iter()
        .map(|event| event.seq)
        .collect();
    assert_eq!(oldest, [8, 9]);
}

/// One event whole, without its secrets.
fn details(reader: &impl StoreReader) {
    let detail = reader.event(2).unwrap().unwrap();
    assert_eq!(detail.event.event_type, EventType::AgentUnblocked);
    assert!(
        !serde_json::to_string(&detail)
            .unwrap()
            .contains("abcdefghij")
    );
    assert!(reader.event(99).unwrap().is_none());
}

/// Agents and sessions are there, as a tree.
fn people(reader: &impl StoreReader) {
    let sessions = reader.sessions(10).unwrap();
    assert_eq!(sessions.len(), 2);
    let one = reader.session("one").unwrap().unwrap();
    assert_eq!((one.session.events, one.agents.len()), (6, 1));
    // An agent's id is its own: told twice, it belongs to where it was last.
    let two = reader.session("two").unwrap().unwrap();
    assert_eq!(two.session.workspace_id.as_deref(), Some("shop"));
    assert_eq!(reader.agents(10).unwrap().len(), 3);
    let main = reader.agent("one").unwrap().unwrap();
    assert_eq!((main.status, main.background_tasks), (Status::Appearing, 1));
    assert!(reader.agent("nobody").unwrap().is_none());
    let (agents, sessions) = reader.present().unwrap();
    assert_eq!((agents.len(), sessions.len()), (3, 2));
    people_in_pages(reader);
    spans(reader);
    people_by_words(reader);
}

/// What took a while is known with its beginning and its end.
fn spans(reader: &impl StoreReader) {
    let window = TimelineWindow {
        since_ms: BEGIN_MS,
        until_ms: BEGIN_MS + 100,
        session: Some("one".to_owned()),
        limit: 9,
        ..TimelineWindow::default()
    };
    let timeline = reader.timeline(&window).unwrap();
    let lane = &timeline.lanes[0];
    let spans: Vec<_> = lane
        .spans
        .iter()
        .map(|span| (span.name.as_str(), span.from_ms - BEGIN_MS, span.to_ms))
        .collect();
    assert_eq!(lane.agent_id, "one");
    assert_eq!(
        spans,
        [
            ("UserPromptSubmit", 10, Some(BEGIN_MS + 80)),
            ("Bash", 20, Some(BEGIN_MS + 60))
        ]
    );
    let summary = lane.spans[0].summary.as_deref().unwrap_or_default();
    assert!(summary.contains("lilies") && !summary.contains("abcdefghij"));
    assert!(lane.spans[1].failed && !timeline.truncated);
    assert_eq!(timeline.lanes[1].spans[0].to_ms, None);
    let later = TimelineWindow {
        since_ms: BEGIN_MS + 70,
        ..window.clone()
    };
    let later = reader.timeline(&later).unwrap();
    assert_eq!(later.lanes[0].spans.len(), 1, "the tool had ended before");
    let newest = TimelineWindow { limit: 1, ..window };
    let newest = reader.timeline(&newest).unwrap();
    assert!(newest.truncated && newest.lanes.len() == 1);
    let none = reader.timeline(&TimelineWindow::default()).unwrap();
    assert!(none.lanes.is_empty() && !none.truncated);
}

/// Page after page, everybody is there once.
fn people_in_pages(reader: &impl StoreReader) {
    let mut filter = AgentFilter::default();
    let mut seen = Vec::new();
    loop {
        let page = reader.some_agents(&filter, 2).unwrap();
        seen.extend(page.some.into_iter().map(|agent| agent.agent_id));
        match page.next {
            Some(next) => filter.after = Some(next),
            None => break,
        }
    }
    seen.sort();
    assert_eq!(seen, ["a1", "one", "two"]);
    let of_two = AgentFilter {
        session: Some("two".to_owned()),
        ..AgentFilter::default()
    };
    let of_two = reader.some_agents(&of_two, 9).unwrap();
    assert_eq!((of_two.some.len(), of_two.next), (2, None));
    let first = reader.some_sessions(None, 1).unwrap();
    let second = reader.some_sessions(first.next.as_ref(), 1).unwrap();
    assert_eq!(second.next, None);
    assert_ne!(
        first.some[0].session.session_id,
        second.some[0].session.session_id
    );
}

fn people_by_words(reader: &impl StoreReader) {
    let agents = |search| reader.find_agents(search, 9).unwrap().len();
    assert_eq!(
        [
            agents("EXPLORE"),
            agents("shop"),
            agents("body_index"),
            agents("%"),
            agents("tulips")
        ],
        [1, 3, 0, 0, 0]
    );
    assert_eq!(reader.find_agents("shop", 2).unwrap().len(), 2);
    let sessions = |search| reader.find_sessions(search, 9).unwrap().len();
    assert_eq!(
        [sessions("lilies find"), sessions("ONE"), sessions("tulips")],
        [2, 1, 0]
    );
}

/// What was counted is what happened.
fn figures(reader: &impl StoreReader) {
    let overview = reader.overview().unwrap();
    assert_eq!(
        (overview.events, overview.sessions, overview.agents),
        (12, 2, 3)
    );
    assert_eq!(overview.first_ms, Some(BEGIN_MS));
    assert_eq!(overview.hours.len(), 1);
    assert_eq!(
        (overview.hours[0].events, overview.hours[0].failures),
        (12, 2)
    );
    let tools = reader.tools(0).unwrap();
    assert_eq!(
        (tools[0].tool.as_str(), tools[0].count, tools[0].failures),
        ("Bash", 2, 2)
    );
    let p50 = tools[0].p50_ms.unwrap();
    assert!((38..=42).contains(&p50), "{p50}");
    assert!(reader.tools(BEGIN_MS + DAY_MS).unwrap().is_empty());
    assert_eq!(reader.count().unwrap(), 12);
    assert!(reader.audit(None, 10).unwrap().is_empty());
}

/// What a reading of a transcript adds for a session's agent, behind a place in it.
fn measured(agent: &str, from: u64, at_ms: u64, usd: Option<f64>) -> Measured {
    let mut measured = Measured {
        agent_id: agent.to_owned(),
        from,
        read_to: from + 10,
        branch: Some("fix/lilies".into()),
        name: Some(SessionName::Found("Lilies".into())),
        context_tokens: Some(120),
        ..Measured::default()
    };
    let usage = Usage {
        messages: 1,
        input_tokens: 100,
        output_tokens: 20,
        cost_usd: usd,
        unpriced: usd.is_none().into(),
        ..Usage::default()
    };
    measured.spend(at_ms / HOUR_MS, "model", &usage);
    measured
}

/// What was used is kept once, by session, agent, model, project and hour.
fn spends(backend: &impl Backend) {
    let mut keeper = Keeper::new(backend.open()).unwrap();
    let mut keep = |measured: Measured| {
        let harvest = Harvest {
            usage: vec![measured],
            ..Harvest::default()
        };
        keeper.keep(harvest, BEGIN_MS + 100).unwrap();
    };
    keep(measured("one", 0, BEGIN_MS, Some(0.5)));
    // The same piece of the transcript, read twice.
    keep(measured("one", 0, BEGIN_MS, Some(0.5)));
    keep(measured("one", 10, BEGIN_MS + HOUR_MS, None));
    keep(measured("two", 0, BEGIN_MS, Some(2.0)));
    let reader = backend.read();
    let spending = reader.spending(BEGIN_MS, BEGIN_MS + DAY_MS).unwrap();
    let told = |usage: &Usage| (usage.messages, usage.cost_usd, usage.unpriced);
    assert_eq!(told(&spending.usage), (3, Some(2.5), 1));
    let hours: Vec<_> = spending.hours.iter().map(|it| told(&it.usage)).collect();
    assert_eq!(hours, [(2, Some(2.5), 0), (1, None, 1)]);
    assert_eq!(spending.projects.len(), 1);
    assert_eq!(
        (
            spending.projects[0].project.as_str(),
            spending.models[0].model.as_str()
        ),
        ("shop", "model")
    );
    assert_eq!(spending.models[0].usage, spending.usage);
    let work = spending.work;
    assert_eq!((work.prompts, work.turns, work.failures), (2, 2, 2));
    assert_eq!(
        reader
            .spending(BEGIN_MS + DAY_MS, BEGIN_MS + 2 * DAY_MS)
            .unwrap(),
        Spending::default()
    );
    assert_eq!(
        told(&reader.overview().unwrap().hours[0].usage),
        (2, Some(2.5), 0)
    );
    let main = reader.agent("one").unwrap().unwrap();
    assert_eq!(told(&main.usage), (2, Some(0.5), 1));
    assert_eq!(main.models[0].usage, main.usage);
    let brief = main.session.unwrap();
    assert_eq!(
        (brief.about.as_deref(), brief.branch.as_deref(), brief.usage),
        (Some("Lilies"), Some("fix/lilies"), main.usage)
    );
}

/// Sessions as a table: in every order, and those that are asked for.
fn tables(backend: &impl Backend) {
    let reader = backend.read();
    let rows = |filter: SessionFilter| {
        let table = reader.session_table(&filter, 9).unwrap();
        let ids = table.rows.iter().map(|row| row.session.session_id.clone());
        ids.collect::<Vec<String>>()
    };
    let by = |sort, is_rising| SessionFilter {
        sort,
        is_rising,
        ..SessionFilter::default()
    };
    assert_eq!(rows(by(SessionSort::Cost, false)), ["two", "one"]);
    assert_eq!(rows(by(SessionSort::Cost, true)), ["one", "two"]);
    assert_eq!(rows(by(SessionSort::Tokens, false)), ["one", "two"]);
    for sort in [
        SessionSort::Last,
        SessionSort::Started,
        SessionSort::Duration,
        SessionSort::About,
        SessionSort::Project,
    ] {
        assert_eq!(rows(by(sort, false)).len(), 2);
    }
    let with = |text: &str| SessionFilter {
        text: Some(text.into()),
        ..SessionFilter::default()
    };
    assert_eq!(rows(with("LILIES sho")).len(), 2);
    assert_eq!(rows(with("lilies%")).len(), 0);
    assert_eq!(rows(with("tw")), ["two"]);
    let state = |state| SessionFilter {
        state,
        ..SessionFilter::default()
    };
    assert_eq!(rows(state(SessionState::Running)).len(), 2);
    assert_eq!(rows(state(SessionState::Ended)).len(), 0);
    assert_eq!(rows(state(SessionState::NeedsYou)).len(), 0);
    let second = SessionFilter {
        skip: 1,
        ..by(SessionSort::Cost, false)
    };
    assert_eq!(rows(second), ["one"]);
    let table = reader.session_table(&SessionFilter::default(), 1).unwrap();
    assert_eq!((table.count, table.rows.len()), (2, 1));
    assert_eq!(table.projects, ["shop"]);
    assert_eq!(table.rows[0].about.as_deref(), Some("Lilies"));
}

/// Whoever opens it again goes on where it ended.
fn goes_on(backend: &impl Backend) {
    let mut keeper = Keeper::new(backend.open()).unwrap();
    assert_eq!(keeper.store().cursors().unwrap()[0].offset, 200);
    assert_eq!(keeper.flock().agents().len(), 3);
    let changes = keeper.tick(BEGIN_MS + 5_000).unwrap();
    assert_eq!(changes.len(), 3, "all have appeared by now");
    let main = backend.read().agent("one").unwrap().unwrap();
    assert_eq!(main.status, Status::Idle, "what time changes is stored too");
    // The same event by another way is not stored again.
    let stop = |from: &str| {
        let mut row = row(
            BEGIN_MS + 6_000,
            r#"{"hook_event_name":"Stop","session_id":"one"}"#,
        );
        row.from = Some(from.to_owned());
        row
    };
    let kept = keeper
        .keep(
            harvest(vec![stop("user"), stop("project")], 300),
            BEGIN_MS + 6_000,
        )
        .unwrap();
    assert_eq!((kept.rows.len(), kept.doubles, kept.seq), (1, 1, 13));
}

/// What is too old goes, and nothing else.
fn old_ones_go(backend: &impl Backend) {
    let mut store = backend.open();
    let keep = Retention {
        keep_days: 1,
        max_mib: 0,
    };
    assert_eq!(store.tidy(&keep, BEGIN_MS + 1_000).unwrap().removed, 0);
    let at = BEGIN_MS + DAY_MS + 50;
    assert_eq!(store.tidy(&keep, at).unwrap().removed, 3);
    store.settle().unwrap();
    let reader = backend.read();
    assert_eq!(reader.count().unwrap(), 10);
    // Counts go by the hour: nothing of an hour that is kept in part has gone.
    let all = |reader: &dyn StoreReader| -> u64 {
        let types = reader.overview().unwrap().types;
        types.iter().map(|type_| type_.count).sum()
    };
    assert_eq!(all(&reader), 13);
    let tools = reader.tools(0).unwrap();
    assert_eq!(
        tools,
        reader.tools(HOUR_MS).unwrap(),
        "totals are sums of hours"
    );
    assert!(reader.event(3).unwrap().is_none());
    let found = Filter {
        search: Some("poem".into()),
        ..Filter::default()
    };
    assert_eq!(reader.page(&found, 10).unwrap().events.len(), 1);
}

/// A purge leaves nothing of what was meant.
fn all_go(backend: &impl Backend) {
    let mut store = backend.open();
    let two = Filter {
        session: Some("two".into()),
        ..Filter::default()
    };
    assert_eq!(store.purge(&two).unwrap(), 6);
    store.settle().unwrap();
    let reader = backend.read();
    assert!(reader.session("two").unwrap().is_none());
    assert!(reader.agent("two").unwrap().is_none());
    assert_eq!(reader.count().unwrap(), 4);
    assert_eq!(store.purge(&Filter::default()).unwrap(), 4);
    assert_eq!(backend.read().overview().unwrap().events, 0);
    assert_eq!(
        backend.read().spending(0, 2 * BEGIN_MS).unwrap(),
        Spending::default()
    );
    assert!(backend.read().overview().unwrap().types.is_empty());
}
