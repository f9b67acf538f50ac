//! One bellwether in a folder of its own, for a bench or a soak, with everything it started gone
//! when it is dropped.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use bellwether_flock::{Filter, Reader, StoreReader as _};
use bellwether_spine::wake::{self, Wake};
use bellwether_spine::{Home, lock};
use rustix::process::Pid;
use serde_json::Value;

use crate::programs::Programs;
use crate::run::printed;
use crate::{fixture, jsonl, process, typing};

/// The project that hooks are told of.
pub const PROJECT: &str = "/home/dev/proj";

/// What the client tells its hooks, and no more of this process's own environment than any
/// program needs.
const CLIENT: &[(&str, &str)] = &[
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    // A hook that passed over its `--home` would leave files where nobody looks: here it cannot.
    ("HOME", "/dev/null"),
    ("CLAUDE_PROJECT_DIR", PROJECT),
    ("CLAUDE_CODE_ENTRYPOINT", "cli"),
    ("CLAUDE_PID", "4242"),
    ("AI_AGENT", "claude-code_2-1-325_harness"),
];

/// How long we wait for what takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);
/// How many last events are tried.
const SETTLE_ATTEMPTS: u32 = 4;
/// How many ports are tried.
const SERVE_ATTEMPTS: u32 = 4;
/// How often we look.
const GLANCE: Duration = Duration::from_millis(2);
/// How many records are looked at in one go; some have megabytes.
const PAGE: usize = 64;

