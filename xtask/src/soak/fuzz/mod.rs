//! Damages recorded payloads and journal bytes and feeds them to whatever reads them.
//!
//! Nothing may fail, hang or break its word. The work is done in a thread of its own while this
//! one watches the clock: a thread that hangs is left behind. A failure that takes the whole
//! process (a stack that overflows) leaves the seed and the count of the last line printed.

mod guard;
mod mutate;
mod shrink;
mod sounds;
mod target;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};

use self::mutate::Mutator;
use self::shrink::shrink;
use self::target::{TARGETS, Target};
use super::{Bytes, Damage, Report};
use bellwether_tests::Progress;
use bellwether_tests::Random;
use bellwether_tests::fixture;

/// Nothing that reads some kilobytes takes so long.
const HANG: Duration = Duration::from_secs(10);
/// What a process has at its start on most machines: what overflows in the hook overflows here.
const STACK: usize = 8 * 1024 * 1024;
/// How long one input is cut down.
const SHRINKING: Duration = Duration::from_secs(8);
/// More findings than this are the same one.
const ENOUGH: usize = 10;

/// What the two threads share.
#[derive(Default)]
struct Shared {
    inputs: AtomicU64,
    current: Mutex<Option<Current>>,
    findings: Mutex<Vec<String>>,
    /// What took longest, by target.
    slowest: Mutex<BTreeMap<&'static str, Slow>>,
}

/// What took long, and how long.
type Slow = (Duration, Arc<[u8]>);

#[derive(Clone)]
struct Current {
    since: Instant,
    target: &'static Target,
    input: Arc<[u8]>,
}

pub(super) fn run(damage: &Damage) -> Result<Report> {
    let shared = Arc::new(Shared::default());
    let worker = Worker {
        shared: Arc::clone(&shared),
        seed: damage.seed,
        until: Instant::now() + damage.time,
        keep: damage.workspace.leavings("fuzz")?,
        scratch: scratch(damage)?,
        bytes: damage.bytes,
        told: BTreeSet::new(),
        only: damage.input.clone(),
    };
    let seeds = seeds(damage)?;
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let keep = worker.keep.clone();
    let thread = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || worker.work(seeds))?;
    watch(&shared, &thread, damage.seed, &keep)?;
    std::panic::set_hook(quiet);
    if thread.is_finished() {
        thread
            .join()
            .map_err(|_| anyhow!("the fuzzer itself failed"))??;
    }
    let inputs = shared.inputs.load(Ordering::Relaxed);
    Ok(Report {
        summary: format!(
            "{inputs} inputs to each of {} targets, seed {}{}",
            targets(damage.bytes).len(),
            damage.seed,
            slowest(&shared, &keep)?
        ),
        findings: lock(&shared.findings).clone(),
    })
}

/// What took longest, and where it is kept.
fn slowest(shared: &Shared, keep: &std::path::Path) -> Result<String> {
    let mut text = String::new();
    for (name, (took, input)) in lock(&shared.slowest).iter() {
        let path = keep.join(format!("{name}-slowest"));
        std::fs::write(&path, input)?;
        let milliseconds = took.as_secs_f64() * 1000.0;
        let _ = write!(
            text,
            "\n  slowest {name}: {milliseconds:.1} ms, {}",
            path.display()
        );
    }
    Ok(text)
}

fn targets(bytes: Bytes) -> &'static [Target] {
    match bytes {
        Bytes::Payloads => TARGETS,
        Bytes::Commands => guard::TARGETS,
        Bytes::Sounds => sounds::TARGETS,
    }
}

/// What is damaged.
fn seeds(damage: &Damage) -> Result<Vec<Vec<u8>>> {
    match damage.bytes {
        Bytes::Payloads => with_records(fixture::all_recorded(&damage.workspace.payloads())?),
        Bytes::Commands => guard::seeds(&damage.workspace),
        Bytes::Sounds => sounds::seeds(&damage.workspace),
    }
}

/// A folder for files. What is judged must not stand where temporary files do: those may go.
fn scratch(damage: &Damage) -> Result<tempfile::TempDir> {
    Ok(match damage.bytes {
        Bytes::Payloads | Bytes::Sounds => tempfile::tempdir()?,
        Bytes::Commands => {
            let folder = tempfile::tempdir_in(damage.workspace.leavings("fuzz")?)?;
            guard::prepare(folder.path())?;
            folder
        }
    })
}

