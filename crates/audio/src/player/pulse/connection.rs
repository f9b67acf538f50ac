//! A conversation with a sound server: commands, replies, events, and samples in between.
//!
//! Invariant: every wait has an end. A server that says nothing is an error, not a reason to wait.

use std::io::{self, Cursor, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::{Duration, Instant};

use pulseaudio::protocol::{
    AuthParams, AuthReply, Command, CommandReply, CommandTag, DESCRIPTOR_SIZE, MAX_VERSION,
    MIN_VERSION, Prop, Props, ProtocolError, PulseError, SetClientNameReply, TagStructReader,
    read_descriptor, write_command_message, write_memblock,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::address::{Address, NamedBy};
use super::socket::Socket;
use super::{NAME, cookie};
use crate::AudioError;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// A message larger than this is no message of a sound server.
const LARGEST: usize = 4 * 1024 * 1024;
/// The channel of commands.
const CONTROL: u32 = u32::MAX;

#[derive(Debug)]
pub(super) enum Message {
    /// The answer to a command, by its number.
    Reply(u32, Vec<u8>),
    /// A command that the server refused, by its number.
    Refused(u32, PulseError),
    Event(Box<Command>),
    /// Recorded samples.
    Samples(Vec<u8>),
}

#[derive(Debug)]
pub(super) struct Connection {
    socket: Socket,
    version: u16,
    last: u32,
    incoming: Vec<u8>,
}

impl Connection {
    /// Connects and says who we are.
    pub(super) fn open(address: &Address, named: NamedBy) -> Result<Self, AudioError> {
        let mut connection = Self {
            socket: Socket::connect(address, named).map_err(pulse)?,
            version: MAX_VERSION,
            last: 0,
            incoming: Vec::new(),
        };
        let auth: AuthReply = connection.ask(&Command::Auth(AuthParams {
            version: MAX_VERSION,
            supports_shm: false,
            supports_memfd: false,
            cookie: cookie::load(),
        }))?;
        connection.version = auth.version.min(MAX_VERSION);
        if connection.version < MIN_VERSION {
            return Err(pulse(format!("{address} speaks too old a protocol")));
        }
        let mut props = Props::new();
        props.set(Prop::ApplicationName, c"bellwether");
        props.set(Prop::ApplicationId, c"bellwether");
        let _: SetClientNameReply = connection.ask(&Command::SetClientName(props))?;
        Ok(connection)
    }

    /// Sends a command and returns its number.
    pub(super) fn tell(&mut self, command: &Command) -> Result<u32, AudioError> {
        self.last = self.last.wrapping_add(1);
        let mut message = Vec::new();
        write_command_message(&mut message, self.last, command, self.version).map_err(broken)?;
        self.send(&message)?;
        Ok(self.last)
    }

    /// Sends a command and waits for its answer; what happens meanwhile is passed over.
    pub(super) fn ask<R: CommandReply>(&mut self, command: &Command) -> Result<R, AudioError> {
        let number = self.tell(command)?;
        let body = self.answer(number)?;
        R::read(
            &mut TagStructReader::new(&mut Cursor::new(body), self.version),
            self.version,
        )
        .map_err(broken)
    }

    /// Sends a command and waits until it has been done.
    pub(super) fn order(&mut self, command: &Command) -> Result<(), AudioError> {
        let number = self.tell(command)?;
        self.answer(number).map(drop)
    }

    fn answer(&mut self, number: u32) -> Result<Vec<u8>, AudioError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.next(None, deadline)? {
                Some(Message::Reply(to, body)) if to == number => return Ok(body),
                Some(Message::Refused(to, error)) if to == number => return Err(refused(error)),
                Some(_) => {}
                None => return Err(pulse("the sound server does not answer")),
            }
        }
    }

    /// Sends samples of a stream.
    pub(super) fn send_samples(&mut self, channel: u32, bytes: &[u8]) -> Result<(), AudioError> {
        let mut message = Vec::with_capacity(bytes.len() + DESCRIPTOR_SIZE);
        write_memblock(&mut message, channel, bytes, 0).map_err(broken)?;
        self.send(&message)
    }

    /// The next message; none when the time is over or when there is something to read from `other`.
    pub(super) fn next(
        &mut self,
        other: Option<BorrowedFd<'_>>,
        deadline: Instant,
    ) -> Result<Option<Message>, AudioError> {
        loop {
            if let Some(message) = self.parse()? {
                return Ok(Some(message));
            }
            match self.wait(PollFlags::IN, other, deadline)? {
                Woken::Socket => self.receive()?,
                Woken::Other | Woken::Late => return Ok(None),
            }
        }
    }

    /// Takes one whole message out of what has come in.
    fn parse(&mut self) -> Result<Option<Message>, AudioError> {
        loop {
            if self.incoming.len() < DESCRIPTOR_SIZE {
                return Ok(None);
            }
            let descriptor = read_descriptor(&mut self.incoming.as_slice()).map_err(broken)?;
            let length = descriptor.length as usize;
            if length > LARGEST {
                return Err(pulse("the sound server speaks nonsense"));
            }
            let end = DESCRIPTOR_SIZE + length;
            if self.incoming.len() < end {
                return Ok(None);
            }
            let rest = self.incoming.split_off(end);
            let whole = std::mem::replace(&mut self.incoming, rest);
            let body = &whole[DESCRIPTOR_SIZE..];
            if descriptor.channel != CONTROL {
                return Ok(Some(Message::Samples(body.to_vec())));
            }
            if let Some(message) = control(body, self.version)? {
                return Ok(Some(message));
            }
        }
    }

    fn receive(&mut self) -> Result<(), AudioError> {
        let mut chunk = [0; 16 * 1024];
        match self.socket.read(&mut chunk) {
            Ok(0) => Err(gone()),
            Ok(count) => {
                self.incoming.extend_from_slice(&chunk[..count]);
                Ok(())
            }
            Err(error) if is_passing(&error) => Ok(()),
            Err(_) => Err(gone()),
        }
    }

    fn send(&mut self, mut bytes: &[u8]) -> Result<(), AudioError> {
        let deadline = Instant::now() + PATIENCE;
        while !bytes.is_empty() {
            match self.socket.write(bytes) {
                Ok(0) => return Err(gone()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if is_passing(&error) => {
                    if let Woken::Late = self.wait(PollFlags::OUT, None, deadline)? {
                        return Err(pulse("the sound server takes nothing"));
                    }
                }
                Err(_) => return Err(gone()),
            }
        }
        Ok(())
    }

    fn wait(
        &self,
        flags: PollFlags,
        other: Option<BorrowedFd<'_>>,
        deadline: Instant,
    ) -> Result<Woken, AudioError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(|error| pulse(error.to_string()))?;
        let mut watched = vec![PollFd::from_borrowed_fd(self.socket.as_fd(), flags)];
        watched.extend(other.map(|other| PollFd::from_borrowed_fd(other, PollFlags::IN)));
        match poll(&mut watched, Some(&left)) {
            Ok(0) => Ok(Woken::Late),
            Ok(_) if watched[0].revents().is_empty() => Ok(Woken::Other),
            Ok(_) => Ok(Woken::Socket),
            // A signal: whoever asked looks again.
            Err(rustix::io::Errno::INTR) => Ok(Woken::Other),
            Err(error) => Err(pulse(error.to_string())),
        }
    }
}

