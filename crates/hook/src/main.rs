//! `bellwether-hook`: the small static binary that the client starts at every event.
//!
//! It has the C library's `main` instead of Rust's: Rust's prepares for threads and for a message
//! on stack overflow, which reads `/proc/self/maps` and takes a tenth of the whole hook.

#![no_main]
#![expect(
    unsafe_code,
    reason = "`main` is called by the C library and gets its words from it"
)]

use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt as _;

/// Called by the C library.
#[unsafe(no_mangle)]
extern "C" fn main(count: c_int, words: *const *const c_char) -> c_int {
    // SAFETY: the C library gives `count` pointers to strings that live as long as the process.
    let word = |at| unsafe { CStr::from_ptr(*words.add(at)) };
    let words = (1..usize::try_from(count).unwrap_or(0)).map(word);
    let words = words.map(|word| OsString::from(OsStr::from_bytes(word.to_bytes())));
    c_int::from(bellwether_hook::run(words))
}
