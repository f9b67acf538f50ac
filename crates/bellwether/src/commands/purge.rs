//! `bellwether purge`: stored events go, with their payloads and all that came of them.
//!
//! There is one writer of the store, so the daemon is stopped first; the next event starts it again. The
//! journal keeps what was stored for a day, so what is stored of it goes too.

use std::io::{BufRead as _, Write as _};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, ensure};
use bellwether_flock::{Filter, Harvest, Keeper, Row, Sqlite, Store as _, StoreReader as _};
use bellwether_spine::journal::{self, Follower};
use bellwether_spine::{Home, clock, lock};
use clap::Args;

use crate::selection::Selection;
use crate::{installation, output, person};

/// Segments of the journal count as old from now on.
const OLD: Duration = Duration::from_hours(48);
/// How much of the journal is read at a time.
const READ: usize = 2 * 1024 * 1024;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Everything that is stored.
    #[arg(long, conflicts_with_all = ["session", "agent", "event", "kind", "tool", "project", "severity", "since", "until"])]
    all: bool,
    /// Only say how many events would go.
    #[arg(long)]
    dry_run: bool,
    /// Do not ask.
    #[arg(long, short)]
    yes: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let filter = arguments.selection.filter();
    ensure!(
        arguments.all || filter != Filter::default(),
        "say which events shall go, for instance --until 30d, or --all"
    );
    let count = count(home, &filter)?;
    if arguments.dry_run {
        println!("{} would go", output::many(count, "event"));
        return Ok(());
    }
    person::require(home, "removing events")?;
    if count == 0 {
        println!("no stored event fits");
        return Ok(());
    }
    if !arguments.yes && !agreed(count)? {
        println!("nothing was removed");
        return Ok(());
    }
    let gone = remove(home, &filter)?;
    let gone = usize::try_from(gone).unwrap_or(usize::MAX);
    println!("{} removed", output::many(gone, "event"));
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
    print!("Remove {}, for ever? [y/N] ", output::many(count, "event"));
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
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
