//! Going to the terminal of a session: real terminals, tmux and screen.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use bellwether_overlay::terminal::{NotRaised, Seat};
use bellwether_tests::XServer;
use bellwether_tests::xserver::{Running, Window};

/// A display with terminals, and perhaps a tmux that some of them show.
struct Desk {
    x: XServer,
    seat: Seat,
    terminals: Vec<Running>,
}

impl Desk {
    fn new() -> Result<Self> {
        let x = XServer::start()?;
        let seat = Seat {
            display: Some(x.display().to_owned()),
            ..Seat::default()
        };
        let terminals = Vec::new();
        Ok(Self { x, seat, terminals })
    }

    /// Opens a terminal that runs a command.
    fn open(&mut self, title: &str, command: &[&str]) -> Result<Window> {
        let mut xterm = self.x.command("xterm");
        // A folder that screen takes for its sockets.
        xterm.env("SCREENDIR", self.file("screens"));
        xterm.args(["-fa", "monospace", "-geometry", "60x12", "-T", title, "-e"]);
        self.terminals.push(self.x.run(xterm.args(command))?);
        self.shown(title)
    }

    /// Waits for a window, and for its focus: it would take that away later, just when a test looks.
    fn shown(&self, title: &str) -> Result<Window> {
        let window = self.x.wait(title, || self.x.window_titled(title))?;
        let focus = || Ok(self.is_active(&window)?.then_some(()));
        self.x.wait("its focus", focus)?;
        Ok(window)
    }

    fn is_active(&self, window: &Window) -> Result<bool> {
        Ok(self.x.active()? == Some(window.id))
    }

    /// What a shell runs to leave its process's number under a name, and to stay.
    fn session(&self, name: &str) -> String {
        let file = self.file(name);
        format!(
            "echo $$ > {0}.new; mv {0}.new {0}; exec sleep 1000",
            file.display()
        )
    }

    /// The process of such a shell.
    fn pid(&self, name: &str) -> Result<u32> {
        let read = || Ok(std::fs::read_to_string(self.file(name)).ok());
        Ok(self.x.wait(name, read)?.trim().parse()?)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.x.folder().join(name)
    }

    fn socket(&self) -> String {
        self.file("tmux").display().to_string()
    }

