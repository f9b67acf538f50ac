//! How fast a collector takes events over HTTP: one event a request, each answered once it is durable.
//!
//! All requests come from one thread, so that on a small machine what is measured is the daemon and not
//! the switching between senders.

mod load;

use anyhow::Result;
use bellwether_tests::Installation;

use super::figure::Target;
use super::{Bench, Figure};
use load::Load;

/// How many bytes an event has, about.
const EVENT: usize = 1024;
/// Connections, events a second at least, and milliseconds within which nineteen of twenty are answered.
const RUNS: [(usize, f64, Option<f64>); 2] = [(8, 10_000.0, Some(2_000.0)), (64, 16_000.0, None)];
/// So many go before, unmeasured.
const WARMING: usize = 5_000;

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (connections, rate, p95) in RUNS {
        let place = Installation::new(&bench.dist.programs()?)?;
        let (_daemon, port) = place.start_serving(&[])?;
        let load = Load {
            port,
            connections,
            size: EVENT,
        };
        load.run("warm", WARMING)?;
        let sent = load.run("bench", bench.arguments.events)?;
        let wanted = u64::try_from(WARMING + bench.arguments.events)?;
        place.wait_for("everything to be stored", || Ok(place.count()? == wanted))?;
        let name = format!("{connections} connections, events of 1 KB, answered once on the disk");
        figures.push(Figure::alone(
            "ingest",
            name,
            (sent.rate, "events/s"),
            Some(Target::AtLeast(rate)),
        ));
        figures.push(Figure {
            p95: Some(sent.times.p95_us()),
            ..Figure::alone(
                "ingest",
                format!("{connections} connections, nineteen of twenty answers within"),
                (sent.times.p95_us(), "µs"),
                p95.map(Target::AtMost),
            )
        });
    }
    Ok(figures)
}
