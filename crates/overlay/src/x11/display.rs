//! The connection, and what is known of the server from its beginning.

use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::errors::ConnectError;
use x11rb::protocol::randr::{self, ConnectionExt as _};
use x11rb::protocol::screensaver::{self, ConnectionExt as _};
use x11rb::protocol::xfixes::{ConnectionExt as _, SelectionEventMask};
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ChangeWindowAttributesAux, Colormap, ColormapAlloc, ConnectionExt as _,
    CreateGCAux, EventMask, Gcontext, VisualClass, Visualid, Window,
};
use x11rb::protocol::{shape, xfixes};
use x11rb::rust_connection::RustConnection;

use super::atoms::Atoms;
use crate::desktop::DesktopError;

/// Window managers that make a bar of every dock, or a tile of every window.
const TILING: &[&str] = &[
    "i3",
    "bspwm",
    "dwm",
    "xmonad",
    "herbstluftwm",
    "qtile",
    "spectrwm",
    "leftwm",
    "awesome",
    "LG3D",
];

pub(super) struct Display {
    pub connection: RustConnection,
    pub root: Window,
    pub atoms: Atoms,
    pub visual: Visualid,
    pub depth: u8,
    pub colormap: Colormap,
    pub pen: Gcontext,
    /// Whose owner is the compositor.
    pub compositor: Atom,
    pub is_composited: bool,
    /// Whether our windows are the window manager's business.
    pub is_managed: bool,
}

impl Display {
    pub(super) fn open() -> Result<Self, DesktopError> {
        let (connection, number) = x11rb::connect(None).map_err(unreachable)?;
        let atoms = Atoms::new(&connection)?.reply()?;
        let screen = &connection.setup().roots[number];
        let (root, plain) = (screen.root, (screen.root_visual, screen.root_depth));
        let deep = screen.allowed_depths.iter().find(|depth| depth.depth == 32);
        let visual = deep.and_then(|depth| {
            depth
                .visuals
                .iter()
                .find(|visual| visual.class == VisualClass::TRUE_COLOR)
        });
        let (visual, depth) = visual.map_or(plain, |visual| (visual.visual_id, 32));
        let colormap = connection.generate_id()?;
        connection.create_colormap(ColormapAlloc::NONE, colormap, root, visual)?;
        let pen = pen(&connection, root, depth)?;
        let compositor = connection
            .intern_atom(false, format!("_NET_WM_CM_S{number}").as_bytes())?
            .reply()?
            .atom;
        let mut display = Self {
            connection,
            root,
            atoms,
            visual,
            depth,
            colormap,
            pen,
            compositor,
            is_composited: false,
            is_managed: false,
        };
        display.listen()?;
        display.is_composited = display.sees_compositor()?;
        display.is_managed = display
            .manager()?
            .is_some_and(|name| !TILING.contains(&name.as_str()));
        Ok(display)
    }

    /// Whether somebody puts windows together that can be seen through.
    pub(super) fn sees_compositor(&self) -> Result<bool, DesktopError> {
        let owner = self
            .connection
            .get_selection_owner(self.compositor)?
            .reply()?
            .owner;
        Ok(owner != x11rb::NONE && self.depth == 32)
    }

    /// Asks to be told of what changes how panels are shown.
    fn listen(&self) -> Result<(), DesktopError> {
        let (connection, root) = (&self.connection, self.root);
        let mask = EventMask::PROPERTY_CHANGE | EventMask::STRUCTURE_NOTIFY;
        connection
            .change_window_attributes(root, &ChangeWindowAttributesAux::new().event_mask(mask))?;
        let has = |name| {
            connection
                .extension_information(name)
                .map(|found| found.is_some())
        };
        if !has(shape::X11_EXTENSION_NAME)? {
            let why = "it cannot let clicks through (no SHAPE extension)".to_owned();
            return Err(DesktopError::Unreachable { name: name(), why });
        }
        if has(randr::X11_EXTENSION_NAME)? {
            connection.randr_select_input(
                root,
                randr::NotifyMask::SCREEN_CHANGE
                    | randr::NotifyMask::CRTC_CHANGE
                    | randr::NotifyMask::OUTPUT_CHANGE,
            )?;
        }
        if has(screensaver::X11_EXTENSION_NAME)? {
            connection.screensaver_select_input(root, screensaver::Event::NOTIFY_MASK)?;
        }
        if has(xfixes::X11_EXTENSION_NAME)? {
            connection.xfixes_query_version(5, 0)?.reply()?;
            let mask = SelectionEventMask::SET_SELECTION_OWNER
                | SelectionEventMask::SELECTION_WINDOW_DESTROY
                | SelectionEventMask::SELECTION_CLIENT_CLOSE;
            connection.xfixes_select_selection_input(root, self.compositor, mask)?;
        }
        Ok(())
    }

    /// The window manager's name; none when there is no such program.
    fn manager(&self) -> Result<Option<String>, DesktopError> {
        let check = self.numbers(
            self.root,
            self.atoms._NET_SUPPORTING_WM_CHECK,
            AtomEnum::WINDOW.into(),
        )?;
        let Some(window) = check.first() else {
            return Ok(None);
        };
        let kind = self.atoms.UTF8_STRING;
        let name = self
            .connection
            .get_property(false, *window, self.atoms._NET_WM_NAME, kind, 0, 64)?
            .reply();
        Ok(name
            .ok()
            .map(|name| String::from_utf8_lossy(&name.value).into_owned()))
    }

    /// A property that is a list of numbers; a window that has gone has none.
    pub(super) fn numbers(
        &self,
        window: Window,
        property: Atom,
        kind: Atom,
    ) -> Result<Vec<u32>, DesktopError> {
        let reply = self
            .connection
            .get_property(false, window, property, kind, 0, 4096)?
            .reply();
        Ok(reply
            .ok()
            .and_then(|reply| Some(reply.value32()?.collect()))
            .unwrap_or_default())
    }
}

/// The display's name, for people.
fn name() -> String {
    std::env::var("DISPLAY").unwrap_or_default()
}

fn unreachable(error: ConnectError) -> DesktopError {
    match error {
        ConnectError::DisplayParsingError(_) if name().is_empty() => DesktopError::NoDisplay,
        error => DesktopError::Unreachable {
            name: name(),
            why: error.to_string(),
        },
    }
}

/// What draws on windows of this depth.
fn pen(connection: &RustConnection, root: Window, depth: u8) -> Result<Gcontext, DesktopError> {
    let (pen, sample) = (connection.generate_id()?, connection.generate_id()?);
    connection.create_pixmap(depth, sample, root, 1, 1)?;
    connection.create_gc(pen, sample, &CreateGCAux::new().graphics_exposures(0))?;
    connection.free_pixmap(sample)?;
    Ok(pen)
}