    /// Asks tmux.
    fn tmux(&self, words: &[&str]) -> Result<String> {
        let mut tmux = self.x.command("tmux");
        let output = tmux.args(["-S", &self.socket()]).args(words).output()?;
        ensure!(
            output.status.success(),
            "tmux {words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]);
        // What left its terminal: a screen, a process without one. Nothing else has this HOME.
        bellwether_tests::processes::end_all(self.x.folder());
    }
}

#[test]
fn each_of_several_terminals_comes_to_the_front() -> Result<()> {
    let mut desk = Desk::new()?;
    let mut sessions = Vec::new();
    for name in ["one", "two", "three"] {
        let session = desk.session(name);
        let window = desk.open(name, &["sh", "-c", &session])?;
        sessions.push((window, desk.pid(name)?));
    }
    for at in [0, 2, 1, 0] {
        let (window, pid) = &sessions[at];
        desk.seat.raise(*pid)?;
        assert!(desk.is_active(window)?);
        let top = desk.x.stacked()?.pop().context("no window")?;
        assert_eq!(top.id, window.id);
    }
    Ok(())
}

#[test]
fn a_pane_of_tmux_is_shown_in_the_terminal_that_has_it_now() -> Result<()> {
    let mut desk = Desk::new()?;
    let (socket, first) = (desk.socket(), desk.session("first"));
    let tmux = ["tmux", "-S", &socket, "-f", "/dev/null"];
    let begin = [&tmux[..], &["new-session", "-s", "work", &first]].concat();
    let began_in = desk.open("began", &begin)?;
    desk.pid("first")?;
    desk.tmux(&["split-window", "-t", "work", &desk.session("second")])?;
    desk.tmux(&["new-window", "-t", "work", &desk.session("third")])?;
    let pids = [desk.pid("first")?, desk.pid("second")?, desk.pid("third")?];
    for pid in [pids[0], pids[2], pids[1]] {
        desk.seat.raise(pid)?;
        let shown = desk.tmux(&["display-message", "-p", "-t", "work", "#{pane_pid}"])?;
        assert_eq!(shown, pid.to_string());
        assert!(desk.is_active(&began_in)?);
    }

    // The server keeps the variables of the terminal that it began in, also when no terminal shows it, or another.
    desk.tmux(&["detach-client", "-s", "work"])?;
    let detached = || Ok(desk.tmux(&["list-clients"])?.is_empty().then_some(()));
    desk.x.wait("no client", detached)?;
    assert_eq!(desk.seat.raise(pids[0]), Err(NotRaised::Detached));
    let attach = [&tmux[..], &["attach", "-t", "work"]].concat();
    let attached = desk.open("attached", &attach)?;
    let client = || Ok((!desk.tmux(&["list-clients"])?.is_empty()).then_some(()));
    desk.x.wait("a client", client)?;
    let session = desk.session("other");
    desk.open("other", &["sh", "-c", &session])?;
    desk.seat.raise(pids[0])?;
    assert!(desk.is_active(&attached)?);
    Ok(())
}

#[test]
fn a_window_that_was_opened_from_a_pane_is_no_part_of_it() -> Result<()> {
    let mut desk = Desk::new()?;
    let inner = desk.file("inner.sh");
    std::fs::write(&inner, desk.session("inner"))?;
    let xterm = format!("xterm -fa monospace -T inner -e sh {}", inner.display());
    let socket = desk.socket();
    let outer = desk.open(
        "outer",
        &[
            "tmux",
            "-S",
            &socket,
            "-f",
            "/dev/null",
            "new-session",
            &xterm,
        ],
    )?;
    let inner = desk.x.wait("inner", || desk.x.window_titled("inner"))?;
    desk.x
        .xdotool(&["windowactivate", "--sync", &outer.id.to_string()])?;
    desk.seat.raise(desk.pid("inner")?)?;
    assert!(desk.is_active(&inner)?);
    Ok(())
}

#[test]
fn the_terminal_of_a_screen_comes_to_the_front() -> Result<()> {
    let mut desk = Desk::new()?;
    let session = desk.session("within");
    let window = desk.open(
        "screened",
        &["screen", "-c", "/dev/null", "sh", "-c", &session],
    )?;
    let pid = desk.pid("within")?;
    let other = desk.session("beside");
    desk.open("beside", &["sh", "-c", &other])?;
    desk.seat.raise(pid)?;
    assert!(desk.is_active(&window)?);
    Ok(())
}

#[test]
fn a_person_is_told_why_nothing_comes_to_the_front() -> Result<()> {
    let desk = Desk::new()?;
    let mut ended = Command::new("true").spawn()?;
    ended.wait()?;
    assert_eq!(desk.seat.raise(ended.id()), Err(NotRaised::Gone));

    // Without a parent of its own, and so without a terminal.
    let session = desk.session("alone");
    let mut alone = desk.x.command("setsid");
    let _began = desk.x.run(alone.args(["-f", "sh", "-c", &session]))?;
    let alone = desk.pid("alone")?;
    assert_eq!(desk.seat.raise(alone), Err(NotRaised::NoWindow));

    let mut wayland = desk.seat.clone();
    wayland.has_wayland = true;
    assert_eq!(wayland.raise(alone), Err(NotRaised::NoWay));
    wayland.display = None;
    assert_eq!(wayland.raise(alone), Err(NotRaised::NoWay));
    let nothing = Seat::default();
    assert_eq!(nothing.raise(alone), Err(NotRaised::NoDisplay));
    let mut away = desk.seat.clone();
    away.display = Some(":9999".into());
    assert_eq!(away.raise(alone), Err(NotRaised::NoDisplay));

    if rustix::process::getuid().is_root() {
        let mut foreign = desk.x.command("setpriv");
        foreign.args(["--reuid", "65534", "--clear-groups", "sh", "-c"]);
        let mut foreign = desk.x.run(
            foreign
                .arg("echo; exec sleep 1000")
                .stdout(std::process::Stdio::piped()),
        )?;
        let mut told = [0];
        std::io::Read::read_exact(&mut foreign.stdout().context("no stdout")?, &mut told)?;
        assert_eq!(desk.seat.raise(foreign.pid()), Err(NotRaised::Foreign));
    } else {
        assert_eq!(desk.seat.raise(1), Err(NotRaised::Foreign));
    }
    Ok(())
}
