//! Where foreign files are decoded. Readers of MP3, OGG and FLAC are other people's, and a file can be made to
//! have one ask for more memory than there is; that must end nobody but the process that is there for this file.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Resource, Rlimit, setrlimit};

use super::{FileKind, decode, wav};
use crate::Clip;

/// Where foreign files are decoded.
#[derive(Debug, Clone, Default)]
pub enum Decoder {
    /// In this process, which is there for nothing else.
    #[default]
    Here,
    /// In a process of its own: this program, told to [`serve`].
    Apart(PathBuf),
}

/// The words by which the program is told to.
const WORDS: [&str; 2] = ["sounds", "decode"];

/// No decoded file is larger.
const LARGEST: u64 = 64 * 1024 * 1024;
/// What one file may take: memory in bytes, work in seconds.
const MEMORY: u64 = 512 * 1024 * 1024;
const WORK: u64 = 5;

impl Decoder {
    /// One that runs this program.
    pub fn of_program() -> Self {
        std::env::current_exe().map_or(Self::Here, Self::Apart)
    }

    /// What a sound file holds, or why it cannot be told. Our own format needs nobody's help.
    pub fn decode(&self, bytes: &[u8]) -> Result<Clip, String> {
        match self {
            Self::Apart(program)
                if FileKind::of(bytes).is_some_and(|kind| kind != FileKind::Wav) =>
            {
                apart(program, bytes)
            }
            _ => decode(bytes),
        }
    }
}

fn apart(program: &PathBuf, bytes: &[u8]) -> Result<Clip, String> {
    let failed = |error: std::io::Error| format!("it cannot be decoded: {error}");
    let mut child = Command::new(program)
        .args(WORDS)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let decoded = exchange(&mut child, bytes).map_err(failed);
    let status = child.wait().map_err(failed)?;
    let (samples, reason) = decoded?;
    match (status.success(), status.code()) {
        (true, _) => wav::decode(&samples),
        (false, Some(1)) => Err(reason.trim().to_owned()),
        _ => Err("it breaks what reads it".to_owned()),
    }
}

/// Gives the file and takes what comes of it, and what was wrong with it.
fn exchange(child: &mut Child, bytes: &[u8]) -> std::io::Result<(Vec<u8>, String)> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        // One that has died reads no more, which its status tells.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(bytes)));
        let (mut samples, mut reason) = (Vec::new(), String::new());
        if let Some(stdout) = stdout {
            stdout.take(LARGEST).read_to_end(&mut samples)?;
        }
        if let Some(stderr) = stderr {
            stderr.take(4096).read_to_string(&mut reason)?;
        }
        Ok((samples, reason))
    })
}

/// Decodes the file on stdin into a WAV file on stdout. For a process that is there for this alone.
pub fn serve() -> Result<(), String> {
    for (resource, most) in [(Resource::As, MEMORY), (Resource::Cpu, WORK)] {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, limit).map_err(|error| error.to_string())?;
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(super::LARGEST + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    let clip = decode(&bytes)?;
    let written = std::io::stdout()
        .lock()
        .write_all(&crate::wav::encode(&clip));
    written.map_err(|error| error.to_string())
}
