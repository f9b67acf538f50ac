//! Where the daemon serves HTTP: it says so on its control socket.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use bellwether_spine::Home;
use serde::Deserialize;

const PATIENCE: Duration = Duration::from_secs(5);
/// A status is much shorter.
const LONGEST: u64 = 64 * 1024;

#[derive(Deserialize)]
struct Answer {
    status: Status,
}

#[derive(Deserialize)]
struct Status {
    port: Option<u16>,
    http_trouble: Option<String>,
}

/// The daemon's port, or why there is none.
pub(super) fn of(home: &Home) -> Result<u16, String> {
    let line = ask(home).map_err(|error| format!("the daemon cannot be reached: {error}"))?;
    let Answer { status } = serde_json::from_str(&line)
        .map_err(|error| format!("the daemon's answer cannot be read: {error}"))?;
    status.port.ok_or_else(|| {
        status
            .http_trouble
            .unwrap_or_else(|| "the daemon serves no port: `daemon.port` is 0".to_owned())
    })
}

fn ask(home: &Home) -> std::io::Result<String> {
    let mut stream = UnixStream::connect(home.control_socket())?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(b"\"status\"\n")?;
    let mut line = String::new();
    BufReader::new(stream.take(LONGEST)).read_line(&mut line)?;
    Ok(line)
}
