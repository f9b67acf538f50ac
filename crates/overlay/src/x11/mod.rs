//! The desktop of an X server: a small window a panel.
//!
//! The windows are docks, which window managers keep above others and out of everything, or, where a manager would make a
//! bar of a dock, are none of its windows at all. The picture goes into the window itself; what the server loses it asks for.

mod atoms;
mod covered;
mod display;
mod happened;
mod screens;
mod windows;

use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use x11rb::connection::Connection as _;
use x11rb::errors::{ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::xproto::{ConnectionExt as _, EventMask, GrabMode};

use self::covered::Covered;
use self::display::Display;
use self::windows::Windows;
use crate::desktop::{Catch, Desktop, DesktopError, Gesture, Happened, PanelId, Screen};
use crate::geometry::Rect;
use crate::picture::Picture;

pub struct X11 {
    display: Display,
    screens: Vec<Screen>,
    windows: Windows,
    covered: Covered,
    gesture: Gesture,
    grabs: bool,
}

/// All that can go wrong between the server and us means that it has gone, or soon will have.
impl From<ConnectionError> for DesktopError {
    fn from(error: ConnectionError) -> Self {
        Self::Gone(error.to_string())
    }
}

impl From<ReplyError> for DesktopError {
    fn from(error: ReplyError) -> Self {
        Self::Gone(error.to_string())
    }
}

impl From<ReplyOrIdError> for DesktopError {
    fn from(error: ReplyOrIdError) -> Self {
        Self::Gone(error.to_string())
    }
}

impl X11 {
    /// Connects to the display that the environment names.
    pub fn connect() -> Result<Self, DesktopError> {
        let display = Display::open()?;
        let screens = screens::read(&display)?;
        Ok(Self {
            display,
            screens,
            windows: Windows::default(),
            covered: Covered::default(),
            gesture: Gesture::default(),
            grabs: false,
        })
    }

    fn screen(&self, name: &str) -> Option<&Screen> {
        self.screens.iter().find(|screen| screen.name == name)
    }

    /// Shows or hides what stands on the screens of which that has changed.
    fn tell_covered(&mut self, happened: &mut Vec<Happened>) -> Result<(), DesktopError> {
        for (screen, hidden) in self.covered.changes(&self.display, &self.screens)? {
            self.windows.set_hidden(&self.display, &screen, hidden)?;
            happened.push(Happened::Hidden { screen, hidden });
        }
        Ok(())
    }

    /// Takes in everything that the server has sent.
    fn hear(&mut self) -> Result<Vec<Happened>, DesktopError> {
        let mut happened = Vec::new();
        loop {
            while let Some(event) = self.display.connection.poll_for_event()? {
                self.take_in(&event, &mut happened)?;
            }
            if !self.covered.is_old() {
                return Ok(happened);
            }
            // Asking the server brings its next events along: they are taken in before anybody waits for more.
            self.tell_covered(&mut happened)?;
        }
    }
}

impl Desktop for X11 {
    fn screens(&self) -> &[Screen] {
        &self.screens
    }

    fn stands_still(&self) -> bool {
        !self.display.is_composited
    }

    fn joins_screens(&self) -> bool {
        true
    }

    fn place(&mut self, panel: PanelId, screen: &str, area: Rect) -> Result<(), DesktopError> {
        let origin = self
            .screen(screen)
            .map_or_else(Default::default, |screen| screen.area.at);
        let hidden = self.covered.hides(screen);
        self.windows
            .place(&self.display, panel, screen, area.moved(origin), hidden)
    }

    fn draw(&mut self, panel: PanelId, picture: &Picture) -> Result<(), DesktopError> {
        self.windows.draw(&self.display, panel, picture)
    }

    fn catch(&mut self, panel: PanelId, catch: Catch<'_>) -> Result<(), DesktopError> {
        self.windows.catch(&self.display, panel, catch)
    }

    fn remove(&mut self, panel: PanelId) -> Result<(), DesktopError> {
        self.gesture.forget(panel);
        self.windows.remove(&self.display, panel)
    }

    fn grab(&mut self, on: bool) -> Result<(), DesktopError> {
        let connection = &self.display.connection;
        if on {
            let (root, mode) = (self.display.root, GrabMode::ASYNC);
            let mask = EventMask::BUTTON_PRESS | EventMask::BUTTON_RELEASE;
            // Who holds the mouse already keeps it; the menu then closes by itself.
            connection.grab_pointer(
                true,
                root,
                mask,
                mode,
                mode,
                x11rb::NONE,
                x11rb::NONE,
                x11rb::CURRENT_TIME,
            )?;
        } else if self.grabs {
            connection.ungrab_pointer(x11rb::CURRENT_TIME)?;
        }
        self.grabs = on;
        Ok(())
    }

    fn wait(
        &mut self,
        others: &[BorrowedFd<'_>],
        at_most: Option<Duration>,
    ) -> Result<Vec<Happened>, DesktopError> {
        self.display.connection.flush()?;
        let happened = self.hear()?;
        // An answer that was waited for may have brought events along.
        if !happened.is_empty() {
            return Ok(happened);
        }
        self.display.connection.flush()?;
        let mut descriptors = vec![PollFd::from_borrowed_fd(
            self.display.connection.stream().as_fd(),
            PollFlags::IN,
        )];
        descriptors.extend(
            others
                .iter()
                .map(|other| PollFd::from_borrowed_fd(*other, PollFlags::IN)),
        );
        let at_most = at_most.and_then(|at_most| Timespec::try_from(at_most).ok());
        match poll(&mut descriptors, at_most.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => self.hear(),
            Err(error) => Err(DesktopError::Gone(error.to_string())),
        }
    }
}
