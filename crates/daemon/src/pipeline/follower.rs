//! The first thread: reads the journal and makes rows of its records.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant, SystemTime};

use bellwether_flock::{Harvest, Keeper, Retention, Row, Sqlite, Store as _, StoreError};
use bellwether_spine::journal::{Follower, Skipped};
use bellwether_spine::trouble::Troubles;
use bellwether_spine::{Home, SpineError};
use tokio::sync::oneshot;
use tracing::{error, info, warn};

use super::{Command, Drained, Observers, Requests, writer};
use crate::shared::{Shared, locked};

/// How much is read for one batch.
const BATCH_BYTES: usize = 1024 * 1024;
/// So many batches may wait to be stored, so that reading goes on while a commit waits for the disk.
const BATCHES: usize = 6;
/// The journal is looked at this often even if no wake-up came: one could have been lost.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// After a look the next one waits so long: events that come in numbers are read together.
const PAUSE: Duration = Duration::from_millis(5);
/// How often old segments and old troubles are removed.
const TIDY_EVERY: Duration = Duration::from_mins(10);
/// How long to wait after something went wrong.
const AGAIN_AFTER: Duration = Duration::from_secs(10);
/// So often in this time a damaged database is set aside at once; more often it is the disk, and it is waited.
const SET_ASIDE: usize = 3;
const SET_ASIDE_IN: Duration = Duration::from_mins(10);

/// Events on their way to the store, with where the journal stood after them.
#[derive(Default)]
pub(super) struct Batch {
    pub harvest: Harvest,
    pub chore: Chore,
    pub done: Vec<oneshot::Sender<Drained>>,
}

/// What is to be done once a batch is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Chore {
    #[default]
    Nothing,
    /// Store what the announcer has decided, which the writer does with every batch.
    Keep,
    /// See that everything can be searched for.
    Settle,
    /// Remove what is not kept any longer.
    Tidy,
}

/// What is wanted of the next look beside what is in the journal.
#[derive(Default)]
struct Wanted {
    chore: Chore,
    /// Who is to hear when everything is stored.
    drains: Vec<oneshot::Sender<Drained>>,
}

impl Batch {
    fn is_empty(&self) -> bool {
        self.harvest.is_empty() && self.chore == Chore::Nothing && self.done.is_empty()
    }
}

/// Runs until it is stopped. Whatever goes wrong is told, and tried again after a pause.
pub(super) fn run(
    home: &Home,
    shared: &Arc<Shared>,
    requests: &Requests,
    mut observers: Observers<'_>,
    retention: &Retention,
) {
    let mut mended: Vec<Instant> = Vec::new();
    while let Err(failure) = follow(home, shared, requests, &mut observers, retention) {
        // Without its state folder everything fails, and there is nobody to tell.
        if shared.is_orphaned() {
            return;
        }
        mended.retain(|at| at.elapsed() < SET_ASIDE_IN);
        let failure = match failure {
            failure if mended.len() >= SET_ASIDE => failure,
            failure => match mend(home, failure) {
                Ok(()) => {
                    mended.push(Instant::now());
                    continue;
                }
                Err(failure) => failure,
            },
        };
        let text = format!("events wait in the journal: {failure}");
        error!("{text}");
        note(home, failure.code(), &text);
        *locked(&shared.store_trouble) = Some(text.clone());
        if wait_refusing(&requests.commands, &text).is_none() {
            return;
        }
        *locked(&shared.store_trouble) = None;
    }
}

