//! Whose connection it is.
//!
//! The system is asked for the one socket at the other end by `sock_diag`, which takes microseconds;
//! `/proc/net/tcp` walks the whole table of connections (5 ms on a machine with 24 GB) and is read only
//! where that is not to be had.
//!
//! Architecture Invariant: a socket that its owner has closed counts as nobody's. The system shows such
//! a one as root's, and a daemon of root's would take it for its own.

use std::net::{IpAddr, SocketAddr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    /// The user's that the daemon runs as; the system knows its socket by this number.
    Ours(u32),
    Other(u32),
    /// The system does not say.
    Unknown,
}

impl Peer {
    /// Whether it is somebody else's. Root can be anybody, and what carries connections from another
    /// system to this one often is root's.
    pub(crate) fn is_another_user(self) -> bool {
        matches!(self, Self::Other(uid) if uid != 0)
    }
}

/// A socket as the system tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Socket {
    uid: u32,
    inode: u32,
}

/// Asks whose socket is at the other end of a connection.
pub(crate) fn of(ours: SocketAddr, theirs: SocketAddr) -> Peer {
    let (ours, theirs) = (plain(ours), plain(theirs));
    let found = diag::find(theirs, ours).or_else(|| listed::find(theirs, ours));
    match found {
        Some(Socket { inode: 0, .. }) | None => Peer::Unknown,
        Some(socket) if socket.uid == rustix::process::getuid().as_raw() => {
            Peer::Ours(socket.inode)
        }
        Some(socket) => Peer::Other(socket.uid),
    }
}

