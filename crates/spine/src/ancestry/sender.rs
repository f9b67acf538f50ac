//! Who writes what this process reads on its standard input.
//!
//! A client gives each hook a pair of sockets that it has made itself. The system keeps who made a pair, tells it to both ends,
//! and lets nobody choose it; and what is read at one end was written at the other, which the client keeps. A program of an
//! agent can start the hook too, and can even put it in its own place below the client (`exec`), but it cannot make a
//! socket in the client's name.

#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "the system is asked through the C library")
)]

use super::{Began, Processes};

/// How many parents a hook may have below the client that calls it: a shell, and a script that finds the hook.
const BETWEEN: usize = 3;

/// The process that writes to our standard input, where that is surely one of our parents. `None` where it cannot be
/// told: a pipe, a file, a terminal, a network, or another system.
pub fn sender(processes: &dyn Processes) -> Option<Began> {
    let sender = maker_of_stdin()?;
    let mut pid = std::process::id();
    for _ in 0..=BETWEEN {
        let process = processes.process(pid)?;
        if pid == sender {
            let began = process.began;
            return Some(Began { pid, began });
        }
        pid = process.parent;
    }
    None
}

/// The process that made the pair of sockets whose one end is our standard input.
#[cfg(target_os = "linux")]
fn maker_of_stdin() -> Option<u32> {
    use rustix::net::{AddressFamily, SocketType, sockopt};
    let stdin = rustix::stdio::stdin();
    let is_pair = sockopt::socket_domain(stdin) == Ok(AddressFamily::UNIX)
        && sockopt::socket_type(stdin) == Ok(SocketType::STREAM);
    is_pair.then_some(())?;
    let mut maker = libc::ucred {
        pid: 0,
        uid: 0,
        gid: 0,
    };
    let mut length = libc::socklen_t::try_from(size_of::<libc::ucred>()).ok()?;
    // SAFETY: both pointers are to locals that live through the call, and the length is that of the first.
    let failed = unsafe {
        libc::getsockopt(
            libc::STDIN_FILENO,
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut maker).cast(),
            &raw mut length,
        )
    };
    // A process of another namespace has no number here.
    let pid = u32::try_from(maker.pid).ok()?;
    (failed == 0 && pid > 1).then_some(pid)
}

#[cfg(not(target_os = "linux"))]
fn maker_of_stdin() -> Option<u32> {
    None
}
