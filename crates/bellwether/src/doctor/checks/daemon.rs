//! The daemon and the store that it writes.

use bellwether_daemon::control::Status;
use bellwether_flock::Reader;
use bellwether_spine::{Home, VERSION};

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::{installation, output};

pub(super) const ABOUT: &str = "the daemon has this version and works, or is not needed";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let home = setup.home;
    let (mut findings, good) = match &setup.daemon {
        Err(error) => (vec![see_log(home, error.to_string())], String::new()),
        Ok(Some(status)) => (running(home, status), at_work(status)),
        Ok(None) => (
            not_running(home).into_iter().collect(),
            "not running; the next event starts it".to_owned(),
        ),
    };
    let store = Reader::open(&home.database()).err();
    findings.extend(store.map(|error| see_log(home, error.to_string())));
    or_good(findings, good)
}

fn see_log(home: &Home, text: impl AsRef<str>) -> Finding {
    Finding::problem(text).advise(format!("see {}", home.log().display()))
}

fn at_work(status: &Status) -> String {
    let up = output::duration(status.up_ms);
    format!(
        "running for {up}, version {}, process {}",
        status.version, status.pid
    )
}

fn running(home: &Home, status: &Status) -> Vec<Finding> {
    let version = (status.version != VERSION).then(|| {
        let again = home.clone();
        Finding::note(format!(
            "the daemon is version {}, this program {VERSION}; an older daemon becomes the newer at the next event",
            status.version
        ))
        .advise("bellwether daemon stop, then bellwether daemon start")
        .fix("start the daemon again", move || restart(&again))
    });
    let store = status
        .store_trouble
        .as_ref()
        .map(|trouble| see_log(home, format!("the daemon cannot store: {trouble}")));
    let http = status.http_trouble.as_ref().map(|trouble| {
        Finding::warning(trouble)
            .advise("stop the program that uses the port, or: bellwether daemon stop, then bellwether daemon start --port PORT")
    });
    [store, http, version].into_iter().flatten().collect()
}

fn not_running(home: &Home) -> Option<Finding> {
    let reader = Reader::open(&home.database()).ok().flatten();
    let pending = installation::pending(home, reader.as_ref()).unwrap_or(0);
    (pending > 0).then(|| {
        let text = format!(
            "the daemon is not running, and {} wait to be stored",
            output::bytes(pending)
        );
        let starting = home.clone();
        Finding::warning(text)
            .advise("bellwether daemon start")
            .fix("start the daemon", move || start(&starting))
    })
}

/// A daemon that has stored everything.
fn start(home: &Home) -> anyhow::Result<()> {
    let (mut client, _) = installation::reach(home, &[])?;
    Ok(client.sync()?)
}

fn restart(home: &Home) -> anyhow::Result<()> {
    installation::stop(home)?;
    start(home)
}
