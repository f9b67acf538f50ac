//! Hyprland, over its socket. Written after its documentation; no Hyprland was at hand to try it on.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::NotRaised;
use super::line::Line;

const PATIENCE: Duration = Duration::from_secs(1);
/// A list of more windows than this is none.
const LONGEST: u64 = 4 * 1024 * 1024;

#[derive(Deserialize)]
struct Client {
    pid: i64,
    address: String,
}

/// Where a Hyprland listens that these variables name.
pub(super) fn socket(variable: impl Fn(&'static str) -> Option<OsString>) -> Option<PathBuf> {
    let signature = variable("HYPRLAND_INSTANCE_SIGNATURE")?;
    let folder = PathBuf::from(variable("XDG_RUNTIME_DIR")?).join("hypr");
    Some(folder.join(signature).join(".socket.sock"))
}

/// Focuses the window of the nearest process that has one.
pub(super) fn focus(socket: &Path, line: &Line) -> Result<(), NotRaised> {
    let listed = ask(socket, "j/clients").ok_or(NotRaised::NoDisplay)?;
    let clients: Vec<Client> = serde_json::from_str(&listed).map_err(|_| NotRaised::Failed)?;
    let address = line
        .pids()
        .find_map(|pid| clients.iter().find(|client| client.pid == i64::from(pid)))
        .map(|client| &client.address)
        .ok_or(NotRaised::NoWindow)?;
    match ask(socket, &format!("dispatch focuswindow address:{address}")) {
        Some(said) if said.trim() == "ok" => Ok(()),
        _ => Err(NotRaised::Failed),
    }
}

/// One question a connection.
fn ask(socket: &Path, question: &str) -> Option<String> {
    let mut stream = UnixStream::connect(socket).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.write_all(question.as_bytes()).ok()?;
    let mut said = String::new();
    stream.take(LONGEST).read_to_string(&mut said).ok()?;
    Some(said)
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn the_window_of_a_parent_is_asked_for_by_its_address() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let listener = UnixListener::bind(&path).unwrap();
        let clients = format!(
            r#"[{{"pid":-1,"address":"0x1"}},{{"pid":{},"address":"0x2"}}]"#,
            std::process::id()
        );
        let compositor = std::thread::spawn(move || {
            let answers = [clients, "ok".to_owned()];
            answers.map(|answer| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut heard = [0; 256];
                let length = stream.read(&mut heard).unwrap();
                stream.write_all(answer.as_bytes()).unwrap();
                String::from_utf8_lossy(&heard[..length]).into_owned()
            })
        });
        let line = Line::of(std::process::id()).unwrap();
        assert_eq!(focus(&path, &line), Ok(()));
        let asked = ["j/clients", "dispatch focuswindow address:0x2"];
        assert_eq!(compositor.join().unwrap(), asked);
    }

    #[test]
    fn the_socket_is_in_the_runtime_folder() {
        let found = socket(|name| {
            Some(
                if name == "XDG_RUNTIME_DIR" {
                    "/run/user/7"
                } else {
                    "abc"
                }
                .into(),
            )
        });
        assert_eq!(found, Some("/run/user/7/hypr/abc/.socket.sock".into()));
        assert_eq!(socket(|_| None), None);
    }
}
