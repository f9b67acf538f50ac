//! What a running daemon does until there is a reason to end.

use std::sync::Arc;
use std::time::Duration;

use bellwether_spine::{Home, VERSION, clock};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tracing::{info, warn};

use crate::alarm::{Alarm, Cause};
use crate::control::{self, Context};
use crate::overlay::{Seen, Starter};
use crate::pipeline::Asker;
use crate::program::{Now, Program, is_newer};
use crate::shared::Shared;
use crate::socket::Sockets;
use crate::sound::SoundQueue;
use crate::watched::Watched;
use crate::{DaemonError, Options, http};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Somebody said so.
    Stop,
    /// There is nothing to do.
    Idle,
    /// A newer program stands ready.
    Upgrade,
    /// The sockets' files are gone: nobody can reach us.
    Lost,
    /// The state folder is gone, or another stands in its place.
    Orphaned,
}

/// How often the daemon checks that it can still be reached.
const CHECK_EVERY: Duration = Duration::from_secs(30);
/// How often settings are looked at while agents are at work, and how long after the last event they still are. At rest
/// the daemon wakes once a second at most, with all that it does.
const LOOK_EVERY: Duration = Duration::from_millis(1500);
const AT_WORK_MS: u64 = 10 * 60 * 1000;

pub(crate) struct Serving<'a> {
    pub home: &'a Home,
    pub sockets: &'a Sockets,
    pub options: &'a Options,
    pub program: &'a Program,
    pub asker: &'a Asker,
    pub shared: &'a Arc<Shared>,
    pub sound: Arc<SoundQueue>,
}

/// Serves until there is a reason to end, and starts overlays where sessions are seen at a display. What is being answered then comes to its end.
pub(crate) async fn serve(
    serving: Serving<'_>,
    seen: mpsc::UnboundedReceiver<Seen>,
) -> Result<Exit, DaemonError> {
    let started_ms = clock::boot_ms();
    let keys = Arc::new(http::Keys::load(serving.home)?);
    let (end, ending) = watch::channel(false);
    let collector = Arc::new(http::Collector::default());
    let collecting = tokio::spawn({
        let (collector, asker) = (Arc::clone(&collector), serving.asker.clone());
        let home = serving.home.clone();
        async move { collector.run(&home, &asker).await }
    });
    let alarm = Arc::new(Alarm {
        home: serving.home.clone(),
        sound: Arc::clone(&serving.sound),
        collector: Arc::clone(&collector),
    });
    let watched = Arc::new(Watched::new(serving.home));
    let bound = http::bind(serving.options.port, serving.shared).await;
    let library = http::Library::new(serving.home.database(), Arc::clone(serving.shared));
    let state = http::State {
        home: serving.home.clone(),
        shared: Arc::clone(serving.shared),
        collector: Arc::clone(&collector),
        asker: serving.asker.clone(),
        keys: Arc::clone(&keys),
        alarm: Arc::clone(&alarm),
        watched: Arc::clone(&watched),
        library: library.clone(),
        sound: Arc::clone(&serving.sound),
        ending: ending.clone(),
        port: 0,
        started_ms,
    };
    let http = serving
        .options
        .port
        .map(|port| tokio::spawn(http::serve_on(port, bound, state, ending)));
    let context = |exit| Context {
        home: serving.home.clone(),
        shared: Arc::clone(serving.shared),
        asker: serving.asker.clone(),
        keys: Arc::clone(&keys),
        alarm: Arc::clone(&alarm),
        watched: Arc::clone(&watched),
        library: library.clone(),
        exit,
        started_ms,
    };
    let (tells, changes) = mpsc::channel(1);
    let looking = look_at_settings(
        serving.home,
        Arc::clone(serving.shared),
        Arc::clone(&watched),
        tells,
    )?;
    let watching = tokio::spawn(watch_settings(
        changes,
        Arc::clone(&keys),
        Arc::clone(&watched),
        Arc::clone(&alarm),
    ));
    let starter = Starter {
        home: serving.home.clone(),
        keys: Arc::clone(&keys),
        watched: Arc::clone(&watched),
        has_port: serving.options.port.is_some(),
    };
    let starting = tokio::spawn(starter.run(seen));
    let exit = until_exit(&serving, context).await;
    if matches!(exit, Ok(Exit::Orphaned)) {
        watched.hand_over();
    }
    drop(looking);
    watching.abort();
    starting.abort();
    let _ = end.send(true);
    if let Some(http) = http {
        let _ = http.await;
    }
    collecting.abort();
    exit
}

