//! Players that are programs of the system. The samples go to their stdin or into a file of our own;
//! nothing of them is ever on a command line.
//!
//! Invariant: a program that takes nothing or does not end is killed.

mod list;
mod scratch;

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use bellwether_spine::{meta, text};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::feed::{Fed, PlayerFeed};
use super::{Ending, Played, Player};
use crate::{AudioError, Format, Seat, Settings, Source, Stop, wav};
use list::Input;
pub(crate) use list::{PROGRAMS, Program};
use scratch::Scratch;

/// How soon a wish to stop is seen.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a program may take nothing, or go on behind the end of a sound.
const PATIENCE: Duration = Duration::from_secs(10);
/// Silence behind a sound, as for the native player.
const TAIL: Duration = Duration::from_millis(100);
/// What is gathered for a program that wants all at once: five minutes of stereo.
const LARGEST: usize = 60 * 1024 * 1024;

#[derive(Debug)]
pub(crate) struct Runner {
    program: &'static Program,
    path: PathBuf,
    environment: Vec<(&'static str, String)>,
    lead_in: Duration,
}

impl Runner {
    pub(crate) fn new(
        program: &'static Program,
        path: PathBuf,
        seat: &Seat,
        settings: &Settings,
    ) -> Self {
        let server = match settings.server.as_str() {
            "" => seat.pulse_server.clone(),
            server => Some(server.to_owned()),
        };
        let runtime = seat.runtime_folders().into_iter().next();
        let environment = [
            ("PATH", meta::variable("PATH")),
            ("HOME", meta::variable("HOME")),
            (
                "XDG_RUNTIME_DIR",
                runtime.map(|folder| folder.display().to_string()),
            ),
            ("PULSE_SERVER", server),
        ];
        let known = environment.into_iter();
        Self {
            program,
            path,
            environment: known
                .filter_map(|(name, value)| Some((name, value?)))
                .collect(),
            lead_in: settings.lead_in(),
        }
    }

    fn complain(&self, reason: impl Into<String>) -> AudioError {
        AudioError::Player {
            player: self.program.name,
            reason: reason.into(),
        }
    }

    fn run(
        &self,
        format: Format,
        feed: &mut PlayerFeed,
        stop: &Stop,
    ) -> Result<Ending, AudioError> {
        match self.program.input {
            Input::Samples => self.stream(format, feed, stop),
            Input::Stdin | Input::File => match self.gather(format, feed, stop)? {
                Some(sound) => self.whole(format, &sound, stop),
                None => Ok(Ending::Stopped),
            },
        }
    }

    /// Hands samples over as they come.
    fn stream(
        &self,
        format: Format,
        feed: &mut PlayerFeed,
        stop: &Stop,
    ) -> Result<Ending, AudioError> {
        let mut running = self.start(format, None)?;
        let mut total = 0;
        let mut chunk = silence(format, self.lead_in);
        loop {
            total += chunk.len();
            if running.give(&chunk, stop)? == Ending::Stopped {
                return Ok(Ending::Stopped);
            }
            chunk = match feed.take()? {
                Fed::Bytes(bytes) => bytes,
                Fed::NotYet if stop.is_wished() => return Ok(Ending::Stopped),
                Fed::NotYet => {
                    feed.wait(GLANCE);
                    Vec::new()
                }
                Fed::Over => break,
            };
        }
        let tail = silence(format, TAIL);
        total += tail.len();
        if running.give(&tail, stop)? == Ending::Stopped {
            return Ok(Ending::Stopped);
        }
        running.finish(format.lasting(total / 2), stop)
    }

    /// Waits for all of a sound; none if somebody wished silence meanwhile.
    fn gather(
        &self,
        format: Format,
        feed: &mut PlayerFeed,
        stop: &Stop,
    ) -> Result<Option<Vec<u8>>, AudioError> {
        let mut bytes = silence(format, self.lead_in);
        loop {
            match feed.take()? {
                Fed::Bytes(more) => bytes.extend(more),
                Fed::NotYet => feed.wait(GLANCE),
                Fed::Over => break,
            }
            if stop.is_wished() {
                return Ok(None);
            }
            if bytes.len() > LARGEST {
                return Err(self.complain("the sound is too long"));
            }
        }
        bytes.extend(silence(format, TAIL));
        let mut file = wav::header(format, bytes.len());
        file.extend(bytes);
        Ok(Some(file))
    }

