//! Sway, over its socket: the protocol of i3.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::NotRaised;
use super::line::Line;

const MAGIC: &[u8] = b"i3-ipc";
const RUN_COMMAND: u32 = 0;
/// A compositor answers at once or is in trouble.
const PATIENCE: Duration = Duration::from_secs(1);
/// Its answer to one command is a line.
const LONGEST: u32 = 64 * 1024;

#[derive(Deserialize)]
struct Done {
    success: bool,
}

/// Focuses the window of the nearest process that has one.
pub(super) fn focus(socket: &Path, line: &Line) -> Result<(), NotRaised> {
    let mut sway = UnixStream::connect(socket).map_err(|_| NotRaised::NoDisplay)?;
    let timed = sway.set_read_timeout(Some(PATIENCE));
    timed.map_err(|_| NotRaised::Failed)?;
    for pid in line.pids() {
        // It fails where no window is of that process.
        let done = run(&mut sway, &format!("[pid={pid}] focus"));
        if done.ok_or(NotRaised::Failed)? {
            return Ok(());
        }
    }
    Err(NotRaised::NoWindow)
}

/// Runs a command; `None` where the answer is none.
fn run(sway: &mut UnixStream, command: &str) -> Option<bool> {
    let length = u32::try_from(command.len()).ok()?;
    let head = [MAGIC, &length.to_ne_bytes(), &RUN_COMMAND.to_ne_bytes()].concat();
    sway.write_all(&[&head, command.as_bytes()].concat()).ok()?;
    let mut head = [0; 14];
    sway.read_exact(&mut head).ok()?;
    let length = u32::from_ne_bytes(head.get(6..10)?.try_into().ok()?);
    if !head.starts_with(MAGIC) || length > LONGEST {
        return None;
    }
    let mut body = vec![0; length as usize];
    sway.read_exact(&mut body).ok()?;
    let done: Vec<Done> = serde_json::from_slice(&body).ok()?;
    Some(!done.is_empty() && done.iter().all(|one| one.success))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_command_is_framed_and_its_answer_read() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("sway");
        let listener = UnixListener::bind(&socket).unwrap();
        let compositor = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = Vec::new();
            for answer in [
                r#"[{"success":false,"error":"No matching node."}]"#,
                r#"[{"success":true}]"#,
            ] {
                let mut head = [0; 14];
                stream.read_exact(&mut head).unwrap();
                assert_eq!((&head[..6], &head[10..]), (MAGIC, &[0_u8; 4][..]));
                let length = u32::from_ne_bytes(head[6..10].try_into().unwrap());
                let mut body = vec![0; length as usize];
                stream.read_exact(&mut body).unwrap();
                asked.push(String::from_utf8(body).unwrap());
                let length = u32::try_from(answer.len()).unwrap();
                head[6..10].copy_from_slice(&length.to_ne_bytes());
                stream
                    .write_all(&[&head, answer.as_bytes()].concat())
                    .unwrap();
            }
            asked
        });
        let own = std::process::id();
        let line = Line::of(own).unwrap();
        assert_eq!(focus(&socket, &line), Ok(()));
        let asked: Vec<_> = line
            .pids()
            .take(2)
            .map(|pid| format!("[pid={pid}] focus"))
            .collect();
        assert_eq!(compositor.join().unwrap(), asked);
    }

    #[test]
    fn no_compositor_is_no_display() {
        let line = Line::of(std::process::id()).unwrap();
        assert_eq!(
            focus(Path::new("/nowhere"), &line),
            Err(NotRaised::NoDisplay)
        );
    }
}
