//! A Messages API that says what a scenario says, on loopback, one thread a connection.

use std::io::{BufReader, BufWriter, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cue::Cue;
use crate::http::{self, Request};
use crate::{jsonl, message};

/// Where it listens. Every run has a network namespace of its own, so the port is always free.
pub const ADDRESS: &str = "127.0.0.1:8787";

/// The server: where its scenarios are, and where it writes down each request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FakeApi {
    /// A folder with one file a scenario; read anew for each request, so a running session can be given more.
    pub scenarios: PathBuf,
    /// A file of JSON lines.
    pub log: PathBuf,
}

impl FakeApi {
    /// Listens from now on, until the process ends.
    pub fn start(&self) -> Result<()> {
        let listener =
            TcpListener::bind(ADDRESS).with_context(|| format!("listening on {ADDRESS}"))?;
        let api = self.clone();
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let api = api.clone();
                thread::spawn(move || api.serve(&connection));
            }
        });
        Ok(())
    }

    /// Answers a connection's requests until it ends. A client that goes away in the middle of an answer is common.
    fn serve(&self, connection: &TcpStream) {
        let mut from = BufReader::new(connection);
        let mut to = BufWriter::new(connection);
        while let Ok(Some(request)) = http::read_request(&mut from) {
            if let Err(error) = self.answer(&request, &mut to) {
                self.note(&json!({"path": request.path, "failed": format!("{error:#}")}));
                return;
            }
        }
    }

    fn answer(&self, request: &Request, to: &mut impl Write) -> Result<()> {
        let path = request.path.split('?').next().unwrap_or_default();
        match (request.method.as_str(), path) {
            ("POST", "/v1/messages") => self.talk(&serde_json::from_slice(&request.body)?, to)?,
            ("POST", "/v1/messages/count_tokens") => {
                // Four bytes a token is near enough for the client's bookkeeping.
                http::write_json(
                    to,
                    200,
                    &json!({"input_tokens": request.body.len() / 4 + 1}),
                )?;
            }
            ("HEAD", _) => http::write_empty(to)?,
            (method, path) => {
                self.note(&json!({"method": method, "path": path}));
                http::write_json(to, 200, &json!({"data": [], "has_more": false}))?;
            }
        }
        Ok(to.flush()?)
    }

    fn talk(&self, request: &Value, to: &mut impl Write) -> Result<()> {
        let cue = Cue::of(request);
        let step = cue.step(request, &self.scenarios)?;
        self.note(&json!({
            "kind": format!("{:?}", cue.kind),
            "script": cue.script,
            "turn": cue.turn,
            "reply": step,
            "messages": request["messages"],
        }));
        thread::sleep(Duration::from_millis(step.delay_ms));
        let model = &request["model"];
        if let Some(error) = &step.error {
            http::write_json(to, error.status, &message::error(&error.kind))?;
        } else if request["stream"] == true {
            message::stream(&step, model, to)?;
        } else {
            http::write_json(to, 200, &message::whole(&step, model))?;
        }
        Ok(())
    }

    /// Writes to the log; the session must not suffer when that fails.
    fn note(&self, line: &Value) {
        let _ = jsonl::append(&self.log, line);
    }
}
