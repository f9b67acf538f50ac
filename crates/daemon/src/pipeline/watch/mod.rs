//! A thread that looks where the events say nothing: what a turn has used, and what became of an agent
//! that is quiet. It reads transcripts, which may be large, so nobody who stores waits for it.

mod client;
mod failed;
mod interrupted;
mod lines;
mod readings;
mod usage;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use bellwether_config::load;
use bellwether_flock::live::{Doubt, Measured};
use bellwether_flock::{OwnWay, Row, Sender, Usage, intake};
use bellwether_prices::Prices;
use bellwether_protocol::event::Kind;
use bellwether_spine::{Home, meta};
use bellwether_transcript::Projects;
use serde_json::json;

use crate::fresh::Fresh;
use client::Clients;
use failed::FailedCalls;
pub(super) use readings::Readings;

/// So much may wait; what does not fit is asked again later.
const WAITING: usize = 256;

/// What is to be looked at.
pub(super) enum Look {
    /// How much an agent has used since the last time.
    Usage(Reading),
    /// What became of these.
    Doubts(Vec<Doubt>),
    /// Which calls have failed by the time of an event.
    FailedCalls(Box<Row>),
    /// Whether the turn that has ended has failed.
    FailedTurn(Box<Row>),
}

/// From where on a transcript is to be read.
pub(super) struct Reading {
    pub agent_id: String,
    pub transcript: PathBuf,
    pub from: u64,
    pub last_message: Option<String>,
    /// What was counted of that message.
    pub last_used: Usage,
}

pub(super) enum Seen {
    Usage(Box<Measured>),
    /// What is concluded, as events of our own.
    Rows(Vec<Row>),
    /// What the client has written down and not told, as its own events would have told it.
    StandIns(Vec<Row>),
}

/// The way to the thread, which ends when this is dropped.
pub(super) struct Watch {
    looks: SyncSender<Look>,
    seen: Receiver<Seen>,
    waiting: usize,
    clients: Clients,
    thread: JoinHandle<()>,
}

impl Watch {
    pub(super) fn start(home: &Home) -> std::io::Result<Self> {
        let (looks, received) = sync_channel(WAITING);
        let (tell, seen) = sync_channel(WAITING * 2);
        let clients = Clients::default();
        let (known, home) = (clients.clone(), home.clone());
        let thread = std::thread::Builder::new()
            .name("watch".into())
            .spawn(move || run(&home, &received, &tell, &known))?;
        Ok(Self {
            looks,
            seen,
            waiting: 0,
            clients,
            thread,
        })
    }

    pub(super) fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }

    /// Has something looked at; false when there is no room for it.
    pub(super) fn ask(&mut self, look: Look) -> bool {
        let is_taken = self.looks.try_send(look).is_ok();
        self.waiting += usize::from(is_taken);
        is_taken
    }

    /// Whether something is being looked at.
    pub(super) fn is_busy(&self) -> bool {
        self.waiting > 0
    }

    pub(super) fn take(&mut self) -> Vec<Seen> {
        let seen: Vec<Seen> = self.seen.try_iter().collect();
        self.waiting -= seen.len().min(self.waiting);
        seen
    }

    /// Looks at clients that are heard of for the first time: so the death of one can be told from a
    /// process that cannot be seen from here.
    pub(super) fn meet(&self, rows: &[Row]) {
        for pid in rows.iter().filter_map(|row| row.client_pid) {
            self.clients.note(pid);
        }
    }
}

fn run(home: &Home, looks: &Receiver<Look>, tell: &SyncSender<Seen>, clients: &Clients) {
    let projects = Projects::of_user();
    let mut prices = Fresh::default();
    let mut calls = FailedCalls::default();
    while let Ok(look) = looks.recv() {
        let seen = match look {
            Look::Usage(reading) => {
                let prices = prices.get((), |_| prices_of(home));
                Seen::Usage(Box::new(usage::read(&projects, prices, &reading)))
            }
            Look::FailedCalls(row) => Seen::StandIns(calls.calls(&projects, &row)),
            Look::FailedTurn(row) => {
                Seen::StandIns(failed::turn(&projects, &row).into_iter().collect())
            }
            Look::Doubts(doubts) => Seen::Rows(
                doubts
                    .iter()
                    .filter_map(|doubt| conclude(&projects, clients, doubt))
                    .collect(),
            ),
        };
        if tell.send(seen).is_err() {
            return;
        }
    }
}

/// What models cost, as the person's file says now.
fn prices_of(home: &Home) -> Prices {
    Prices::new(&load(home, None, &meta::variable).config.prices)
}

/// What is concluded about a quiet agent, if anything.
fn conclude(projects: &Projects, clients: &Clients, doubt: &Doubt) -> Option<Row> {
    if clients.has_gone(doubt) {
        return Some(event(Kind::SessionEnd, "client_gone", doubt));
    }
    let transcript = doubt.transcript.as_deref().filter(|_| doubt.at_work)?;
    interrupted::since(projects, transcript.as_ref(), doubt.last_active_ms)
        .then(|| event(Kind::Stop, "interrupted", doubt))
}

/// An event of our own. It says so.
fn event(kind: Kind, reason: &str, doubt: &Doubt) -> Row {
    let payload = json!({
        "hook_event_name": kind,
        "session_id": doubt.session_id,
        "reason": reason,
        "_meta": { "source": "synthetic", "workspace_id": doubt.workspace_id },
    });
    intake(&payload.to_string(), Sender::Own(OwnWay::Watch)).row
}
