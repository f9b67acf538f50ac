//! A key of the page, made over the control socket by this process. No client is among the parents of a test, so the
//! daemon takes it for a person.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context as _, Result};
use bellwether_spine::Home;
use serde_json::Value;

/// A token of an installation whose daemon runs.
pub fn token(home: &Home) -> Result<String> {
    over(&home.control_socket())
}

/// A token of an installation whose daemon runs, behind the name that it was given.
pub fn named_token(home: &Home) -> Result<(String, String)> {
    named(&home.control_socket())
}

/// A token from the daemon behind a socket.
pub fn over(socket: &Path) -> Result<String> {
    named(socket).map(|(_, token)| token)
}

fn named(socket: &Path) -> Result<(String, String)> {
    let name = format!("test {}", made());
    let said = ask(socket, &format!(r#"{{"new_token":"{name}"}}"#))?;
    let token = said["token"].as_str();
    let token =
        token.with_context(|| format!("no token, but {said}: is an agent running this test?"))?;
    Ok((name, token.to_owned()))
}

/// How many tokens this process has made: each has a name of its own.
fn made() -> u32 {
    static MADE: AtomicU32 = AtomicU32::new(0);
    MADE.fetch_add(1, Ordering::Relaxed)
}

/// What the daemon answers to one line.
pub fn ask(socket: &Path, line: &str) -> Result<Value> {
    let mut stream = UnixStream::connect(socket)?;
    writeln!(stream, "{line}")?;
    let mut said = String::new();
    BufReader::new(stream).read_line(&mut said)?;
    Ok(serde_json::from_str(&said)?)
}
