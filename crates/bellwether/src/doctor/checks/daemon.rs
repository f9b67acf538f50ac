//! The daemon and the store that it writes.

use bellwether_daemon::Options;
use bellwether_daemon::control::{Client, Status};
use bellwether_flock::Reader;
use bellwether_spine::{Home, VERSION};

use super::{Context, Finding};
use crate::doctor::finding::or_good;
use crate::{installation, output};

pub(super) const ABOUT: &str =
    "the daemon runs or need not, is of this version, and can store and serve";

pub(super) fn run(context: &Context<'_>) -> Vec<Finding> {
    let home = context.home;
    let status = Client::connect(home)
        .and_then(|client| client.map(|mut client| client.status()).transpose());
    let mut findings = match &status {
        Err(error) => vec![
            Finding::problem(error.to_string()).advise(format!("see {}", home.log().display())),
        ],
        Ok(Some(status)) => running(home, status),
        Ok(None) => not_running(home).into_iter().collect(),
    };
    if let Err(error) = Reader::open(&home.database()) {
        findings.push(
            Finding::problem(error.to_string()).advise(format!("see {}", home.log().display())),
        );
    }
    let good = match &status {
        Ok(Some(status)) => format!(
            "it has run for {}, version {}, process {}",
            output::duration(status.up_ms),
            status.version,
            status.pid
        ),
        _ => "it does not run and need not: the next event starts it".to_owned(),
    };
    or_good(findings, good)
}

fn running(home: &Home, status: &Status) -> Vec<Finding> {
    let version = (status.version != VERSION).then(|| {
        let text = format!(
            "the daemon is version {}, this program {VERSION}",
            status.version
        );
        let again = home.clone();
        Finding::note(format!(
            "{text}; a newer hook replaces it at the next event"
        ))
        .advise("bellwether daemon stop, then bellwether daemon start")
        .fix("start the daemon again", move || restart(&again))
    });
    let store = status.store_trouble.as_ref().map(|trouble| {
        Finding::problem(format!("the daemon cannot store: {trouble}"))
            .advise(format!("see {}", home.log().display()))
    });
    let http = status.http_trouble.as_ref().map(|trouble| {
        let again = home.clone();
        Finding::warning(trouble)
            .advise(
                "end what has the port, then: bellwether daemon stop && bellwether daemon start",
            )
            .fix("start the daemon again", move || restart(&again))
    });
    [store, http, version].into_iter().flatten().collect()
}

fn not_running(home: &Home) -> Option<Finding> {
    let reader = Reader::open(&home.database()).ok().flatten();
    let pending = installation::pending(home, reader.as_ref()).unwrap_or(0);
    (pending > 0).then(|| {
        let text = format!(
            "the daemon does not run, and {} wait to be stored",
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
    let (mut client, _) = installation::reach(home, &Options::default())?;
    Ok(client.sync()?)
}

fn restart(home: &Home) -> anyhow::Result<()> {
    if let Some(mut client) = Client::connect(home)? {
        client.stop()?;
        installation::wait_for_end(home)?;
    }
    start(home)
}
