//! Memory that goes back to the system the moment it is dropped: the allocator would keep it.

#![expect(
    unsafe_code,
    reason = "a mapping of one's own is the only memory that is surely given back"
)]

use std::ffi::c_void;
use std::io;
use std::ptr;

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

/// A piece of memory, untouched until it is used.
pub(super) struct Memory {
    start: *mut c_void,
    size: usize,
}

impl Memory {
    pub(super) fn new(size: usize) -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a private mapping at an address of the system's choice touches nothing else.
        let start = unsafe { mmap_anonymous(ptr::null_mut(), size, access, MapFlags::PRIVATE) }?;
        Ok(Self { start, size })
    }

    pub(super) fn start(&self) -> *mut c_void {
        self.start
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: mapped above with this size; whoever used it is gone before it.
        let _ = unsafe { munmap(self.start, self.size) };
    }
}
