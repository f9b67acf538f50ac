//! The connection to the compositor, and waiting for it.

use std::io::ErrorKind;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use wayland_client::backend::WaylandError;
use wayland_client::globals::registry_queue_init;
use wayland_client::{Connection, DispatchError, EventQueue};

use super::state::State;
use crate::desktop::{DesktopError, Happened};

/// A compositor that has not told all about its outputs after so many answers has none.
const ANSWERS: usize = 4;

pub struct Wayland {
    pub(super) state: State,
    connection: Connection,
    queue: EventQueue<State>,
}

/// Why nothing more comes.
enum End {
    /// The compositor has closed the connection.
    Closed,
    Broken(DesktopError),
}

/// Why waiting is over for now.
enum Woken {
    Compositor,
    Other,
    Late,
}

impl Wayland {
    /// Connects to the compositor that the environment names.
    pub fn connect() -> Result<Self, DesktopError> {
        let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let name = named("WAYLAND_SOCKET").or_else(|| named("WAYLAND_DISPLAY"));
        let name = name.ok_or(DesktopError::NoDisplay)?;
        let unreachable = |why: &dyn std::error::Error| DesktopError::Unreachable {
            name: name.to_string_lossy().into_owned(),
            why: why.to_string(),
        };
        let connection = Connection::connect_to_env().map_err(|why| unreachable(&why))?;
        Self::begin(connection)
    }

    /// Speaks to the compositor at the other end.
    pub fn over(socket: UnixStream) -> Result<Self, DesktopError> {
        Self::begin(Connection::from_socket(socket).map_err(|why| gone(&why))?)
    }

    fn begin(connection: Connection) -> Result<Self, DesktopError> {
        let (globals, queue) = registry_queue_init(&connection).map_err(|why| gone(&why))?;
        let state = State::new(&globals, &queue.handle())?;
        let mut desktop = Self {
            state,
            connection,
            queue,
        };
        desktop.learn_screens()?;
        Ok(desktop)
    }

    /// Asks until every output has said how large it is.
    fn learn_screens(&mut self) -> Result<(), DesktopError> {
        for _ in 0..ANSWERS {
            self.queue
                .roundtrip(&mut self.state)
                .map_err(|why| gone(&why))?;
            self.state.screens.refresh();
            let known = self.state.screens.known().len();
            if known > 0 && known == self.state.outputs.outputs().count() {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn wait_for(
        &mut self,
        others: &[BorrowedFd<'_>],
        at_most: Option<Duration>,
    ) -> Result<Vec<Happened>, DesktopError> {
        let until = at_most.map(|most| Instant::now() + most);
        match self.next(others, until) {
            Ok(happened) => Ok(happened),
            Err(End::Closed) => Ok(vec![Happened::Ended]),
            Err(End::Broken(why)) => Err(why),
        }
    }

    fn next(
        &mut self,
        others: &[BorrowedFd<'_>],
        until: Option<Instant>,
    ) -> Result<Vec<Happened>, End> {
        loop {
            self.queue.dispatch_pending(&mut self.state)?;
            self.state.settle()?;
            let is_full = self.flush()?;
            let happened = self.state.happened();
            if !happened.is_empty() {
                return Ok(happened);
            }
            match self.sleep(others, until, is_full)? {
                Woken::Other => return Ok(Vec::new()),
                Woken::Late if until.is_some_and(|until| until <= Instant::now()) => {
                    return Ok(Vec::new());
                }
                Woken::Compositor | Woken::Late => {}
            }
        }
    }

    /// Whether the compositor must read before it can be sent more.
    fn flush(&self) -> Result<bool, End> {
        match self.connection.flush() {
            Ok(()) => Ok(false),
            Err(WaylandError::Io(why)) if why.kind() == ErrorKind::WouldBlock => Ok(true),
            Err(why) => Err(why.into()),
        }
    }

    fn sleep(
        &self,
        others: &[BorrowedFd<'_>],
        until: Option<Instant>,
        is_full: bool,
    ) -> Result<Woken, End> {
        let Some(guard) = self.queue.prepare_read() else {
            return Ok(Woken::Compositor);
        };
        let looks = self.state.sight.next(&self.state.panels);
        let rest = [until, looks].into_iter().flatten().min().map(from_now);
        let socket = guard.connection_fd();
        let room = if is_full {
            PollFlags::OUT
        } else {
            PollFlags::empty()
        };
        let mut polled = vec![PollFd::from_borrowed_fd(
            socket.as_fd(),
            PollFlags::IN | room,
        )];
        let others = others
            .iter()
            .map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN));
        polled.extend(others);
        match poll(&mut polled, rest.as_ref()) {
            Ok(0) => return Ok(Woken::Late),
            Err(rustix::io::Errno::INTR) => return Ok(Woken::Compositor),
            Err(why) => return Err(End::Broken(gone(&why))),
            Ok(_) => {}
        }
        let [compositor, other] =
            [&polled[..1], &polled[1..]].map(|some| some.iter().any(|fd| !fd.revents().is_empty()));
        if compositor && polled[0].revents() != PollFlags::OUT {
            read(guard)?;
        }
        Ok(if other {
            Woken::Other
        } else {
            Woken::Compositor
        })
    }
}

fn read(guard: wayland_client::backend::ReadEventsGuard) -> Result<(), End> {
    match guard.read() {
        Err(WaylandError::Io(why)) if why.kind() == ErrorKind::WouldBlock => Ok(()),
        read => Ok(read.map(drop)?),
    }
}

fn from_now(at: Instant) -> Timespec {
    let rest = at.saturating_duration_since(Instant::now());
    Timespec {
        tv_sec: i64::try_from(rest.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: rest.subsec_nanos().into(),
    }
}

fn gone(why: &dyn std::error::Error) -> DesktopError {
    DesktopError::Gone(why.to_string())
}

impl From<WaylandError> for End {
    fn from(why: WaylandError) -> Self {
        match why {
            WaylandError::Io(_) => Self::Closed,
            WaylandError::Protocol(_) => Self::Broken(gone(&why)),
        }
    }
}

impl From<DispatchError> for End {
    fn from(why: DispatchError) -> Self {
        match why {
            DispatchError::Backend(why) => why.into(),
            DispatchError::BadMessage { .. } => Self::Broken(gone(&why)),
        }
    }
}

impl From<DesktopError> for End {
    fn from(why: DesktopError) -> Self {
        Self::Broken(why)
    }
}
