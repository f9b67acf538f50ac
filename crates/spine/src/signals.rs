//! Signals that would end a process in the middle of a write.

#![expect(unsafe_code, reason = "signals are set through the C library")]

/// Ignores them: a client that has gone, or a limit on file sizes, is then an error of that write and
/// not the end of the process.
pub fn ignore_write_signals() {
    // SAFETY: ignoring a signal installs no handler, so nothing can run at a wrong moment.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
