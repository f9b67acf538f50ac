//! `bellwether events`: what was stored.

use std::io::{BufWriter, Write};
use std::time::Duration;

use bellwether_daemon::control::Client;
use bellwether_flock::{Filter, Reader, StoreReader as _, Stored};
use bellwether_spine::{Home, text};
use clap::Args;

use crate::selection::Selection;
use crate::{installation, output};

/// How many events are read from the store at a time.
const PAGE: usize = 1000;
/// How long to wait for the next daemon before looking again.
const RECONNECT_AFTER: Duration = Duration::from_millis(200);
/// How often, and after how long each time, it is looked whether new words can be found.
const WORDS_TRIES: u32 = 200;
const WORDS_AFTER: Duration = Duration::from_millis(10);

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Only events that contain all these words; the last, from three letters on, may be incomplete.
    #[arg(long, short = 'q', value_name = "WORDS")]
    search: Option<String>,
    /// At most so many events, counted from the newest; 0 for all.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    limit: usize,
    /// One JSON object a line: {seq, meta, payload}. Secrets are masked.
    #[arg(long)]
    json: bool,
    /// Keep showing new events until interrupted.
    #[arg(long, short)]
    follow: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = BufWriter::new(output::stdout());
    let reader = installation::up_to_date(home)?;
    let mut filter = Filter {
        search: arguments.search.clone(),
        ..arguments.selection.filter(home)?
    };
    let mut before = 0;
    if let Some(reader) = &reader {
        filter.after = first_shown(reader, &filter, arguments.limit)?;
        before = filter.after;
        show_on(reader, &mut filter, arguments.json, &mut out)?;
    }
    if !arguments.follow {
        if reader.is_some() && filter.after == before {
            note!("no matching events");
        }
        if reader.is_none() {
            note!("no events yet in {}", home.state().display());
        }
        return Ok(());
    }
    drop(reader);
    loop {
        follow(home, &mut filter, arguments.json, &mut out)?;
        // No daemon runs: it has gone, perhaps to make way for a newer one, and comes with the next
        // event.
        std::thread::sleep(RECONNECT_AFTER);
    }
}

/// The place behind which the events to be shown begin.
fn first_shown(reader: &Reader, filter: &Filter, limit: usize) -> anyhow::Result<i64> {
    if limit == 0 {
        return Ok(0);
    }
    Ok(reader
        .last(filter, limit)?
        .first()
        .map_or(0, |event| event.seq - 1))
}

/// Shows all that fits behind `filter.after`, and moves that on.
fn show_on(
    reader: &Reader,
    filter: &mut Filter,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    loop {
        let events = reader.first(filter, PAGE)?;
        for event in &events {
            writeln!(out, "{}", shown(event, json))?;
        }
        match events.last() {
            Some(last) => filter.after = last.seq,
            None => return Ok(out.flush()?),
        }
    }
}

/// An event as JSON, masked, or as a line.
fn shown(event: &Stored, json: bool) -> String {
    match event.to_json() {
        Ok(line) if json => text::escaped_json(&text::mask_json(&line)).into_owned(),
        _ => output::event(event),
    }
}

/// Shows what comes for as long as a daemon runs.
fn follow(
    home: &Home,
    filter: &mut Filter,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let Some(client) = Client::connect(home)? else {
        // An event that came while a daemon died would wait for the next one.
        return installation::up_to_date(home).map(drop);
    };
    for stored in client.watch()? {
        let stored = stored?;
        if let Some(reader) = Reader::open(&home.database())? {
            if filter.search.is_some() {
                wait_for_words(&reader, stored)?;
            }
            show_on(&reader, filter, json, out)?;
        }
        // What did not fit need not be looked at again.
        filter.after = filter.after.max(stored);
    }
    Ok(())
}

/// Words are found a moment after their event was stored.
fn wait_for_words(reader: &Reader, stored: i64) -> anyhow::Result<()> {
    for _ in 0..WORDS_TRIES {
        if reader.searchable()? >= stored {
            return Ok(());
        }
        std::thread::sleep(WORDS_AFTER);
    }
    Ok(())
}
