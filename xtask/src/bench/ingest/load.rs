//! A load of requests over some connections that stay open: each sends its next event when the one
//! before it has been answered.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use bellwether_tests::fixture;
use rustix::event::epoll;

use super::Peer;
use crate::bench::samples::Samples;

/// An answer that takes longer will not come.
const PATIENCE: rustix::event::Timespec = rustix::event::Timespec {
    tv_sec: 20,
    tv_nsec: 0,
};

/// What is sent, and where.
pub(super) struct Load {
    /// Somebody else's collector, if it is one.
    pub peer: Option<Peer>,
    pub port: u16,
    pub connections: usize,
    pub size: usize,
}

#[derive(Default)]
pub(super) struct Sent {
    took: Duration,
    /// How long each answer took.
    times: Vec<Duration>,
}

impl Sent {
    /// Events a second.
    pub(super) fn rate(&self) -> f64 {
        let events = u32::try_from(self.times.len()).unwrap_or(u32::MAX);
        f64::from(events) / self.took.as_secs_f64()
    }

    /// What nineteen of twenty answers took at most.
    pub(super) fn p95_us(&self) -> f64 {
        Samples::new(self.times.clone()).p95_us()
    }

    pub(super) fn add(&mut self, more: Self) {
        self.took += more.took;
        self.times.extend(more.times);
    }
}

struct Connection {
    stream: TcpStream,
    since: Instant,
    read: Vec<u8>,
}

impl Load {
    /// Sends so many events; each has its own id.
    pub(super) fn run(&self, name: &str, events: usize) -> Result<Sent> {
        let requests: Vec<Vec<u8>> = (0..events)
            .map(|number| self.request(&format!("{name}-{}-{number}", self.connections)))
            .collect();
        let mut waiting = requests.iter();
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut connections = Vec::new();
        for number in 0..self.connections {
            let stream = TcpStream::connect(("127.0.0.1", self.port)).context("connect")?;
            stream.set_nodelay(true)?;
            stream.set_nonblocking(true)?;
            epoll::add(
                &poll,
                &stream,
                epoll::EventData::new_u64(number as u64),
                epoll::EventFlags::IN,
            )?;
            connections.push(Connection {
                stream,
                since: Instant::now(),
                read: Vec::with_capacity(1024),
            });
        }
        let begun = Instant::now();
        let mut busy = 0;
        for (connection, request) in connections.iter_mut().zip(waiting.by_ref()) {
            connection.send(request)?;
            busy += 1;
        }
        let mut times = Vec::with_capacity(events);
        let mut ready = Vec::with_capacity(self.connections);
        while busy > 0 {
            epoll::wait(
                &poll,
                rustix::buffer::spare_capacity(&mut ready),
                Some(&PATIENCE),
            )?;
            ensure!(!ready.is_empty(), "the daemon does not answer");
            for event in ready.drain(..) {
                let connection = &mut connections[usize::try_from(event.data.u64())?];
                if let Some(time) = connection.receive()? {
                    times.push(time);
                    match waiting.next() {
                        Some(request) => connection.send(request)?,
                        None => busy -= 1,
                    }
                }
            }
        }
        Ok(Sent {
            took: begun.elapsed(),
            times,
        })
    }

    fn request(&self, marker: &str) -> Vec<u8> {
        let event = fixture::tool_call(marker, self.size / 2);
        let (path, body) = match &self.peer {
            Some(peer) => (peer.path.as_str(), Peer::body(&event)),
            None => ("/ingest", event),
        };
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        [head.into_bytes(), body].concat()
    }
}

impl Connection {
    fn send(&mut self, request: &[u8]) -> Result<()> {
        self.since = Instant::now();
        self.stream
            .write_all(request)
            .context("a request did not fit the socket")
    }

    /// Reads what has come; how long the answer took, once it is whole.
    fn receive(&mut self) -> Result<Option<Duration>> {
        let mut piece = [0; 4096];
        loop {
            match self.stream.read(&mut piece) {
                Ok(0) => bail!("the daemon has closed a connection"),
                Ok(length) => self.read.extend_from_slice(&piece[..length]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error.into()),
            }
            if is_whole(&self.read) {
                let text = String::from_utf8_lossy(&self.read);
                ensure!(text.starts_with("HTTP/1.1 200"), "{text}");
                self.read.clear();
                return Ok(Some(self.since.elapsed()));
            }
        }
    }
}

fn is_whole(answer: &[u8]) -> bool {
    let Some((head, body)) = std::str::from_utf8(answer)
        .ok()
        .and_then(|text| text.split_once("\r\n\r\n"))
    else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok())?
    });
    length == Some(body.len())
}
