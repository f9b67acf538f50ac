//! Runs the checks side by side, as many as there are processors, until they have ended or must.

use std::collections::VecDeque;
use std::process::Command;
use std::time::{Duration, Instant};

use bellwether_spine::text;

use crate::environment::Environment;
use crate::judge::{Judged, failed, judge, not_started};
use crate::process::{Capture, Limits, Started, Stop, Streams, wait};
use crate::report::{State, StepReport};
use crate::steps::{Found, Missing, Step};
use crate::words::last_words;

/// A check that says more than this is ended: nothing else would, where there is no deadline.
const MOST: u64 = 256 * 1024 * 1024;
/// A command is shown in so many characters.
const COMMAND: usize = 200;
/// How often it is told how long checks have run.
const TICK: Duration = Duration::from_millis(500);

/// The checks of a run.
pub(crate) struct Checks<'a> {
    environment: &'a Environment,
    limits: &'a Limits,
    /// Folders whose paths are told as relative ones.
    folders: Vec<&'a str>,
    reports: Vec<StepReport>,
    waiting: VecDeque<(usize, &'a Step)>,
    running: Vec<Run<'a>>,
}

struct Run<'a> {
    /// Which report is its.
    number: usize,
    step: &'a Step,
    process: Started,
    began: Instant,
}

impl<'a> Checks<'a> {
    pub(crate) fn new(
        found: &'a [Found],
        environment: &'a Environment,
        limits: &'a Limits,
        folders: Vec<&'a str>,
    ) -> Self {
        let steps = found.iter().enumerate();
        let waiting = steps.filter_map(|(number, found)| match found {
            Found::Step(step) => Some((number, step)),
            _ => None,
        });
        Self {
            environment,
            limits,
            folders,
            reports: found.iter().map(report).collect(),
            waiting: waiting.collect(),
            running: Vec::new(),
        }
    }

    /// Runs them all, and tells at every change and now and then how far they are.
    pub(crate) fn run(
        mut self,
        cores: usize,
        tell: &mut dyn FnMut(&[StepReport]),
    ) -> Result<Vec<StepReport>, Stop> {
        let mut told = Instant::now();
        tell(&self.reports);
        loop {
            let changed = self.begin(cores) | self.look();
            if self.running.is_empty() && self.waiting.is_empty() {
                tell(&self.reports);
                return Ok(self.reports);
            }
            if let Some(stop) = self.limits.stop() {
                self.stop();
                return match stop {
                    Stop::Late => Ok(self.reports),
                    Stop::Alone => Err(stop),
                };
            }
            if changed || told.elapsed() >= TICK {
                self.count();
                tell(&self.reports);
                told = Instant::now();
            }
            wait(self.running.iter().map(|run| &run.process), self.limits);
        }
    }

    /// Starts as many as may run; true when one was.
    fn begin(&mut self, cores: usize) -> bool {
        let mut begun = false;
        while self.running.len() < cores.max(1)
            && let Some((number, step)) = self.waiting.pop_front()
        {
            begun = true;
            match start(step, self.environment) {
                Ok(process) => {
                    self.reports[number].state = State::Running;
                    self.running.push(Run {
                        number,
                        step,
                        process,
                        began: Instant::now(),
                    });
                }
                Err(why) => end(&mut self.reports[number], not_started(&why), Duration::ZERO),
            }
        }
        begun
    }

    /// Takes what they say, and those out that have ended; true when one has.
    fn look(&mut self) -> bool {
        let before = self.running.len();
        let (folders, reports) = (&self.folders, &mut self.reports);
        self.running.retain_mut(|run| {
            let judged = run.look(folders);
            let ended = judged.is_some();
            if let Some(judged) = judged {
                end(&mut reports[run.number], judged, run.began.elapsed());
            }
            !ended
        });
        self.running.len() != before
    }

    fn count(&mut self) {
        for run in &self.running {
            self.reports[run.number].seconds = seconds(run.began.elapsed());
        }
    }

    /// Ends those that have not ended.
    fn stop(&mut self) {
        for run in &mut self.running {
            run.process.end();
            let text = run.text();
            let judged = Judged {
                state: State::Late,
                lines: last_words(&text, &self.folders),
            };
            end(&mut self.reports[run.number], judged, run.began.elapsed());
        }
        for (number, _) in &self.waiting {
            self.reports[*number].state = State::Late;
        }
    }
}

impl Run<'_> {
    /// What came of it, if it has ended.
    fn look(&mut self, folders: &[&str]) -> Option<Judged> {
        match self.process.look() {
            Ok(Some(status)) => Some(judge(self.step, status, &self.text(), folders)),
            Ok(None) if self.process.said().any(|said| said.total() > MOST) => {
                self.process.end();
                Some(failed(vec![
                    "it was ended: it said more than 256 MB".to_owned(),
                ]))
            }
            Ok(None) => None,
            Err(why) => {
                self.process.end();
                Some(failed(vec![format!("it cannot be waited for: {why}")]))
            }
        }
    }

    fn text(&self) -> String {
        self.process.said().map(Capture::text).collect()
    }
}

fn start(step: &Step, environment: &Environment) -> std::io::Result<Started> {
    let mut command = Command::new(&step.program);
    let variables = environment
        .variables()
        .iter()
        .map(|(name, value)| (name, value));
    command
        .args(&step.words)
        .current_dir(&step.folder)
        .env_clear()
        .envs(variables)
        .envs(step.variables.iter().map(|(name, value)| (name, value)))
        .env("PWD", &step.folder);
    Started::start(&mut command, Streams::Joined, &Capture::of_step())
}

fn report(found: &Found) -> StepReport {
    let (command, state, lines) = match found {
        Found::Step(step) => (&step.shown, State::Waiting, Vec::new()),
        Found::Missing(missing) => (&missing.shown, State::Missing, vec![missing.told()]),
        Found::Skipped { shown, .. } => (shown, State::Skipped, Vec::new()),
    };
    StepReport {
        name: found.name().to_owned(),
        command: text::shown(command, COMMAND),
        state,
        seconds: 0.0,
        lines,
    }
}

impl Missing {
    /// What is not there and what to do about it, in one line.
    pub(crate) fn told(&self) -> String {
        format!("{} is missing: {}", self.what, self.advice)
    }
}

fn end(report: &mut StepReport, judged: Judged, took: Duration) {
    report.state = judged.state;
    report.lines = judged.lines;
    report.seconds = seconds(took);
}

/// Tenths of a second are enough.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 10.0).round() / 10.0
}
