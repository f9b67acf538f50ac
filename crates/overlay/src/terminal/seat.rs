//! The desktop that a window is looked for on.

use std::path::{Path, PathBuf};

use super::line::Line;
use super::{NotRaised, hyprland, screen, sway, tmux, x11};

/// Whoever logs in from another computer runs below one of these.
const REMOTE: &[&str] = &["sshd", "sshd-session", "mosh-server", "dropbear"];

/// The ways there are to windows.
#[derive(Debug, Clone, Default)]
pub struct Seat {
    /// The X display.
    pub display: Option<String>,
    /// Sway's socket.
    pub sway: Option<PathBuf>,
    /// Hyprland's socket.
    pub hyprland: Option<PathBuf>,
    /// Whether a Wayland compositor is there, whichever.
    pub has_wayland: bool,
}

impl Seat {
    /// That of this program.
    pub fn of_environment() -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        Self {
            display: set("DISPLAY").and_then(|display| display.into_string().ok()),
            sway: set("SWAYSOCK").map(PathBuf::from),
            hyprland: hyprland::socket(set),
            has_wayland: set("WAYLAND_DISPLAY").is_some(),
        }
    }

    /// Brings the terminal to the front that a process runs in.
    pub fn raise(&self, pid: u32) -> Result<(), NotRaised> {
        if cfg!(target_os = "macos") {
            return Err(NotRaised::Mac);
        }
        let line = terminal_of(Line::of(pid)?)?;
        if line.is_within(REMOTE) {
            return Err(NotRaised::Remote);
        }
        let found = self.find(&line);
        if found == Err(NotRaised::NoWindow) && is_wsl() {
            return Err(NotRaised::Wsl);
        }
        found
    }

    fn find(&self, line: &Line) -> Result<(), NotRaised> {
        if let Some(socket) = &self.sway {
            return sway::focus(socket, line);
        }
        if let Some(socket) = &self.hyprland {
            return hyprland::focus(socket, line);
        }
        let Some(display) = &self.display else {
            let reason = if self.has_wayland {
                NotRaised::NoWay
            } else {
                NotRaised::NoDisplay
            };
            return Err(reason);
        };
        match x11::activate(display, line) {
            // It may well have a window, which only the compositor knows.
            Err(NotRaised::NoWindow) if self.has_wayland => Err(NotRaised::NoWay),
            done => done,
        }
    }
}

/// The line of the terminal that shows a process: another one where tmux or screen stand between them.
fn terminal_of(mut line: Line) -> Result<Line, NotRaised> {
    // One of them may run in the other, but not for ever.
    for _ in 0..4 {
        let shown_by = if let Some(server) = tmux::Server::around(&line) {
            server.show_pane()?
        } else if let Some(server) = screen::server_of(&line) {
            screen::client_of(server)?
        } else {
            return Ok(line);
        };
        line = Line::of(shown_by)?;
    }
    Err(NotRaised::NoWindow)
}

/// Whether Windows shows the terminals here.
fn is_wsl() -> bool {
    Path::new("/proc/sys/fs/binfmt_misc/WSLInterop").exists()
        || std::env::var_os("WSL_DISTRO_NAME").is_some()
}