/// Sets a damaged database aside; the journal still holds the last day. Everything else must be
/// mended by somebody else.
fn mend(home: &Home, failure: Failure) -> Result<(), Failure> {
    let is_damage = match &failure {
        Failure::Store(error) if error.is_damage() => true,
        // What a page of rubbish says may look like another error, or like a fault of ours.
        Failure::Store(error) => error.may_be_damage() && !Sqlite::is_sound(&home.database()),
        Failure::Ended(_) => !Sqlite::is_sound(&home.database()),
        Failure::Suspected if Sqlite::is_sound(&home.database()) => return Ok(()),
        Failure::Suspected => true,
        Failure::Journal(_) | Failure::Thread(_) => false,
    };
    match failure {
        _ if is_damage => {
            let aside = Sqlite::set_aside(&home.database())?;
            let aside = aside.display();
            let text = format!(
                "the database was damaged; it is now {aside}, and a new one was begun with what the journal has of the \
                         last day; `sqlite3 {aside} .recover` shows what can still be read of the rest"
            );
            warn!("{text}");
            note(home, "database_damaged", &text);
            Ok(())
        }
        failure => Err(failure),
    }
}

/// Why storing has ended.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Journal(#[from] SpineError),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error("the thread that stores has failed: {0}")]
    Ended(String),
    /// Somebody who reads the store has found it damaged.
    #[error("the database may be damaged")]
    Suspected,
}

impl Failure {
    fn code(&self) -> &'static str {
        match self {
            Self::Store(_) => "database_not_written",
            Self::Journal(_) => "journal_not_read",
            Self::Thread(_) => "no_thread",
            Self::Ended(_) => "thread_failed",
            Self::Suspected => "database_damaged",
        }
    }
}

/// Waits before another try and answers whoever asks meanwhile; `None` when the daemon is to end.
fn wait_refusing(commands: &Receiver<Command>, text: &str) -> Option<()> {
    let until = Instant::now() + AGAIN_AFTER;
    loop {
        match commands.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Command::Look | Command::Keep) => {}
            Ok(Command::Drain(done)) => {
                drop(done.send(Err(text.to_owned())));
            }
            Err(RecvTimeoutError::Timeout) => return Some(()),
            Ok(Command::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Follows the journal until the daemon ends, or until something goes wrong.
fn follow(
    home: &Home,
    shared: &Arc<Shared>,
    requests: &Requests,
    observers: &mut Observers<'_>,
    retention: &Retention,
) -> Result<(), Failure> {
    let keeper = Keeper::new(Sqlite::open(&home.database())?)?;
    let follower = Follower::new(home.journal(), &keeper.store().cursors()?);
    std::thread::scope(|scope| {
        let (batches, received) = sync_channel(BATCHES);
        let writer = std::thread::Builder::new()
            .name("store".into())
            .spawn_scoped(scope, move || {
                writer::run(keeper, &received, observers, retention)
            })
            .map_err(Failure::Thread)?;
        let read = Loop {
            home,
            shared,
            requests,
            batches,
            follower,
            tidied: Instant::now(),
            read: Instant::now(),
            has_ended: &|| writer.is_finished(),
        }
        .run();
        // The loop has let go of its end, so the writer has ended or is about to.
        match writer.join() {
            Ok(stored) => stored?,
            Err(panic) => return Err(Failure::Ended(said(panic.as_ref()))),
        }
        read
    })
}

/// What a thread said when it failed.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "without a word".to_owned())
}

struct Loop<'a> {
    home: &'a Home,
    shared: &'a Shared,
    requests: &'a Requests,
    batches: SyncSender<Batch>,
    follower: Follower,
    tidied: Instant,
    /// When the journal was last read.
    read: Instant,
    /// Whether nobody stores any more.
    has_ended: &'a dyn Fn() -> bool,
}