    /// Hands over a whole sound.
    fn whole(&self, format: Format, sound: &[u8], stop: &Stop) -> Result<Ending, AudioError> {
        let lasting = format.lasting(sound.len() / 2);
        if self.program.input == Input::Stdin {
            let mut running = self.start(format, None)?;
            return match running.give(sound, stop)? {
                Ending::Whole => running.finish(lasting, stop),
                Ending::Stopped => Ok(Ending::Stopped),
            };
        }
        let file = Scratch::write(sound).map_err(|error| self.complain(error.to_string()))?;
        self.start(format, Some(&file))?.finish(lasting, stop)
    }

    fn start(
        &self,
        format: Format,
        file: Option<&Scratch>,
    ) -> Result<PlayerProgram<'_>, AudioError> {
        let mut command = Command::new(&self.path);
        command
            .args((self.program.arguments)(format))
            .args(file.map(Scratch::path))
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| self.complain(error.to_string()))?;
        let stdin = child.stdin.take();
        if let Some(stdin) = &stdin {
            let nonblocking = rustix::fs::fcntl_setfl(stdin, rustix::fs::OFlags::NONBLOCK);
            nonblocking.map_err(|error| self.complain(error.to_string()))?;
        }
        Ok(PlayerProgram {
            runner: self,
            child,
            stdin,
        })
    }
}

fn silence(format: Format, time: Duration) -> Vec<u8> {
    vec![0; format.samples(time) * 2]
}

impl Player for Runner {
    fn name(&self) -> &'static str {
        self.program.name
    }

    fn play(
        &mut self,
        sound: &mut dyn Source,
        volume: f32,
        stop: &Stop,
    ) -> Result<Played, AudioError> {
        let format = sound.format();
        let ending = std::thread::scope(|scope| {
            let feed = PlayerFeed::begin(scope, sound, volume);
            let mut feed = feed.map_err(|error| self.complain(error.to_string()))?;
            self.run(format, &mut feed, stop)
        })?;
        Ok(Played {
            first_sample: None,
            ending,
        })
    }
}

/// A program at work; it is killed when this is dropped before its end.
struct PlayerProgram<'a> {
    runner: &'a Runner,
    child: Child,
    stdin: Option<ChildStdin>,
}

impl PlayerProgram<'_> {
    /// Gives it bytes, unless somebody wishes silence first.
    fn give(&mut self, mut bytes: &[u8], stop: &Stop) -> Result<Ending, AudioError> {
        let mut alive = Instant::now();
        while !bytes.is_empty() {
            if stop.is_wished() {
                return Ok(Ending::Stopped);
            }
            let Some(stdin) = &mut self.stdin else { break };
            match stdin.write(bytes) {
                Ok(count) => {
                    bytes = &bytes[count..];
                    alive = Instant::now();
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let mut watched = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::OUT)];
                    let _ = poll(&mut watched, Timespec::try_from(GLANCE).ok().as_ref());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(self.failed()),
            }
            if alive.elapsed() > PATIENCE {
                return Err(self.runner.complain("it stopped playing"));
            }
        }
        Ok(Ending::Whole)
    }

    /// Waits for its end, which comes about as late as the sound is long.
    fn finish(&mut self, lasting: Duration, stop: &Stop) -> Result<Ending, AudioError> {
        self.stdin = None;
        let deadline = Instant::now() + lasting + PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(Ending::Whole),
                Ok(Some(_)) | Err(_) => return Err(self.failed()),
                Ok(None) if stop.is_wished() => return Ok(Ending::Stopped),
                Ok(None) if Instant::now() > deadline => {
                    return Err(self.runner.complain("it does not end"));
                }
                Ok(None) => std::thread::sleep(GLANCE),
            }
        }
    }

    /// What it says of its failure.
    fn failed(&mut self) -> AudioError {
        let _ = self.child.kill();
        let mut said = Vec::new();
        if let Some(stderr) = self.child.stderr.take() {
            let _ = stderr.take(4096).read_to_end(&mut said);
        }
        let said = String::from_utf8_lossy(&said);
        let line = said.lines().find(|line| !line.trim().is_empty());
        self.runner
            .complain(text::shown(line.unwrap_or("it failed without a word"), 200))
    }
}

impl Drop for PlayerProgram<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
