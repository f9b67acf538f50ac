//! A long session as a page: how long it takes, and in how much memory.

use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context as _, Result};
use bellwether_tests::{Installation, fixture, process};

use super::figure::Goal;
use super::rest::megabytes;
use super::{Bench, Figure};

/// How long the transcript is, in bytes.
const SIZE: u64 = 100_000_000;
/// Megabytes in use, at most.
const MEMORY: f64 = 60.0;
/// Seconds, at most.
const TIME: f64 = 10.0;

pub(super) fn measure(bench: &Bench<'_>) -> Result<Vec<Figure>> {
    let place = Installation::new(&bench.dist.programs()?)?;
    let (path, page) = (
        place.root().join("long.jsonl"),
        place.root().join("long.html"),
    );
    fixture::long_transcript(&path, SIZE)?;
    let [path, page] = [&path, &page].map(|path| path.to_str());
    let words = [
        "transcript",
        "export",
        path.context("a path")?,
        "-o",
        page.context("a path")?,
    ];
    let begun = Instant::now();
    let peak = process::peak_kb(place.cli(words).stdout(Stdio::null()))?;
    let took = begun.elapsed().as_secs_f64();
    let figure = |name: &str, value, most| {
        let name = format!("{name}, {} MB exported as a page", SIZE / 1_000_000);
        Figure::alone("transcript", name, value, Some(Goal::AtMost(most)))
    };
    Ok(vec![
        figure("time", (took, "s"), TIME),
        figure("memory at most", (megabytes(peak)?, "MB"), MEMORY),
    ])
}
