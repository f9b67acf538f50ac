//! What a window system does for the stage.
//!
//! A panel is a small picture above other windows: out of the taskbar, on every workspace, never focused, and not in the
//! mouse's way but where it is told to be. A screen's pixels are those of the device; a panel stands relative to the upper
//! left corner of its screen.

mod gesture;

use std::os::fd::BorrowedFd;
use std::time::Duration;

use crate::geometry::{Point, Rect};
use crate::picture::Picture;

pub use gesture::Gesture;

/// A panel's name, given by the stage.
pub type PanelId = u32;

#[derive(Debug, Clone, PartialEq)]
pub struct Screen {
    /// What the window system calls it: places are remembered under this name.
    pub name: String,
    /// All of it, in pixels of the device. Its corner tells screens of one desktop apart where they share coordinates, and is
    /// 0, 0 where they do not.
    pub area: Rect,
    /// What bars and docks leave of it, relative to its own corner.
    pub work: Rect,
    /// How much larger things are drawn here than on a plain screen.
    pub scale: f32,
    pub is_primary: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    Left,
    Right,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Happened {
    /// Pressed and let go at the same place, relative to the panel.
    Clicked {
        panel: PanelId,
        at: Point,
        button: Button,
    },
    /// The pointer moved over a panel; asked for by [`Catch::follows`].
    Hovered { panel: PanelId, at: Point },
    /// The pointer left a panel that follows it.
    Left { panel: PanelId },
    /// Drawn along with the left button: where its upper left corner is wanted, relative to its screen.
    Dragged { panel: PanelId, to: Point },
    /// Let go after that.
    Dropped { panel: PanelId },
    /// Something was clicked that is none of our panels, while [`Desktop::grab`] was on.
    ClickedElsewhere,
    /// What a panel shows is lost: it is to be drawn again.
    Lost { panel: PanelId },
    /// Screens came, went or changed, or how panels can be shown did; all panels are to be placed and drawn again.
    ScreensChanged,
    /// Nobody can see what is drawn on a screen (a full-screen program, a locked screen), or can again.
    Hidden { screen: String, hidden: bool },
    /// The window system has gone.
    Ended,
}

/// How the mouse meets a panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Catch<'a> {
    /// Where it is caught; everywhere else it reaches what is below.
    pub shape: &'a [Rect],
    /// Whether its movements are told.
    pub follows: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum DesktopError {
    #[error("no display: neither DISPLAY nor WAYLAND_DISPLAY names one")]
    NoDisplay,
    #[error("cannot reach the display {name}: {why}")]
    Unreachable { name: String, why: String },
    #[error("{0} does not let programs draw above others (no layer shell)")]
    NoLayers(&'static str),
    #[error("the display has gone: {0}")]
    Gone(String),
}

pub trait Desktop {
    fn screens(&self) -> &[Screen];

    /// Whether a moving picture costs too much here: without a compositor every change of shape does.
    fn stands_still(&self) -> bool;

    /// Whether a panel may be drawn from one screen to another with the mouse.
    fn joins_screens(&self) -> bool;

    /// Puts a panel on a screen, or moves it there; an unknown one is new. Nothing is seen of it before it is drawn.
    fn place(&mut self, panel: PanelId, screen: &str, area: Rect) -> Result<(), DesktopError>;

    /// Shows a picture on a panel, as large as its area.
    fn draw(&mut self, panel: PanelId, picture: &Picture) -> Result<(), DesktopError>;

    /// Says where a panel catches the mouse, and, without a compositor, where it is seen.
    fn catch(&mut self, panel: PanelId, catch: Catch<'_>) -> Result<(), DesktopError>;

    fn remove(&mut self, panel: PanelId) -> Result<(), DesktopError>;

    /// While it is on, a click beside our panels is told as [`Happened::ClickedElsewhere`]: for a menu.
    fn grab(&mut self, on: bool) -> Result<(), DesktopError>;

    /// Sends what was asked for, and waits until something happens here, one of `others` can be read, or the time is over.
    fn wait(
        &mut self,
        others: &[BorrowedFd<'_>],
        at_most: Option<Duration>,
    ) -> Result<Vec<Happened>, DesktopError>;
}
