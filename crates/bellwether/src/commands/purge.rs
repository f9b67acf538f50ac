//! `bellwether purge`: stored events go, with their payloads and all that came of them.
//!
//! There is one writer of the store, so the daemon is stopped first; the next event starts it again. The
//! journal keeps what was stored for a day, so what is stored of it goes too.

use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use bellwether_flock::{Filter, Harvest, Keeper, Row, Sqlite, Store as _, StoreReader as _};
use bellwether_spine::journal::{self, Follower};
use bellwether_spine::{Home, clock, lock};
use clap::Args;
use serde_json::json;

use crate::selection::Selection;
use crate::{exit, installation, output, person};

/// Segments of the journal count as old from now on.
const OLD: Duration = Duration::from_hours(48);
/// How much of the journal is read at a time.
const READ: usize = 2 * 1024 * 1024;

#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Everything that is stored.
    #[arg(long, conflicts_with_all = ["session", "agent", "event", "kind", "tool", "project", "severity", "since", "until"])]
    all: bool,
    /// Only say how many events would be removed.
    #[arg(long)]
    dry_run: bool,
    /// With --dry-run: print JSON, {events}.
    #[arg(long, requires = "dry_run")]
    json: bool,
    /// Do not ask.
    #[arg(long, short)]
    yes: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let filter = arguments.selection.filter(home)?;
    if !arguments.all && filter == Filter::default() {
        let why = "choose which events to remove, for instance --until 30d, or --all";
        return Err(exit::usage(why));
    }
    let count = count(home, &filter)?;
    if arguments.json {
        return output::show_json(&json!({ "events": count }));
    }
    if arguments.dry_run {
        tell!("{} would be removed", output::many(count, "event"));
        return Ok(());
    }
    person::require(home, "removing events")?;
    if count == 0 {
        tell!("no matching events");
        return Ok(());
    }
    if !arguments.yes && !agreed(count)? {
        tell!("nothing was removed");
        return Ok(());
    }
    let gone = remove(home, &filter)?;
    tell!("{} removed", output::many_of(gone, "event"));
    Ok(())
}

/// Removes the events of sessions whose id begins so, and says how many there were.
pub(crate) fn sessions(home: &Home, prefix: &str) -> anyhow::Result<u64> {
    let filter = Filter {
        session: Some(prefix.to_owned()),
        ..Filter::default()
    };
    installation::up_to_date(home)?;
    remove(home, &filter)
}

fn count(home: &Home, filter: &Filter) -> anyhow::Result<usize> {
    const PAGE: usize = 1000;
    let Some(reader) = installation::up_to_date(home)? else {
        return Ok(0);
    };
    if *filter == Filter::default() {
        return Ok(usize::try_from(reader.count()?)?);
    }
    let mut filter = filter.clone();
    let mut count = 0;
    loop {
        let events = reader.first(&filter, PAGE)?;
        count += events.len();
        match events.last() {
            Some(last) => filter.after = last.seq,
            None => return Ok(count),
        }
    }
}

fn agreed(count: usize) -> anyhow::Result<bool> {
    let events = output::many(count, "event");
    person::agrees(&format!("Remove {events}, for ever?"))
}

/// Removes them while no daemon runs.
fn remove(home: &Home, filter: &Filter) -> anyhow::Result<u64> {
    installation::stop(home)?;
    let _lock =
        lock::try_take(home)?.context("a daemon has just been started by an event; try again")?;
    let mut store = forget_journal(home, Keeper::new(Sqlite::open(&home.database())?)?)?;
    let gone = store.purge(filter)?;
    store.settle()?;
    Ok(gone)
}

/// Deletes what the journal still has of events that are stored; what came meanwhile is stored first.
fn forget_journal(home: &Home, mut keeper: Keeper<Sqlite>) -> anyhow::Result<Sqlite> {
    let cursors = keeper.store().cursors()?;
    journal::recover(home, || cursors.clone())?;
    let mut follower = Follower::new(home.journal(), &cursors);
    loop {
        let mut rows = Vec::new();
        let progress = follower.read(READ, |record| rows.extend(Row::from_record(record).ok()))?;
        let harvest = Harvest {
            rows,
            cursors: progress.moved,
            ..Harvest::default()
        };
        keeper.keep(harvest, clock::wall_ms())?;
        if !progress.more {
            break;
        }
    }
    follower.seal()?;
    let harvest = Harvest {
        gone: follower.delete_old(SystemTime::now() + OLD)?,
        ..Harvest::default()
    };
    keeper.keep(harvest, clock::wall_ms())?;
    journal::discard(home)?;
    Ok(keeper.into_store())
}
