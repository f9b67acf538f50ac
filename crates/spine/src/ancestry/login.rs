//! What shows that a person has logged in or opened a terminal.

use super::{Process, Processes};

/// Programs that let a person in. They count as root's, whose processes are no agent's.
#[rustfmt::skip]
const LOGINS: &[&str] = &[
    "sshd", "sshd-session", "login", "in.telnetd", "agetty", "gdm-session-wor", "sddm-helper", "lightdm", "lxdm-session",
    "greetd", "xrdp-sesman", "cockpit-session",
];
/// Programs with a window in which a person types, and desktops that start what a person presses.
#[rustfmt::skip]
const TERMINALS: &[&str] = &[
    "gnome-terminal-server", "kgx", "ptyxis", "konsole", "yakuake", "xterm", "uxterm", "urxvt", "rxvt", "st", "alacritty",
    "kitty", "foot", "wezterm-gui", "ghostty", "tilix", "terminator", "guake", "xfce4-terminal", "lxterminal",
    "mate-terminal", "terminology", "contour", "rio", "cosmic-term", "hyper", "tabby", "warp-terminal", "code",
    "code-insiders", "codium", "cursor", "windsurf", "zed-editor", "gnome-shell", "plasmashell",
];
/// Processes that take over whoever lost its parent, or run what anybody gives them.
#[rustfmt::skip]
const REAPERS: &[&str] = &[
    "systemd", "init", "upstart", "launchd", "tini", "dumb-init", "docker-init", "catatonit", "s6-svscan", "runsvdir",
    "supervisord", "atd", "cron", "crond", "fcron", "anacron", "dbus-daemon", "dbus-broker",
];
/// The variable by which a window's program becomes an interpreter without one.
const NO_WINDOW: &str = "ELECTRON_RUN_AS_NODE";

/// Whether being the child of this process says nothing about who wanted it.
pub(super) fn is_reaper(process: &Process) -> bool {
    process.pid == 1 || REAPERS.contains(&process.name.as_str())
}

/// Whether a process can only be there because a person is.
pub(super) fn is_login(processes: &dyn Processes, process: &Process, user: u32) -> bool {
    if process.user != user {
        return process.user == 0 && LOGINS.contains(&process.name.as_str());
    }
    // The name alone can be had by a copy of anything.
    let program = processes.program(process.pid).filter(|it| it.settled);
    let name = program
        .as_ref()
        .and_then(|it| it.path.file_name()?.to_str());
    name.is_some_and(|name| {
        (user == 0 && LOGINS.contains(&name))
            || (TERMINALS.contains(&name) && has_window(processes, process))
    })
}

/// Whether a terminal's program runs as one: some can also run a script instead.
fn has_window(processes: &dyn Processes, process: &Process) -> bool {
    let words = processes.words(process.pid);
    let is_script = words.get(1).is_some_and(|word| word.starts_with('+'));
    !is_script && processes.variable(process.pid, NO_WINDOW).is_none()
}

/// Whether a process is a server of tmux, whose panes are as much a person's as those who look at them.
pub(super) fn is_tmux(process: &Process) -> bool {
    process.name == "tmux: server" || process.name == "tmux"
}