/// Looks at the files that decide what an agent may do, often while agents are at work, until what is returned is
/// dropped. A thread wakes half as often for that as the runtime, whose timers wake in steps.
fn look_at_settings(
    home: &Home,
    shared: Arc<Shared>,
    watched: Arc<Watched>,
    changed: mpsc::Sender<()>,
) -> Result<std::sync::mpsc::Sender<()>, DaemonError> {
    use std::sync::mpsc::RecvTimeoutError::Timeout;
    let (alive, ends) = std::sync::mpsc::channel::<()>();
    let home = home.clone();
    shared.preferences.begin(&home);
    let look = move || loop {
        let at_work = shared.idle_ms() < AT_WORK_MS;
        let pause = if at_work { LOOK_EVERY } else { CHECK_EVERY };
        if ends.recv_timeout(pause) != Err(Timeout) {
            return;
        }
        if shared.is_orphaned() {
            return;
        }
        shared.preferences.look(&home);
        if watched.has_changed() {
            // One that is not heard of yet stands for all.
            let _ = changed.try_send(());
        }
    };
    std::thread::Builder::new()
        .name("settings".into())
        .spawn(look)
        .map_err(DaemonError::system("start a thread"))?;
    Ok(alive)
}

/// Reads what has changed, and tells the person.
async fn watch_settings(
    mut changes: mpsc::Receiver<()>,
    keys: Arc<http::Keys>,
    watched: Arc<Watched>,
    alarm: Arc<Alarm>,
) {
    while changes.recv().await.is_some() {
        let (files, keys) = (Arc::clone(&watched), Arc::clone(&keys));
        let found = tokio::task::spawn_blocking(move || {
            let found = files.examine();
            if files.keys_differ() && keys.restore().is_ok() {
                files.settle();
            }
            found
        });
        let found = found.await.unwrap_or_default();
        if !found.is_empty() {
            alarm.raise(Cause::SettingsChanged, &found.join("; ")).await;
        }
    }
}

async fn until_exit(
    serving: &Serving<'_>,
    context: impl FnOnce(mpsc::Sender<Exit>) -> Context,
) -> Result<Exit, DaemonError> {
    let Serving {
        sockets,
        options,
        program,
        asker,
        shared,
        ..
    } = serving;
    let failed = || DaemonError::system("listen for signals");
    let mut terminate = signal(SignalKind::terminate()).map_err(failed())?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed())?;
    let (exit, mut exits) = mpsc::channel(1);
    let context = context(exit);
    let mut tasks = JoinSet::new();
    let mut check = tokio::time::interval(CHECK_EVERY);
    loop {
        tokio::select! {
            woken = wake(sockets, program) => {
                asker.look();
                match woken {
                    Woken::Equal => {}
                    Woken::Newer => return Ok(Exit::Upgrade),
                    Woken::Stranger => return Ok(Exit::Stop),
                }
            }
            accepted = sockets.control.accept() => match accepted {
                Ok((stream, _)) => drop(tasks.spawn(control::serve(stream, context.clone()))),
                Err(error) => {
                    warn!("cannot accept a control connection: {error}");
                    // It is likely a want of descriptors, which does not end at once.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            _ = tasks.join_next(), if !tasks.is_empty() => {}
            () = idle(shared, options.idle_exit) => return Ok(Exit::Idle),
            () = shared.orphaned.notified() => return Ok(Exit::Orphaned),
            _ = check.tick() => if shared.is_orphaned() {
                return Ok(Exit::Orphaned);
            } else if sockets.are_gone() {
                return Ok(Exit::Lost);
            },
            _ = terminate.recv() => return Ok(Exit::Stop),
            _ = interrupt.recv() => return Ok(Exit::Stop),
            wish = exits.recv() => return Ok(wish.unwrap_or(Exit::Stop)),
        }
    }
}

/// By whom the daemon was woken.
enum Woken {
    /// A hook of this version or an older one.
    Equal,
    /// A newer hook, and a newer program stands in our place.
    Newer,
    /// A newer hook, and our own program is gone: that hook's daemon takes over.
    Stranger,
}

/// Takes all wake-ups that wait, and says whether one came from a newer program than ours.
async fn wake(sockets: &Sockets, program: &Program) -> Woken {
    let mut text = [0; 64];
    let mut woken = Woken::Equal;
    let mut length = sockets.wake.recv(&mut text).await.unwrap_or(0);
    loop {
        let theirs = std::str::from_utf8(&text[..length]).unwrap_or_default();
        if is_newer(theirs, VERSION) {
            match program.now() {
                Now::Same => {}
                Now::Replaced => woken = Woken::Newer,
                Now::Gone => woken = Woken::Stranger,
            }
            info!("a hook of version {theirs} woke this daemon of version {VERSION}");
        }
        match sockets.wake.try_recv(&mut text) {
            Ok(more) => length = more,
            Err(_) => return woken,
        }
    }
}

/// Ends when nothing has happened for the given time.
async fn idle(shared: &Shared, limit: Duration) {
    loop {
        let left = limit.saturating_sub(Duration::from_millis(shared.idle_ms()));
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.max(Duration::from_millis(10))).await;
    }
}
