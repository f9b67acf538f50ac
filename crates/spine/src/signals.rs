//! Signals that would end a process in the middle of a write or of other work, and one that ends it on purpose.

#![expect(unsafe_code, reason = "signals are set through the C library")]

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::time::Duration;

static WORDS: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Writes some words to stdout and ends the process with 0 if it is still busy after a while. For whoever
/// must answer in time, whatever keeps it: the last resort, for nothing else is done then.
pub fn last_words(words: &str, after: Duration) {
    // Kept for the rest of the process, which is short.
    let words: &'static mut [u8] = words.as_bytes().to_vec().leak();
    LENGTH.store(0, Ordering::SeqCst);
    WORDS.store(words.as_mut_ptr(), Ordering::SeqCst);
    LENGTH.store(words.len(), Ordering::SeqCst);
    let handler: extern "C" fn(libc::c_int) = say_and_leave;
    // SAFETY: the handler only reads two atomics and calls `write` and `_exit`, which may be called at
    // any moment.
    unsafe {
        libc::signal(libc::SIGALRM, handler as libc::sighandler_t);
    }
    set_alarm(after);
}

pub fn no_last_words() {
    set_alarm(Duration::ZERO);
}

fn set_alarm(after: Duration) {
    let mut alarm = libc::itimerval {
        it_interval: libc::timeval {
            tv_sec: 0,
            tv_usec: 0,
        },
        it_value: libc::timeval {
            tv_sec: 0,
            tv_usec: 0,
        },
    };
    alarm.it_value.tv_sec = libc::time_t::try_from(after.as_secs()).unwrap_or(1);
    alarm.it_value.tv_usec = libc::suseconds_t::from(after.subsec_micros());
    // SAFETY: the timer's value is a plain structure that lives until the call returns.
    unsafe {
        libc::setitimer(libc::ITIMER_REAL, &raw const alarm, std::ptr::null_mut());
    }
}

extern "C" fn say_and_leave(_: libc::c_int) {
    let (words, length) = (WORDS.load(Ordering::SeqCst), LENGTH.load(Ordering::SeqCst));
    // SAFETY: both were set together, from a slice that is never freed.
    unsafe {
        libc::write(libc::STDOUT_FILENO, words.cast(), length);
        libc::_exit(0);
    }
}

/// Ignores them: a client that has gone, or a limit on file sizes, is then an error of that write and
/// not the end of the process.
pub fn ignore_write_signals() {
    // SAFETY: ignoring a signal installs no handler, so nothing can run at a wrong moment.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// What would end the process, held back. It takes effect when this is dropped.
pub struct Held {
    /// What was held back before.
    before: libc::sigset_t,
}

/// Holds back what a client or a person ends a process with.
pub fn hold() -> Held {
    // SAFETY: a set of signals is plain data, and the calls only read and write these two.
    unsafe {
        let mut ending: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut ending);
        for signal in ENDING {
            libc::sigaddset(&raw mut ending, signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const ending, &raw mut before);
        Held { before }
    }
}

const ENDING: [libc::c_int; 3] = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP];

impl Held {
    /// Whether one of them has come.
    pub fn has_come(&self) -> bool {
        // SAFETY: as above.
        unsafe {
            let mut pending: libc::sigset_t = std::mem::zeroed();
            libc::sigpending(&raw mut pending) == 0
                && ENDING
                    .iter()
                    .any(|signal| libc::sigismember(&raw const pending, *signal) == 1)
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe {
            libc::pthread_sigmask(
                libc::SIG_SETMASK,
                &raw const self.before,
                std::ptr::null_mut(),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_back_is_known_and_what_is_ignored_never_comes() {
        // SAFETY: a signal to this thread alone, which holds it back; then it is ignored, which takes it away.
        unsafe {
            let held = hold();
            assert!(!held.has_come());
            libc::raise(libc::SIGHUP);
            assert!(held.has_come());
            let before = libc::signal(libc::SIGHUP, libc::SIG_IGN);
            assert!(!held.has_come());
            drop(held);
            libc::signal(libc::SIGHUP, before);
        }
    }
}
