//! What shows that a person has logged in or opened a terminal.

use super::{Process, Processes};

/// Programs that let a person in. As another user's processes (root's) they cannot be an agent's.
const LOGINS: &[&str] = &[
    "sshd",
    "sshd-session",
    "login",
    "in.telnetd",
    "mosh-server",
    "agetty",
    "gdm-session-wor",
    "gdm-session-worker",
    "sddm-helper",
    "lightdm",
    "lxdm-session",
    "greetd",
    "xrdp-sesman",
    "cockpit-session",
    "ttyd",
];
/// Programs with a window in which a person types.
const TERMINALS: &[&str] = &[
    "gnome-terminal-server",
    "gnome-terminal-",
    "kgx",
    "ptyxis",
    "ptyxis-agent",
    "konsole",
    "yakuake",
    "xterm",
    "uxterm",
    "urxvt",
    "rxvt",
    "st",
    "alacritty",
    "kitty",
    "foot",
    "footclient",
    "wezterm",
    "wezterm-gui",
    "wezterm-mux-server",
    "ghostty",
    "tilix",
    "terminator",
    "guake",
    "xfce4-terminal",
    "lxterminal",
    "mate-terminal",
    "terminology",
    "contour",
    "rio",
    "cosmic-term",
    "hyper",
    "tabby",
    "warp-terminal",
    "code",
    "code-insiders",
    "codium",
    "cursor",
    "zed",
    "zed-editor",
    "windsurf",
    "emacs",
    "idea",
    "pycharm",
    "goland",
    "clion",
    "webstorm",
    "rustrover",
    "i3",
    "sway",
    "Hyprland",
    "gnome-shell",
    "plasmashell",
    "kwin_wayland",
    "WindowServer",
    "Terminal",
    "iTerm2",
];
/// Processes that take over whoever lost its parent, or run what anybody gives them.
const REAPERS: &[&str] = &[
    "systemd",
    "init",
    "upstart",
    "launchd",
    "tini",
    "dumb-init",
    "docker-init",
    "catatonit",
    "s6-svscan",
    "runsvdir",
    "supervisord",
    "atd",
    "cron",
    "crond",
    "fcron",
    "anacron",
    "dbus-daemon",
    "dbus-broker",
];

/// Whether being the child of this process says nothing about who wanted it.
pub(super) fn is_reaper(process: &Process) -> bool {
    process.pid == 1 || REAPERS.contains(&process.name.as_str())
}

/// Whether a process can only be there because a person is.
pub(super) fn is_login(processes: &dyn Processes, process: &Process, user: u32) -> bool {
    if process.user != user {
        return LOGINS.contains(&process.name.as_str());
    }
    let Some(program) = processes.program(process.pid) else {
        return false;
    };
    let name = program.path.file_name().and_then(|name| name.to_str());
    let known = |name: &str| TERMINALS.contains(&name) || LOGINS.contains(&name);
    // The name alone can be had by a copy of anything.
    program.settled && name.is_some_and(known)
}

/// Whether a process is a server of tmux, whose panes are as much a person's as those who look at them.
pub(super) fn is_tmux(process: &Process) -> bool {
    process.name == "tmux: server" || process.name == "tmux"
}
