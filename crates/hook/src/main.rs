//! `bellwether-hook`: the small static binary that the client starts at every event.
//!
//! It has the C library's `main` instead of Rust's: Rust's prepares for threads and for a message
//! on stack overflow, which reads `/proc/self/maps` and takes a tenth of the whole hook.

#![no_main]
#![expect(
    unsafe_code,
    reason = "`main` is called by the C library, and signals are set through it"
)]

use std::ffi::{c_char, c_int};

/// Called by the C library. Arguments are read through `std::env`, which has them already.
#[unsafe(no_mangle)]
extern "C" fn main(_count: c_int, _words: *const *const c_char) -> c_int {
    // SAFETY: no other thread exists, and ignoring a signal installs no handler. A client that has
    // gone, or a limit on file sizes, is then an error of a write and not the end of the hook.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
    c_int::from(bellwether_hook::run(std::env::args_os().skip(1)))
}