/// A program as the client starts its hooks.
pub fn as_client_does(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs(CLIENT.iter().copied());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The same without the mark that the client leaves on all that it starts.
pub fn as_person_does(program: &Path) -> Command {
    let mut command = as_client_does(program);
    command.env_remove("AI_AGENT");
    command
}

/// Our end of a stream on which a small payload already waits. The stream stays open as long as
/// our end is kept: the client does not close it either.
pub fn filled_stdin(payload: &[u8]) -> Result<(UnixStream, Stdio)> {
    let (mut ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    ours.write_all(payload)
        .context("the payload does not fit the stream's buffer")?;
    Ok((ours, Stdio::from(OwnedFd::from(theirs))))
}

/// A port that nobody has at this moment.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

pub struct Installation {
    programs: Programs,
    folder: tempfile::TempDir,
    home: Home,
}

impl Installation {
    /// A fresh one of the programs that were built; nothing runs.
    pub fn fresh() -> Result<Self> {
        Self::new(&Programs::built()?)
    }

    /// A fresh one of the programs that were built, with a configuration.
    pub fn fresh_with(config: &str) -> Result<Self> {
        Self::configured(&Programs::built()?, config)
    }

    /// A fresh one of these programs; nothing runs.
    pub fn new(programs: &Programs) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bw-").tempdir()?;
        let home = Home::find(Some(folder.path().to_owned()))?;
        home.create()?;
        Ok(Self {
            programs: programs.clone(),
            folder,
            home,
        })
    }

    /// A fresh one of these programs with a configuration.
    pub fn configured(programs: &Programs, config: &str) -> Result<Self> {
        let place = Self::new(programs)?;
        place.configure(config)?;
        Ok(place)
    }

    pub fn configure(&self, config: &str) -> Result<()> {
        std::fs::create_dir_all(self.home.config())?;
        Ok(std::fs::write(self.home.config_file(), config)?)
    }

    pub fn home(&self) -> &Home {
        &self.home
    }

    /// What `--home` is given.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Where a daemon in the foreground looks for the client's own files.
    pub fn client_folder(&self) -> PathBuf {
        self.root().join("claude")
    }

    /// A hook as it would be registered.
    pub fn hook(&self) -> Command {
        let mut command = as_client_does(&self.programs.hook());
        command.arg("--home").arg(self.root());
        command
    }

    /// A command of the CLI.
    pub fn cli<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = as_person_does(&self.programs.main());
        command.arg("--home").arg(self.root()).args(words);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// A command of the CLI in a terminal of its own, as a person has; what it says is all on stdout.
    pub fn at_terminal<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> Command {
        let program = self.programs.main().display().to_string();
        let root = self.root().display().to_string();
        let ours = [program.as_str(), "--home", &root].map(typing::quoted);
        let line: Vec<String> = ours
            .into_iter()
            .chain(words.into_iter().map(typing::quoted))
            .collect();
        let mut command = as_person_does(Path::new("bash"));
        command.args(typing::words(&line.join(" ")));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The programs it is made of.
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Runs one hook on a small payload.
    pub fn visit(&self, payload: &[u8]) -> Result<ExitStatus> {
        let (_open, stdin) = filled_stdin(payload)?;
        self.hook().stdin(stdin).status().context("run the hook")
    }

    /// Starts a daemon in the foreground and waits until it hears.
    pub fn start_daemon(&self, options: &[&str]) -> Result<Daemon> {
        let daemon = self.spawn_daemon(options)?;
        self.wait_for("the daemon to hear", || {
            Ok(wake::send(&self.home) == Wake::Heard)
        })?;
        Ok(daemon)
    }

    /// Starts a daemon that serves HTTP, in the foreground, and waits until it does; also returns the
    /// port.
    pub fn start_serving(&self, options: &[&str]) -> Result<(Daemon, u16)> {
        // Somebody else may take a free port before the daemon does.
        for _ in 0..SERVE_ATTEMPTS {
            let port = free_port()?;
            let mut daemon = self.spawn_on(port, options)?;
            let address = ("127.0.0.1", port);
            let begun = Instant::now();
            while begun.elapsed() < PATIENCE && !daemon.ended()? {
                if wake::send(&self.home) == Wake::Heard && TcpStream::connect(address).is_ok() {
                    return Ok((daemon, port));
                }
                std::thread::sleep(GLANCE);
            }
        }
        bail!("no daemon serves HTTP in {}", self.root().display())
    }

    /// Starts a daemon in the foreground and does not wait.
    pub fn spawn_daemon(&self, options: &[&str]) -> Result<Daemon> {
        self.spawn_on(0, options)
    }

    fn spawn_on(&self, port: u16, options: &[&str]) -> Result<Daemon> {
        let mut command = Command::new(self.programs.main());
        command
            .args(["daemon", "run", "--port", &port.to_string(), "--home"])
            .arg(self.root())
            .args(options)
            .env("CLAUDE_CONFIG_DIR", self.client_folder());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Ok(Daemon(command.spawn().context("start the daemon")?))
    }

    /// The daemons that run for this home; hooks at work are not among them.
    pub fn daemons(&self) -> Result<Vec<Pid>> {
        let daemons = process::with_words(&[OsStr::new("daemon"), OsStr::new("run")])?;
        let ours = process::with_words(&[OsStr::new("--home"), self.root().as_os_str()])?;
        Ok(daemons
            .into_iter()
            .filter(|pid| ours.contains(pid))
            .collect())
    }

    /// Kills whatever runs for this home, until nothing does. Only for when no hook is at work:
    /// between its forks a starting daemon looks like one.
    pub fn kill_all(&self) -> Result<()> {
        let words = [OsStr::new("--home"), self.root().as_os_str()];
        self.wait_for("everything to die", || {
            let pids = process::with_words(&words)?;
            pids.iter().copied().for_each(process::kill);
            Ok(pids.is_empty() && !lock::is_held(&self.home)?)
        })
    }

    /// Feeds a last event and waits until it is stored: with it, all before it have been read. A
    /// daemon that was killed with a wake-up in its hands leaves the event to the next one, so there
    /// may have to be a few.
    pub fn settle(&self) -> Result<()> {
        for attempt in 0..SETTLE_ATTEMPTS {
            let marker = format!("settled-{}-{attempt}", self.count()?);
            let visited = self.visit(&fixture::tool_call(&marker, 100))?;
            ensure!(visited.success(), "the last hook failed");
            let begun = Instant::now();
            while begun.elapsed() < PATIENCE / SETTLE_ATTEMPTS {
                if self.is_among_last(&marker)? {
                    return Ok(());
                }
                std::thread::sleep(GLANCE);
            }
        }
        bail!("no last event was stored in {}", self.root().display())
    }

    /// Whether an event is among the last that were stored.
    pub fn is_among_last(&self, marker: &str) -> Result<bool> {
        let Some(reader) = self.reader()? else {
            return Ok(false);
        };
        let last = reader.last(&Filter::default(), 8)?;
        Ok(last
            .iter()
            .any(|event| fixture::marker(&event.record) == Some(marker)))
    }

    /// Every stored event, as `bellwether events --json` shows it.
    pub fn events(&self) -> Result<Vec<Value>> {
        jsonl::parse(&self.printed(&["events", "--json", "--limit", "0"])?)
    }

    /// What a command of ours prints.
    pub fn printed(&self, words: &[&str]) -> Result<String> {
        printed(&mut self.cli(words.iter().copied()))
    }

    /// How many events are stored.
    pub fn count(&self) -> Result<u64> {
        Ok(self.reader()?.map_or(Ok(0), |reader| reader.count())?)
    }

    /// What was counted otherwise than it is stored: counts, agents and events are one transaction.
    pub fn miscounted(&self) -> Result<Option<String>> {
        let Some(reader) = self.reader()? else {
            return Ok(None);
        };
        let stored: usize = self.markers()?.values().sum();
        let stored = u64::try_from(stored)?;
        let overview = reader.overview()?;
        let counted: u64 = overview.types.iter().map(|kind| kind.count).sum();
        let agents = reader.agents(usize::MAX)?;
        let heard: u64 = agents.iter().map(|agent| agent.events).sum();
        let told = [overview.events, counted, heard];
        Ok(told
            .iter()
            .any(|count| *count != stored)
            .then(|| format!("{stored} events are stored, and {told:?} were counted")))
    }

    /// How often each marker is stored.
    pub fn markers(&self) -> Result<BTreeMap<String, usize>> {
        let mut markers = BTreeMap::new();
        let Some(reader) = self.reader()? else {
            return Ok(markers);
        };
        let mut filter = Filter::default();
        loop {
            let page = reader.first(&filter, PAGE)?;
            let Some(last) = page.last() else {
                return Ok(markers);
            };
            filter.after = last.seq;
            for event in &page {
                let marker = fixture::marker(&event.record).unwrap_or("(none)");
                *markers.entry(marker.to_owned()).or_default() += 1;
            }
        }
    }

    /// The store, once there is one.
    pub fn reader(&self) -> Result<Option<Reader>> {
        Ok(Reader::open(&self.home.database())?)
    }

    /// Looks until something is so; gives up after a while that is long beyond doubt.
    pub fn wait_for(&self, what: &str, mut so: impl FnMut() -> Result<bool>) -> Result<()> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if so()? {
                return Ok(());
            }
            std::thread::sleep(GLANCE);
        }
        bail!(
            "waited {} s for {what} in {}",
            PATIENCE.as_secs(),
            self.root().display()
        )
    }

    /// Keeps the files for somebody to look at, and returns where they are.
    pub fn keep(mut self) -> PathBuf {
        self.folder.disable_cleanup(true);
        self.root().to_owned()
    }
}

impl Drop for Installation {
    fn drop(&mut self) {
        if let Err(error) = self.kill_all() {
            eprintln!("{error:#}");
        }
    }
}

/// A daemon in the foreground; it is killed when this is dropped.
pub struct Daemon(Child);

impl Daemon {
    pub fn pid(&self) -> Result<Pid> {
        Pid::from_raw(i32::try_from(self.0.id())?).context("a process has a number")
    }

    /// Whether it has ended by itself.
    pub fn ended(&mut self) -> Result<bool> {
        Ok(self.0.try_wait()?.is_some())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
