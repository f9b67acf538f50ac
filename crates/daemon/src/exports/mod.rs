//! Sessions that have ended become pages in the person's folder, where one is named.
//!
//! The client gives hooks little time at the end of a session, so it is done here: by the program itself as a process of
//! its own, one at a time. Nobody waits for it, its memory is not ours, and what breaks there does not break the daemon.
//! What waits when the daemon ends is exported by the next one.

mod waiting;

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use bellwether_config::load;
use bellwether_flock::Row;
use bellwether_spine::journal::Envelope;
use bellwether_spine::trouble::Troubles;
use bellwether_spine::{Home, launch, meta, text};
use bellwether_transcript::{Projects, TranscriptError};
use tracing::warn;

use crate::shared::{Connected, Shared};
use waiting::Waiting;

/// An export that takes longer is given up.
const PATIENCE: Duration = Duration::from_mins(5);
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// As much of what an export complains about is told.
const COMPLAINT: u64 = 4096;
/// The client's reason for an end that is none: the conversation is only begun anew.
const CLEARED: &str = "clear";

pub(crate) struct Exports {
    home: Home,
    shared: Arc<Shared>,
    /// The way to the thread, which is started when it is first needed. What it is handed keeps the daemon from being idle.
    thread: Option<Sender<Connected>>,
}

impl Exports {
    /// Also has those exported that a daemon before this one has left.
    pub(crate) fn new(home: &Home, shared: &Arc<Shared>) -> Self {
        let mut exports = Self {
            home: home.clone(),
            shared: Arc::clone(shared),
            thread: None,
        };
        let waiting = Waiting(home);
        waiting.forget_torn();
        if !waiting.is_empty() {
            exports.begin();
        }
        exports
    }

    /// Has a session exported that has ended, unless it is to be left alone.
    pub(crate) fn session_ended(&mut self, row: &Row, transcript: &str) {
        if is_left_alone(row) || folder(&self.home) == Ok(None) {
            return;
        }
        match Waiting(&self.home).add(row.id, transcript) {
            Ok(()) => self.begin(),
            Err(error) => trouble(&self.home, &error.to_string()),
        }
    }

    fn begin(&mut self) {
        let busy = Connected::new(Arc::clone(&self.shared));
        let begun = self
            .thread()
            .is_some_and(|thread| thread.send(busy).is_ok());
        if !begun {
            let why = "its thread has ended; the next daemon will export it";
            trouble(&self.home, why);
        }
    }

    fn thread(&mut self) -> Option<&Sender<Connected>> {
        if self.thread.is_none() {
            let (give, take) = channel();
            let home = self.home.clone();
            let started = std::thread::Builder::new()
                .name("exports".into())
                .spawn(move || run(&home, &take));
            self.thread = started.ok().map(|_| give);
        }
        self.thread.as_ref()
    }
}

/// The folder that the person has named, if there is one.
fn folder(home: &Home) -> Result<Option<PathBuf>, String> {
    let settings = load(home, None, &meta::variable).config.transcripts;
    let person = meta::variable("HOME").map(PathBuf::from);
    settings.folder(person.as_deref()).transpose()
}

/// Whether the conversation only begins anew, or the session's environment asks for nothing.
fn is_left_alone(row: &Row) -> bool {
    let Ok(envelope) = Envelope::parse(&row.record) else {
        return true;
    };
    let reason = envelope.event().ok().and_then(|event| event.detail);
    envelope.meta.skip_session_end || reason.as_deref() == Some(CLEARED)
}

fn trouble(home: &Home, why: &str) {
    let text = format!("a session was not exported: {}", text::shown(why, 400));
    warn!("{text}");
    if let Err(error) = Troubles(home).note("transcript_export", &text) {
        warn!("{error}");
    }
}

fn run(home: &Home, wanted: &Receiver<Connected>) {
    while let Ok(_busy) = wanted.recv() {
        for ended in Waiting(home).list() {
            if let Err(why) = export(home, &ended.transcript) {
                trouble(home, &why);
            }
            ended.settle();
        }
    }
}

/// Exports a session into the folder that is named now. Whatever is noted about it, only the client's own files are read.
fn export(home: &Home, transcript: &Path) -> Result<(), String> {
    let Some(folder) = folder(home)? else {
        return Ok(());
    };
    let projects = Projects::of_user();
    match projects.open(transcript) {
        // A session in which nothing was said has no transcript.
        Err(TranscriptError::Io { .. }) => return Ok(()),
        Err(error) => {
            warn!("{error}");
            return Ok(());
        }
        Ok(_) => {}
    }
    let Some(projects) = projects.folder_of(transcript) else {
        return Ok(());
    };
    let program = launch::program().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    if let Some(root) = home.root() {
        command.arg("--home").arg(root);
    }
    command
        .args(["transcript", "export", "--ended", "--within"])
        .arg(projects)
        .arg("--folder")
        .arg(folder)
        .arg("--")
        .arg(transcript);
    // A group of its own: who stops the daemon does not stop an export half-way.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0);
    let child = command.spawn().map_err(|error| error.to_string())?;
    wait(child)
}

/// Waits for an export, and says what it complained about if it failed.
fn wait(mut child: Child) -> Result<(), String> {
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begun.elapsed() < PATIENCE => std::thread::sleep(LOOK_EVERY),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it took more than {} seconds", PATIENCE.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    };
    if status.success() {
        return Ok(());
    }
    let mut complaint = String::new();
    if let Some(stderr) = child.stderr.take() {
        let _ = stderr.take(COMPLAINT).read_to_string(&mut complaint);
    }
    let complaint = complaint.trim();
    let complaint = complaint.strip_prefix("bellwether: ").unwrap_or(complaint);
    Err(match complaint {
        "" => format!("it ended with {status}"),
        said => said.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(meta: &str, reason: &str) -> Row {
        let record = format!(
            r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001"{meta}}},"payload":{{"hook_event_name":"SessionEnd","session_id":"s","reason":"{reason}"}}}}"#
        );
        Row::from_record(record.as_bytes()).unwrap()
    }

    #[test]
    fn a_session_that_is_cleared_or_asks_for_it_is_left_alone() {
        assert!(!is_left_alone(&row("", "other")));
        assert!(!is_left_alone(&row("", "prompt_input_exit")));
        assert!(is_left_alone(&row("", "clear")));
        assert!(is_left_alone(&row(r#","skip_session_end":true"#, "other")));
    }

    #[test]
    fn what_a_failed_export_says_is_told() {
        let start = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stderr(Stdio::piped());
            wait(command.spawn().unwrap())
        };
        assert_eq!(start("exit 0"), Ok(()));
        assert_eq!(
            start("echo 'bellwether: no room' >&2; exit 1"),
            Err("no room".to_owned())
        );
        assert!(start("kill -9 $$").unwrap_err().contains("signal"));
    }
}
