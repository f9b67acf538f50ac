//! What every request may use.

use std::sync::Arc;

use bellwether_flock::{Filter, StoreReader as _};
use bellwether_spine::Home;
use tokio::sync::watch;

use super::access::Keys;
use super::answer::Fault;
use super::collector::Collector;
use super::library::Library;
use crate::alarm::Alarm;
use crate::pipeline::Asker;
use crate::shared::Shared;
use crate::sound::SoundQueue;
use crate::watched::Watched;

/// What every request may use.
pub(crate) struct State {
    pub home: Home,
    pub shared: Arc<Shared>,
    pub collector: Arc<Collector>,
    pub asker: Asker,
    pub keys: Arc<Keys>,
    pub library: Library,
    /// How the person is told what must not have happened.
    pub alarm: Arc<Alarm>,
    /// The files that decide what an agent may do.
    pub watched: Arc<Watched>,
    /// Where what is to be heard waits.
    pub sound: Arc<SoundQueue>,
    /// Says when the daemon ends.
    pub ending: watch::Receiver<bool>,
    /// The port that is served.
    pub port: u16,
    /// When the daemon began, on the boot clock.
    pub started_ms: u64,
}

impl State {
    /// The place of the newest stored event. A daemon that has stored nothing yet asks the store.
    pub(crate) async fn newest(&self) -> Result<i64, Fault> {
        let stored = *self.shared.stored.borrow();
        if stored > 0 {
            return Ok(stored);
        }
        let newest = self
            .library
            .read(|reader| reader.page(&Filter::default(), 1));
        let newest = newest.await?.events.first().map_or(0, |event| event.seq);
        Ok(newest.max(*self.shared.stored.borrow()))
    }
}
