//! How fast a journal becomes a store, and how fast a large store answers. Everything is written first,
//! then a daemon is started; it is done when all is stored, counted and can be searched for.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_flock::{Filter, Reader, StoreReader as _};
use bellwether_protocol::client::Client;
use bellwether_spine::journal::{Envelope, Payload, Segment, pending_bytes};
use bellwether_spine::meta::Meta;
use rustix::process::Pid;
use serde_json::json;

use super::figure::Goal;
use super::{Bench, Figure};
use bellwether_tests::Installation;
use bellwether_tests::Progress;
use bellwether_tests::process;
use bellwether_tests::random::Random;

/// Events a second, at least.
const RATE: f64 = 50_000.0;
/// How long a record is.
const RECORD: usize = 2048;
/// A daemon seals a segment at about this length.
const SEGMENT: usize = 16 * 1024 * 1024;
/// Even a slow disk is done by then.
const PATIENCE: Duration = Duration::from_mins(10);
/// So many different words are in what the agents do, some much oftener than others.
const VOCABULARY: usize = 8_000;
/// So many sessions take turns.
const SESSIONS: usize = 20;

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let place = Installation::new(&bench.dist.programs()?)?;
    let wanted = bench.arguments.records;
    write_journal(&place.home().journal(), wanted)?;
    let mut daemon = place.spawn_daemon(&[])?;
    let took = time_storing(&place, || daemon.ended(), wanted)?;
    let reader = place.reader()?.context("there is a store")?;
    ensure!(
        reader.count()? == u64::try_from(wanted)?,
        "{} of {wanted} records were stored",
        reader.count()?
    );
    let rate = f64::from(u32::try_from(wanted)?) / took.as_secs_f64();
    let name = format!("{wanted} records of 2 KB, journal to store, with counts and search");
    let mut figures = vec![Figure::alone(
        "store",
        name,
        (rate, "events/s"),
        Some(Goal::AtLeast(RATE)),
    )];
    figures.extend(questions(&reader, wanted)?);
    figures.push(memory(daemon.pid()?, wanted)?);
    Ok(figures)
}

/// How long a page of a large store waits for its answers; the slowest of several.
fn questions(reader: &Reader, records: usize) -> Result<Vec<Figure>> {
    let overview = slowest(|| reader.overview().map(drop))?;
    let mut search = 0.0_f64;
    for words in ["w3", "w7999", "w12 w40", "w1", "nosuchword"] {
        let filter = Filter {
            search: Some(words.to_owned()),
            ..Filter::default()
        };
        search = search.max(slowest(|| reader.page(&filter, 50).map(drop))?);
    }
    let page = slowest(|| reader.page(&Filter::default(), 100).map(drop))?;
    let figure = |what: &str, ms: f64, limit: f64| {
        let name = format!("{what}, {records} events stored");
        Figure::alone("store", name, (ms, "ms"), Some(Goal::AtMost(limit)))
    };
    Ok(vec![
        figure("overview", overview, 50.0),
        figure("first page of events", page, 50.0),
        figure("the slowest of five searches", search, 200.0),
    ])
}

fn slowest<E: std::error::Error + Send + Sync + 'static>(
    mut ask: impl FnMut() -> Result<(), E>,
) -> Result<f64> {
    let mut slowest = Duration::ZERO;
    for _ in 0..5 {
        let begun = Instant::now();
        ask()?;
        slowest = slowest.max(begun.elapsed());
    }
    Ok(slowest.as_secs_f64() * 1000.0)
}

fn memory(pid: Pid, records: usize) -> Result<Figure> {
    let kilobytes = u32::try_from(process::resident_kb(pid)?)?;
    let megabytes = f64::from(kilobytes) / 1024.0;
    let name = format!("daemon's memory behind {records} events");
    Ok(Figure::alone(
        "store",
        name,
        (megabytes, "MB"),
        Some(Goal::AtMost(80.0)),
    ))
}

fn write_journal(journal: &Path, records: usize) -> Result<()> {
    let mut random = Random::new(7);
    let mut number = 0;
    let mut segments = 1..;
    while number < records {
        let segment = Segment(segments.next().context("segments have numbers")?);
        let mut file = BufWriter::new(File::create_new(segment.path(journal))?);
        for _ in 0..(records - number).min(SEGMENT / RECORD) {
            file.write_all(&record(number, &mut random)?)?;
            number += 1;
        }
        // What is timed is our own work, not the disk's on what we wrote before.
        file.into_inner()?.sync_all()?;
    }
    Ok(())
}

/// The beginning or the end of a tool call, in words that differ from call to call.
fn record(number: usize, random: &mut Random) -> Result<Vec<u8>> {
    let call = number / 2;
    let session = format!("855cf6ed-e06b-402f-8cd5-{:012}", call % SESSIONS);
    let mut payload = json!({
        "session_id": session,
        "transcript_path": format!("/home/dev/.claude/projects/-home-dev-proj/{session}.jsonl"),
        "cwd": "/home/dev/proj",
        "permission_mode": "acceptEdits",
        "tool_name": "Bash",
        "tool_use_id": format!("toolu_{call:024}"),
        "tool_input": { "command": words(random, 200), "description": words(random, 40) },
    });
    if number.is_multiple_of(2) {
        payload["hook_event_name"] = json!("PreToolUse");
        payload["tool_input"]["stdin"] = json!(words(random, 800));
    } else {
        payload["hook_event_name"] = json!("PostToolUse");
        payload["tool_response"] = json!({ "stdout": words(random, 800), "stderr": "" });
        payload["duration_ms"] = json!(random.below(20_000));
    }
    let meta = Meta::gather(&|_| None, None, Client::default(), None);
    let short = Envelope::encode(&meta, Payload::Json(&payload.to_string()))?.len();
    payload["note"] = json!(words(random, RECORD.saturating_sub(short + 12)));
    Ok(Envelope::encode(
        &meta,
        Payload::Json(&payload.to_string()),
    )?)
}

/// So many bytes of words.
fn words(random: &mut Random, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 8);
    while text.len() < bytes {
        // Half of the words come from ever smaller parts of the vocabulary, as in any language.
        let mut of = VOCABULARY;
        while of > 10 && random.below(2) == 0 {
            of /= 4;
        }
        text.push('w');
        text.push_str(&random.below(of).to_string());
        text.push(' ');
    }
    text.truncate(bytes);
    text
}

/// From the start of the daemon until nothing waits and everything can be searched for.
fn time_storing(
    place: &Installation,
    mut ended: impl FnMut() -> Result<bool>,
    wanted: usize,
) -> Result<Duration> {
    let journal = place.home().journal();
    let wanted = i64::try_from(wanted)?;
    let mut progress = Progress::new("store");
    let begun = Instant::now();
    loop {
        if let Some(reader) = place.reader()? {
            let waiting = pending_bytes(&journal, &reader.cursors()?)?;
            if waiting == 0 && reader.searchable()? >= wanted {
                return Ok(begun.elapsed());
            }
            progress.tick(|| format!("{} MB wait", waiting / 1_000_000));
        }
        ensure!(!ended()?, "the daemon has ended");
        ensure!(
            begun.elapsed() < PATIENCE,
            "the daemon does not come to an end"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_about_two_kilobytes() {
        let mut random = Random::new(1);
        for number in 0..20 {
            let size = record(number, &mut random).unwrap().len();
            assert!((RECORD - 50..=RECORD + 50).contains(&size), "{size}");
        }
    }
}