impl Loop<'_> {
    /// Runs until the daemon ends, or until reading fails or nobody stores any more.
    fn run(mut self) -> Result<(), Failure> {
        let mut wanted = Wanted::default();
        loop {
            let handed_on = self.read_all(wanted)?;
            let tidied = self.tidied.elapsed() < TIDY_EVERY || self.tidy()?;
            // A writer that has ended while nothing came is not noticed by handing something on.
            if !handed_on || !tidied || (self.has_ended)() {
                return Ok(());
            }
            if Sqlite::take_suspicion(&self.home.database()) {
                return Err(Failure::Suspected);
            }
            match self.wait() {
                Some(next) => wanted = next,
                None => return Ok(()),
            }
        }
    }

    /// Waits until the journal is to be read, and returns what is wanted beside that; `None` when
    /// the daemon is to end. What comes together is done together, and what comes right after a look waits for
    /// more, unless somebody waits for it.
    fn wait(&self) -> Option<Wanted> {
        let mut wanted = Wanted::default();
        let mut patience = LOOK_EVERY;
        loop {
            match self.requests.commands.recv_timeout(patience) {
                Ok(Command::Look) => {}
                Ok(Command::Keep) => wanted.chore = Chore::Keep,
                Ok(Command::Drain(done)) => wanted.drains.push(done),
                Ok(Command::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => return Some(wanted),
            }
            patience = if wanted.drains.is_empty() {
                PAUSE.saturating_sub(self.read.elapsed())
            } else {
                Duration::ZERO
            };
        }
    }

    /// Reads to the end and hands everything on, with what else is wanted. False when nobody takes it.
    fn read_all(&mut self, wanted: Wanted) -> Result<bool, Failure> {
        self.requests.wanted.clear();
        self.read = Instant::now();
        loop {
            let mut batch = Batch::default();
            let mut bad = 0;
            let progress =
                self.follower
                    .read(BATCH_BYTES, |record| match Row::from_record(record) {
                        Ok(row) => batch.harvest.rows.push(row),
                        Err(_) => bad += 1,
                    })?;
            // Asked after reading: what was read while the lock stood was ours to read.
            if self.shared.is_orphaned() {
                return Ok(false);
            }
            self.count(progress.skipped, bad);
            batch.harvest.cursors = progress.moved;
            if !batch.harvest.rows.is_empty() {
                self.shared.busy();
            }
            if !progress.more {
                batch.chore = if wanted.drains.is_empty() {
                    wanted.chore
                } else {
                    Chore::Settle
                };
                batch.done = wanted.drains;
                self.seal();
                return Ok(self.hand_on(batch));
            }
            if !self.hand_on(batch) {
                return Ok(false);
            }
        }
    }

    /// A journal that cannot be sealed grows on; what was read counts all the same.
    fn seal(&mut self) {
        if let Err(error) = self.follower.seal_if_long() {
            warn!("{error}");
        }
    }

    fn hand_on(&self, batch: Batch) -> bool {
        if batch.is_empty() {
            return true;
        }
        self.batches.send(batch).is_ok()
    }

    fn count(&self, found: Skipped, bad: u64) {
        let found = Skipped {
            foreign: found.foreign + bad,
            ..found
        };
        if found.is_nothing() {
            return;
        }
        warn!("skipped in the journal: {found:?}");
        let lost = found.torn + found.foreign;
        if lost > 0 {
            let text = format!(
                "{lost} records in the journal were torn or foreign; what was in them is lost"
            );
            note(self.home, "records_lost", &text);
        }
        let mut all = locked(&self.shared.skipped);
        all.torn += found.torn;
        all.foreign += found.foreign;
        all.past_end += found.past_end;
        all.replaced += found.replaced;
    }

    /// Deletes old segments, once all that was read is stored. False when nobody stores any more.
    fn tidy(&mut self) -> Result<bool, Failure> {
        self.tidied = Instant::now();
        if let Err(error) = Troubles(self.home).tidy() {
            warn!("{error}");
        }
        let (done, stored) = oneshot::channel();
        let asked = self.hand_on(Batch {
            done: vec![done],
            ..Batch::default()
        });
        if !asked || !matches!(stored.blocking_recv(), Ok(Ok(()))) {
            return Ok(false);
        }
        let deleted = self.follower.delete_old(SystemTime::now())?;
        if !deleted.is_empty() {
            info!("deleted {} old journal segments", deleted.len());
        }
        let harvest = Harvest {
            gone: deleted,
            ..Harvest::default()
        };
        Ok(self.hand_on(Batch {
            harvest,
            chore: Chore::Tidy,
            ..Batch::default()
        }))
    }
}

fn note(home: &Home, code: &str, text: &str) {
    if let Err(error) = Troubles(home).note(code, text) {
        warn!("{error}");
    }
}
