//! An export that the daemon asks for when a session has ended: patient, out of the way, and within bounds.

use std::fs::File;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit};

/// A transcript that was not written to for so long is complete.
const SETTLED: Duration = Duration::from_millis(1_200);
/// It is not waited for longer.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// No export needs so much memory.
const MEMORY: u64 = 1 << 30;
const NICE: i32 = 10;

/// Leaves the machine to others. Where the system refuses, the export is only less polite.
pub(super) fn be_polite() {
    let _ = rustix::process::setpriority_process(None, NICE);
    let bound = Rlimit {
        current: Some(MEMORY),
        maximum: Some(MEMORY),
    };
    let _ = rustix::process::setrlimit(Resource::As, bound);
}

/// Waits until nobody writes to a transcript any more: the client writes its last lines when its hooks have ended.
pub(super) fn wait_for_end(transcript: &File) -> std::io::Result<()> {
    let begun = Instant::now();
    let mut length = transcript.metadata()?.len();
    let mut since = Instant::now();
    while since.elapsed() < SETTLED && begun.elapsed() < PATIENCE {
        std::thread::sleep(LOOK_EVERY);
        let now = transcript.metadata()?.len();
        if now != length {
            (length, since) = (now, Instant::now());
        }
    }
    Ok(())
}
