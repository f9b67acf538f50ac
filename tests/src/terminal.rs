//! The client in a terminal: tmux within the run's namespace, driven from outside through its socket.

use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use rustix::process::Pid;

use crate::dialect::Dialect;
use crate::env::{ClientEnv, SYSTEM_PATH};
use crate::home::Home;
use crate::inside::Plan;
use crate::scenario::Scenario;
use crate::{client, namespace, processes, wait};

const WIDTH: &str = "150";
const HEIGHT: &str = "50";
/// How long the client may take to start, and to show what is typed or a dialog.
const PATIENCE: Duration = Duration::from_secs(30);
/// A dialog deaf to a key has this long to go away, this many times.
const BETWEEN_PRESSES: Duration = Duration::from_millis(500);
const PRESSES: u32 = 10;
/// The kernel allows a socket's path 107 bytes.
const LONGEST_SOCKET_PATH: usize = 100;

/// An interactive session to be.
#[derive(Debug)]
pub struct Interactive<'a> {
    home: &'a Home,
    version: String,
    env: ClientEnv,
    args: Vec<String>,
}

/// An interactive session. Dropping it ends it.
#[derive(Debug)]
pub struct Terminal<'a> {
    home: &'a Home,
    dialect: Dialect,
    socket: PathBuf,
    run: Child,
    /// The processes of tmux and of the client, known once the client is up.
    server: Option<Pid>,
    client: Option<Pid>,
}

impl<'a> Interactive<'a> {
    /// A session in this home.
    pub fn new(home: &'a Home) -> Self {
        Self {
            home,
            version: client::CLIENT_VERSION.into(),
            env: ClientEnv::new(home),
            args: Vec::new(),
        }
    }

    /// Starts another version of the client.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        self.version = version.into();
        self
    }

    /// Sets a variable for the client and its hooks.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.set(name, value);
        self
    }

    /// Puts a folder in front of the client's PATH.
    #[must_use]
    pub fn path_first(mut self, folder: &Path) -> Self {
        self.env.path_first(folder);
        self
    }

    /// Adds arguments for the client.
    #[must_use]
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Starts the client and waits for its prompt.
    pub fn start(self) -> Result<Terminal<'a>> {
        let folder = self.home.next_run()?;
        let socket = folder.join("tmux");
        ensure!(
            socket.as_os_str().len() <= LONGEST_SOCKET_PATH,
            "{} is too long for a socket: set TMPDIR to a shorter path",
            socket.display()
        );
        let dialect = Dialect::of(&self.version)?;
        let plan = Plan::new(self.home, &self.env, self.command(&socket)?);
        let mut terminal = Terminal {
            home: self.home,
            dialect,
            run: plan.start(self.home.rig(), &folder)?,
            socket,
            server: None,
            client: None,
        };
        terminal
            .wait_for(|screen| screen.contains(dialect.prompt()), PATIENCE)
            .with_context(|| std::fs::read_to_string(folder.join("stderr")).unwrap_or_default())?;
        terminal.server = terminal.pid("#{pid}")?;
        terminal.client = terminal.pid("#{pane_pid}")?;
        Ok(terminal)
    }

    /// A tmux that starts the client in a pane, and stays until the server ends. The pane keeps the last screen when
    /// the client is gone, and gives it no variable of tmux's own.
    fn command(&self, socket: &Path) -> Result<Vec<String>> {
        let socket = socket.display().to_string();
        let mut command: Vec<String> = ["tmux", "-u", "-S", &socket, "-f", "/dev/null"]
            .map(Into::into)
            .into();
        command.extend(["set", "-g", "remain-on-exit", "on", ";"].map(Into::into));
        command.extend(["new-session", "-d", "-x", WIDTH, "-y", HEIGHT].map(Into::into));
        command.extend(["env".into(), "-i".into()]);
        command.extend(
            self.env
                .vars()
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
        command.push(client::fetch(&self.version)?.display().to_string());
        command.extend(self.args.iter().cloned());
        command.extend([";", "wait-for", "the-end"].map(Into::into));
        Ok(command)
    }
}

