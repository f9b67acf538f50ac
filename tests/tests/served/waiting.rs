//! A hook that waits for an answer from the page.

use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::installation::filled_stdin;
use bellwether_tests::web::{Answer, Stream};
use bellwether_tests::{Installation, Served, wait};
use serde_json::{Value, json};

pub(super) const ON: &str = "page: {answer: true}\n";
/// Nothing names what this deletes before it runs.
pub(super) const ASKED: &str = r#"find "$(ls | grep victim)" -delete"#;
/// A hook that does not wait takes a hundredth of this; one that waits takes ten minutes.
pub(super) const AT_ONCE: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_mins(1);

pub(super) struct Hook {
    pub(super) child: Child,
    begun: Instant,
    _stdin: UnixStream,
}

pub(super) fn event(name: &str, command: &str) -> Vec<u8> {
    let event = json!({
        "hook_event_name": name, "session_id": "s", "cwd": "/home/dev/proj", "permission_mode": "default",
        "tool_name": "Bash", "tool_input": {"command": command, "description": "d"}, "tool_use_id": "t",
    });
    event.to_string().into_bytes()
}

pub(super) fn hook(place: &Installation, payload: &[u8]) -> Result<Hook> {
    let (stdin, theirs) = filled_stdin(payload)?;
    let child = place.hook().stdin(theirs).stdout(Stdio::piped()).spawn()?;
    Ok(Hook {
        child,
        begun: Instant::now(),
        _stdin: stdin,
    })
}

impl Hook {
    /// What it said when it ended, and how long that took.
    pub(super) fn end(mut self) -> Result<(String, Duration)> {
        let ended = wait::until(PATIENCE, || Ok(self.child.try_wait()?))?;
        let status = ended.context("the hook does not end")?;
        let took = self.begun.elapsed();
        ensure!(status.success(), "{status}");
        let output = self.child.wait_with_output()?;
        Ok((String::from_utf8(output.stdout)?, took))
    }

    /// The decision that it gave to the client.
    pub(super) fn decision(self) -> Result<Value> {
        let (said, _) = self.end()?;
        let said: Value = serde_json::from_str(&said).with_context(|| format!("said {said:?}"))?;
        assert_eq!(
            said["hookSpecificOutput"]["hookEventName"],
            "PermissionRequest"
        );
        Ok(said["hookSpecificOutput"]["decision"].clone())
    }

    /// Ends it, and makes sure that it said nothing and did not wait.
    pub(super) fn falls_through(self) -> Result<()> {
        let (said, took) = self.end()?;
        assert_eq!(said, "");
        ensure!(took < AT_ONCE, "it took {took:?}");
        Ok(())
    }
}

pub(super) fn page(served: &Served) -> Result<Stream> {
    let mut stream = served.web.listen(None)?;
    stream.next_of("ready")?;
    Ok(stream)
}

pub(super) fn answer(served: &Served, id: &Value, body: &Value) -> Result<Answer> {
    let id = id.as_str().context("no id")?;
    served
        .web
        .post(&format!("/api/permissions/{id}"), body.to_string())
}

pub(super) fn settled(stream: &mut Stream) -> Result<String> {
    let settled = stream.next_of("permission-settled")?.data;
    Ok(settled["how"].as_str().context("no how")?.to_owned())
}
