//! As much of HTTP/1.1 as the client needs: requests with a length, JSON answers, event streams in chunks.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use serde_json::Value;

/// A request, its body read.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Names in small letters.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// Reads the next request of a connection; `None` when the client has closed it.
pub(crate) fn read_request(from: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(io::Error::other(format!("not a request: {line:?}")));
    };
    let headers = read_headers(from)?;
    let length = headers.get("content-length").map(|length| length.parse());
    let mut body = vec![0; length.transpose().map_err(io::Error::other)?.unwrap_or(0)];
    from.read_exact(&mut body)?;
    Ok(Some(Request {
        method,
        path,
        headers,
        body,
    }))
}

fn read_headers(from: &mut impl BufRead) -> io::Result<BTreeMap<String, String>> {
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            return Ok(headers);
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
}

/// An answer of headers alone.
pub(crate) fn write_empty(to: &mut impl Write) -> io::Result<()> {
    to.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
}

/// A JSON answer. The client is told not to repeat a request that failed.
pub(crate) fn write_json(to: &mut impl Write, status: u16, body: &Value) -> io::Result<()> {
    let body = body.to_string();
    let length = body.len();
    write!(
        to,
        "HTTP/1.1 {status} -\r\ncontent-type: application/json\r\nx-should-retry: false\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
}

/// A stream of server-sent events.
pub(crate) struct EventStream<'a, W: Write>(&'a mut W);

impl<'a, W: Write> EventStream<'a, W> {
    pub(crate) fn open(to: &'a mut W) -> io::Result<Self> {
        to.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n\
              transfer-encoding: chunked\r\n\r\n",
        )?;
        Ok(Self(to))
    }

    /// Sends an event under the name its data gives as `type`.
    pub(crate) fn send(&mut self, data: &Value) -> io::Result<()> {
        let name = data["type"].as_str().unwrap_or_default();
        let event = format!("event: {name}\ndata: {data}\n\n");
        write!(self.0, "{:x}\r\n{event}\r\n", event.len())?;
        self.0.flush()
    }

    pub(crate) fn close(self) -> io::Result<()> {
        self.0.write_all(b"0\r\n\r\n")?;
        self.0.flush()
    }
}
