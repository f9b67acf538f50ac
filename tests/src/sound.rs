//! A real PulseAudio with an output that nobody hears, and what was played to it.
//!
//! Invariant: it needs no hardware, no session and no rights, and is gone when this is dropped.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use bellwether_audio::player::{Pulse, Recording};
use bellwether_audio::{Choice, Clip, Seat, Settings};
use tempfile::TempDir;

use crate::env::SYSTEM_PATH;
use crate::wait;

/// How long the server may take to start on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);
/// What a monitor is behind.
const BEHIND: Duration = Duration::from_millis(400);
/// What is softer than this is silence, of 32,768.
const SILENT: u16 = 60;

pub struct SoundServer {
    folder: TempDir,
    process: Option<Child>,
}

impl SoundServer {
    /// Starts one and waits until it answers.
    pub fn start() -> Result<Self> {
        let mut server = Self {
            folder: tempfile::Builder::new().prefix("bw-sound").tempdir()?,
            process: None,
        };
        server.restart()?;
        Ok(server)
    }

    /// Starts it again after it was killed.
    pub fn restart(&mut self) -> Result<()> {
        let socket = self.socket();
        let _ = std::fs::remove_file(&socket);
        let home = self.folder.path().join("home");
        std::fs::create_dir_all(&home)?;
        let native = format!(
            "module-native-protocol-unix socket={} auth-anonymous=1",
            socket.display()
        );
        // Without rewinds a recording is exact to the sample.
        let output =
            "module-null-sink sink_name=test rate=48000 channels=2 format=s16le norewinds=1";
        let log = std::fs::File::create(self.folder.path().join("log"))?;
        let process = Command::new("pulseaudio")
            .args(["-n", "--daemonize=no", "--exit-idle-time=-1"])
            .args(["--use-pid-file=no", "--realtime=no", "--high-priority=no"])
            .args(["--log-target=stderr", "-L", &native, "-L", output])
            .env_clear()
            .env("PATH", SYSTEM_PATH)
            .env("HOME", &home)
            .env("PULSE_RUNTIME_PATH", self.folder.path().join("run"))
            .env("PULSE_STATE_PATH", home.join("state"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .context("start pulseaudio: install it")?;
        self.process = Some(process);
        let answers = || Ok(self.connect().ok());
        match wait::until(PATIENCE, answers)? {
            Some(_) => Ok(()),
            None => bail!("pulseaudio does not answer: {}", self.log()),
        }
    }

    /// Kills it at once.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// What a session at this server has in `PULSE_SERVER`.
    pub fn address(&self) -> String {
        format!("unix:{}", self.socket().display())
    }

    /// A seat at this server.
    pub fn seat(&self) -> Seat {
        Seat {
            pulse_server: Some(self.address()),
            ..Seat::default()
        }
    }

    /// A player at this server.
    pub fn connect(&self) -> Result<Pulse> {
        let settings = Settings {
            player: Choice::Pulse,
            ..Settings::default()
        };
        Ok(Pulse::connect(&self.seat(), &settings)?)
    }

    /// Begins to record what is played.
    pub fn record(&self) -> Result<Recording> {
        Ok(self.connect()?.record()?)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// A folder for files of a test.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for SoundServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What was recorded while something was done.
pub fn heard<T>(server: &SoundServer, act: impl FnOnce() -> Result<T>) -> Result<(Clip, T)> {
    let recording = server.record()?;
    let done = act()?;
    Ok((recording.finish(BEHIND)?, done))
}

/// The part of a clip from its first to its last audible sample.
pub fn audible(clip: &Clip) -> Option<&[i16]> {
    let loud = |sample: &i16| sample.unsigned_abs() > SILENT;
    let first = clip.samples.iter().position(loud)?;
    let last = clip.samples.iter().rposition(loud)?;
    Some(&clip.samples[first..=last])
}

/// How strong samples are on the whole, in decibels under full strength.
pub fn decibels(samples: &[i16]) -> f64 {
    let squares: f64 = samples.iter().map(|s| f64::from(*s).powi(2)).sum();
    let count = u32::try_from(samples.len().max(1)).unwrap_or(u32::MAX);
    10.0 * (squares / f64::from(count)).max(1e-9).log10() - 20.0 * 32_768_f64.log10()
}

/// How much two sounds are alike where they fit best: 1.0 when one is the other, louder or softer. One may
/// begin up to a few milliseconds before the other.
pub fn likeness(one: &[i16], other: &[i16]) -> f64 {
    (0..32)
        .filter_map(|shift| {
            Some([
                alike(one.get(shift..)?, other),
                alike(one, other.get(shift..)?),
            ])
        })
        .flatten()
        .fold(0.0, f64::max)
}

/// The same where they begin together.
pub fn alike(one: &[i16], other: &[i16]) -> f64 {
    let (mut both, mut ours, mut theirs) = (0.0, 0.0, 0.0);
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (f64::from(*a), f64::from(*b));
        both += a * b;
        ours += a * a;
        theirs += b * b;
    }
    both / f64::sqrt(ours * theirs).max(1e-9)
}

/// A sound file with the check sums of its OGG pages made good: behind those a reader believes everything.
pub fn sealed(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let mut at = 0;
    while let Some(page) = bytes.get_mut(at..).filter(|page| page.starts_with(b"OggS")) {
        let Some(segments) = page.get(26).map(|count| usize::from(*count)) else {
            break;
        };
        let Some(lacing) = page.get(27..27 + segments) else {
            break;
        };
        let body: usize = lacing.iter().map(|length| usize::from(*length)).sum();
        let end = (27 + segments + body).min(page.len());
        page[22..26].fill(0);
        let sum = check_sum(&page[..end]);
        page[22..26].copy_from_slice(&sum.to_le_bytes());
        at += end;
    }
    bytes
}

fn check_sum(page: &[u8]) -> u32 {
    page.iter().fold(0_u32, |sum, byte| {
        (0..8).fold(sum ^ (u32::from(*byte) << 24), |sum, _| {
            if sum & 0x8000_0000 == 0 {
                sum << 1
            } else {
                (sum << 1) ^ 0x04C1_1DB7
            }
        })
    })
}
