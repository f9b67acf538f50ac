//! The way to a sound server: a Unix socket whose owner is known, or TCP. Nothing here waits without end.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

use super::address::{Address, NamedBy, WSLG};

/// How long another machine may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// A connected socket that never blocks.
#[derive(Debug)]
pub(super) enum Socket {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Socket {
    /// Connects, or says in words why not.
    pub(super) fn connect(address: &Address, named: NamedBy) -> Result<Self, String> {
        let connected = match address {
            Address::Unix(path) => {
                owner_is_trusted(path, named)?;
                unix(path).map(Self::Unix)
            }
            Address::Tcp(..) if !address.is_here() && named != NamedBy::Person => {
                return Err(format!(
                    "{address} is another machine; name it in audio.server of your configuration if that is meant"
                ));
            }
            Address::Tcp(host, port) => tcp(host, *port).map(Self::Tcp),
        };
        connected.map_err(|error| match error.kind() {
            io::ErrorKind::ConnectionRefused => format!("nobody listens at {address}"),
            _ => format!("{address}: {error}"),
        })
    }
}

/// A socket of somebody else would hear what we say.
fn owner_is_trusted(path: &Path, named: NamedBy) -> Result<(), String> {
    let found = match std::fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(format!("there is no {}", path.display()));
        }
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    if !found.file_type().is_socket() {
        return Err(format!("{} is no socket", path.display()));
    }
    let ours = rustix::process::getuid().as_raw();
    let trusted = [ours, 0].contains(&found.uid())
        || named == NamedBy::Person
        // The system alone can put something there; its owner is a user of another system.
        || path == Path::new(WSLG);
    trusted.then_some(()).ok_or_else(|| {
        format!(
            "{} belongs to another user; name it in audio.server of your configuration if that is meant",
            path.display()
        )
    })
}

/// Without blocking: a server that has stopped would let us wait once its queue is full.
fn unix(path: &Path) -> io::Result<UnixStream> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok(UnixStream::from(socket))
}

fn tcp(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut refused = io::Error::from(io::ErrorKind::NotFound);
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => {
                stream.set_nonblocking(true)?;
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Unix(stream) => stream.as_fd(),
            Self::Tcp(stream) => stream.as_fd(),
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.read(buffer),
            Self::Tcp(stream) => stream.read(buffer),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // The death of the other side is an error here, never a signal: Rust ignores SIGPIPE.
            Self::Unix(stream) => stream.write(bytes),
            Self::Tcp(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
