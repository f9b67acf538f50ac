//! Programs that speak: text goes in by stdin, never among the arguments, which everybody can see;
//! sound comes out by stdout.

use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::feed::{Maker, Unheard};
use super::stream::{SampleKind, Stream};
use crate::Format;

/// How often a program that says nothing is looked after, to see whether anybody still listens.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};
/// How long a program may take to load what it speaks with.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Where programs are looked for. The daemon has a fixed search path; this is what people have beside it.
const FOLDERS: [&str; 6] = [
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/snap/bin",
];

/// Why a program did not speak.
pub(super) enum Trouble {
    /// It cannot be started.
    Start(io::Error),
    /// It broke, or said something that is no sound.
    Broke(String),
}

/// Finds a program by name, or takes a path as it stands.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut places = folders
        .chain(FOLDERS.iter().map(PathBuf::from))
        .map(|folder| folder.join(name));
    if name.contains('/') {
        let named = PathBuf::from(name);
        return named.is_absolute().then_some(named).filter(is_program);
    }
    places.find(is_program)
}

fn is_program(path: &PathBuf) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Runs a program and sends on what it says. `pitch` other than 1.0 is made by playing the samples
/// that much faster; the caller has asked for slower speech then.
pub(super) fn run(
    mut command: Command,
    text: &str,
    kind: SampleKind,
    pitch: f32,
    maker: &mut Maker,
) -> Result<(), Trouble> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_remove("ELEVENLABS_API_KEY")
        .env_remove("OPENAI_API_KEY")
        .env_remove("ANTHROPIC_API_KEY");
    let mut running = VoiceProgram(command.spawn().map_err(Trouble::Start)?);
    if let Some(mut stdin) = running.0.stdin.take() {
        // A program that has gone away says why on its other streams. The text fits into a pipe.
        let _ = stdin.write_all(text.as_bytes());
    }
    let Some(mut stdout) = running.0.stdout.take() else {
        return Ok(());
    };
    match forward(&mut stdout, Stream::new(kind), pitch, maker) {
        Ok(Ended::Said) | Err(_) if running.has_failed() => Err(running.complaint()),
        Ok(Ended::Said | Ended::Unheard) => Ok(()),
        Err(reason) => Err(Trouble::Broke(reason)),
    }
}

enum Ended {
    Unheard,
    Said,
}

fn forward(
    stdout: &mut ChildStdout,
    mut stream: Stream,
    pitch: f32,
    maker: &mut Maker,
) -> Result<Ended, String> {
    let (mut bytes, mut is_begun) = ([0; 8192], false);
    loop {
        if !wait(stdout, maker) {
            return Ok(Ended::Unheard);
        }
        let count = stdout.read(&mut bytes).map_err(|error| error.to_string())?;
        if count == 0 {
            return Ok(Ended::Said);
        }
        let samples = stream.push(&bytes[..count])?;
        let Some(format) = stream.format().filter(|_| !samples.is_empty()) else {
            continue;
        };
        if !is_begun {
            is_begun = maker.begin(raised(format, pitch)).is_ok();
        }
        if let Err(Unheard) = maker.send(samples) {
            return Ok(Ended::Unheard);
        }
    }
}

/// Waits for something to read; false when nobody wants it any more.
fn wait(stdout: &ChildStdout, maker: &Maker) -> bool {
    while maker.is_heard() {
        let mut polled = [PollFd::from_borrowed_fd(stdout.as_fd(), PollFlags::IN)];
        match poll(&mut polled, Some(&LOOK)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            _ => return true,
        }
    }
    false
}

/// A format whose samples are played faster, and so higher.
pub(super) fn raised(format: Format, pitch: f32) -> Format {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a rate of some tens of thousands times a pitch near one"
    )]
    let rate = (format.rate as f32 * pitch).round() as u32;
    Format { rate, ..format }
}

/// A program that ends with us, whatever happens.
struct VoiceProgram(Child);

impl VoiceProgram {
    fn has_failed(&mut self) -> bool {
        self.0.wait().is_ok_and(|status| !status.success())
    }

    fn complaint(&mut self) -> Trouble {
        let mut text = Vec::new();
        if let Some(stderr) = &mut self.0.stderr {
            let _ = stderr.take(4096).read_to_end(&mut text);
        }
        let text = String::from_utf8_lossy(&text);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        Trouble::Broke(last.unwrap_or("it ended with an error").to_owned())
    }
}

impl Drop for VoiceProgram {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
