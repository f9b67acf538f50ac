//! What commands do with a running daemon, or with the want of one.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use bellwether_daemon::control::Client;
use bellwether_flock::Reader;
use bellwether_spine::{Home, journal, launch, lock};

use crate::exit;

/// How long a daemon may take to come up or to end.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often it is looked whether it has.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A connection to the daemon, which is started if need be, with these
/// words behind `daemon run`; true when it was. One that is just
/// ending holds the lock a little longer: it is waited for.
pub(crate) fn reach(home: &Home, words: &[String]) -> anyhow::Result<(Client, bool)> {
    home.create()?;
    let mut started = false;
    let client = wait_for(|| {
        if let Some(client) = Client::connect(home)? {
            return Ok(Some(client));
        }
        if !started && let Some(lock) = lock::try_take(home)? {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            launch::daemon(&launch::program()?, home, &lock, &words)?;
            started = true;
        }
        Ok(None)
    })?;
    let client = client
        .with_context(|| format!("the daemon did not start; see {}", home.log().display()))?;
    Ok((client, started))
}

/// Stops the daemon, once it has stored everything; false when none runs.
pub(crate) fn stop(home: &Home) -> anyhow::Result<bool> {
    let Some(mut client) = Client::connect(home)? else {
        return Ok(false);
    };
    let pid = client.status()?.pid;
    client.stop()?;
    wait_for_end(home, pid)?;
    Ok(true)
}

/// Waits until a daemon's process has ended.
fn wait_for_end(home: &Home, pid: u32) -> anyhow::Result<()> {
    wait_for(|| Ok((!runs(pid)).then_some(())))?.with_context(|| {
        format!(
            "the daemon has not stopped yet; see {}",
            home.log().display()
        )
    })
}

/// Whether a process runs; one that has ended and was not waited for does not.
fn runs(pid: u32) -> bool {
    let ended = |stat: String| {
        stat.rsplit(") ")
            .next()
            .is_some_and(|rest| rest.starts_with('Z'))
    };
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !ended(stat),
        Err(_) => cfg!(not(target_os = "linux")) && signal_reaches(pid),
    }
}

/// Where there is no `/proc` the process itself is asked.
fn signal_reaches(pid: u32) -> bool {
    i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok())
}

fn wait_for<T>(mut ready: impl FnMut() -> anyhow::Result<Option<T>>) -> anyhow::Result<Option<T>> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if let Some(value) = ready()? {
            return Ok(Some(value));
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(None)
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
    let synced = reach(home, &[]).and_then(|(mut client, _)| Ok(client.sync()?));
    if let Err(error) = synced {
        note!(
            "bellwether: the newest events are not stored yet: {}",
            exit::told(&error)
        );
        return Ok(reader);
    }
    Ok(Reader::open(&home.database())?)
}
