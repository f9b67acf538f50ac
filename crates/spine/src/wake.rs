//! The wake-up: one datagram from a hook to the daemon, carrying the hook's version.
//!
//! It says only "there is something to read"; what happened is in the journal. So a lost or refused wake-up costs time,
//! never an event, and a full queue means that a daemon is there and has not looked yet.

use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SendFlags, SocketAddrUnix, SocketFlags, SocketType, sendto, socket_with,
};

use crate::{Home, VERSION};

/// What came of a wake-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wake {
    /// A daemon has it, or has enough of them waiting.
    Heard,
    /// No daemon listens.
    Nobody,
    /// The system would not let us ask; starting a daemon would not help.
    Refused,
}

/// Sends one wake-up and never waits.
pub fn send(home: &Home) -> Wake {
    match try_send(home) {
        Ok(()) | Err(Errno::AGAIN | Errno::NOBUFS) => Wake::Heard,
        Err(Errno::NOENT | Errno::CONNREFUSED) => Wake::Nobody,
        Err(_) => Wake::Refused,
    }
}

fn try_send(home: &Home) -> Result<(), Errno> {
    let address = SocketAddrUnix::new(home.wake_socket())?;
    let socket = socket_with(
        AddressFamily::UNIX,
        SocketType::DGRAM,
        SocketFlags::CLOEXEC,
        None,
    )?;
    sendto(
        &socket,
        VERSION.as_bytes(),
        SendFlags::DONTWAIT | SendFlags::NOSIGNAL,
        &address,
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixDatagram;

    use super::*;

    #[test]
    fn heard_nobody_and_a_full_queue() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        assert_eq!(send(&home), Wake::Nobody);
        let daemon = UnixDatagram::bind(home.wake_socket()).unwrap();
        // The system queues about ten; all the later ones find it full, and a daemon is there all the same.
        for _ in 0..50 {
            assert_eq!(send(&home), Wake::Heard);
        }
        let mut text = [0; 64];
        let length = daemon.recv(&mut text).unwrap();
        assert_eq!(&text[..length], VERSION.as_bytes());
        drop(daemon);
        assert_eq!(send(&home), Wake::Nobody);
    }
}
