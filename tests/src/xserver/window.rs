//! What windows there are, and what they say of themselves.

use anyhow::Result;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, MapState};

use super::XServer;

/// A window as it was when somebody asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    pub id: u32,
    pub title: String,
    pub pid: Option<u32>,
    /// From the upper left corner of the root, without a frame.
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
}

impl XServer {
    /// The windows that the window manager manages, docks among them, the oldest first.
    pub fn windows(&self) -> Result<Vec<Window>> {
        let ids = self.numbers(self.root, self.atoms._NET_CLIENT_LIST)?;
        self.looked_at(&ids)
    }

    /// The same, the lowest first.
    pub fn stacked(&self) -> Result<Vec<Window>> {
        let ids = self.numbers(self.root, self.atoms._NET_CLIENT_LIST_STACKING)?;
        self.looked_at(&ids)
    }

    /// Every window directly on the root that is shown: frames of the window manager, and what it has no say in.
    pub fn on_root(&self) -> Result<Vec<Window>> {
        let tree = self.connection.query_tree(self.root)?.reply()?;
        let mut shown = Vec::new();
        for id in tree.children {
            let asked = self.connection.get_window_attributes(id)?;
            if let Some(is) = unless_gone(asked.reply())?
                && is.map_state == MapState::VIEWABLE
            {
                shown.push(id);
            }
        }
        self.looked_at(&shown)
    }

    pub fn window_titled(&self, title: &str) -> Result<Option<Window>> {
        let windows = self.windows()?;
        Ok(windows.into_iter().find(|window| window.title == title))
    }

    /// The windows of a process.
    pub fn windows_of(&self, pid: u32) -> Result<Vec<Window>> {
        let windows = self.windows()?.into_iter();
        Ok(windows.filter(|window| window.pid == Some(pid)).collect())
    }

    /// The window that keys go to.
    pub fn active(&self) -> Result<Option<u32>> {
        let active = self.numbers(self.root, self.atoms._NET_ACTIVE_WINDOW)?;
        Ok(active.first().copied().filter(|id| *id != x11rb::NONE))
    }

    /// A property that consists of numbers; empty where there is none.
    pub fn numbers(&self, window: u32, property: Atom) -> Result<Vec<u32>> {
        let asked =
            self.connection
                .get_property(false, window, property, AtomEnum::ANY, 0, 4096)?;
        let reply = unless_gone(asked.reply())?;
        let numbers = reply
            .as_ref()
            .and_then(|reply| Some(reply.value32()?.collect()));
        Ok(numbers.unwrap_or_default())
    }

    /// An atom by its name, for [`Self::numbers`].
    pub fn atom(&self, name: &str) -> Result<Atom> {
        let asked = self.connection.intern_atom(false, name.as_bytes())?;
        Ok(asked.reply()?.atom)
    }

    fn title(&self, id: u32) -> Result<String> {
        for property in [self.atoms._NET_WM_NAME, AtomEnum::WM_NAME.into()] {
            let asked =
                self.connection
                    .get_property(false, id, property, AtomEnum::ANY, 0, 1024)?;
            let title = unless_gone(asked.reply())?.map(|reply| reply.value);
            if let Some(title) = title.filter(|title| !title.is_empty()) {
                return Ok(String::from_utf8_lossy(&title).into_owned());
            }
        }
        Ok(String::new())
    }

    fn looked_at(&self, ids: &[u32]) -> Result<Vec<Window>> {
        let looked = ids.iter().map(|id| self.look_at(*id));
        looked.filter_map(Result::transpose).collect()
    }

    fn look_at(&self, id: u32) -> Result<Option<Window>> {
        let size = self.connection.get_geometry(id)?;
        let place = self.connection.translate_coordinates(id, self.root, 0, 0)?;
        let (size, place) = (unless_gone(size.reply())?, unless_gone(place.reply())?);
        let (Some(size), Some(place)) = (size, place) else {
            return Ok(None);
        };
        Ok(Some(Window {
            id,
            title: self.title(id)?,
            pid: self.numbers(id, self.atoms._NET_WM_PID)?.first().copied(),
            x: place.dst_x.into(),
            y: place.dst_y.into(),
            width: size.width.into(),
            height: size.height.into(),
        }))
    }
}

/// A window may go while it is asked about.
fn unless_gone<T>(reply: Result<T, ReplyError>) -> Result<Option<T>> {
    match reply {
        Ok(reply) => Ok(Some(reply)),
        Err(ReplyError::X11Error(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
