//! Recorded sessions, read and shown; and what a session must never do to whoever reads it.

mod order;

use std::path::{Path, PathBuf};

use bellwether_prices::Prices;
use jiff::tz::TimeZone;
use pulldown_cmark::{Event, Parser, Tag};
use serde_json::{Value, json};

use super::*;
use crate::call::{Input, Outcome};
use crate::export::Form;
use crate::item::{Item, NoteKind};
use crate::render::html::{is_safe, options};
use crate::render::{Figures, Paint, Terminal};
use crate::stops::{Stop, StopHow, Stops};

fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name);
    let entries = std::fs::read_dir(&folder).unwrap().flatten();
    let mut files = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file());
    files.next().unwrap()
}

/// What a test does with a session.
fn with<T>(path: &Path, stops: &Stops, act: impl FnOnce(&Session<'_>) -> T) -> T {
    let prices = Prices::default();
    let around = Surroundings {
        prices: &prices,
        stops,
        limits: Limits::USUAL,
    };
    let transcript = Transcript::named(path).unwrap();
    act(&Session::survey(transcript, around, &mut |_| {}).unwrap())
}

fn items(session: &Session<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    session
        .walk(&mut |_| {}, &mut |item| {
            items.push(item);
            Ok(())
        })
        .unwrap();
    items
}

fn in_utc() -> Figures {
    Figures::in_zone(TimeZone::UTC)
}

fn exported(session: &Session<'_>, form: Form) -> String {
    let mut out = Vec::new();
    session
        .export_into(&mut out, form, &in_utc(), &mut |_| {})
        .unwrap();
    String::from_utf8(out).unwrap()
}

fn in_terminal(session: &Session<'_>) -> String {
    let mut out = Vec::new();
    let mut terminal = Terminal::new(&mut out, in_utc(), Paint::Plain);
    session.render(&mut terminal, &mut |_| {}).unwrap();
    drop(terminal);
    String::from_utf8(out).unwrap()
}

/// A transcript of these lines.
fn written(lines: &[Value]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s1.jsonl");
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    (folder, path)
}

fn user(content: &Value) -> Value {
    json!({"type": "user", "sessionId": "s1", "cwd": "/p", "timestamp": "2026-11-15T19:31:41.692Z", "message": {"role": "user", "content": content}})
}

fn assistant(block: &Value) -> Value {
    json!({"type": "assistant", "timestamp": "2026-11-15T19:31:42.000Z", "message": {"id": "m1", "model": "claude-opus-5-5", "content": [block]}})
}

#[test]
fn tokens_and_cost_are_those_that_the_client_counts() {
    with(&fixture("basic"), &Stops::default(), |session| {
        let seen = session.overview();
        assert_eq!(
            (seen.turns, seen.calls, seen.failures, seen.agents),
            (1, 7, 1, 0)
        );
        assert_eq!((seen.tokens.input, seen.tokens.output), (8400, 294));
        let told = seen.client_cost_usd.unwrap();
        assert!(
            (seen.cost.usd - told).abs() < 1e-9,
            "{} {told}",
            seen.cost.usd
        );
        assert_eq!(seen.models[0].model, "claude-opus-5-5");
        assert_eq!(seen.project(), "proj");
        assert_eq!(seen.title, "[[script:basic]] please run the scripted steps");
        assert_eq!(session.outline()[0].tokens, seen.tokens);
    });
    with(&fixture("tui"), &Stops::default(), |session| {
        let seen = session.overview();
        let of = |model: &str| seen.models.iter().find(|one| one.model == model).unwrap();
        let cost = |model: &str| of(model).cost_usd.unwrap();
        // The client also counts requests that stand in no transcript.
        assert!(
            cost("claude-opus-5-5") + cost("claude-sonnet-5-5") <= seen.client_cost_usd.unwrap()
        );
        assert!(!seen.cost.incomplete);
    });
}

#[test]
fn a_subagent_stands_inside_the_call_that_started_it() {
    with(&fixture("sub"), &Stops::default(), |session| {
        let mut open: Vec<&str> = Vec::new();
        let mut seen = Vec::new();
        let all = items(session);
        for item in &all {
            match item {
                Item::Call(call) => {
                    open.push("call");
                    seen.push(format!("{}{}", "  ".repeat(open.len()), call.tool));
                }
                Item::Agent(agent) => {
                    assert_eq!(open.last(), Some(&"call"), "{agent:?}");
                    open.push("agent");
                    let about = &agent.about;
                    seen.push(format!(
                        "{}{} {about} {}",
                        "  ".repeat(open.len()),
                        agent.kind,
                        agent.calls
                    ));
                }
                Item::CallEnd => assert_eq!(open.pop(), Some("call")),
                Item::AgentEnd => assert_eq!(open.pop(), Some("agent")),
                _ => {}
            }
        }
        assert!(open.is_empty());
        let expected = [
            "  Agent",
            "    general-purpose Count files 2",
            "      Bash",
            "      Bash",
            "  Agent",
            "    Explore Explore things 1",
            "      Read",
        ];
        assert_eq!(seen, expected);
        let overview = session.overview();
        assert_eq!(
            (overview.agents, overview.calls, overview.tokens.input),
            (2, 5, 9600)
        );
        assert_eq!(
            session.outline()[0].tokens,
            overview.tokens,
            "with its agents"
        );
    });
}

#[test]
fn commands_of_the_client_are_no_turns_and_what_was_asked_has_its_answer() {
    with(&fixture("tui"), &Stops::default(), |session| {
        let titles: Vec<String> = session
            .outline()
            .into_iter()
            .map(|turn| turn.title)
            .collect();
        assert_eq!(titles.len(), 5, "{titles:#?}");
        assert!(
            titles.iter().all(|title| title.starts_with("[[script:")),
            "{titles:?}"
        );
        let all = items(session);
        let note = |kind: NoteKind| {
            let texts = all.iter().filter_map(|item| match item {
                Item::Note(note) if note.kind == kind => Some(note.text.as_str()),
                _ => None,
            });
            texts.collect::<Vec<_>>()
        };
        assert_eq!(
            note(NoteKind::Command),
            [
                "/add-dir /home/dev/extra",
                "/model sonnet",
                "/compact keep the important things"
            ]
        );
        assert_eq!(note(NoteKind::Compacted).len(), 2);
        assert!(
            note(NoteKind::Client)
                .iter()
                .any(|text| text.starts_with("Unknown command: /hi."))
        );
        let asked = all.iter().find_map(|item| match item {
            Item::Call(call) => match &call.input {
                Input::Questions { questions } => questions.first(),
                _ => None,
            },
            _ => None,
        });
        assert_eq!(asked.unwrap().answer.as_deref(), Some("Postgres"));
    });
}

fn stop(at_ms: u64, subject: &str) -> Stop {
    Stop {
        at_ms,
        how: StopHow::Refused,
        rules: vec!["delete".to_owned()],
        reason: "it deletes everything".to_owned(),
        subject: subject.to_owned(),
    }
}

#[test]
fn what_the_guard_stopped_stands_where_it_happened() {
    let mut stops = Stops::default();
    stops.add(Some("toolu_0060".to_owned()), &stop(0, "rm"));
    stops.add(None, &stop(1_794_820_500_000, "old client"));
    with(&fixture("shop"), &stops, |session| {
        let all = items(session);
        let stopped: Vec<_> = all
            .iter()
            .filter_map(|item| match item {
                Item::Call(call) if call.stop.is_some() => {
                    Some((call.title.as_str(), call.outcome))
                }
                _ => None,
            })
            .collect();
        assert_eq!(
            stopped,
            [(
                "rm -rf ~/shop/dumps ~/shop/.git/../backups",
                Outcome::Refused
            )]
        );
        let noted = all
            .iter()
            .position(|item| matches!(item, Item::Note(note) if note.kind == NoteKind::Guard));
        let second = all
            .iter()
            .position(|item| matches!(item, Item::Turn(turn) if turn.number == 2));
        assert!(noted < second, "by its time it was in the first turn");
        let outline: Vec<usize> = session.outline().iter().map(|turn| turn.stops).collect();
        assert_eq!((outline, session.overview().stops), (vec![0, 1, 0], 2));
        let html = exported(session, Form::Html);
        assert!(html.contains("stopped by the guard") && html.contains("it deletes everything"));
        let markdown = exported(session, Form::Markdown);
        assert!(
            markdown.contains("stopped by the guard")
                && markdown.contains("**The guard, by delete:**")
        );
    });
}

#[test]
fn torn_and_foreign_lines_are_passed_over_and_counted() {
    let lines = [
        user(&json!("one")),
        assistant(&json!({"type": "text", "text": "Done."})),
    ];
    let (_folder, path) = written(&lines);
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.insert_str(
        0,
        "not json\n[1,2]\n\n\"text\"\n{\"no\":\"kind\"}\n\u{0}\u{1}\n",
    );
    text.push_str(
        "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"half",
    );
    std::fs::write(&path, text).unwrap();
    with(&path, &Stops::default(), |session| {
        let seen = session.overview();
        assert_eq!((seen.turns, seen.unreadable), (1, 6));
        assert!(in_terminal(session).contains("Done.") && !in_terminal(session).contains("half"));
    });
}

#[test]
fn older_clients_write_subagents_among_the_session_s_own_lines_or_beside_it() {
    let side = |uuid: &str, parent: Value, kind: &str, content: Value| json!({"type": kind, "isSidechain": true, "uuid": uuid, "parentUuid": parent, "message": {"id": uuid, "content": content}});
    let agent = json!({"type": "tool_use", "id": "t1", "name": "Task", "input": {"description": "Look", "prompt": "Look there.", "subagent_type": "finder"}});
    let lines = [
        user(&json!("go")),
        assistant(&agent),
        side("a", json!(null), "user", json!("Look there.")),
        side("x", json!(null), "user", json!("Nobody asked.")),
        side(
            "b",
            json!("a"),
            "assistant",
            json!([{"type": "text", "text": "Found it."}]),
        ),
        side(
            "y",
            json!("x"),
            "assistant",
            json!([{"type": "text", "text": "A stray."}]),
        ),
        user(&json!([{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}])),
    ];
    let (_folder, path) = written(&lines);
    with(&path, &Stops::default(), |session| {
        assert_eq!(session.overview().agents, 2);
        let text = in_terminal(session);
        let expected = "● Task Look 0.0 s\n╭ finder Look\n│ Found it.\n╰\n    ok\n╭ Subagent \n│ ❯ Nobody asked.\n│ A stray.\n╰\n";
        assert!(text.contains(expected), "{text}");
    });
    let lines = [
        user(&json!("go")),
        assistant(&agent),
        json!({"type": "user", "toolUseResult": {"agentId": "abc"}, "message": {"content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]}}),
    ];
    let (folder, path) = written(&lines);
    let own = side(
        "a",
        json!(null),
        "assistant",
        json!([{"type": "text", "text": "From beside."}]),
    );
    std::fs::write(folder.path().join("agent-abc.jsonl"), own.to_string()).unwrap();
    with(&path, &Stops::default(), |session| {
        assert!(
            in_terminal(session).contains("│ From beside."),
            "{}",
            in_terminal(session)
        );
    });
}

/// Every field that is shown, with a text of the test's own in it.
fn planted(text: &str) -> Vec<Value> {
    let call = |id: &str, name: &str, input: Value| {
        assistant(&json!({"type": "tool_use", "id": id, "name": name, "input": input}))
    };
    let answer = |id: &str, told: Value| json!({"type": "user", "timestamp": text, "toolUseResult": told, "message": {"content": [{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": [{"type": "text", "text": text}, {"type": text}]}]}});
    vec![
        json!({"type": "ai-title", "aiTitle": text}),
        json!({"type": "system", "subtype": "informational", "content": text}),
        json!({"type": "user", "sessionId": text, "cwd": text, "gitBranch": text, "version": text, "message": {"content": text}}),
        user(
            &json!([{"type": "text", "text": text}, {"type": "image", "source": {"media_type": text, "data": text}}]),
        ),
        user(&json!(format!(
            "<command-name>{text}</command-name><command-args>{text}</command-args>"
        ))),
        user(&json!(format!(
            "<local-command-stdout>{text}</local-command-stdout>"
        ))),
        user(&json!(format!("<bash-input>{text}</bash-input>"))),
        json!({"type": "user", "isCompactSummary": true, "message": {"content": text}}),
        json!({"type": "assistant", "isApiErrorMessage": true, "message": {"content": [{"type": "text", "text": text}]}}),
        json!({"type": "assistant", "message": {"id": text, "model": text, "usage": {"input_tokens": 5}, "content": [{"type": "text", "text": text}, {"type": "thinking", "thinking": text}]}}),
        call("t1", "Bash", json!({"command": text, "description": text})),
        answer("t1", json!({"stdout": text})),
        call(
            "t2",
            "Edit",
            json!({"file_path": text, "old_string": text, "new_string": format!("{text}\n{text}")}),
        ),
        answer(
            "t2",
            json!({"structuredPatch": [{"oldStart": 1, "newStart": 1, "lines": [format!("-{text}"), format!("+{text} ")]}]}),
        ),
        call("t3", "Write", json!({"file_path": text, "content": text})),
        call("t4", text, json!({text: text, "b": [text, {"c": text}]})),
        call(
            "t5",
            "AskUserQuestion",
            json!({"questions": [{"question": text, "options": [{"label": text, "description": text}]}]}),
        ),
        answer("t5", json!({"answers": {text: text}})),
        call("t6", "ExitPlanMode", json!({"plan": text})),
        call(
            "t7",
            "TodoWrite",
            json!({"todos": [{"content": text, "status": text}]}),
        ),
        call(
            "t8",
            "Agent",
            json!({"description": text, "subagent_type": text, "prompt": text}),
        ),
        answer(
            "t8",
            json!({"agentId": text, "content": [{"type": "text", "text": text}]}),
        ),
        call("t9", "Read", json!({"file_path": text})),
        answer("t9", json!(text)),
    ]
}

fn every_form(text: &str) -> Vec<(&'static str, String)> {
    let (folder, path) = written(&planted(text));
    let agents = path.with_extension("").join("subagents");
    std::fs::create_dir_all(&agents).unwrap();
    let own = assistant(&json!({"type": "text", "text": text}));
    std::fs::write(agents.join("agent-a1.jsonl"), own.to_string()).unwrap();
    let meta = json!({"agentType": text, "description": text, "toolUseId": "t8"});
    std::fs::write(agents.join("agent-a1.meta.json"), meta.to_string()).unwrap();
    let mut stops = Stops::default();
    let bad = |call: Option<&str>| {
        let stop = Stop {
            reason: text.to_owned(),
            rules: vec![text.to_owned()],
            ..stop(1, text)
        };
        (call.map(str::to_owned), stop)
    };
    for (call, stop) in [bad(Some("t1")), bad(None)] {
        stops.add(call, &stop);
    }
    let forms = with(&path, &stops, |session| {
        let json: Vec<String> = items(session)
            .iter()
            .map(|item| serde_json::to_string(item).unwrap())
            .collect();
        let overview = serde_json::to_string(&session.overview()).unwrap();
        vec![
            ("html", exported(session, Form::Html)),
            ("markdown", exported(session, Form::Markdown)),
            ("terminal", in_terminal(session)),
            ("json", json.join("\n") + &overview),
        ]
    });
    drop(folder);
    forms
}

#[test]
fn planted_secrets_are_masked_in_every_form() {
    for secret in [
        "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "AKIAIOSFODNN7EXAMPLE",
    ] {
        let core = &secret[8..18];
        for (form, shown) in every_form(&format!("the key is {secret} now")) {
            let place = shown.find(core);
            assert_eq!(
                place,
                None,
                "{form}: …{}…",
                place.map_or("", |at| &shown[at.saturating_sub(200)..at + 20])
            );
            assert!(shown.contains("[masked]"), "{form}");
        }
    }
    for (form, shown) in every_form("DATABASE_URL=postgres://ann:hunter2xyz@db/shop") {
        assert!(!shown.contains("hunter2xyz"), "{form}");
    }
}

#[test]
fn nothing_that_steers_or_runs_gets_through() {
    let hostile = "</script><script>globalThis.pwned=1</script>]]><img src=x onerror=pwned()>\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{202e}\u{200b}\" onmouseover=\"pwned()\" 'x' [a](javascript:pwned()) ![b](https://x/y.png) <!-- --> </details></summary></pre></style>";
    for (form, shown) in every_form(hostile) {
        let bad = ['\u{1b}', '\u{9b}', '\u{7}', '\u{202e}', '\u{200b}'];
        assert!(!shown.contains(bad), "{form}");
        if form == "html" {
            // What is ours stands there once, or as often as we say.
            assert_eq!(shown.matches("<script>").count(), 1);
            assert_eq!(shown.matches("</script>").count(), 1);
            assert_eq!(shown.matches("</style>").count(), 1);
            assert!(
                !shown.contains("<img src=x")
                    && !shown.contains("href=\"javascript:")
                    && !shown.contains(" onmouseover=\"pwned")
            );
            assert_eq!(
                shown.matches("<details").count(),
                shown.matches("</details>").count()
            );
        }
        if form == "markdown" {
            for event in Parser::new_ext(&shown, options()) {
                match event {
                    Event::Html(html) | Event::InlineHtml(html) => {
                        let ours = ["<details><summary>", "</details>", "<!-- bellwether"];
                        assert!(ours.iter().any(|start| html.starts_with(start)), "{html}");
                        assert!(
                            !html.contains("<script") && !html.contains("<img"),
                            "{html}"
                        );
                    }
                    Event::Start(Tag::Image { .. }) => panic!("an image would be fetched"),
                    Event::Start(Tag::Link { dest_url, .. }) => assert!(is_safe(&dest_url)),
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn a_text_of_many_mebibytes_is_cut() {
    let long = "word ".repeat(1 << 20);
    let answer = json!([{"type": "tool_result", "tool_use_id": "t1", "content": long}]);
    let call = json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": long}});
    let (_folder, path) = written(&[user(&json!(long)), assistant(&call), user(&answer)]);
    with(&path, &Stops::default(), |session| {
        for form in [Form::Html, Form::Markdown] {
            let shown = exported(session, form);
            assert!(shown.len() < 400_000, "{}", shown.len());
            assert!(shown.contains("bytes left out"));
        }
    });
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "most of them are the session as it is shown"
)]
fn the_terminal_shows_a_whole_session() {
    with(&fixture("shop"), &Stops::default(), |session| {
        insta::assert_snapshot!(in_terminal(session), @r#"
        Mend the flaky checkout test
        5c0ffee5-0f1a-4b1e-9d2c-7a11ce5ca7e5 · /home/ann/shop · 2026-11-16 09:12
        3 turns · 15 tool calls · 343k in · 1.9k out · $0.22 (estimated)

        ── 1 · 09:12:04 · 2 min 34 s · 168k in · 1.3k out · $0.14 ──
        ❯ The checkout test fails about one time in ten on CI, see the chart. Find out why and mend it. `npm test -- checkout` runs it.
        [an image of 894 B]

            One in ten smells of time: a discount that ends at midnight, a timer, or two promises that race. The test file first, then what it calls.
        I will look at the test and at what it calls first.
        ● Read test/checkout.test.ts 0.8 s
                 1	import { expect, test } from 'vitest';
                 2	import { checkout } from '../src/checkout';
                 3	
                 4	test('a voucher counts once', async () => {
                 5	  const cart = { items: [{ price: 20_00, count: 2 }], voucher: 'AUTUMN10' };
                 6	  const [first, second] = await Promise.all([checkout(cart), checkout(cart)]);
                 7	  expect(first.total + second.total).toBe(76_00);
                 8	});

        ● Grep redeem 1.6 s
            src/checkout.ts:14:  const voucher = await redeem(cart.voucher);
            src/vouchers.ts:22:export async function redeem(code: string) {
        ● Bash for i in $(seq 20); do npm test -- checkout --run 2>&1 | tail -1; done | sort | uniq -c 39 s
                 18  Tests  1 passed (1)
                  2  Tests  1 failed (1)

        Two of twenty runs fail, so it is not CI. Two checkouts redeem the same voucher at once. I have the callers looked through while I read `vouchers.ts`.
        ● Agent Find callers of redeem 8.0 s
        ╭ Explore Find callers of redeem
        │ Searching for callers.
        │ ● Grep redeem\( 0.8 s
        │     src/checkout.ts:14
        │     src/admin/replay.ts:31
        │ ● Read src/admin/replay.ts 0.8 s
        │         30	  for (const order of orders) {
        │         31	    await redeem(order.voucher);
        │         32	  }
        │ ✗ Bash git log -1 --format=%s -- src/admin/replay.ts failed 0.8 s
        │     fatal: your current branch does not have any commits yet
        │ Two callers:
        │ 
        │ | caller | overlap |
        │ |---|---|
        │ | `src/checkout.ts:14` | **yes**, each request runs its own |
        │ | `src/admin/replay.ts:31` | no, it waits for each |
        ╰
            Two callers: `src/checkout.ts:14` overlaps, `src/admin/replay.ts:31` does not.

        `redeem` reads the voucher, waits, and writes it: two calls in between both see it unused. A write that only succeeds while the voucher is unused mends that, without a lock.
        ● Edit src/vouchers.ts 0.8 s
              
            - /** Takes a voucher. */
            + /** Takes a voucher; `null` when it was taken before. */
              export async function redeem(code: string) {
            -   const voucher = await db.voucher(code);
            -   if (voucher.used) return null;
            -   await db.save({ ...voucher, used: true });
            -   return voucher;
            … 6 more lines

        ● Bash for i in $(seq 60); do npm test -- checkout --run 2>&1 | tail -1; done | sort | uniq -c 1 min 36 s
                 60  Tests  1 passed (1)

        ## It was a race, and it is gone

        - **Cause**: `redeem` read, waited and wrote, so two checkouts could use one voucher. Not only in the test: *customers could too*.
        - **Mended** in `src/vouchers.ts`: one `UPDATE … WHERE used = 0` decides.
        - Sixty runs, no failure.

        ```ts
        return taken.changes === 1 ? db.voucher(code) : null;
        ```

        Shall I look for vouchers that were used twice?

        ── 2 · 09:15:49 · 31 s · 149k in · 540 out · $0.0667 ──
        ❯ yes, but ask me before you change any data

        ● TodoWrite 0 of 3 done 0.8 s
            ☐ Count vouchers that were used twice
            ☐ Ask what to do with them
            ☐ Clean up

        ● Bash DATABASE_URL=postgres://shop:[masked]@db.internal/shop psql -c "select code, count(*) from orders group by code having count(*) > 1" 0.8 s
             code     | count
            ----------+-------
             AUTUMN10 |     3
             WELCOME  |     2
            (2 rows)

        ● AskUserQuestion Five orders used a voucher that was gone. What shall happen to them? 21 s
            → List them

        Then the old dumps can go, they take 4 GB.
        ⊘ Bash rm -rf ~/shop/dumps ~/shop/.git/../backups did not run 0.8 s
            Hook PreToolUse:Bash denied this tool: bellwether: it deletes /home/ann/shop/backups

        The guard is right: `backups` is not in git. I leave both alone and only write the list.
        ● Write double-orders.csv 0.8 s
            + order,voucher,total
            + 1041,AUTUMN10,36.00
            + 1042,AUTUMN10,36.00
            + 1107,AUTUMN10,54.00
            + 1110,WELCOME,12.50
            + 1111,WELCOME,12.50

        The five orders are in `double-orders.csv`. Nothing else was changed. See [the manual](https://example.com/vouchers) for refunds.
        · /model sonnet
        · Set model to Sonnet 5.5

        ── 3 · 09:18:51 · 4.2 s · 24.9k in · 70 out · $0.0054 ──
        ❯ Write a changelog line, then we are done.

        ● Edit CHANGELOG.md 0.8 s
              ## Unreleased
            + - A voucher counts once, also for two checkouts at the same moment.
        · Interrupted
        "#);
    });
}

#[test]
fn markdown_holds_a_whole_session() {
    with(&fixture("sub"), &Stops::default(), |session| {
        insta::assert_snapshot!(exported(session, Form::Markdown), @r#"
        <!-- bellwether-transcript -->

        # \[\[script:sub\]\] please run the scripted steps

        | | |
        |---|---|
        | Session | da6df7c4-71d5-498a-a01d-bd54de3581bd |
        | Project | /home/dev/proj |
        | When | Sunday, 15 November 2026, 19:32 |
        | Duration | 3.9 s |
        | Turns | 1 |
        | Tool calls | 5 |
        | Tokens | 9.6k in · 336 out |
        | Cost | $0.0451 (an estimate by the prices of 2026-11-18) |

        ## 1 · 19:32:26 · 3.7 s · 9.6k in · 336 out · $0.0451

        **You**

        > [[script:sub]] please run the scripted steps

        Spawning a subagent (foreground).

        <details><summary><b>Agent</b> Count files</summary>

        [[script:subinner]] count the files

        <details><summary><b>general-purpose</b> Count files (2 calls · $0.0169)</summary>

        Counting.

        <details><summary><b>Bash</b> ls | wc -l</summary>

        ```sh
        ls | wc -l
        ```

        ```
        2
        ```

        </details>

        Failing too.

        <details><summary><b>Bash</b> false — failed</summary>

        ```sh
        false
        ```

        ```
        Exit code 1
        ```

        </details>

        There are 2 files.

        </details>

        ```
        There are 2 files.
        ```

        </details>

        Spawning an Explore subagent.

        <details><summary><b>Agent</b> Explore things</summary>

        [[script:subinner2]] explore

        <details><summary><b>Explore</b> Explore things (1 call · $0.0113)</summary>

        Look.

        <details><summary><b>Read</b> notes.txt</summary>

        notes.txt

        ```
        1	line one
        2	line two
        3	
        ```

        </details>

        Explored: two lines.

        </details>

        ```
        Explored: two lines.
        ```

        </details>

        The subagents are finished; final answer.

        ---

        Made by bellwether 0.1.0. Secrets are masked. Costs are estimates.
        "#);
    });
}

#[test]
fn a_file_has_a_name_that_sorts_and_the_index_lists_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["basic", "shop"] {
        with(&fixture(name), &Stops::default(), |session| {
            let file = crate::file_name(&session.overview(), Form::Html, &in_utc());
            session
                .export(
                    &folder.path().join(file),
                    Form::Html,
                    &in_utc(),
                    &mut |_| {},
                )
                .unwrap();
        });
    }
    std::fs::write(folder.path().join("other.html"), "<html>mine</html>").unwrap();
    let index = crate::write_index(folder.path(), &in_utc()).unwrap();
    let html = std::fs::read_to_string(index).unwrap();
    let rows: Vec<&str> = html.split("<tr><td").skip(1).collect();
    assert_eq!(rows.len(), 2);
    assert!(
        rows[0].contains("./2026-11-16-0912-shop-5c0ffee5.html")
            && rows[0].contains("Mend the flaky checkout test")
    );
    assert!(rows[1].contains("./2026-11-15-1931-proj-855cf6ed.html"));
    let again = crate::write_index(folder.path(), &in_utc()).unwrap();
    assert_eq!(std::fs::read_to_string(again).unwrap(), html);
}

/// The colours of the program's own page, by day and by night.
#[test]
fn the_colours_are_those_of_the_program_s_own_page() {
    let read = |path: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
    };
    let (page, ours) = (
        read("../../web/src/styles/tokens.css"),
        read("assets/page.css"),
    );
    let (night, day) = page.split_once("[data-theme='light']").unwrap();
    let values = |css: &str| -> Vec<(String, String)> {
        let rows = css.lines().filter_map(|line| {
            line.trim()
                .strip_prefix("--")?
                .strip_suffix(';')?
                .split_once(": ")
        });
        rows.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    };
    let (light, rest) = ours
        .split_once("@media (prefers-color-scheme: dark)")
        .unwrap();
    let (system_dark, chosen) = rest.split_once(":root[data-theme='dark']").unwrap();
    let chosen_dark = chosen.split_once('}').unwrap().0;
    assert_eq!(values(system_dark), values(chosen_dark));
    for (theirs, ours) in [(day, light), (night, chosen_dark)] {
        let (theirs, ours) = (values(theirs), values(ours));
        let shared = ours
            .iter()
            .filter(|(name, _)| theirs.iter().any(|(known, _)| known == name));
        let shared: Vec<_> = shared.collect();
        assert!(shared.len() > 15, "{shared:?}");
        for pair in shared {
            assert!(theirs.contains(pair), "{pair:?}");
        }
    }
}
