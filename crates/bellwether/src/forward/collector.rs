//! Where events are sent: as much of HTTP as that takes.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use bellwether_spine::{Home, meta};

use super::{Variables, either};
use crate::config;

/// How long a healthy collector takes to say so.
const HEALTH: Duration = Duration::from_millis(500);
/// How long an event may take.
const INGEST: Duration = Duration::from_secs(5);
/// As much of an answer is read.
const ANSWER: u64 = 64 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Collector {
    /// Host and port, as `Host` says them.
    host: String,
    port: u16,
    base: String,
    /// What shows our own daemon that we are its user, where the system does not.
    token: Option<String>,
}

struct Answer {
    status: u16,
    body: String,
}

impl Collector {
    /// The one that the environment names, else our own daemon.
    pub(crate) fn find(home: &Home, variables: Variables<'_>) -> anyhow::Result<Self> {
        if let Some(url) = either(variables, "COLLECTOR_URL") {
            return Self::parse(&url)
                .with_context(|| format!("the collector's address {url} is wrong"));
        }
        let port = config::load(home, None, &meta::variable).config.daemon.port;
        ensure!(
            port > 0,
            "`daemon.port` is 0, so there is nobody to send to"
        );
        Ok(Self {
            host: "127.0.0.1".to_owned(),
            port,
            base: String::new(),
            token: either(variables, "COLLECTOR_TOKEN"),
        })
    }

    fn parse(url: &str) -> anyhow::Result<Self> {
        let Some(rest) = url.strip_prefix("http://") else {
            bail!("it must begin with http://");
        };
        let (place, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().context("its port is no number")?)
            }
            _ => (place, 80),
        };
        let odd = |text: &str| {
            text.contains(|letter: char| {
                letter.is_ascii_control() || letter == ' ' || letter == '@'
            })
        };
        ensure!(
            !host.is_empty() && !odd(host) && !odd(path),
            "it names no host"
        );
        Ok(Self {
            host: host.to_owned(),
            port,
            base: path.trim_end_matches('/').to_owned(),
            token: None,
        })
    }

    /// Whether somebody is there who is well.
    pub(crate) fn is_healthy(&self) -> bool {
        let answer = self.ask("GET", "/health", "", HEALTH);
        answer.is_ok_and(|answer| is_good(answer.status))
    }

    pub(crate) fn ingest(&self, event: &str) -> anyhow::Result<()> {
        let answer = self.ask("POST", "/ingest", event, INGEST);
        let answer = answer.map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                anyhow::anyhow!("ingest failed: no answer within {} s", INGEST.as_secs())
            }
            _ => anyhow::anyhow!("ingest failed: {error}"),
        })?;
        ensure!(
            is_good(answer.status),
            "ingest failed: {}\n{}",
            answer.status,
            answer.body.trim()
        );
        Ok(())
    }

    fn ask(&self, method: &str, path: &str, body: &str, patience: Duration) -> io::Result<Answer> {
        let until = Instant::now() + patience;
        let mut stream = self.connect(until)?;
        let token = self.token.as_ref();
        let token = token.map_or_else(String::new, |token| {
            format!("authorization: Bearer {token}\r\n")
        });
        let head = format!(
            "{method} {}{path} HTTP/1.1\r\nhost: {}:{}\r\ncontent-type: application/json\r\n{token}content-length: {}\r\n\
             connection: close\r\n\r\n",
            self.base,
            self.host,
            self.port,
            body.len()
        );
        stream.set_write_timeout(Some(left(until)?))?;
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())?;
        read(&mut stream, until)
    }

    fn connect(&self, until: Instant) -> io::Result<TcpStream> {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for address in (host, self.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, left(until)?) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

fn is_good(status: u16) -> bool {
    (200..300).contains(&status)
}

fn left(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    (!left.is_zero())
        .then_some(left)
        .ok_or_else(|| io::ErrorKind::TimedOut.into())
}

/// Reads to the end of an answer; one that says its length ends there.
fn read(stream: &mut TcpStream, until: Instant) -> io::Result<Answer> {
    let mut bytes = Vec::new();
    let mut piece = [0; 8 * 1024];
    loop {
        if let Some(answer) = complete(&bytes) {
            return Ok(answer);
        }
        stream.set_read_timeout(Some(left(until)?))?;
        match stream.read(&mut piece)? {
            0 => break,
            length => bytes.extend_from_slice(&piece[..length]),
        }
        if bytes.len() as u64 > ANSWER {
            break;
        }
    }
    let (head, body) = split(&bytes).ok_or(io::ErrorKind::UnexpectedEof)?;
    status(head)
        .map(|status| Answer {
            status,
            body: body.to_owned(),
        })
        .ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn complete(bytes: &[u8]) -> Option<Answer> {
    let (head, body) = split(bytes)?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().ok())?
    })?;
    (body.len() >= length).then_some(())?;
    Some(Answer {
        status: status(head)?,
        body: body.to_owned(),
    })
}

fn split(bytes: &[u8]) -> Option<(&str, &str)> {
    std::str::from_utf8(bytes).ok()?.split_once("\r\n\r\n")
}

fn status(head: &str) -> Option<u16> {
    head.strip_prefix("HTTP/1.")?
        .split(' ')
        .nth(1)?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> Option<(String, u16, String)> {
        let collector = Collector::parse(url).ok()?;
        Some((collector.host, collector.port, collector.base))
    }

    #[test]
    fn addresses() {
        let found = |host: &str, port, base: &str| Some((host.to_owned(), port, base.to_owned()));
        assert_eq!(
            parsed("http://127.0.0.1:4820"),
            found("127.0.0.1", 4820, "")
        );
        assert_eq!(parsed("http://[::1]:9/hub/"), found("[::1]", 9, "/hub"));
        assert_eq!(parsed("http://[::1]"), found("[::1]", 80, ""));
        assert_eq!(parsed("http://localhost/"), found("localhost", 80, ""));
        for wrong in [
            "",
            "127.0.0.1:4820",
            "https://x",
            "http://",
            "http://:80",
            "http://a:port",
            "http://a b",
            "http://a/\r\nx: y",
            "http://u@h",
        ] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_answer_ends_where_it_says() {
        let whole = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno";
        let answer = complete(whole).unwrap();
        assert_eq!((answer.status, answer.body.as_str()), (400, "no"));
        assert!(complete(&whole[..whole.len() - 1]).is_none());
        assert!(complete(b"HTTP/1.1 200 OK\r\n\r\nok").is_none());
    }
}
