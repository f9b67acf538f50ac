//! The real overlay on a display of the rig's own, with a daemon that serves it.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use bellwether_spine::overlay::PROGRAM;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::programs::Programs;
use crate::{Served, key};

/// The program, as it is shipped.
pub fn program() -> Result<PathBuf> {
    let program = Programs::built()?.main().with_file_name(PROGRAM);
    ensure!(
        program.exists(),
        "{} is missing: run `cargo xtask build` first",
        program.display()
    );
    Ok(program)
}

/// One that runs. It ends when this is dropped.
#[derive(Debug)]
pub struct Overlay {
    child: Child,
    /// The name of its token.
    token: String,
}

impl Overlay {
    /// Starts it as the daemon does, but that its key comes on its stdin; `command` is the program with the variables of its
    /// display.
    pub fn start(served: &Served, mut command: Command) -> Result<Self> {
        let (token, key) = key::named_token(served.place.home())?;
        command.arg("--home").arg(served.place.root());
        command.args(["--key-fd", "0"]).stdin(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
        let stdin = child.stdin.take().context("no stdin")?;
        { stdin }.write_all(format!("{key}\n").as_bytes())?;
        Ok(Self { child, token })
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end, and waits until it has.
    pub fn stop(&mut self) -> Result<()> {
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        self.child.wait()?;
        Ok(())
    }

    /// Ends the token that it was given, as a person can.
    pub fn end_token(&self, served: &Served) -> Result<()> {
        let line = json!({ "revoke": self.token }).to_string();
        let said = key::ask(&served.place.home().control_socket(), &line)?;
        ensure!(said == "done", "{said}");
        Ok(())
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Result<Option<std::process::ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// Its resident memory, in kilobytes.
    pub fn resident_kb(&self) -> Result<u64> {
        self.status("VmRSS:")
    }

    /// How often it has waited for something to happen.
    pub fn wake_ups(&self) -> Result<u64> {
        self.status("voluntary_ctxt_switches:")
    }

    fn status(&self, name: &str) -> Result<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.pid()))?;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.split_whitespace().next());
        Ok(number.with_context(|| format!("no {name}"))?.parse()?)
    }
}

impl Drop for Overlay {
    fn drop(&mut self) {
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let _ = self.child.wait();
    }
}

/// An event as the client's forwarder sends it.
pub fn event(session: &str, project: &str, name: &str, more: &Value) -> Value {
    let mut event = json!({
        "hook_event_name": name, "session_id": session, "cwd": format!("/home/dev/{project}"),
        "_meta": {"workspace_id": project, "terminal_session_id": session},
    });
    if let (Some(event), Some(more)) = (event.as_object_mut(), more.as_object()) {
        event.extend(more.clone());
    }
    event
}

/// Has the daemon hear of events.
pub fn tell(served: &Served, events: &[Value]) -> Result<()> {
    let answer = served
        .bare
        .post("/ingest", Value::from(events).to_string())?;
    ensure!(answer.status == 200, "{answer:?}");
    Ok(())
}
