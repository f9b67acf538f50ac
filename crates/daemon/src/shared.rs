//! What the parts of the daemon know of each other.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bellwether_flock::Change;
use bellwether_spine::clock;
use bellwether_spine::journal::Skipped;
use bellwether_spine::lock::HeldLock;
use tokio::sync::{Notify, mpsc, watch};

use crate::announce::Recent;
use crate::overlay::Seen;
use crate::people::People;
use crate::permissions::Permissions;
use crate::preferences::Preferences;
use crate::ring::Ring;

/// So many changes of the flock are kept for whoever was away for a moment.
const CHANGES: usize = 4096;
/// Their numbers begin with the time, in this many steps a millisecond: so a later daemon's are higher.
const STEPS: u64 = 1000;

/// What the parts of the daemon know of each other.
pub(crate) struct Shared {
    /// The lock by which this daemon is its home's only one.
    lock: HeldLock,
    /// Tells that it has lost it.
    pub orphaned: Notify,
    /// The place of the last stored event; whoever waits for events watches it.
    pub stored: watch::Sender<i64>,
    /// How many events this daemon has stored.
    pub events: AtomicU64,
    /// How many had come by another way before, and were not stored again.
    pub doubles: AtomicU64,
    /// When something last happened, on the boot clock.
    pub busy_at_ms: AtomicU64,
    /// How many clients are connected to the control socket or listen to the live stream.
    pub clients: AtomicUsize,
    /// What was passed over in the journal.
    pub skipped: Mutex<Skipped>,
    /// Why nothing can be stored at the moment.
    pub store_trouble: Mutex<Option<String>>,
    /// What was announced lately, and what was not.
    pub announcements: Recent,
    /// How many announcements were heard.
    pub heard: AtomicU64,
    /// When the first sample of the last one left for the speakers, in microseconds of the boot clock.
    pub sounded_us: AtomicU64,
    /// Why the last announcement was not heard, or not as a whole.
    pub sound_trouble: Mutex<Option<String>>,
    /// Permission requests that wait for an answer from the page.
    pub permissions: Arc<Permissions>,
    /// Whether the person's settings have changed.
    pub preferences: Preferences,
    /// Where displays are told that sessions are at.
    pub seats: mpsc::UnboundedSender<Seen>,
    /// Who may be a person.
    pub people: People,
    /// How the flock changed lately.
    pub live: Ring<Arc<Change>>,
    /// Where HTTP is served, or why it is not.
    pub http: Mutex<Result<Option<u16>, String>>,
}

impl Shared {
    pub(crate) fn new(lock: HeldLock, seats: mpsc::UnboundedSender<Seen>) -> Self {
        Self {
            seats,
            lock,
            orphaned: Notify::new(),
            stored: watch::Sender::new(0),
            events: AtomicU64::new(0),
            doubles: AtomicU64::new(0),
            busy_at_ms: AtomicU64::new(clock::boot_ms()),
            clients: AtomicUsize::new(0),
            skipped: Mutex::default(),
            store_trouble: Mutex::default(),
            announcements: Recent::default(),
            heard: AtomicU64::new(0),
            sounded_us: AtomicU64::new(0),
            sound_trouble: Mutex::default(),
            permissions: Arc::default(),
            preferences: Preferences::default(),
            people: People::default(),
            live: Ring::new(CHANGES, clock::wall_ms().saturating_mul(STEPS)),
            http: Mutex::new(Ok(None)),
        }
    }

    /// Whether somebody has deleted the state folder or moved it away: what stands at its path then is the next daemon's.
    /// The daemon ends as soon as one of its parts has found that out.
    pub(crate) fn is_orphaned(&self) -> bool {
        let orphaned = !self.lock.stands();
        if orphaned {
            self.orphaned.notify_one();
        }
        orphaned
    }

    /// Something happened: the daemon is needed.
    pub(crate) fn busy(&self) {
        self.busy_at_ms.store(clock::boot_ms(), Ordering::Relaxed);
    }

    /// How long nothing has happened, in milliseconds; nothing counts while somebody is connected.
    pub(crate) fn idle_ms(&self) -> u64 {
        if self.clients.load(Ordering::Relaxed) > 0 {
            return 0;
        }
        clock::boot_ms().saturating_sub(self.busy_at_ms.load(Ordering::Relaxed))
    }
}

/// Counts a client for as long as it is connected.
pub(crate) struct Connected(Arc<Shared>);

impl Connected {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        shared.clients.fetch_add(1, Ordering::Relaxed);
        Self(shared)
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.clients.fetch_sub(1, Ordering::Relaxed);
        self.0.busy();
    }
}

/// A lock whose holder panicked still guards plain values.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
