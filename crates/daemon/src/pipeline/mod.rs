//! From the journal into the store, on two threads: one reads and understands records while the
//! other stores those before them.
//!
//! Whatever goes wrong, records stay in the journal until they are stored: on any error both threads
//! let go of what they hold, and after a pause reading begins again where storing had ended.

mod follower;
mod watch;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use bellwether_flock::{Change, Decision, Kept};
use bellwether_spine::Home;
use bellwether_spine::trouble::Troubles;
use bellwether_transcript::Projects;
use tokio::sync::oneshot;

use crate::announce::Announcing;
use crate::debug::Debug;
use crate::exports::Exports;
use crate::overlay::Seats;
use crate::shared::Shared;
use crate::updated::Updates;
use crate::{DaemonError, Options};

/// The answer to a wish to have everything stored.
pub(crate) type Drained = Result<(), String>;

/// What the follower is asked.
pub(crate) enum Command {
    /// There may be something to read.
    Look,
    /// There are decisions to store.
    Keep,
    /// Read and store everything, then say so.
    Drain(oneshot::Sender<Drained>),
    Stop,
}

/// The follower's side of that.
struct Requests {
    commands: Receiver<Command>,
    wanted: LookWanted,
}

/// Everybody who is told what has been stored.
pub(crate) struct Observers<'a> {
    home: &'a Home,
    shared: &'a Shared,
    debug: Debug<'a>,
    updates: Updates,
    exports: Exports,
    seats: Seats,
    announcing: Announcing,
}

/// How we came to know of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Journal,
    /// We saw it ourselves, some time after it happened: nobody is told aloud.
    Watch,
}

impl Observers<'_> {
    fn tell(&mut self, kept: Kept, from: Source) {
        let shared = self.shared;
        let count = kept.rows.len() as u64;
        shared.events.fetch_add(count, Ordering::Relaxed);
        shared.doubles.fetch_add(kept.doubles, Ordering::Relaxed);
        shared.stored.send_replace(kept.seq);
        self.tell_changes(kept.changes);
        shared.permissions.hear(&kept.rows);
        shared.people.meet(&kept.rows);
        self.updates.look(self.home, &kept.rows);
        if from == Source::Journal {
            self.seats.look(&kept.rows);
            for row in &kept.rows {
                self.debug.trace(row);
            }
            self.announcing.hear(kept.rows);
        }
    }

    /// What the announcer has decided since this was last asked.
    fn decisions(&self) -> Vec<Decision> {
        self.shared.announcements.take_unsaved()
    }

    /// Tells the person of something that has stopped working.
    fn complain(&self, code: &str, text: &str) {
        tracing::error!("{text}");
        if let Err(error) = Troubles(self.home).note(code, text) {
            tracing::warn!("{error}");
        }
    }

    fn tell_changes(&self, changes: Vec<Change>) {
        self.shared.live.add(changes.into_iter().map(Arc::new));
    }
}

/// The two threads. They end when this is dropped.
pub(crate) struct Pipeline {
    asker: Asker,
    thread: Option<JoinHandle<()>>,
}

/// Asks the follower; holding one does not keep it alive.
#[derive(Clone)]
pub(crate) struct Asker {
    commands: Sender<Command>,
    wanted: LookWanted,
}

/// Whether a look was asked for that has not begun: whoever asks then need not wake anybody.
#[derive(Clone, Default)]
pub(crate) struct LookWanted(Arc<AtomicBool>);

impl LookWanted {
    /// A look is wanted; true when none was before.
    fn set(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }

    /// A look begins: what is written from now on may need another.
    fn clear(&self) {
        self.0.swap(false, Ordering::AcqRel);
    }
}

impl Pipeline {
    pub(crate) fn start(
        home: &Home,
        shared: Arc<Shared>,
        options: &Options,
        announcing: Announcing,
    ) -> Result<Self, DaemonError> {
        let (commands, received) = channel();
        let (home, wanted) = (home.clone(), LookWanted::default());
        let requests = Requests {
            commands: received,
            wanted: wanted.clone(),
        };
        let asker = Asker { commands, wanted };
        shared.announcements.store_by(asker.clone());
        let retention = options.retention.clone();
        let run = move || {
            let observers = Observers {
                home: &home,
                shared: &shared,
                debug: Debug::new(&home, Projects::of_user()),
                updates: Updates::default(),
                exports: Exports::new(&home, &shared),
                seats: Seats::new(&home, &shared),
                announcing,
            };
            follower::run(&home, &shared, &requests, observers, &retention);
        };
        let thread = std::thread::Builder::new()
            .name("journal".into())
            .spawn(run)
            .map_err(DaemonError::system("start a thread"))?;
        Ok(Self {
            asker,
            thread: Some(thread),
        })
    }

    pub(crate) fn asker(&self) -> &Asker {
        &self.asker
    }
}

impl Asker {
    /// Has the journal looked at.
    pub(crate) fn look(&self) {
        if self.wanted.set() {
            let _ = self.commands.send(Command::Look);
        }
    }

    /// Has the announcer's decisions stored.
    pub(crate) fn keep(&self) {
        let _ = self.commands.send(Command::Keep);
    }

    /// Has everything that is in the journal now stored.
    pub(crate) async fn drain(&self) -> Drained {
        self.ask(Command::Drain).await
    }

    async fn ask(&self, command: impl FnOnce(oneshot::Sender<Drained>) -> Command) -> Drained {
        /// More than a slow disk needs for a full journal.
        const PATIENCE: Duration = Duration::from_mins(1);
        let (done, answer) = oneshot::channel();
        let _ = self.commands.send(command(done));
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(drained)) => drained,
            Ok(Err(_)) => Err("the journal's thread has ended".into()),
            Err(_) => Err("storing takes too long".into()),
        }
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        let _ = self.asker.commands.send(Command::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
