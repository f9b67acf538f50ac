//! The first thread: reads the journal and makes rows of its records.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant, SystemTime};

use bellwether_flock::{Row, Store};
use bellwether_spine::Home;
use bellwether_spine::journal::{Cursor, Follower, Segment, Skipped};
use bellwether_spine::trouble::Troubles;
use tokio::sync::oneshot;
use tracing::{error, info, warn};

use super::{Command, Drained, writer};
use crate::shared::{Shared, locked};

/// How much is read for one batch.
const BATCH_BYTES: usize = 2 * 1024 * 1024;
/// The journal is looked at this often even if no wake-up came: one could have been lost.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How often old segments and old troubles are removed.
const TIDY_EVERY: Duration = Duration::from_mins(10);
/// How long to wait before a database that could not be opened is tried again.
const OPEN_AGAIN: Duration = Duration::from_secs(30);

/// Rows on their way to the store, with where the journal stood after them.
#[derive(Default)]
pub(super) struct Batch {
    pub rows: Vec<Row>,
    pub cursors: Vec<Cursor>,
    pub deleted: Vec<Segment>,
    pub done: Vec<oneshot::Sender<Drained>>,
}

/// Runs until it is stopped.
pub(super) fn run(home: &Home, shared: &Arc<Shared>, commands: &Receiver<Command>) {
    while let Some(store) = open(home, shared, commands) {
        match follow(home, shared, commands, store) {
            Ok(()) => return,
            Err(text) => {
                error!("{text}");
                *locked(&shared.store_trouble) = Some(text);
            }
        }
    }
}

/// Opens the store, as often as it takes; `None` when the daemon is to end.
fn open(home: &Home, shared: &Shared, commands: &Receiver<Command>) -> Option<Store> {
    loop {
        match Store::open(&home.database()) {
            Ok((store, aside)) => {
                if let Some(aside) = aside {
                    let text = format!(
                        "the database was damaged; it is now {} and a new one was begun",
                        aside.display()
                    );
                    warn!("{text}");
                    note(home, "database_damaged", &text);
                }
                *locked(&shared.store_trouble) = None;
                return Some(store);
            }
            Err(problem) => {
                let text = format!("events wait in the journal: {problem}");
                error!("{text}");
                note(home, "database_not_opened", &text);
                *locked(&shared.store_trouble) = Some(text.clone());
                wait_refusing(commands, &text)?;
            }
        }
    }
}

/// Waits before another try and answers whoever asks meanwhile; `None` when the daemon is to end.
fn wait_refusing(commands: &Receiver<Command>, text: &str) -> Option<()> {
    let until = Instant::now() + OPEN_AGAIN;
    loop {
        match commands.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Command::Look) => {}
            Ok(Command::Drain(done)) => drop(done.send(Err(text.to_owned()))),
            Err(RecvTimeoutError::Timeout) => return Some(()),
            Ok(Command::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Follows the journal until the daemon ends; an error when it could not be read.
fn follow(
    home: &Home,
    shared: &Arc<Shared>,
    commands: &Receiver<Command>,
    store: Store,
) -> Result<(), String> {
    let cursors = store.cursors().map_err(|error| error.to_string())?;
    let follower = Follower::new(home.journal(), &cursors);
    std::thread::scope(|scope| {
        let (batches, received) = sync_channel(1);
        let for_writer = Arc::clone(shared);
        std::thread::Builder::new()
            .name("store".into())
            .spawn_scoped(scope, move || writer::run(store, &for_writer, &received))
            .map_err(|error| error.to_string())?;
        Loop {
            home,
            shared,
            commands,
            batches,
            follower,
            tidied: Instant::now(),
        }
        .run()
    })
}

struct Loop<'a> {
    home: &'a Home,
    shared: &'a Shared,
    commands: &'a Receiver<Command>,
    batches: SyncSender<Batch>,
    follower: Follower,
    tidied: Instant,
}

impl Loop<'_> {
    fn run(mut self) -> Result<(), String> {
        let mut asked = Vec::new();
        loop {
            let done = std::mem::take(&mut asked);
            self.read_all(done)?;
            if self.tidied.elapsed() >= TIDY_EVERY {
                self.tidy()?;
            }
            if !self.wait(&mut asked) {
                return Ok(());
            }
        }
    }

    /// Waits for something to do; false when the daemon is to end. Wake-ups that came together
    /// are one.
    fn wait(&self, asked: &mut Vec<oneshot::Sender<Drained>>) -> bool {
        let mut next = match self.commands.recv_timeout(LOOK_EVERY) {
            Ok(command) => Ok(command),
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        };
        loop {
            match next {
                Ok(Command::Look) => {}
                Ok(Command::Drain(done)) => asked.push(done),
                Ok(Command::Stop) | Err(TryRecvError::Disconnected) => return false,
                Err(TryRecvError::Empty) => return true,
            }
            next = self.commands.try_recv();
        }
    }

    /// Reads to the end and hands everything on; `done` hears when it has been stored.
    fn read_all(&mut self, done: Vec<oneshot::Sender<Drained>>) -> Result<(), String> {
        loop {
            let mut batch = Batch::default();
            let mut bad = 0;
            let progress = self
                .follower
                .read(BATCH_BYTES, |record| match Row::from_record(record) {
                    Ok(row) => batch.rows.push(row),
                    Err(_) => bad += 1,
                })
                .map_err(|error| error.to_string())?;
            self.count(progress.skipped, bad);
            batch.cursors = progress.moved;
            if !batch.rows.is_empty() {
                self.shared.busy();
            }
            if !progress.more {
                batch.done = done;
                return self.hand_on(batch);
            }
            self.hand_on(batch)?;
        }
    }

    fn hand_on(&self, batch: Batch) -> Result<(), String> {
        if batch.cursors.is_empty() && batch.done.is_empty() && batch.deleted.is_empty() {
            return Ok(());
        }
        self.batches
            .send(batch)
            .map_err(|_| "the store's thread has ended".to_owned())
    }

    fn count(&self, found: Skipped, bad: u64) {
        let found = Skipped {
            foreign: found.foreign + bad,
            ..found
        };
        if found.is_nothing() {
            return;
        }
        warn!("passed over in the journal: {found:?}");
        let text = format!(
            "the journal held {} torn and {} foreign records; what was in them is lost",
            found.torn, found.foreign
        );
        note(self.home, "records_lost", &text);
        let mut all = locked(&self.shared.skipped);
        all.torn += found.torn;
        all.foreign += found.foreign;
        all.past_end += found.past_end;
        all.replaced += found.replaced;
    }

    fn tidy(&mut self) -> Result<(), String> {
        self.tidied = Instant::now();
        if let Err(error) = Troubles(self.home).tidy() {
            warn!("{error}");
        }
        let deleted = self
            .follower
            .delete_old(SystemTime::now())
            .map_err(|error| error.to_string())?;
        if !deleted.is_empty() {
            info!("deleted {} old journal segments", deleted.len());
        }
        self.hand_on(Batch {
            deleted,
            ..Batch::default()
        })
    }
}

fn note(home: &Home, code: &str, text: &str) {
    if let Err(error) = Troubles(home).note(code, text) {
        warn!("{error}");
    }
}
