//! A wish, shared between threads, that a sound end before its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says whether what is being heard should end.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_wished(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
