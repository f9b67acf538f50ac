//! Judges a long command on a thread of its own while this one watches the clock.
//!
//! Architecture Invariant: whatever a command does to its analysis, there is an answer in time. What takes
//! too long and what makes the analysis fail is asked about; the thread is left behind and ends with the
//! process. [`judge`] itself looks at the clock only between two steps. That is enough for short commands,
//! which `cargo soak --only guard` holds them to: a thread costs a fifth of the whole hook.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use bellwether_spine::Home;
use rustix::time::{ClockId, clock_gettime};

use super::config::Config;
use super::judge::{Call, Judged, judge, judge_command, needs_a_look};
use super::machine::Spot;
use super::repository::BUDGET;
use super::rules::unseen;
use super::users;
use super::verdict::{Finding, Verdict};

/// A build without optimisation may take this many times as long.
const SLOWER: u32 = if cfg!(debug_assertions) { 10 } else { 1 };
/// How much work an analysis may take. For more than that, the person is asked.
pub const PATIENCE: Duration = Duration::from_millis(40).saturating_mul(SLOWER);
/// When an analysis that can still look at the clock ends by itself, with what it has found so far.
pub(super) const OWN_END: Duration = Duration::from_millis(30).saturating_mul(SLOWER);
/// How long it may take by the clock on the wall: git has a budget of its own, and on a busy machine the
/// same work takes longer.
pub const LONGEST: Duration = PATIENCE.saturating_add(BUDGET);

/// A longer command is judged on a thread of its own.
const SHORT: usize = 256;
/// So is one that opens more brackets.
const FLAT: usize = 8;

/// The thread's name, by which it is known when it fails.
const NAME: &str = "guard";
/// Untouched pages of it cost nothing; the parser is recursive.
const STACK: usize = 64 * 1024 * 1024;
/// What is said about what takes too long.
pub(super) const LATE: &str = "it takes too long to check";
/// How often the clock is looked at once the patience is over.
const GLANCE: Duration = Duration::from_millis(2);

/// Set when the thread failed and could not say so itself.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Judges a tool call, a command in time.
pub fn judge_in_time(call: &Call<'_>, config: &Arc<Config>) -> Judged {
    match call.command().filter(|command| !is_short(command)) {
        Some(command) if needs_a_look(command, config) => Task::of(call, config, command).judge(),
        _ => judge(call, config),
    }
}

/// Whether a call is judged on a thread of its own, if it is to be looked at.
pub fn needs_thread(call: &Call<'_>) -> bool {
    call.command().is_some_and(|command| !is_short(command))
}

/// Whether a command cannot keep the parser for long.
fn is_short(command: &str) -> bool {
    let opens = |byte: &u8| matches!(byte, b'(' | b'{' | b'`' | b'[');
    command.len() <= SHORT && command.as_bytes().iter().filter(|byte| opens(byte)).count() <= FLAT
}

/// Must be called first when a panic is handled. On the thread of an analysis it does not return: there is
/// nothing left to do there, and the waiting thread goes on by itself.
pub(crate) fn stay_behind() {
    if thread::current().name() == Some(NAME) {
        FAILED.store(true, Ordering::Release);
        loop {
            thread::park();
        }
    }
}

/// A command, as a thread of its own can hold it.
struct Task {
    command: String,
    cwd: PathBuf,
    project: Option<PathBuf>,
    home: Home,
    user: Option<PathBuf>,
    transcript: Option<PathBuf>,
    config: Arc<Config>,
}

impl Task {
    fn of(call: &Call<'_>, config: &Arc<Config>, command: &str) -> Arc<Self> {
        Arc::new(Self {
            command: command.to_owned(),
            cwd: call.cwd.to_owned(),
            project: call.project.map(Path::to_owned),
            home: call.home.clone(),
            user: call.user.map(Path::to_owned),
            transcript: call.transcript.map(Path::to_owned),
            config: Arc::clone(config),
        })
    }

