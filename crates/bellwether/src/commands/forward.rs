//! `bellwether forward`: the forwarder of seed 004. Its lines and its exit codes are part of what it is
//! for: an error is told on stderr, which the client shows, and the exit code is 1.

use std::os::fd::AsFd as _;

use anyhow::Context as _;
use bellwether_hook::input::{self, End};
use bellwether_spine::{Home, meta, text};
use clap::Args;

use crate::exit;
use crate::exit::AlreadyTold;
use crate::forward::{App, Collector, enriched};

/// Reads one event from stdin, adds where it comes from as `_meta`, and sends it to
/// `$BELLWETHER_COLLECTOR_URL` (or `$MASCOT_COLLECTOR_URL`), by default this program's own daemon. When
/// nobody is there, `$BELLWETHER_APP_PATH` (or `$MASCOT_APP_PATH`) is started, by default the daemon.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {}

pub(crate) fn run(home: &Home, _: &Arguments) -> anyhow::Result<()> {
    let told = |error: anyhow::Error| {
        for line in exit::told(&error).lines() {
            note!("[mascot-hook] {}", text::shown(line, 400));
        }
        AlreadyTold
    };
    let event = event().map_err(told)?;
    let collector = Collector::find(home, &meta::variable).map_err(told)?;
    // What cannot be started is told, and the event sent all the same: somebody may be there by then.
    let ready = App::find(home, &meta::variable)
        .ensure_runs(&collector)
        .map_err(told);
    collector.ingest(&event).map_err(told)?;
    Ok(ready?)
}

/// The event that stands on stdin, with its `_meta`.
fn event() -> anyhow::Result<String> {
    let read = input::read(std::io::stdin().as_fd());
    let why = match read.end {
        End::Silent => "stdin went silent before the event was complete",
        End::TooLong => "the event is too long",
        End::Closed if read.bytes.is_empty() => "nothing came on stdin",
        End::Complete | End::Closed => "the event cannot be read",
    };
    let text = String::from_utf8(read.bytes).context(why)?;
    enriched(&text, &meta::variable).context(why)
}
