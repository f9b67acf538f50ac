//! How fast a journal becomes a store: everything is written first, then a daemon is started.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_spine::journal::{Envelope, Payload, Segment, pending_bytes};
use bellwether_spine::meta::Meta;

use super::figure::Target;
use super::{Bench, Figure};
use bellwether_tests::Installation;
use bellwether_tests::Progress;
use bellwether_tests::fixture;

/// Events a second, at least.
const RATE: f64 = 50_000.0;
/// How long a record is.
const RECORD: usize = 2048;
/// A daemon seals a segment at about this length.
const SEGMENT: usize = 16 * 1024 * 1024;
/// Even a slow disk is done by then.
const PATIENCE: Duration = Duration::from_mins(10);

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let place = Installation::new(&bench.dist.programs()?)?;
    let wanted = bench.arguments.records;
    write_journal(&place.home().journal(), wanted)?;
    let took = time_storing(&place)?;
    let stored = place.count()?;
    ensure!(
        stored == u64::try_from(wanted)?,
        "{stored} of {wanted} records were stored"
    );
    let rate = f64::from(u32::try_from(wanted)?) / took.as_secs_f64();
    let name = format!(
        "{wanted} records of 2 KB, journal to store (search and roll-ups are not built yet)"
    );
    Ok(vec![Figure::alone(
        "store",
        name,
        (rate, "events/s"),
        Some(Target::AtLeast(RATE)),
    )])
}

fn write_journal(journal: &Path, records: usize) -> Result<()> {
    let overhead = record(0)?.len();
    let mut segments = 1..;
    let mut left = records;
    while left > 0 {
        let segment = Segment(segments.next().context("segments have numbers")?);
        let mut file = BufWriter::new(File::create_new(segment.path(journal))?);
        for _ in 0..left.min(SEGMENT / RECORD) {
            file.write_all(&record(RECORD.saturating_sub(overhead))?)?;
            left -= 1;
        }
        // What is timed is our own work, not the disk's on what we wrote before.
        file.into_inner()?.sync_all()?;
    }
    Ok(())
}

/// A record with so much more in it than it needs.
fn record(more: usize) -> Result<Vec<u8>> {
    let payload = String::from_utf8(fixture::tool_call("store", more))?;
    let meta = Meta::gather(&|_| None, None, None, None);
    Ok(Envelope::encode(&meta, Payload::Json(&payload))?)
}

/// From the start of the daemon until nothing waits.
fn time_storing(place: &Installation) -> Result<Duration> {
    let journal = place.home().journal();
    let mut progress = Progress::new("store");
    let begun = Instant::now();
    let mut daemon = place.spawn_daemon(&[])?;
    loop {
        if let Some(reader) = place.reader()? {
            let waiting = pending_bytes(&journal, &reader.cursors()?)?;
            if waiting == 0 {
                return Ok(begun.elapsed());
            }
            progress.tick(|| format!("{} MB wait", waiting / 1_000_000));
        }
        ensure!(!daemon.ended()?, "the daemon has ended");
        ensure!(
            begun.elapsed() < PATIENCE,
            "the daemon does not come to an end"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_about_two_kilobytes() {
        let size = record(RECORD - record(0).unwrap().len()).unwrap().len();
        assert!((RECORD - 50..=RECORD + 50).contains(&size), "{size}");
    }
}
