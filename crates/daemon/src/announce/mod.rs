//! The announcer at work: a thread of its own hears what has been stored and says what is to be told.
//!
//! Architecture Invariant: it comes after the store and never holds it up. What it cannot take in time
//! is passed over, and an event is announced at most once: one that was stored before a crash is not
//! heard again.

mod recent;
mod thread;
mod wanted;

use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};

use bellwether_flock::{Filter, Reader, Row, StoreReader as _};
use bellwether_spine::{Home, clock};
use tracing::warn;

pub use recent::Decided;
pub(crate) use recent::Recent;
pub(crate) use thread::decided;

use crate::DaemonError;
use crate::shared::Shared;
use crate::sound::SoundQueue;

/// So many batches may wait for the announcer.
const WAITING: usize = 32;

/// The way to the announcer's thread, which ends when this is dropped.
pub(crate) struct Announcing(SyncSender<Vec<Row>>);

impl Announcing {
    pub(crate) fn start(
        home: &Home,
        shared: Arc<Shared>,
        waiting: Arc<SoundQueue>,
    ) -> Result<Self, DaemonError> {
        let (rows, received) = sync_channel(WAITING);
        // What is stored from here on is heard; what was before is only remembered.
        let known = last_stored(home);
        let home = home.clone();
        std::thread::Builder::new()
            .name("announce".into())
            .spawn(move || thread::run(&home, &shared, &waiting, &received, known))
            .map_err(DaemonError::system("start a thread"))?;
        Ok(Self(rows))
    }

    /// Tells the announcer what has been stored.
    pub(crate) fn hear(&self, rows: Vec<Row>) {
        let rows = rows.into_iter().filter(|row| !row.is_helper).collect();
        let rows = wanted::of(rows, clock::wall_ms());
        if rows.is_empty() {
            return;
        }
        if let Err(TrySendError::Full(rows)) = self.0.try_send(rows) {
            warn!("the announcer is behind: {} events are skipped", rows.len());
        }
    }
}

fn last_stored(home: &Home) -> i64 {
    let reader = Reader::open(&home.database()).ok().flatten();
    let last = reader.and_then(|reader| reader.last(&Filter::default(), 1).ok());
    last.and_then(|events| Some(events.last()?.seq))
        .unwrap_or(0)
}
