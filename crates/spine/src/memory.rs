//! What a process holds without using it.

#![expect(unsafe_code, reason = "the allocator is asked through the C library")]

/// Gives memory that was freed back to the system. The C library keeps it otherwise, for each thread its own, and a
/// daemon that has once caught up with a full journal would hold it for days.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes no pointer and may be called by any thread at any moment.
    unsafe {
        libc::malloc_trim(0);
    }
}
