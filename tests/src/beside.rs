//! The daemon's HTTP in the network of a session of the real client: `curl` is put beside it, as a browser would be.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::terminal::Terminal;
use crate::{key, wait};

/// The usual port: the session's network is its own.
const ADDRESS: &str = "http://127.0.0.1:4820";
/// Nothing here takes longer.
const PATIENCE: Duration = Duration::from_mins(1);

/// The daemon beside a session.
pub struct Beside<'a> {
    terminal: &'a Terminal<'a>,
    token: String,
}

impl<'a> Beside<'a> {
    /// Waits for the daemon of a session, whose state is in this folder.
    pub fn of(terminal: &'a Terminal<'a>, state: &Path) -> Result<Self> {
        let token = wait::until(PATIENCE, || Ok(key::over(&state.join("control.sock")).ok()))?;
        let beside = Self {
            terminal,
            token: token.context("the daemon made no token")?,
        };
        let answers = wait::until(PATIENCE, || Ok(beside.get("/api/status").ok()))?;
        answers.context("the daemon does not answer")?;
        Ok(beside)
    }

    pub fn get(&self, path: &str) -> Result<Value> {
        let output = self.curl(path)?.output()?;
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{path}: {}", String::from_utf8_lossy(&output.stdout)))
    }

    /// Sends JSON; its status and what was answered.
    pub fn post(&self, path: &str, body: &Value) -> Result<(u16, Value)> {
        let mut curl = self.curl(path)?;
        curl.args([
            "-w",
            "\n%{http_code}",
            "-H",
            "content-type: application/json",
            "-d",
        ]);
        let output = curl.arg(body.to_string()).output()?;
        let text = String::from_utf8(output.stdout)?;
        let (body, status) = text.rsplit_once('\n').context("curl said nothing")?;
        Ok((status.parse()?, serde_json::from_str(body)?))
    }

    /// Listens to the live stream, as an open page does.
    pub fn listen(&self) -> Result<Listening> {
        let mut curl = self.curl("/events/stream")?;
        let mut child = curl.arg("-N").stdout(Stdio::piped()).spawn()?;
        let lines = BufReader::new(child.stdout.take().context("curl has no stdout")?);
        Ok(Listening { child, lines })
    }

    fn curl(&self, path: &str) -> Result<Command> {
        let mut curl = self.terminal.beside("curl")?;
        let token = format!("authorization: Bearer {}", self.token.trim());
        let patience = PATIENCE.as_secs().to_string();
        curl.args(["-s", "--max-time", &patience, "-H", &token]);
        curl.arg(format!("{ADDRESS}{path}")).stderr(Stdio::null());
        Ok(curl)
    }
}

/// The live stream; it ends when this is dropped.
pub struct Listening {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Listening {
    /// What the next event of a name carries.
    pub fn next_of(&mut self, name: &str) -> Result<Value> {
        let wanted = format!("event: {name}");
        let mut found = false;
        loop {
            let mut line = String::new();
            ensure!(
                self.lines.read_line(&mut line)? > 0,
                "the stream ended without {name}"
            );
            match line.trim_end().split_once(": ") {
                Some(("event", _)) => found = line.trim_end() == wanted,
                Some(("data", data)) if found => return Ok(serde_json::from_str(data)?),
                _ => {}
            }
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
