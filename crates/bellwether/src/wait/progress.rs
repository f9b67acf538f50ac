//! How far a call has come: what is known when its time is up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Clone)]
pub(super) struct Progress(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    session: Option<String>,
    doing: &'static str,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            session: None,
            doing: "waiting for the event",
        })))
    }

    pub(super) fn of_session(&self, session: Option<String>) {
        self.locked().session = session;
    }

    pub(super) fn begin(&self, doing: &'static str) {
        self.locked().doing = doing;
    }

    pub(super) fn session(&self) -> Option<String> {
        self.locked().session.clone()
    }

    pub(super) fn doing(&self) -> &'static str {
        self.locked().doing
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
