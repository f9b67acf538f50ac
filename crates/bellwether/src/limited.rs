//! Runs a program for a short answer and does not wait for ever.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// How long a program may take to say its version.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is looked whether it has.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// An answer is one line.
const ANSWER: usize = 4096;

/// What a program prints when it is asked for its version, or why it does not.
pub(crate) fn version_of(program: &Path, patience: Duration) -> Result<String, String> {
    said_by(Command::new(program), patience)
}

/// The same of a program that is started in a way of its own.
pub(crate) fn said_by(mut command: Command, patience: Duration) -> Result<String, String> {
    let mut child = command
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // A group of its own, so that what it starts can be ended with it.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    let answer = answer(&mut child, patience);
    end(&mut child);
    answer
}

fn answer(child: &mut Child, patience: Duration) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("cannot be asked: {error}");
    let mut out = child.stdout.take().ok_or("cannot be asked")?;
    // What it started may hold the pipe open longer than it lives itself.
    rustix::io::ioctl_fionbio(&out, true).map_err(|error| failed(error.into()))?;
    let (until, mut text) = (Instant::now() + patience, Vec::new());
    loop {
        let ended = child.try_wait().map_err(failed)?;
        let mut bytes = [0; ANSWER];
        while let Ok(length @ 1..) = out.read(&mut bytes) {
            text.extend_from_slice(&bytes[..length]);
            // The first line is the answer; the program's end is not waited for.
            if let Some(end) = text.iter().position(|byte| *byte == b'\n') {
                return Ok(String::from_utf8_lossy(&text[..=end]).into_owned());
            }
            if text.len() > ANSWER {
                return Err("prints too much".to_owned());
            }
        }
        match ended {
            Some(status) if status.success() => break,
            Some(status) => return Err(format!("fails: {status}")),
            None if Instant::now() >= until => {
                return Err(format!("does not answer within {} s", patience.as_secs()));
            }
            None => std::thread::sleep(LOOK_EVERY),
        }
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Ends the program and all that it started. The number of one that has been waited for may be
/// somebody else's already.
fn end(child: &mut Child) {
    let running = matches!(child.try_wait(), Ok(None));
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group.filter(|_| running) {
        let _ = kill_process_group(group, Signal::KILL);
        let _ = child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn asked(script: &str, patience: Duration) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        version_of(&path, patience)
    }

    #[test]
    fn an_answer_a_failure_and_silence() {
        assert_eq!(asked("echo 2.1.325", PATIENCE).unwrap(), "2.1.325\n");
        // A child that keeps the pipe open is not waited for.
        assert_eq!(asked("sleep 6 & echo 1", PATIENCE).unwrap(), "1\n");
        assert!(
            asked("exit 3", PATIENCE)
                .unwrap_err()
                .contains("exit status: 3")
        );
        assert_eq!(asked("yes", PATIENCE).unwrap(), "y\n");
        assert!(
            asked("yes | tr -d '\\n'", PATIENCE)
                .unwrap_err()
                .contains("too much")
        );
        let begun = Instant::now();
        let silent = asked("sleep 60", Duration::from_millis(50)).unwrap_err();
        assert!(silent.contains("does not answer"), "{silent}");
        assert!(begun.elapsed() < PATIENCE);
        assert!(version_of(Path::new("/no/such/program"), PATIENCE).is_err());
    }
}
