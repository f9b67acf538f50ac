//! X11: the window manager is asked, as a taskbar would ask it.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use x11rb::connection::Connection as _;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, EventMask,
};
use x11rb::rust_connection::RustConnection;

use super::NotRaised;
use super::line::Line;
use atoms::Atoms;

#[expect(
    clippy::struct_field_names,
    reason = "they are named as in the specification"
)]
mod atoms {
    x11rb::atom_manager! {
        pub(super) Atoms: AtomsCookie {
            _NET_ACTIVE_WINDOW,
            _NET_CLIENT_LIST,
            _NET_CLIENT_LIST_STACKING,
            _NET_WM_PID,
        }
    }
}

/// Whoever asks for a window because a person clicked says so by this number.
const BY_A_PERSON: u32 = 2;
/// A window manager that will do it does so within this time.
const PATIENCE: Duration = Duration::from_secs(1);
/// As many windows are looked at.
const MOST: u32 = 4096;

struct Screen {
    connection: RustConnection,
    root: u32,
    atoms: Atoms,
}

/// Activates the window of the nearest process that has one.
pub(super) fn activate(display: &str, line: &Line) -> Result<(), NotRaised> {
    let screen = Screen::connect(display).ok_or(NotRaised::NoDisplay)?;
    let window = screen.window_of(line).ok_or(NotRaised::NoWindow)?;
    match screen.activate(window) {
        Ok(true) => Ok(()),
        _ => Err(NotRaised::Failed),
    }
}

impl Screen {
    fn connect(display: &str) -> Option<Self> {
        let (connection, screen) = RustConnection::connect(Some(display)).ok()?;
        let root = connection.setup().roots.get(screen)?.root;
        let atoms = Atoms::new(&connection).ok()?.reply().ok()?;
        Some(Self {
            connection,
            root,
            atoms,
        })
    }

    fn window_of(&self, line: &Line) -> Option<u32> {
        let owned: Vec<(u32, u32)> = self
            .windows()
            .into_iter()
            .filter_map(|window| Some((window, self.owner(window)?)))
            .collect();
        // A terminal of many windows tells each of its shells which one is theirs.
        let told = line.variable("WINDOWID").and_then(|id| id.parse().ok());
        let told = told.filter(|told| owned.iter().any(|(id, pid)| id == told && line.has(*pid)));
        // Of several the uppermost was used last.
        let of = |wanted| {
            let mut found = owned.iter().rev().filter(|(_, pid)| *pid == wanted);
            found.next().map(|(window, _)| *window)
        };
        told.or_else(|| line.pids().find_map(of))
    }

    /// The windows that are managed, the lowest first where the manager tells.
    fn windows(&self) -> Vec<u32> {
        let stacked = self.numbers(self.root, self.atoms._NET_CLIENT_LIST_STACKING);
        if stacked.is_empty() {
            self.numbers(self.root, self.atoms._NET_CLIENT_LIST)
        } else {
            stacked
        }
    }

    fn owner(&self, window: u32) -> Option<u32> {
        self.numbers(window, self.atoms._NET_WM_PID)
            .first()
            .copied()
    }

    fn active(&self) -> Option<u32> {
        let active = self.numbers(self.root, self.atoms._NET_ACTIVE_WINDOW);
        active.first().copied()
    }

    fn numbers(&self, window: u32, property: Atom) -> Vec<u32> {
        let any = AtomEnum::ANY;
        let asked = self
            .connection
            .get_property(false, window, property, any, 0, MOST);
        let reply = asked.ok().and_then(|asked| asked.reply().ok());
        let numbers = reply
            .as_ref()
            .and_then(|reply| Some(reply.value32()?.collect()));
        numbers.unwrap_or_default()
    }

    /// Asks for a window and waits until it is the active one; says whether it became so.
    fn activate(&self, window: u32) -> Result<bool, ReplyError> {
        let told = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        self.connection.change_window_attributes(self.root, &told)?;
        let asks = [BY_A_PERSON, x11rb::CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, self.atoms._NET_ACTIVE_WINDOW, asks);
        let to = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        let sent = self.connection.send_event(false, self.root, to, message)?;
        sent.check()?;
        let until = Instant::now() + PATIENCE;
        loop {
            while self.connection.poll_for_event()?.is_some() {}
            if self.active() == Some(window) {
                return Ok(true);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            // What came along with the last answer is not announced again.
            if self.connection.poll_for_event()?.is_none() {
                let left = Timespec::try_from(left).ok();
                let mut fds = [PollFd::new(self.connection.stream(), PollFlags::IN)];
                let _ = poll(&mut fds, left.as_ref());
            }
        }
    }
}