impl Terminal<'_> {
    /// Plays a scenario: installs it and types its prompt.
    pub fn play(&self, scenario: &Scenario) -> Result<()> {
        let named = scenario.clone().in_dialect(self.dialect);
        named.install(&self.home.scenarios(), &self.home.project())?;
        self.type_line(&scenario.prompt())
    }

    /// Types a line into the prompt, and sends it once the client shows it: sent with the text, Enter would be taken
    /// for a part of something pasted.
    #[track_caller]
    pub fn type_line(&self, text: &str) -> Result<()> {
        self.tmux(&["send-keys", "-l", text])?;
        let beginning: String = text.chars().take(40).collect();
        let typed = |screen: &str| self.prompt_line(screen).contains(&beginning);
        self.wait_for(typed, PATIENCE)?;
        self.keys(&["Enter"])
    }

    /// Waits for a dialog, known by words that nothing else on the screen has, and presses a key until it is gone: the
    /// client ignores keys in a dialog's first moments.
    #[track_caller]
    pub fn answer(&self, dialog: &str, key: &str) -> Result<()> {
        let caller = Location::caller();
        self.wait_for(|screen| screen.contains(dialog), PATIENCE)?;
        for _ in 0..PRESSES {
            self.keys(&[key])?;
            let gone = || Ok((!self.screen()?.contains(dialog)).then_some(()));
            if wait::until(BETWEEN_PRESSES, gone)?.is_some() {
                return Ok(());
            }
        }
        bail!(
            "{caller}: {key} does not end the dialog:\n{}",
            self.screen()?
        )
    }

    /// Presses keys, by tmux's names for them.
    pub fn keys(&self, keys: &[&str]) -> Result<()> {
        self.tmux(&[&["send-keys"], keys].concat()).map(drop)
    }

    /// The screen as it is.
    pub fn screen(&self) -> Result<String> {
        self.tmux(&["capture-pane", "-p"])
    }

    /// The screen with its colours, as the sequences that a terminal would be sent.
    pub fn coloured(&self) -> Result<String> {
        self.tmux(&["capture-pane", "-p", "-e"])
    }

    /// Waits for the screen to be as wanted and returns it; the error shows the screen that was there instead.
    #[track_caller]
    pub fn wait_for(&self, wanted: impl Fn(&str) -> bool, patience: Duration) -> Result<String> {
        let caller = Location::caller();
        // Right after the start there is no server to ask yet.
        let look = || Ok(self.screen().ok().filter(|screen| wanted(screen)));
        match wait::until(patience, look)? {
            Some(screen) => Ok(screen),
            None => bail!(
                "{caller}: not the awaited screen within {patience:?}:\n{}",
                self.screen().unwrap_or_else(|error| format!("{error:#}"))
            ),
        }
    }

    /// Waits for the client to end by itself. The process is asked, not tmux: that one may miss the end of its child.
    #[track_caller]
    pub fn wait_for_exit(&self, patience: Duration) -> Result<()> {
        let caller = Location::caller();
        let gone = wait::until(patience, || Ok((!self.client_lives()).then_some(())))?;
        gone.with_context(|| {
            let screen = self.screen().unwrap_or_default();
            format!("{caller}: the client did not end within {patience:?}:\n{screen}")
        })
    }

    /// A command that runs a program in the network of this session: a browser, or whatever else asks the daemon there.
    pub fn beside(&self, program: &str) -> Result<Command> {
        namespace::joining(self.run.id(), program)
    }

    /// A command that shows the session in the terminal of a developer.
    pub fn attach(&self) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.socket).arg("attach");
        command
    }

    /// Ends the session: client, tmux and fake API.
    pub fn stop(self) {
        drop(self);
    }

    /// The line one types into; older prompts stand above it.
    fn prompt_line<'s>(&self, screen: &'s str) -> &'s str {
        let mut lines = screen.lines().rev();
        lines
            .find(|line| line.starts_with(self.dialect.prompt()))
            .unwrap_or_default()
    }

    fn pid(&self, format: &str) -> Result<Option<Pid>> {
        let pid = self.tmux(&["display-message", "-p", format])?;
        Ok(Pid::from_raw(pid.trim().parse()?))
    }

    fn client_lives(&self) -> bool {
        let home = self.home.dir();
        self.client
            .is_some_and(|client| processes::has_home(client, &home))
    }

    fn tmux(&self, args: &[&str]) -> Result<String> {
        let Output {
            status,
            stdout,
            stderr,
        } = Command::new("tmux")
            .args(["-u", "-S"])
            .arg(&self.socket)
            .args(args)
            .env_clear()
            .env("PATH", SYSTEM_PATH)
            .output()
            .context("tmux does not start: install tmux")?;
        ensure!(
            status.success(),
            "tmux {args:?}: {}",
            String::from_utf8_lossy(&stderr)
        );
        Ok(String::from_utf8_lossy(&stdout).into_owned())
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        if self.tmux(&["kill-server"]).is_err() {
            // There is no server to end the run: cutting the lifeline does.
            drop(self.run.stdin.take());
        }
        let pids: Vec<Pid> = self.server.into_iter().chain(self.client).collect();
        processes::end_these(&pids, &self.home.dir());
        let _ = self.run.wait();
    }
}
