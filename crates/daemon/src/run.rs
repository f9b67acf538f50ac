//! The life of a daemon: take the lock, serve, end without losing anything.

use std::os::fd::{OwnedFd, RawFd};
use std::sync::Arc;

use bellwether_flock::Reader;
use bellwether_spine::journal;
use bellwether_spine::lock::HeldLock;
use bellwether_spine::trouble::Troubles;
use bellwether_spine::{Home, VERSION, lock, signals};
use tokio::sync::mpsc;
use tracing::{error, info, warn};

use crate::announce::Announcing;
use crate::failure;
use crate::pipeline::Pipeline;
use crate::program::Program;
use crate::serve::{Exit, Serving, serve};
use crate::shared::Shared;
use crate::socket::Sockets;
use crate::sound::Sounding;
use crate::{DaemonError, Options, log};

/// Runs a daemon in this process until it has a reason to end. Why it could not is noted: a daemon
/// that a hook started has nobody to tell.
pub fn run(home: &Home, options: &Options) -> Result<(), DaemonError> {
    let ended = run_alone(home, options);
    if let Err(failure) = &ended
        && !matches!(failure, DaemonError::AlreadyRunning { .. })
    {
        error!("{failure}");
        let text = format!("the daemon could not run: {failure}");
        let _ = Troubles(home).note("daemon_failed", &text);
    }
    ended
}

fn run_alone(home: &Home, options: &Options) -> Result<(), DaemonError> {
    // Whatever is created, the database's side files too, is for its owner alone.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    signals::ignore_write_signals();
    home.create()?;
    let lock = take_lock(home, options.lock_fd)?;
    log::start(&home.log())?;
    info!("daemon {VERSION} begins, process {}", std::process::id());
    failure::tell_of_panics(home, &lock, options);
    recover(home);
    // What is there before the first look counts as what the person wants.
    bellwether_config::confirm_first(home)?;
    rounds(home, options, lock)?;
    info!("daemon ends");
    Ok(())
}

/// Brings back what a loss of power took from the journal after it had been answered as safe.
fn recover(home: &Home) {
    let stored = || {
        let cursors = Reader::open(&home.database()).and_then(|reader| match reader {
            Some(reader) => reader.cursors(),
            None => Ok(Vec::new()),
        });
        // A store that cannot be read is set aside later, and the whole journal read again.
        cursors.unwrap_or_default()
    };
    match journal::recover(home, stored) {
        Ok(0) => {}
        Ok(bytes) => info!("{bytes} bytes of events came back after a loss of power"),
        Err(error) => warn!("{error}"),
    }
}

/// Serves as often as it takes to end without losing anything.
fn rounds(home: &Home, options: &Options, mut lock: OwnedFd) -> Result<(), DaemonError> {
    let program = Program::running();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(DaemonError::system("build the runtime"))?;
    loop {
        let held = HeldLock::of(home, &lock)?;
        let (exit, bytes) = runtime.block_on(live(home, options, &program, held))?;
        match exit {
            Exit::Stop => return Ok(()),
            Exit::Upgrade => {
                let failure = program.become_successor(home, &lock, options);
                error!("cannot become the new program: {failure}");
            }
            Exit::Lost => {}
            Exit::Idle => match let_go(home, lock, bytes)? {
                Some(again) => lock = again,
                None => return Ok(()),
            },
            Exit::Orphaned => return leave(home, lock, options, &program),
        }
    }
}

/// Ends a daemon whose state folder was deleted or moved away. Somebody may have written into a new one without
/// starting a daemon, because ours could still be reached; then we become its daemon, unless it has one.
fn leave(
    home: &Home,
    lock: OwnedFd,
    options: &Options,
    program: &Program,
) -> Result<(), DaemonError> {
    const WHY: &str = "the state folder was deleted or moved away while the daemon ran";
    warn!("{WHY}; this daemon ends");
    drop(lock);
    if !home.state().is_dir() {
        return Ok(());
    }
    let _ = Troubles(home).note("state_replaced", WHY);
    if journal::total_bytes(&home.journal())? == 0 {
        return Ok(());
    }
    match lock::try_take(home)? {
        None => Ok(()),
        Some(lock) => {
            let failure = program.become_successor(home, &lock, options);
            Err(DaemonError::system("begin again")(failure))
        }
    }
}

/// One round: until there is a reason to end, and then until everything is stored. Also returns how
/// long the journal was before it was read for the last time.
async fn live(
    home: &Home,
    options: &Options,
    program: &Program,
    held: HeldLock,
) -> Result<(Exit, u64), DaemonError> {
    home.create()?;
    let sockets = Sockets::bind(home)?;
    let (seats, seen) = mpsc::unbounded_channel();
    let shared = Arc::new(Shared::new(held, seats));
    let sounding = Sounding::start(home, Arc::clone(&shared))?;
    let announcing = Announcing::start(home, Arc::clone(&shared), sounding.waiting())?;
    let pipeline = Pipeline::start(home, Arc::clone(&shared), options, announcing)?;
    let serving = Serving {
        home,
        sockets: &sockets,
        options,
        program,
        asker: pipeline.asker(),
        shared: &shared,
        sound: sounding.waiting(),
    };
    let exit = serve(serving, seen).await?;
    info!("ending: {exit:?}");
    drop(sockets);
    if exit != Exit::Stop && shared.is_orphaned() {
        return Ok((Exit::Orphaned, 0));
    }
    let bytes = journal::total_bytes(&home.journal())?;
    if let Err(text) = pipeline.asker().drain().await {
        warn!("not everything was stored: {text}");
    }
    Ok((exit, bytes))
}

/// Ends an idle daemon without leaving an event behind. A hook that finds no socket but the lock
/// still held has appended its event and gone. So after the lock has been released the journal is
/// measured, and if it has grown since before it was last read the lock is taken again, unless
/// somebody else has it.
fn let_go(home: &Home, lock: OwnedFd, bytes: u64) -> Result<Option<OwnedFd>, DaemonError> {
    drop(lock);
    if journal::total_bytes(&home.journal())? == bytes {
        return Ok(None);
    }
    Ok(lock::try_take(home)?)
}

fn take_lock(home: &Home, inherited: Option<RawFd>) -> Result<OwnedFd, DaemonError> {
    let inherited = inherited
        .and_then(|number| lock::adopt(&home.lock(), number).transpose())
        .transpose()?;
    let taken = match inherited {
        Some(lock) => Some(lock),
        None => lock::try_take(home)?,
    };
    taken.ok_or_else(|| DaemonError::AlreadyRunning {
        home: home.state().to_owned(),
    })
}
