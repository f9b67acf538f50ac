//! A thread that fails does so aloud: the person is told, and where a failure ends the process, the daemon begins again.

use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::panic::PanicHookInfo;
use std::time::{Duration, Instant};

use bellwether_spine::Home;
use bellwether_spine::trouble::Troubles;

use crate::Options;
use crate::program::Program;

/// A daemon that fails sooner is not begun again by itself: it would fail for ever. The next event starts one.
const RAN_WELL: Duration = Duration::from_secs(30);

/// Has every panic noted as a trouble, before anything else comes of it. The lock is kept over a new beginning.
pub(crate) fn tell_of_panics(home: &Home, lock: &OwnedFd, options: &Options) {
    let (home, options, lock) = (home.clone(), options.clone(), lock.as_raw_fd());
    let (program, begun) = (Program::running(), Instant::now());
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = told(panic);
        tracing::error!("{text}");
        if Troubles(&home).note("thread_failed", &text).is_err() {
            before(panic);
        }
        if is_begun_again(cfg!(panic = "abort"), begun.elapsed()) {
            begin_again(&home, &program, lock, &options);
        }
    }));
}

fn told(panic: &PanicHookInfo<'_>) -> String {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("without a name");
    format!("the daemon's thread {name} failed: {panic}")
}

/// Whether the daemon begins again: where threads can be joined after a panic, others see to it.
fn is_begun_again(ends_the_process: bool, ran: Duration) -> bool {
    ends_the_process && ran >= RAN_WELL
}

/// Becomes the same program anew. Returns only on failure.
fn begin_again(home: &Home, program: &Program, lock: RawFd, options: &Options) {
    let failure = program.become_again(home, lock, options);
    tracing::error!("cannot begin again: {failure}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daemon_that_fails_at_once_is_not_begun_again() {
        assert!(is_begun_again(true, Duration::from_mins(5)));
        assert!(!is_begun_again(true, Duration::from_secs(3)));
        assert!(!is_begun_again(false, Duration::from_mins(5)));
    }
}
