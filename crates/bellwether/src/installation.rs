//! What commands do with a running daemon, or with the want of one.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use bellwether_daemon::Options;
use bellwether_daemon::control::Client;
use bellwether_flock::Reader;
use bellwether_spine::{Home, journal, launch, lock};

/// How long a daemon may take to come up or to end.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often it is looked whether it has.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A connection to the daemon, which is started if need be; true when it was.
pub(crate) fn reach(home: &Home, options: &Options) -> anyhow::Result<(Client, bool)> {
    if let Some(client) = Client::connect(home)? {
        return Ok((client, false));
    }
    home.create()?;
    let mut started = false;
    if let Some(lock) = lock::try_take(home)? {
        let arguments = options.to_arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        launch::daemon(&launch::program()?, home, &lock, &arguments)?;
        started = true;
    }
    let client = wait_for(|| Client::connect(home).ok().flatten());
    let client = client
        .with_context(|| format!("the daemon did not come up; see {}", home.log().display()))?;
    Ok((client, started))
}

/// Waits until no daemon holds the lock.
pub(crate) fn wait_for_end(home: &Home) -> anyhow::Result<()> {
    wait_for(|| (!lock::is_held(home).ok()?).then_some(()))
        .with_context(|| format!("the daemon has not ended yet; see {}", home.log().display()))
}

fn wait_for<T>(mut ready: impl FnMut() -> Option<T>) -> Option<T> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if let Some(value) = ready() {
            return Some(value);
        }
        std::thread::sleep(LOOK_EVERY);
    }
    None
}

/// How many bytes of the journal are not stored yet.
pub(crate) fn pending(home: &Home, reader: Option<&Reader>) -> anyhow::Result<u64> {
    let cursors = reader.map(Reader::cursors).transpose()?.unwrap_or_default();
    Ok(journal::pending_bytes(&home.journal(), &cursors)?)
}

/// The store, with everything in it that is in the journal now; `None` when nothing ever happened.
/// When the rest cannot be stored, what is stored is still worth reading.
pub(crate) fn up_to_date(home: &Home) -> anyhow::Result<Option<Reader>> {
    let reader = Reader::open(&home.database())?;
    if pending(home, reader.as_ref())? == 0 {
        return Ok(reader);
    }
    let synced = reach(home, &Options::default()).and_then(|(mut client, _)| Ok(client.sync()?));
    if let Err(error) = synced {
        eprintln!("bellwether: the newest events are not stored yet: {error:#}");
        return Ok(reader);
    }
    Ok(Reader::open(&home.database())?)
}
