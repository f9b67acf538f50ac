//! The CLI's end of the control socket.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use bellwether_spine::Home;

use super::{ControlAnswer, ControlRequest, Status, TokenView};
use crate::{DaemonError, Decided};

/// A daemon that is well answers at once.
const PATIENCE: Duration = Duration::from_secs(5);
/// A little more than the daemon itself waits for its disk.
const PATIENCE_FOR_DISK: Duration = Duration::from_secs(70);

/// A connection to a running daemon.
pub struct Client(BufReader<UnixStream>);

impl Client {
    /// Connects; `None` when no daemon listens.
    pub fn connect(home: &Home) -> Result<Option<Self>, DaemonError> {
        use std::io::ErrorKind::{ConnectionRefused, NotFound};
        match UnixStream::connect(home.control_socket()) {
            Ok(stream) => {
                let client = Self(BufReader::new(stream));
                client.wait_at_most(Some(PATIENCE))?;
                Ok(Some(client))
            }
            Err(error) if matches!(error.kind(), NotFound | ConnectionRefused) => Ok(None),
            Err(source) => Err(DaemonError::System {
                action: "reach the daemon",
                source,
            }),
        }
    }

    pub fn status(&mut self) -> Result<Status, DaemonError> {
        match self.ask(&ControlRequest::Status)? {
            ControlAnswer::Status(status) => Ok(status),
            other => Err(unexpected(other)),
        }
    }

    /// Has everything that is in the journal now stored.
    pub fn sync(&mut self) -> Result<(), DaemonError> {
        self.wait_at_most(Some(PATIENCE_FOR_DISK))?;
        let done = self.expect_done(&ControlRequest::Sync);
        self.wait_at_most(Some(PATIENCE))?;
        done
    }

    fn wait_at_most(&self, patience: Option<Duration>) -> Result<(), DaemonError> {
        let set = self.0.get_ref().set_read_timeout(patience);
        set.map_err(DaemonError::system("talk to the daemon"))
    }

    pub fn stop(&mut self) -> Result<(), DaemonError> {
        self.expect_done(&ControlRequest::Stop)
    }

    /// The place of the last stored event: first as it is, then at every move.
    pub fn watch(mut self) -> Result<impl Iterator<Item = Result<i64, DaemonError>>, DaemonError> {
        self.wait_at_most(None)?;
        self.send(&ControlRequest::Watch)?;
        Ok(std::iter::from_fn(move || match self.receive() {
            Ok(ControlAnswer::Stored(seq)) => Some(Ok(seq)),
            Ok(other) => Some(Err(unexpected(other))),
            // The daemon has gone; the caller finds the next one.
            Err(_) => None,
        }))
    }

    /// What was announced lately and what was not, oldest first, and what comes.
    pub fn listen(
        mut self,
    ) -> Result<impl Iterator<Item = Result<Decided, DaemonError>>, DaemonError> {
        self.wait_at_most(None)?;
        self.send(&ControlRequest::Listen)?;
        Ok(std::iter::from_fn(move || match self.receive() {
            Ok(ControlAnswer::Announcement(decided)) => Some(Ok(decided)),
            Ok(other) => Some(Err(unexpected(other))),
            // The daemon has gone; the caller finds the next one.
            Err(_) => None,
        }))
    }

    /// An address that opens the page, once.
    pub fn open(&mut self) -> Result<String, DaemonError> {
        match self.ask(&ControlRequest::Open)? {
            ControlAnswer::Address(address) => Ok(address),
            other => Err(unexpected(other)),
        }
    }

    /// Why the daemon does not take us for a person; `None` when it does.
    pub fn person(&mut self) -> Result<Option<String>, DaemonError> {
        match self.ask(&ControlRequest::Person)? {
            ControlAnswer::Person(why) => Ok(why),
            other => Err(unexpected(other)),
        }
    }

    /// A new token for a program.
    pub fn new_token(&mut self, name: &str) -> Result<String, DaemonError> {
        match self.ask(&ControlRequest::NewToken(name.to_owned()))? {
            ControlAnswer::Token(token) => Ok(token),
            other => Err(unexpected(other)),
        }
    }

    pub fn tokens(&mut self) -> Result<Vec<TokenView>, DaemonError> {
        match self.ask(&ControlRequest::Tokens)? {
            ControlAnswer::Tokens(tokens) => Ok(tokens),
            other => Err(unexpected(other)),
        }
    }

    pub fn revoke(&mut self, name: &str) -> Result<(), DaemonError> {
        self.expect_done(&ControlRequest::Revoke(name.to_owned()))
    }

    /// Says that a person has changed settings.
    pub fn changed(&mut self) -> Result<(), DaemonError> {
        self.expect_done(&ControlRequest::Changed)
    }

    fn expect_done(&mut self, request: &ControlRequest) -> Result<(), DaemonError> {
        match self.ask(request)? {
            ControlAnswer::Done => Ok(()),
            other => Err(unexpected(other)),
        }
    }

    fn ask(&mut self, request: &ControlRequest) -> Result<ControlAnswer, DaemonError> {
        self.send(request)?;
        self.receive()
    }

    fn send(&mut self, request: &ControlRequest) -> Result<(), DaemonError> {
        let mut line =
            serde_json::to_vec(request).map_err(|error| DaemonError::Answer(error.to_string()))?;
        line.push(b'\n');
        self.0
            .get_mut()
            .write_all(&line)
            .map_err(DaemonError::system("ask the daemon"))
    }

    fn receive(&mut self) -> Result<ControlAnswer, DaemonError> {
        let mut line = String::new();
        self.0
            .read_line(&mut line)
            .map_err(DaemonError::system("hear the daemon"))?;
        serde_json::from_str(&line).map_err(|error| DaemonError::Answer(error.to_string()))
    }
}

fn unexpected(answer: ControlAnswer) -> DaemonError {
    match answer {
        ControlAnswer::Failed(text) => DaemonError::Refused(text),
        other => DaemonError::Answer(format!("{other:?}")),
    }
}
