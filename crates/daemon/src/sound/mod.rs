//! What was announced is made heard: one thread takes the most urgent announcement that waits and comes
//! back for the next once it has been heard, so two are never heard at once.
//!
//! Architecture Invariant: nobody waits for it. What it cannot make heard is logged and shown by
//! `bellwether status`; announcements are decided and shown all the same.

mod effects;
mod cast;
mod thread;
mod trial;
mod waiting;

use std::sync::Arc;

use bellwether_spine::Home;

pub(crate) use trial::{Trial, TrialWish};
pub(crate) use waiting::SoundQueue;

use crate::DaemonError;
use crate::shared::Shared;

/// The thread that makes announcements heard; it ends when this is dropped.
pub(crate) struct Sounding(Arc<SoundQueue>);

impl Sounding {
    pub(crate) fn start(home: &Home, shared: Arc<Shared>) -> Result<Self, DaemonError> {
        let waiting = Arc::new(SoundQueue::default());
        let (home, theirs) = (home.clone(), Arc::clone(&waiting));
        std::thread::Builder::new()
            .name("sound".into())
            .spawn(move || thread::run(home, shared, &theirs))
            .map_err(DaemonError::system("start a thread"))?;
        Ok(Self(waiting))
    }

    pub(crate) fn waiting(&self) -> Arc<SoundQueue> {
        Arc::clone(&self.0)
    }
}

impl Drop for Sounding {
    fn drop(&mut self) {
        self.0.end();
    }
}
