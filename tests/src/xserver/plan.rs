//! An X server to be.

use std::ffi::OsStr;
use std::process::Stdio;

use anyhow::{Context as _, Result, ensure};
use x11rb::connection::Connection as _;
use x11rb::protocol::xfixes::{ConnectionExt as _, SelectionEventMask};
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask};
use x11rb::rust_connection::RustConnection;

use super::atoms::Atoms;
use super::{Running, XServer, command};
use crate::running;

#[derive(Debug, Clone)]
pub struct Plan {
    size: (u16, u16),
    managed: bool,
    composited: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            size: (1280, 800),
            managed: true,
            composited: false,
        }
    }
}

impl Plan {
    #[must_use]
    pub fn size(mut self, width: u16, height: u16) -> Self {
        self.size = (width, height);
        self
    }

    /// With picom from the beginning.
    #[must_use]
    pub fn composited(mut self) -> Self {
        self.composited = true;
        self
    }

    /// Without a window manager.
    #[must_use]
    pub fn unmanaged(mut self) -> Self {
        self.managed = false;
        self
    }

    /// Starts it all and waits until it works.
    pub fn start(self) -> Result<XServer> {
        let (server, display) = self.serve()?;
        let (connection, screen) = RustConnection::connect(Some(&display))?;
        let root = connection.setup().roots[screen].root;
        let atoms = Atoms::new(&connection)?.reply()?;
        listen(&connection, root, &atoms)?;
        let folder = tempfile::Builder::new().prefix("bw-x").tempdir()?;
        let manager = if self.managed {
            let mut openbox = command(OsStr::new("openbox"), &display, folder.path());
            Some(Running::start(
                openbox
                    .arg("--sm-disable")
                    .stdout(Stdio::null())
                    .stderr(Stdio::null()),
            )?)
        } else {
            None
        };
        let mut server = XServer {
            compositor: None,
            manager,
            connection,
            _server: server,
            display,
            root,
            atoms,
            folder,
        };
        server.settle()?;
        if self.composited {
            server.compose()?;
        }
        Ok(server)
    }

    fn serve(&self) -> Result<(Running, String)> {
        let (width, height) = self.size;
        let mut xvfb = running::command(OsStr::new("Xvfb"));
        // It looks for a free display and prints its number once it takes connections.
        xvfb.args(["-displayfd", "1", "-screen", "0"]);
        xvfb.arg(format!("{width}x{height}x24"));
        xvfb.args(["-noreset", "-nolisten", "tcp"])
            .stderr(Stdio::null());
        let (server, number) = Running::start_and_hear(&mut xvfb)?;
        ensure!(!number.is_empty(), "Xvfb does not start: install xvfb");
        Ok((server, format!(":{number}")))
    }
}

impl XServer {
    /// Waits for the window manager.
    fn settle(&mut self) -> Result<()> {
        if self.manager.is_some() {
            let name = self.atoms._NET_SUPPORTING_WM_CHECK;
            self.wait("a window manager", || {
                Ok(self.numbers(self.root, name)?.first().copied())
            })?;
        }
        Ok(())
    }
}

/// Asks to be told what changes.
fn listen(connection: &RustConnection, root: u32, atoms: &Atoms) -> Result<()> {
    let mask = EventMask::PROPERTY_CHANGE | EventMask::SUBSTRUCTURE_NOTIFY;
    let wanted = ChangeWindowAttributesAux::new().event_mask(mask);
    connection.change_window_attributes(root, &wanted)?;
    connection
        .xfixes_query_version(5, 0)?
        .reply()
        .context("no XFixes")?;
    let mask = SelectionEventMask::SET_SELECTION_OWNER
        | SelectionEventMask::SELECTION_WINDOW_DESTROY
        | SelectionEventMask::SELECTION_CLIENT_CLOSE;
    connection.xfixes_select_selection_input(root, atoms._NET_WM_CM_S0, mask)?;
    Ok(())
}
