//! As much of HTTP/1.1 as it takes to talk to our own daemon on this machine.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A daemon that is well answers at once.
const PATIENCE: Duration = Duration::from_secs(5);
/// The stream says something at least every 15 seconds.
const SILENCE: Duration = Duration::from_secs(40);
/// Longer heads and answers are none of our daemon's.
const LONGEST_HEAD: u64 = 16 * 1024;
const LONGEST_ANSWER: u64 = 32 << 20;

#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("the daemon cannot be reached: {0}")]
    Unreachable(#[from] std::io::Error),
    #[error("the daemon answered {status}: {why}")]
    Refused { status: u16, why: String },
    #[error("the daemon's answer cannot be read: {0}")]
    Strange(String),
}

/// The daemon's address, and what opens it.
#[derive(Debug, Clone)]
pub struct Daemon {
    pub port: u16,
    pub token: String,
}

impl Daemon {
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, HttpError> {
        self.ask("GET", path, None)
    }

    pub fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, HttpError> {
        self.ask("POST", path, Some(body))
    }

    pub fn put<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, HttpError> {
        self.ask("PUT", path, Some(body))
    }

    pub fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, HttpError> {
        self.ask("DELETE", path, None)
    }

    fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, HttpError> {
        let (head, body) = self.send(method, path, body, PATIENCE)?;
        let mut text = Vec::new();
        body.reader(&head)
            .take(LONGEST_ANSWER)
            .read_to_end(&mut text)?;
        if head.status >= 400 {
            return Err(refused(head.status, &text));
        }
        serde_json::from_slice(&text).map_err(|error| HttpError::Strange(error.to_string()))
    }

    /// Opens an answer that goes on.
    pub fn listen(&self, path: &str) -> Result<impl Read + use<>, HttpError> {
        let (head, body) = self.send("GET", path, None, SILENCE)?;
        let reader = body.reader(&head);
        if head.status >= 400 {
            let mut text = Vec::new();
            reader.take(LONGEST_ANSWER).read_to_end(&mut text)?;
            return Err(refused(head.status, &text));
        }
        Ok(reader)
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        patience: Duration,
    ) -> Result<(Head, Body), HttpError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let body = body.map(Value::to_string);
        let about = body.as_ref().map_or_else(String::new, |body| {
            format!(
                "Content-Type: application/json\r\nContent-Length: {}\r\n",
                body.len()
            )
        });
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n{about}\r\n{}",
            self.port,
            self.token,
            body.unwrap_or_default()
        );
        stream.write_all(request.as_bytes())?;
        let mut reader = BufReader::with_capacity(16 * 1024, stream);
        let head = Head::read(&mut reader)?;
        Ok((head, Body(reader)))
    }
}

/// What the daemon says when it refuses, in its own words.
fn refused(status: u16, text: &[u8]) -> HttpError {
    let error = serde_json::from_slice::<Value>(text).ok();
    let why = error.as_ref().and_then(|error| error["error"].as_str());
    HttpError::Refused {
        status,
        why: why.unwrap_or("no reason was given").to_owned(),
    }
}

/// The head of an answer.
#[derive(Debug)]
struct Head {
    status: u16,
    is_chunked: bool,
    length: Option<u64>,
}

impl Head {
    fn read(reader: &mut BufReader<TcpStream>) -> Result<Self, HttpError> {
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"\r\n\r\n") {
            let room = LONGEST_HEAD.saturating_sub(bytes.len() as u64);
            if reader.take(room).read_until(b'\n', &mut bytes)? == 0 {
                return Err(HttpError::Strange("it ends too early".to_owned()));
            }
        }
        Self::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Self, HttpError> {
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let mut answer = httparse::Response::new(&mut headers);
        let parsed = answer.parse(bytes);
        parsed.map_err(|error| HttpError::Strange(error.to_string()))?;
        let value = |name: &str| {
            let header = answer
                .headers
                .iter()
                .find(|header| header.name.eq_ignore_ascii_case(name));
            header
                .and_then(|header| std::str::from_utf8(header.value).ok())
                .map(str::trim)
        };
        Ok(Self {
            status: answer.code.unwrap_or(0),
            is_chunked: value("transfer-encoding")
                .is_some_and(|value| value.eq_ignore_ascii_case("chunked")),
            length: value("content-length").and_then(|value| value.parse().ok()),
        })
    }
}

/// What follows a head.
struct Body(BufReader<TcpStream>);

impl Body {
    fn reader(self, head: &Head) -> Box<dyn Read + Send> {
        if head.is_chunked {
            Box::new(Chunked {
                from: self.0,
                left: 0,
                is_over: false,
            })
        } else {
            Box::new(self.0.take(head.length.unwrap_or(u64::MAX)))
        }
    }
}

/// Reads the chunks of a body as one.
struct Chunked<R> {
    from: R,
    /// How much of the chunk is still to come.
    left: u64,
    is_over: bool,
}

impl<R: std::io::BufRead> Chunked<R> {
    /// Reads the line that says how long the next chunk is.
    fn next(&mut self) -> std::io::Result<()> {
        let mut line = Vec::new();
        // The line break behind the chunk before is an empty line.
        while line.trim_ascii().is_empty() {
            line.clear();
            if (&mut self.from)
                .take(LONGEST_HEAD)
                .read_until(b'\n', &mut line)?
                == 0
            {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        let text = std::str::from_utf8(&line).unwrap_or_default();
        let digits = text.split(';').next().unwrap_or_default().trim();
        self.left = u64::from_str_radix(digits, 16).map_err(|_| std::io::ErrorKind::InvalidData)?;
        self.is_over = self.left == 0;
        Ok(())
    }
}

impl<R: std::io::BufRead> Read for Chunked<R> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 && !self.is_over {
            self.next()?;
        }
        if self.is_over {
            return Ok(0);
        }
        let read = (&mut self.from).take(self.left).read(to)?;
        self.left -= read as u64;
        if read == 0 && !to.is_empty() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunked(text: &str) -> std::io::Result<String> {
        let mut all = String::new();
        let mut reader = Chunked {
            from: text.as_bytes(),
            left: 0,
            is_over: false,
        };
        reader.read_to_string(&mut all).map(|_| all)
    }

    #[test]
    fn chunks_are_read_as_one_and_a_cut_is_an_error() {
        assert_eq!(
            chunked("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n").unwrap(),
            "abcde"
        );
        assert_eq!(
            chunked("A\r\n0123456789\r\n0\r\n\r\n").unwrap(),
            "0123456789"
        );
        for cut in ["", "3\r\nab", "3\r\nabc\r\n", "zz\r\nabc"] {
            assert!(chunked(cut).is_err(), "{cut:?}");
        }
    }

    #[test]
    fn a_head_says_how_its_body_comes() {
        let head = Head::parse(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").unwrap();
        assert!(head.status == 200 && head.is_chunked);
        let head = Head::parse(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 12\r\n\r\n").unwrap();
        assert_eq!((head.status, head.length), (401, Some(12)));
        assert!(Head::parse(b"SSH-2.0\r\n\r\n").is_err());
    }
}
