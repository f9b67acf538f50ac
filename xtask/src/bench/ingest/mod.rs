//! How fast a collector takes events over HTTP: one event a request, each answered once it is durable.
//!
//! All requests come from one thread, so that on a small machine what is measured is the daemon and not
//! the switching between senders. What a machine can do differs with its disk and its neighbours, so a collector
//! of somebody else that runs on it can be measured in turns with ours.

mod load;
mod peer;

use anyhow::Result;
use bellwether_tests::Installation;

use super::figure::Goal;
use super::{Bench, Figure};
use load::{Load, Sent};
pub(super) use peer::Peer;

/// How many bytes an event has, about.
const EVENT: usize = 1024;
/// So many go before, unmeasured.
const WARMING: usize = 5_000;
/// In so many turns with a peer.
const TURNS: usize = 5;

/// What is wanted at some number of connections.
struct Run {
    connections: usize,
    /// Events a second at least, on a machine like the one that the figure was set on.
    rate: f64,
    /// How many times a peer's rate at least.
    faster: f64,
    /// Microseconds within which nineteen of twenty are answered, and which part of the peer's that is at most.
    p95: Option<(f64, f64)>,
}

const RUNS: [Run; 2] = [
    Run {
        connections: 8,
        rate: 10_000.0,
        faster: 1.2,
        p95: Some((2_000.0, 0.5)),
    },
    Run {
        connections: 64,
        rate: 16_000.0,
        faster: 2.0,
        p95: None,
    },
];

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for run in &RUNS {
        let place = Installation::new(&bench.dist.programs()?)?;
        let (_daemon, port) = place.start_serving(&[])?;
        let load = |peer: Option<&Peer>| Load {
            peer: peer.cloned(),
            port: peer.map_or(port, |peer| peer.port),
            connections: run.connections,
            size: EVENT,
        };
        let mut all = vec![load(None)];
        all.extend(bench.arguments.peer.as_ref().map(|peer| load(Some(peer))));
        let sent = in_turns(&all, bench.arguments.events)?;
        let wanted = u64::try_from(WARMING + bench.arguments.events)?;
        place.wait_for("everything to be stored", || Ok(place.count()? == wanted))?;
        figures.extend(run.figures(&sent));
    }
    Ok(figures)
}

/// Sends all events to each collector, a part at a time.
fn in_turns(all: &[Load], events: usize) -> Result<Vec<Sent>> {
    for load in all {
        load.run("warm", WARMING)?;
    }
    let turns = if all.len() > 1 { TURNS } else { 1 };
    let mut sent: Vec<Sent> = all.iter().map(|_| Sent::default()).collect();
    for turn in 0..turns {
        let part = events * (turn + 1) / turns - events * turn / turns;
        for (load, sent) in all.iter().zip(&mut sent) {
            sent.add(load.run(&format!("bench{turn}"), part)?);
        }
    }
    Ok(sent)
}

impl Run {
    /// Ours as they are, and beside a peer's where there is one.
    fn figures(&self, sent: &[Sent]) -> Vec<Figure> {
        let Some((ours, peers)) = sent.split_first() else {
            return Vec::new();
        };
        let (rate, p95) = (ours.rate(), ours.p95_us());
        let longest = self.p95.map(|(alone, _)| Goal::AtMost(alone));
        let mut figures = vec![
            self.rate(rate, "", Some(Goal::AtLeast(self.rate))),
            self.p95(p95, "", longest),
        ];
        for peer in peers {
            let part = self.p95.map(|(_, part)| Goal::AtMost(part));
            figures.extend([
                Figure {
                    ratio: Some(rate / peer.rate()),
                    ..self.rate(rate, ", beside the peer", Some(Goal::AtLeast(self.faster)))
                },
                Figure {
                    ratio: Some(p95 / peer.p95_us()),
                    ..self.p95(p95, ", beside the peer", part)
                },
                self.rate(peer.rate(), ", the peer", None),
                self.p95(peer.p95_us(), ", the peer", None),
            ]);
        }
        figures
    }

    fn rate(&self, rate: f64, whose: &str, target: Option<Goal>) -> Figure {
        let connections = self.connections;
        let name =
            format!("{connections} connections, events of 1 KB, answered once on the disk{whose}");
        Figure::alone("ingest", name, (rate, "events/s"), target)
    }

    fn p95(&self, p95: f64, whose: &str, target: Option<Goal>) -> Figure {
        let connections = self.connections;
        let name = format!("{connections} connections, nineteen of twenty answers within{whose}");
        Figure::alone("ingest", name, (p95, "µs"), target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_takes_no_target_away() {
        let slow = Sent::default();
        let alone = RUNS[0].figures(&[Sent::default()]);
        let beside = RUNS[0].figures(&[Sent::default(), slow]);
        let names = |figures: &[Figure]| -> Vec<String> {
            figures.iter().map(|figure| figure.name.clone()).collect()
        };
        assert_eq!(names(&beside)[..2], names(&alone));
        assert!(beside[..2].iter().all(|figure| figure.ratio.is_none()));
        let judged = beside.iter().filter(|figure| figure.target.is_some());
        assert_eq!(judged.count(), 4);
    }
}