    fn judge(self: &Arc<Self>) -> Judged {
        let clock = Clock::start(ClockId::ProcessCPUTime);
        let (said, answer) = sync_channel(1);
        let task = Arc::clone(self);
        let thread = thread::Builder::new()
            .name(NAME.to_owned())
            .stack_size(STACK)
            // The waiting side may have given up already.
            .spawn(move || drop(said.send(task.judge_here())));
        match thread {
            Ok(_) => wait(&answer, &clock).unwrap_or_else(|why| self.asked(why)),
            // Without a thread, the analysis still looks at the clock between two steps.
            Err(_) => self.judge_here(),
        }
    }

    fn judge_here(&self) -> Judged {
        let spot = Spot {
            cwd: &self.cwd,
            project: self.project.as_deref(),
            home: &self.home,
            user: self.user.as_deref(),
        };
        judge_command(
            spot,
            &self.config,
            &self.command,
            self.transcript.as_deref(),
        )
    }

    fn asked(&self, why: &str) -> Judged {
        Judged {
            judgement: users::changed(vec![asked(why, &self.command)], &self.config),
            analysis: None,
        }
    }
}

/// What is found about a command that could not be judged.
pub(super) fn asked(why: &str, command: &str) -> Finding {
    Finding {
        rule: unseen::ID.to_owned(),
        severity: unseen::SEVERITY,
        verdict: Verdict::Ask,
        reason: why.to_owned(),
        lost: None,
        instead: Some("do it in several shorter commands".to_owned()),
        subject: command.to_owned(),
        via: Vec::new(),
    }
}

/// Waits for an answer; when there is none, says why.
fn wait(answer: &Receiver<Judged>, clock: &Clock) -> Result<Judged, &'static str> {
    let mut patience = PATIENCE;
    loop {
        match answer.recv_timeout(patience) {
            Ok(judged) => return Ok(judged),
            Err(RecvTimeoutError::Timeout) if FAILED.load(Ordering::Acquire) => break,
            Err(RecvTimeoutError::Timeout) if clock.is_past(PATIENCE) => {
                return Err(LATE);
            }
            Err(RecvTimeoutError::Timeout) => patience = GLANCE,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Err("bellwether failed while checking it")
}

/// How much work has been done, and how long that took.
pub(super) struct Clock {
    begun: Instant,
    of: ClockId,
}

impl Clock {
    /// A clock for the work of this thread, or of this process.
    pub(super) fn start(of: ClockId) -> Self {
        Self {
            begun: Instant::now(),
            of,
        }
    }

    /// Whether this much work has been done, or all of the time has passed. So much work takes at least as long
    /// by the clock on the wall, which is cheaper to read, so the processor's clock is read only after that.
    /// Work from before the start counts too, but there is next to none.
    pub(super) fn is_past(&self, work: Duration) -> bool {
        let passed = self.begun.elapsed();
        passed >= LONGEST || (passed >= work && worked(self.of) >= work)
    }
}

fn worked(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_commands_need_no_thread() {
        assert!(is_short(
            "cd src && rm -rf node_modules && echo $(date) ${x:-y} | tee log"
        ));
        assert!(!is_short(&"$(".repeat(9)));
        assert!(!is_short(&"x".repeat(257)));
    }

    fn clock() -> Clock {
        Clock::start(ClockId::ThreadCPUTime)
    }

    #[test]
    fn the_clock_counts_work_and_not_sleep() {
        let clock = clock();
        thread::sleep(Duration::from_millis(20));
        assert!(!clock.is_past(Duration::from_millis(10)));
        let mut sum = 0_u64;
        while clock.begun.elapsed() < LONGEST && !clock.is_past(Duration::from_millis(10)) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(clock.is_past(Duration::from_millis(10)), "{sum}");
    }

    #[test]
    fn a_thread_that_never_answers_is_given_up() {
        let (said, answer) = sync_channel(1);
        let clock = clock();
        let told = wait(&answer, &clock);
        assert!(told.is_err_and(|why| why.contains("too long")));
        assert!(clock.begun.elapsed() >= PATIENCE);
        drop(said);
        let told = wait(&answer, &clock);
        assert!(told.is_err_and(|why| why.contains("failed")));
    }
}
