//! Runs programs in turns, as the client runs its hooks, and times each from start to end.
//!
//! The order changes from turn to turn: what a program leaves behind in caches and on the cores
//! would otherwise always meet the same next one.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use super::figure::{Figure, Goal};
use super::samples::Samples;
use bellwether_tests::Random;
use bellwether_tests::installation::{as_client_does, filled_stdin};

/// Turns that are run before any is timed.
const WARM_UP: usize = 10;

/// How often each program is run when `runs` are timed.
pub(super) fn turns(runs: usize) -> usize {
    WARM_UP + runs
}

pub(super) struct Subject<'a> {
    /// What it is called in the table.
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// Variables that it gets beside those that all get.
    pub variables: Vec<(&'static str, OsString)>,
    /// What waits on its stdin.
    pub payload: Vec<u8>,
    /// What must be done before each run, untimed.
    pub prepare: Box<dyn Fn() -> Result<()> + 'a>,
    /// How much slower than the baseline it may be.
    pub at_most: Option<f64>,
}

impl Subject<'_> {
    /// A program without arguments that needs no preparation.
    pub(super) fn new(
        name: impl Into<String>,
        program: impl Into<PathBuf>,
        payload: &[u8],
    ) -> Self {
        Self {
            name: name.into(),
            program: program.into(),
            arguments: Vec::new(),
            variables: Vec::new(),
            payload: payload.to_owned(),
            prepare: Box::new(|| Ok(())),
            at_most: None,
        }
    }

    fn time(&self) -> Result<Duration> {
        (self.prepare)()?;
        let (_open, stdin) = filled_stdin(&self.payload)?;
        let mut command = as_client_does(&self.program);
        command.args(&self.arguments).stdin(stdin);
        command.envs(self.variables.iter().cloned());
        let begun = Instant::now();
        let status = command
            .status()
            .with_context(|| format!("run {}", self.program.display()))?;
        let took = begun.elapsed();
        ensure!(status.success(), "{} ended with {status}", self.name);
        Ok(took)
    }
}

/// Runs all subjects in turns; the first is the baseline of the others.
pub(super) fn figures(
    group: &'static str,
    subjects: &[Subject<'_>],
    runs: usize,
) -> Result<Vec<Figure>> {
    let samples = in_turns(subjects, runs)?;
    let baseline = samples.first().map_or(0.0, Samples::median_us);
    let figure = |(subject, samples): (&Subject<'_>, &Samples)| Figure {
        group,
        name: subject.name.clone(),
        value: samples.median_us(),
        unit: "µs",
        p95: Some(samples.p95_us()),
        ratio: Some(samples.median_us() / baseline),
        target: subject.at_most.map(Goal::AtMost),
    };
    Ok(subjects.iter().zip(&samples).map(figure).collect())
}

fn in_turns(subjects: &[Subject<'_>], runs: usize) -> Result<Vec<Samples>> {
    let mut order: Vec<usize> = (0..subjects.len()).collect();
    let mut times = vec![Vec::with_capacity(runs); subjects.len()];
    let mut random = Random::new(1);
    for turn in 0..turns(runs) {
        random.shuffle(&mut order);
        for &at in &order {
            let took = subjects[at].time()?;
            if turn >= WARM_UP {
                times[at].push(took);
            }
        }
    }
    Ok(times.into_iter().map(Samples::new).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_is_run_as_often_as_asked() {
        let subjects = [
            Subject::new("one", "/bin/true", b"{}"),
            Subject::new("two", "/bin/true", b"{}"),
        ];
        let samples = in_turns(&subjects, 3).unwrap();
        assert_eq!(samples.len(), 2);
        let figures = figures("hook", &subjects, 3).unwrap();
        assert!(figures.iter().all(|figure| figure.value > 0.0));
        let broken = [Subject::new("false", "/bin/false", b"{}")];
        assert!(in_turns(&broken, 1).is_err());
    }
}