/// An address of the old kind that is written as one of the new is the old one.
fn plain(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

/// `sock_diag`: one question about one socket.
#[cfg(target_os = "linux")]
mod diag {
    use std::net::{IpAddr, SocketAddr};

    use rustix::net::netlink::{SOCK_DIAG, SocketAddrNetlink};
    use rustix::net::sockopt::{Timeout, set_socket_timeout};
    use rustix::net::{
        AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with,
    };

    use super::Socket;

    /// `SOCK_DIAG_BY_FAMILY`.
    const BY_FAMILY: u16 = 20;
    /// `NLM_F_REQUEST`.
    const REQUEST: u16 = 1;
    /// The length of a message's head, and of what an answer says before the owner.
    const HEAD: usize = 16;
    const OWNER: usize = HEAD + 64;
    /// The length of a whole question.
    const QUESTION: u32 = 72;

    pub(super) fn find(one: SocketAddr, other: SocketAddr) -> Option<Socket> {
        let socket = socket_with(
            AddressFamily::NETLINK,
            SocketType::RAW,
            SocketFlags::CLOEXEC,
            Some(SOCK_DIAG),
        )
        .ok()?;
        // The kernel answers within the question; this is for one that does not.
        let patience = Some(std::time::Duration::from_millis(100));
        set_socket_timeout(&socket, Timeout::Recv, patience).ok()?;
        let kernel = SocketAddrNetlink::new(0, 0);
        sendto(&socket, &question(one, other), SendFlags::empty(), &kernel).ok()?;
        let mut answer = [0; 512];
        let (length, _) = recv(&socket, &mut answer, RecvFlags::empty()).ok()?;
        read(answer.get(..length)?)
    }

    /// `nlmsghdr`, then `inet_diag_req_v2` with `inet_diag_sockid`.
    fn question(one: SocketAddr, other: SocketAddr) -> Vec<u8> {
        let any = u32::MAX.to_ne_bytes();
        let family = match one {
            SocketAddr::V4(_) => libc::AF_INET,
            SocketAddr::V6(_) => libc::AF_INET6,
        };
        let mut bytes = Vec::with_capacity(QUESTION as usize);
        bytes.extend(QUESTION.to_ne_bytes());
        bytes.extend(BY_FAMILY.to_ne_bytes());
        bytes.extend(REQUEST.to_ne_bytes());
        bytes.extend([0; 8]);
        bytes.extend([family, libc::IPPROTO_TCP].map(|number| number.to_le_bytes()[0]));
        bytes.extend([0, 0]);
        bytes.extend(any);
        bytes.extend(one.port().to_be_bytes());
        bytes.extend(other.port().to_be_bytes());
        bytes.extend(sixteen(one.ip()));
        bytes.extend(sixteen(other.ip()));
        bytes.extend([0; 4]);
        bytes.extend([any, any].concat());
        bytes
    }

    fn sixteen(address: IpAddr) -> [u8; 16] {
        match address {
            IpAddr::V4(address) => {
                let mut bytes = [0; 16];
                bytes[..4].copy_from_slice(&address.octets());
                bytes
            }
            IpAddr::V6(address) => address.octets(),
        }
    }

    fn read(answer: &[u8]) -> Option<Socket> {
        let number = |at: usize| Some(u32::from_ne_bytes(*answer.get(at..)?.first_chunk()?));
        let kind = u16::from_ne_bytes(*answer.get(4..)?.first_chunk()?);
        (kind == BY_FAMILY).then_some(Socket {
            uid: number(OWNER)?,
            inode: number(OWNER + 4)?,
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod diag {
    pub(super) fn find(_: std::net::SocketAddr, _: std::net::SocketAddr) -> Option<super::Socket> {
        None
    }
}

/// The tables under `/proc/net`.
mod listed {
    use std::fmt::Write as _;

    use super::{IpAddr, Socket, SocketAddr};

    pub(super) fn find(one: SocketAddr, other: SocketAddr) -> Option<Socket> {
        let wanted = format!(" {} {} ", written(one), written(other));
        let mapped = format!(" {} {} ", mapped(one), mapped(other));
        let among =
            |table: &str, wanted: &str| find_in(&std::fs::read_to_string(table).ok()?, wanted);
        match one {
            SocketAddr::V4(_) => {
                among("/proc/net/tcp", &wanted).or_else(|| among("/proc/net/tcp6", &mapped))
            }
            SocketAddr::V6(_) => among("/proc/net/tcp6", &wanted),
        }
    }

    /// As the tables write it: each four bytes as a number of this machine.
    fn written(address: SocketAddr) -> String {
        match address.ip() {
            IpAddr::V4(ip) => format!("{}:{:04X}", words(&ip.octets()), address.port()),
            IpAddr::V6(ip) => format!("{}:{:04X}", words(&ip.octets()), address.port()),
        }
    }

    /// The same as an address of the new kind.
    fn mapped(address: SocketAddr) -> String {
        let octets = match address.ip() {
            IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
            IpAddr::V6(ip) => ip.octets(),
        };
        format!("{}:{:04X}", words(&octets), address.port())
    }

    fn words(octets: &[u8]) -> String {
        let words = octets.as_chunks::<4>().0.iter();
        words.fold(String::new(), |mut text, word| {
            let _ = write!(text, "{:08X}", u32::from_ne_bytes(*word));
            text
        })
    }

    pub(super) fn find_in(table: &str, wanted: &str) -> Option<Socket> {
        let line = table.lines().find(|line| line.contains(wanted))?;
        // Behind the two addresses: state, queues, timer, retransmissions, user, timeout, inode.
        let mut rest = line.split_once(wanted)?.1.split_whitespace().skip(4);
        Some(Socket {
            uid: rest.next()?.parse().ok()?,
            inode: rest.nth(1)?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    fn pair(address: &str) -> Option<(TcpStream, TcpStream)> {
        let listener = TcpListener::bind(address).ok()?;
        let theirs = TcpStream::connect(listener.local_addr().ok()?).ok()?;
        Some((listener.accept().ok()?.0, theirs))
    }

    #[test]
    fn our_own_connection_is_ours_by_both_ways() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Some((ours, _theirs)) = pair(address) else {
                continue;
            };
            let (here, there) = (ours.local_addr().unwrap(), ours.peer_addr().unwrap());
            assert!(matches!(of(here, there), Peer::Ours(_)), "{address}");
            let asked = diag::find(there, here);
            assert_eq!(asked, listed::find(there, here), "{address}");
            assert!(asked.is_some_and(|socket| socket.inode > 0));
        }
    }

    #[test]
    fn a_connection_that_was_closed_is_nobodys() {
        let (ours, theirs) = pair("127.0.0.1:0").unwrap();
        let (here, there) = (ours.local_addr().unwrap(), ours.peer_addr().unwrap());
        drop(theirs);
        assert_eq!(of(here, there), Peer::Unknown);
    }

    #[test]
    fn a_row_of_another_user_is_read() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
                     4: 0100007F:B2C4 0100007F:12D4 01 00000000:00000000 00:00000000 00000000  1000        0 3137567 1 0000000000000000 20 4 30 10 -1\n";
        let found = listed::find_in(table, " 0100007F:B2C4 0100007F:12D4 ");
        let expected = Socket {
            uid: 1000,
            inode: 3_137_567,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(
            listed::find_in(table, " 0100007F:B2C5 0100007F:12D4 "),
            None
        );
    }
}