/// Why a wait has ended.
enum Woken {
    Socket,
    Other,
    Late,
}

/// A message of the control channel; none for those that nobody needs to understand.
fn control(body: &[u8], version: u16) -> Result<Option<Message>, AudioError> {
    let mut cursor = Cursor::new(body);
    let mut reader = TagStructReader::new(&mut cursor, version);
    let tag: u32 = reader.read_u32().map_err(broken)?;
    let number = reader.read_u32().map_err(broken)?;
    if tag == CommandTag::Reply as u32 {
        let at = usize::try_from(cursor.position()).unwrap_or(body.len());
        return Ok(Some(Message::Reply(number, body[at..].to_vec())));
    }
    if tag == CommandTag::Error as u32 {
        let error = reader.read_enum().unwrap_or(PulseError::Unknown);
        return Ok(Some(Message::Refused(number, error)));
    }
    // An event that this version of the crate does not know is none that we act on.
    let event = Command::read_tag_prefixed(&mut &body[..], version).ok();
    Ok(event.map(|(_, event)| Message::Event(Box::new(event))))
}

fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, WouldBlock};
    [Interrupted, WouldBlock].contains(&error.kind())
}

/// What the native player could not do.
pub(super) fn pulse(reason: impl Into<String>) -> AudioError {
    AudioError::Player {
        player: NAME,
        reason: reason.into(),
    }
}

pub(super) fn refused(error: PulseError) -> AudioError {
    let error = error.to_string().to_lowercase();
    pulse(format!("the sound server refuses: {error}"))
}

fn gone() -> AudioError {
    pulse("the sound server has gone")
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is given to map_err, which hands over what it has"
)]
fn broken(error: ProtocolError) -> AudioError {
    pulse(format!("the sound server is not understood: {error}"))
}
