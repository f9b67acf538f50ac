//! A client of the daemon's HTTP, as blunt as a test wants it: every header can be said or left out.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::{Installation, key};

/// What answers at all answers within this time.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Clone)]
pub struct Web {
    port: u16,
    token: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Ask {
    web: Web,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    /// Its head, with the status line.
    pub head: String,
    pub body: String,
}

impl Web {
    /// What is served on a port, for whoever has no token.
    pub fn on(port: u16) -> Self {
        Self { port, token: None }
    }

    /// The same for whoever has the token of an installation.
    pub fn of(place: &Installation, port: u16) -> Result<Self> {
        let token = key::token(place.home())?;
        Ok(Self {
            port,
            token: Some(token),
        })
    }

    /// The same for whoever has this token.
    #[must_use]
    pub fn with(&self, token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..self.clone()
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn ask(&self, method: &str, path: &str) -> Ask {
        let token = self.token.as_ref();
        let token = token.map(|token| ("authorization".to_owned(), format!("Bearer {token}")));
        let host = ("host".to_owned(), format!("127.0.0.1:{}", self.port));
        Ask {
            web: self.clone(),
            method: method.to_owned(),
            path: path.to_owned(),
            headers: [Some(host), token].into_iter().flatten().collect(),
            body: None,
        }
    }

    pub fn get(&self, path: &str) -> Result<Answer> {
        self.ask("GET", path).send()
    }

    /// Reads JSON that must be there.
    pub fn json(&self, path: &str) -> Result<Value> {
        let answer = self.get(path)?;
        anyhow::ensure!(answer.status == 200, "{path}: {answer:?}");
        answer.json()
    }

    pub fn post(&self, path: &str, body: impl AsRef<[u8]>) -> Result<Answer> {
        self.ask("POST", path).json(body).send()
    }

    /// Listens to the live stream, behind an id if one is given.
    pub fn listen(&self, last: Option<&str>) -> Result<Stream> {
        let mut ask = self.ask("GET", "/events/stream");
        if let Some(last) = last {
            ask = ask.header("last-event-id", last);
        }
        Stream::open(&ask)
    }

    /// Listens to some of it only.
    pub fn listen_only(&self, only: &str, last: Option<&str>) -> Result<Stream> {
        let mut ask = self.ask("GET", &format!("/events/stream?only={only}"));
        if let Some(last) = last {
            ask = ask.header("last-event-id", last);
        }
        Stream::open(&ask)
    }
}

impl Ask {
    /// Says a header, in the place of one that is said already.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    #[must_use]
    pub fn json(self, body: impl AsRef<[u8]>) -> Self {
        let mut ask = self.header("content-type", "application/json");
        ask.body = Some(body.as_ref().to_owned());
        ask
    }

    /// Sends it and reads the whole answer.
    pub fn send(&self) -> Result<Answer> {
        let mut stream = self.open(true)?;
        let mut text = Vec::new();
        // A daemon that refuses a body may close before it has read all of it.
        let read = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            bail!("no answer but {text:?}: {read:?}");
        };
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        Ok(Answer {
            status: status.with_context(|| format!("no status: {head}"))?,
            head: head.to_lowercase(),
            body: body.to_owned(),
        })
    }

    /// Sends it and leaves it to the caller to read the answer.
    pub fn begin(&self) -> Result<TcpStream> {
        self.open(true)
    }

    /// Sends it and leaves the rest to the caller.
    fn open(&self, close: bool) -> Result<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.web.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        if close {
            head.push_str("connection: close\r\n");
        }
        if let Some(body) = &self.body {
            head.extend(["content-length: ", &body.len().to_string(), "\r\n"]);
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes())?;
        if let Some(body) = &self.body {
            let _ = stream.write_all(body);
        }
        Ok(stream)
    }
}

impl Answer {
    pub fn json(&self) -> Result<Value> {
        serde_json::from_str(&self.body).with_context(|| format!("no JSON: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

pub struct Stream(BufReader<TcpStream>);

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Event {
    /// Its id; empty when it has none.
    pub id: String,
    pub name: String,
    pub data: Value,
}

impl Stream {
    fn open(ask: &Ask) -> Result<Self> {
        let mut lines = BufReader::new(ask.open(false)?);
        let mut line = String::new();
        lines.read_line(&mut line)?;
        anyhow::ensure!(line.starts_with("HTTP/1.1 200"), "{line}");
        while line != "\r\n" {
            line.clear();
            anyhow::ensure!(lines.read_line(&mut line)? > 0, "the head has no end");
        }
        Ok(Self(lines))
    }

    /// The next event; `None` when the stream has come to its proper end.
    pub fn next_event(&mut self) -> Result<Option<Event>> {
        let mut event = Event::default();
        loop {
            let mut line = String::new();
            anyhow::ensure!(self.0.read_line(&mut line)? > 0, "the stream broke off");
            let line = line.trim_end();
            match line.split_once(": ") {
                Some(("id", id)) => id.clone_into(&mut event.id),
                Some(("event", name)) => name.clone_into(&mut event.name),
                Some(("data", data)) => event.data = serde_json::from_str(data)?,
                // The last chunk has no length.
                None if line == "0" => return Ok(None),
                None if line.is_empty() && !event.name.is_empty() => return Ok(Some(event)),
                // Lengths of chunks, comments, the time to wait.
                _ => {}
            }
        }
    }

    /// The next event of a name.
    pub fn next_of(&mut self, name: &str) -> Result<Event> {
        loop {
            match self.next_event()? {
                Some(event) if event.name == name => return Ok(event),
                Some(_) => {}
                None => bail!("the stream ended without {name}"),
            }
        }
    }
}