/// Watches the worker until it is done or hangs.
fn watch(
    shared: &Shared,
    thread: &std::thread::JoinHandle<Result<()>>,
    seed: u64,
    keep: &std::path::Path,
) -> Result<()> {
    let mut progress = Progress::new("fuzz");
    while !thread.is_finished() {
        std::thread::sleep(Duration::from_millis(50));
        progress.tick(|| {
            format!(
                "{} inputs, seed {seed}",
                shared.inputs.load(Ordering::Relaxed)
            )
        });
        let current = lock(&shared.current).clone();
        let Some(current) = current.filter(|current| current.since.elapsed() > HANG) else {
            continue;
        };
        let path = keep.join(format!("{}-{seed}-hang", current.target.name));
        std::fs::write(&path, &current.input)?;
        let finding = current.target.describe("takes too long", &path);
        lock(&shared.findings).push(finding);
        return Ok(());
    }
    Ok(())
}

struct Worker {
    shared: Arc<Shared>,
    seed: u64,
    until: Instant,
    keep: PathBuf,
    scratch: tempfile::TempDir,
    bytes: Bytes,
    /// What has been found already.
    told: BTreeSet<(&'static str, String)>,
    /// The one input to try.
    only: Option<PathBuf>,
}

impl Worker {
    fn work(mut self, seeds: Vec<Vec<u8>>) -> Result<()> {
        if let Some(path) = self.only.take() {
            let input = std::fs::read(&path).with_context(|| format!("read {}", path.display()))?;
            return self.try_all(&input.into());
        }
        let mut mutator = Mutator::new(Random::new(self.seed), seeds, self.tokens());
        while Instant::now() < self.until && self.told.len() < ENOUGH {
            self.try_all(&mutator.next().into())?;
        }
        Ok(())
    }

    fn tokens(&self) -> &'static [&'static [u8]] {
        match self.bytes {
            Bytes::Payloads => mutate::TOKENS,
            Bytes::Commands => guard::TOKENS,
            Bytes::Sounds => sounds::TOKENS,
        }
    }

    fn try_all(&mut self, input: &Arc<[u8]>) -> Result<()> {
        for target in targets(self.bytes) {
            self.try_one(target, input)?;
        }
        self.shared.inputs.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn try_one(&mut self, target: &'static Target, input: &Arc<[u8]>) -> Result<()> {
        let Some(what) = self.attempt(target, input) else {
            return Ok(());
        };
        let kind = kind(&what);
        if !self.told.insert((target.name, kind.clone())) {
            return Ok(());
        }
        let begun = Instant::now();
        let still = |bytes: &[u8]| {
            // What is bad because it is slow takes its time at every try.
            begun.elapsed() < SHRINKING
                && self
                    .attempt(target, &bytes.into())
                    .is_some_and(|what| self::kind(&what) == kind)
        };
        let input = shrink(input, still);
        let name = format!("{}-{}-{}", target.name, self.seed, self.told.len());
        let path = self.keep.join(name);
        std::fs::write(&path, input).with_context(|| format!("write {}", path.display()))?;
        lock(&self.shared.findings).push(target.describe(&what, &path));
        Ok(())
    }

    /// Feeds one input to one target; what is wrong, if anything.
    fn attempt(&self, target: &'static Target, input: &Arc<[u8]>) -> Option<String> {
        *lock(&self.shared.current) = Some(Current {
            since: Instant::now(),
            target,
            input: Arc::clone(input),
        });
        let scratch = self.scratch.path();
        let begun = Instant::now();
        let tried = catch_unwind(AssertUnwindSafe(|| (target.check)(scratch, input)));
        self.note(target, input, begun.elapsed());
        *lock(&self.shared.current) = None;
        match tried {
            Ok(kept) => kept.err(),
            Err(panic) => Some(format!("panics: {}", words(&*panic))),
        }
    }
}

impl Worker {
    fn note(&self, target: &'static Target, input: &Arc<[u8]>, took: Duration) {
        let mut slowest = lock(&self.shared.slowest);
        let known = slowest.get(target.name);
        if known.is_none_or(|(longest, _)| *longest < took) {
            slowest.insert(target.name, (took, Arc::clone(input)));
        }
    }
}

/// What happened without where: that differs from input to input.
fn kind(what: &str) -> String {
    what.replace(|char: char| char.is_ascii_digit(), "")
}

/// The recorded payloads, and journal records made of some of them.
fn with_records(mut recorded: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>> {
    let records = recorded
        .iter()
        .step_by(8)
        .map(|payload| target::record(payload));
    let records: Vec<Vec<u8>> = records.collect::<Result<_>>()?;
    // As they stand in the journal, and without their frames.
    recorded.extend(
        records
            .iter()
            .map(|record| record[1..record.len() - 1].to_owned()),
    );
    recorded.push(records.concat());
    Ok(recorded)
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("without words").to_owned()
}

/// What a panicking thread leaves in a lock is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
