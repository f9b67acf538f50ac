//! The client's own HTTP hooks: each event is given to the hook program, as if the client had started
//! it, and its reply is the answer.
//!
//! It is a process of its own on purpose: the guard's limits on time and on failures are those of a
//! process, and what breaks there does not break the daemon.

use std::ffi::OsString;
use std::io;
use std::process::{Output, Stdio};

use bellwether_spine::{Home, launch};
use hyper::StatusCode;
use hyper::body::Bytes;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::sync::Semaphore;

use super::super::access::Access;
use super::super::answer::{self, Answer, Fault};
use super::super::client::PeerProcess;
use super::super::route::{Ask, Gives, Route, Takes, Verb, shape};

/// A hook that is started by the client takes as much.
const MOST: usize = bellwether_hook::EVENT_MAX;
/// So much of events is with hooks at a time, in pieces of this size, each hook having one at least. Others wait: an
/// event that is turned away is a call that the guard does not see.
const PIECE: usize = 1024 * 1024;
static PIECES: Semaphore = Semaphore::const_new(128);

/// What is answered when there is nothing to say.
const NOTHING: &str = "{}";

pub(super) const ROUTE: Route = Route {
    method: Verb::Post,
    path: "/hook",
    about: "Takes an event from the client's own HTTP hooks and answers as `bellwether-hook` would",
    more: "Register it as a hook of `\"type\": \"http\"` with this address as its `url`. The event goes into the journal, so \
           that everything else is as with the program. The client never sends SessionStart over HTTP.",
    access: Access::SameUser,
    parameters: &[],
    takes: Some(Takes {
        schema: shape::<Value>,
        most: MOST,
    }),
    gives: Gives::Json(shape::<Value>),
    refuses: &[],
    handle: |ask| Box::pin(async move { hook(&ask).await }),
};

async fn hook(ask: &Ask) -> Result<Answer, Fault> {
    let client = ask.other_end.client().await;
    let pieces = u32::try_from(ask.body.len() / PIECE + 1).unwrap_or(u32::MAX);
    let _place = PIECES.acquire_many(pieces).await.map_err(Fault::ours)?;
    let output = visit(&ask.state.home, client, &ask.body);
    let output = output
        .await
        .map_err(|error| Fault::ours(format!("the hook did not run: {error}")))?;
    Ok(answer::whole(
        StatusCode::OK,
        "application/json",
        said(output),
    ))
}

/// What the hook says, as an answer over HTTP can say it: there a refusal by exit code is JSON.
fn said(output: Output) -> Bytes {
    if output.status.code() == Some(2) {
        let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return json!({"decision": "block", "reason": reason})
            .to_string()
            .into();
    }
    match output.stdout.trim_ascii() {
        [] => Bytes::from_static(NOTHING.as_bytes()),
        _ => output.stdout.into(),
    }
}

async fn visit(home: &Home, client: Option<&PeerProcess>, event: &[u8]) -> io::Result<Output> {
    let mut command = command(home).map_err(io::Error::other)?;
    command.envs(client.into_iter().flat_map(PeerProcess::variables));
    let mut child = command.spawn()?;
    let stdin = child.stdin.take();
    let feed = async move {
        if let Some(mut stdin) = stdin {
            // A hook that has read enough closes its end.
            let _ = stdin.write_all(event).await;
        }
    };
    let (output, ()) = tokio::join!(child.wait_with_output(), feed);
    output
}

/// The hook beside this program, or this program as the hook.
fn command(home: &Home) -> Result<Command, bellwether_spine::SpineError> {
    let program = launch::program()?;
    let hook = program.with_file_name("bellwether-hook");
    let (program, first): (_, &[&str]) = if hook.exists() {
        (hook, &[])
    } else {
        (program, &["hook"])
    };
    let mut command = Command::new(program);
    command
        .args(first)
        .args(["--from", bellwether_hook::OVER_HTTP]);
    if let Some(root) = home.root() {
        command.args([OsString::from("--home"), root.into()]);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    Ok(command)
}
