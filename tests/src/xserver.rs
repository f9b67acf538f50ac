//! A real X server without a screen, with a window manager and, if asked for, a compositor; all of it is gone when this is
//! dropped, or when the thread that started it ends.
//!
//! ```ignore
//! let x = XServer::start()?; // 1280×800 with openbox; or XServer::plan().composited().size(800, 600).start()?
//! let _terminal = x.run(x.command("xterm").args(["-T", "below"]))?; // ended when dropped
//! let window = x.wait("xterm's window", || x.window_titled("below"))?;
//! x.xdotool(&["mousemove", "100", "100", "click", "1"])?;
//! x.wait("the focus", || Ok((x.active()? == Some(window.id)).then_some(())))?;
//! let shot = x.screenshot()?;
//! assert_eq!(shot.at(100, 100), [0, 0, 0]);
//! shot.save(Path::new("below.png"))?;
//! ```
//!
//! Invariant: nothing waits by the clock where the server tells: [`XServer::wait`] asks again at every change of a window, of
//! a property of the root (clients, active window) and of the compositor. It asks every 50 ms too, for what no event
//! tells: a pixel, a file.

mod atoms;
mod plan;
mod screenshot;
mod window;

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tempfile::TempDir;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::running;
use atoms::Atoms;

pub use crate::running::Running;
pub use plan::Plan;
pub use screenshot::Screenshot;
pub use window::Window;

/// A window or the compositor may take so long on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);
/// What no event tells is looked at this often.
const GLANCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

pub struct XServer {
    // In the order of their end.
    compositor: Option<Running>,
    manager: Option<Running>,
    connection: RustConnection,
    _server: Running,
    display: String,
    root: u32,
    atoms: Atoms,
    folder: TempDir,
}

impl XServer {
    /// One of 1280×800 pixels with openbox and without a compositor.
    pub fn start() -> Result<Self> {
        Self::plan().start()
    }

    pub fn plan() -> Plan {
        Plan::default()
    }

    /// What a program of this display has in `DISPLAY`.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// The connection of the rig itself, for what it has no word for.
    pub fn connection(&self) -> &RustConnection {
        &self.connection
    }

    pub fn root(&self) -> u32 {
        self.root
    }

    /// A folder for files of a test; it is the HOME of what runs here.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A program of this display, with no other variable than PATH, HOME, `LC_ALL` and `DISPLAY`.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        command(program.as_ref(), &self.display, self.folder())
    }

    /// Starts a program, which ends at the latest when what this returns is dropped.
    pub fn run(&self, command: &mut Command) -> Result<Running> {
        Running::start(command)
    }

    /// Moves the mouse, presses its buttons and keys, and whatever else xdotool can do.
    pub fn xdotool(&self, words: &[&str]) -> Result<String> {
        let output = self.command("xdotool").args(words).output();
        let output = output.context("xdotool does not start: install xdotool")?;
        ensure!(
            output.status.success(),
            "xdotool {words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Starts picom, as somebody does who turns effects on.
    pub fn compose(&mut self) -> Result<()> {
        let mut picom = self.command("picom");
        picom.args([
            "--backend",
            "xrender",
            "--config",
            "/dev/null",
            "--no-fading-openclose",
        ]);
        self.compositor = Some(Running::start(&mut picom)?);
        self.wait("a compositor", || Ok(self.is_composited()?.then_some(())))
    }

    /// Ends the compositor.
    pub fn uncompose(&mut self) -> Result<()> {
        self.compositor = None;
        self.wait("no compositor", || {
            Ok((!self.is_composited()?).then_some(()))
        })
    }

    pub fn is_composited(&self) -> Result<bool> {
        let asked = self
            .connection
            .get_selection_owner(self.atoms._NET_WM_CM_S0)?;
        Ok(asked.reply()?.owner != x11rb::NONE)
    }

    /// What is seen now.
    pub fn screenshot(&self) -> Result<Screenshot> {
        Screenshot::take(&self.connection, self.root)
    }

    /// Asks until there is an answer; `what` is awaited.
    #[track_caller]
    pub fn wait<T>(&self, what: &str, mut ask: impl FnMut() -> Result<Option<T>>) -> Result<T> {
        let caller = std::panic::Location::caller();
        let deadline = Instant::now() + PATIENCE;
        loop {
            // What is told from here on came after what is asked next.
            while self.connection.poll_for_event()?.is_some() {}
            if let Some(answer) = ask()? {
                return Ok(answer);
            }
            if Instant::now() > deadline {
                bail!(
                    "{caller}: {what} did not come; windows: {:?}",
                    self.windows()?
                );
            }
            self.wait_for_event()?;
        }
    }

    fn wait_for_event(&self) -> Result<()> {
        self.connection.flush()?;
        // An answer that was read may have brought events along.
        if self.connection.poll_for_event()?.is_some() {
            return Ok(());
        }
        let mut fds = [PollFd::new(self.connection.stream(), PollFlags::IN)];
        poll(&mut fds, Some(&GLANCE))?;
        Ok(())
    }
}

fn command(program: &OsStr, display: &str, folder: &Path) -> Command {
    let mut command = running::command(program);
    command.env("HOME", folder).env("LC_ALL", "C.UTF-8");
    command.env("DISPLAY", display).current_dir(folder);
    command
}
