//! The overlay: what those who start it and the program itself must agree on. It is a program of its own, so that neither
//! the hook nor the daemon links a window system.
//!
//! - One a display: whoever starts it takes the display's lock and hands it over, so that two cannot start at once. The lock
//!   is gone the moment its holder dies, however it dies.
//! - It gets its token over a pipe: never as a word, as a variable or in a file.
//! - Its environment is the fixed list of [`crate::launch`] and the variables below.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};

use crate::launch::{self, HANDED_FD, Launch};
use crate::{Home, SpineError, clock, digest, lock, place, text};

/// The program, beside our others.
pub const PROGRAM: &str = "bellwether-overlay";

/// What leads a program to a display, and to the desktop around it.
pub const VARIABLES: [&str; 8] = [
    DISPLAY,
    WAYLAND_DISPLAY,
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "SWAYSOCK",
    "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP",
];
const DISPLAY: &str = "DISPLAY";
const WAYLAND_DISPLAY: &str = "WAYLAND_DISPLAY";

/// A display's name is shown up to here.
const NAME: usize = 60;
/// A key is no longer than this.
const KEY: u64 = 1024;
/// How long one that was told to end may take.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A display, and what leads there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Display {
    name: String,
    variables: Vec<(&'static str, OsString)>,
}

impl Display {
    /// The display that variables name, if they name one.
    pub fn of(variable: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        let set = |name: &&'static str| {
            let value = variable(name).filter(|value| !value.is_empty())?;
            Some((*name, value))
        };
        let variables: Vec<_> = VARIABLES.iter().filter_map(set).collect();
        let named = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.to_string_lossy().into_owned())
        };
        // A compositor with X clients has both, and its windows are on the same screens.
        let name = named(DISPLAY)
            .map(|display| without_screen(&display).to_owned())
            .or_else(|| named(WAYLAND_DISPLAY))?;
        Some(Self {
            name: text::shown(&name, NAME),
            variables,
        })
    }

    /// The display of this process.
    pub fn here() -> Option<Self> {
        Self::of(|name| std::env::var_os(name))
    }

    /// What it is called: `:0`, `wayland-1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the token of the overlay there.
    pub fn token_name(&self) -> String {
        format!("overlay on {}", self.name)
    }

    /// Whether it is one of this machine: an address of another could be anybody's.
    pub fn is_local(&self) -> bool {
        let value = |wanted: &str| {
            let mut all = self.variables.iter();
            all.find_map(|(name, value)| (*name == wanted).then_some(value.as_os_str()))
        };
        let number = |display: &OsStr| {
            let display = display.to_str()?;
            let number = display
                .strip_prefix("unix")
                .unwrap_or(display)
                .strip_prefix(':')?;
            number
                .starts_with(|first: char| first.is_ascii_digit())
                .then_some(())
        };
        value(DISPLAY).is_none_or(|display| number(display).is_some())
    }

    fn lock(&self, home: &Home) -> PathBuf {
        let plain = |letter: char| match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' => letter,
            _ => '_',
        };
        let readable: String = self.name.chars().map(plain).take(24).collect();
        let hash = digest::sha256(self.name.as_bytes());
        let file = format!("{readable}-{}.lock", &hash[..8]);
        home.overlays().join(file)
    }
}

/// `:0.1` is a screen of `:0`, and `unix:0` the same display.
fn without_screen(display: &str) -> &str {
    let display = display.strip_prefix("unix").unwrap_or(display);
    match display.rsplit_once('.') {
        Some((before, screen))
            if before.contains(':') && screen.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            before
        }
        _ => display,
    }
}

/// What stands in a display's lock.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Note {
    display: String,
    pid: Option<u32>,
    /// The boot in which it was started.
    boot: Option<String>,
}

/// The right to be a display's one overlay.
#[derive(Debug)]
pub struct Held {
    lock: OwnedFd,
    path: PathBuf,
}

impl Held {
    /// Takes it; `None` while another has it.
    pub fn take(home: &Home, display: &Display) -> Result<Option<Self>, SpineError> {
        place::create_private(&home.overlays())?;
        let path = display.lock(home);
        let lock = lock::try_take_at(&path)?;
        let held = lock.map(|lock| Self { lock, path });
        if let Some(held) = &held {
            held.write(display, None)?;
        }
        Ok(held)
    }

    /// What the program does first: takes over the right that it was handed, or takes it, and says that it is the one.
    /// `None` while another has it.
    pub fn by_program(
        home: &Home,
        display: &Display,
        handed: Option<RawFd>,
    ) -> Result<Option<Self>, SpineError> {
        place::create_private(&home.overlays())?;
        let path = display.lock(home);
        let adopted = match handed {
            Some(number) => lock::adopt(&path, number)?,
            None => None,
        };
        let held = match adopted {
            Some(lock) => Some(Self { lock, path }),
            None => Self::take(home, display)?,
        };
        if let Some(held) = &held {
            held.write(display, Some(std::process::id()))?;
        }
        Ok(held)
    }

    /// What the program does last where nobody wanted it to end, as when its display has gone: so the next event may have
    /// it started again.
    pub fn forget(self) -> Result<(), SpineError> {
        self.replace(&[])
    }

    fn write(&self, display: &Display, pid: Option<u32>) -> Result<(), SpineError> {
        let note = Note {
            display: display.name.clone(),
            pid,
            boot: clock::boot_id(),
        };
        let note = serde_json::to_vec(&note).map_err(std::io::Error::from);
        self.replace(&note.map_err(|source| SpineError::io("write", &self.path, source))?)
    }

    fn replace(&self, content: &[u8]) -> Result<(), SpineError> {
        let written = || -> std::io::Result<()> {
            rustix::fs::ftruncate(&self.lock, 0)?;
            rustix::io::pwrite(&self.lock, content, 0)?;
            Ok(())
        };
        written().map_err(|source| SpineError::io("write", &self.path, source))
    }
}

/// Whether one has run on this display since the machine was started, and was not ended with its display: then a person has
/// ended it, or it has failed.
pub fn has_run(home: &Home, display: &Display) -> bool {
    let note = note(&display.lock(home));
    note.is_some_and(|note| note.boot.is_some() && note.boot == clock::boot_id())
}

fn note(path: &Path) -> Option<Note> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// An overlay that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Running {
    pub display: String,
    /// `None` for one that has only just begun.
    pub pid: Option<u32>,
    #[serde(skip)]
    path: PathBuf,
}

/// The overlays that run, by their displays.
pub fn running(home: &Home) -> Vec<Running> {
    let folder = std::fs::read_dir(home.overlays()).into_iter().flatten();
    let paths = folder.filter_map(|entry| Some(entry.ok()?.path()));
    let locks = paths.filter(|path| path.extension() == Some(OsStr::new("lock")));
    let mut running: Vec<Running> = locks.filter_map(running_at).collect();
    running.sort_by(|one, other| one.display.cmp(&other.display));
    running
}

/// The overlay on a display, if one runs there.
pub fn running_on(home: &Home, display: &Display) -> Option<Running> {
    running_at(display.lock(home))
}

fn running_at(path: PathBuf) -> Option<Running> {
    is_held(&path).then_some(())?;
    let note = note(&path).unwrap_or_default();
    Some(Running {
        display: note.display,
        pid: note.pid,
        path,
    })
}

/// Whether some process holds a lock. It is shared for a moment to know, as by everybody who asks.
fn is_held(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    flock(file.as_fd(), FlockOperation::NonBlockingLockShared).is_err()
}

impl Running {
    /// Has it end, and waits until it has; false when it has not in five seconds.
    pub fn end(&self) -> Result<bool, SpineError> {
        let until = Instant::now() + PATIENCE;
        let mut told = None;
        while is_held(&self.path) {
            // One that has only just begun says which process it is in a moment.
            let pid = note(&self.path).and_then(|note| note.pid);
            if let Some(pid) = pid.filter(|pid| told != Some(*pid)) {
                told = Some(pid);
                let process = i32::try_from(pid).ok().and_then(Pid::from_raw);
                let sent = process.map(|process| kill_process(process, Signal::TERM));
                if let Some(Err(errno)) = sent
                    && errno != rustix::io::Errno::SRCH
                {
                    return Err(SpineError::io("end the process of", &self.path, errno));
                }
            }
            if Instant::now() > until {
                return Ok(false);
            }
            // A lock cannot be waited for and given up.
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(true)
    }
}

/// An overlay that is to be started.
pub struct Start<'a> {
    pub home: &'a Home,
    pub program: &'a Path,
    pub display: &'a Display,
    /// Its words besides those about what it is handed.
    pub words: Vec<OsString>,
    pub held: Held,
    pub key: &'a str,
}

impl Start<'_> {
    /// Starts it so that it outlives us.
    pub fn detached(self) -> Result<(), SpineError> {
        let key = self.pipe()?;
        self.launch(&key).start()
    }

    /// Puts it in the place of this process. Returns only when that fails.
    pub fn replace_us(self) -> SpineError {
        match self.pipe() {
            Ok(key) => self.launch(&key).replace_us(),
            Err(error) => error,
        }
    }

    /// The key in a pipe; it fits in.
    fn pipe(&self) -> Result<OwnedFd, SpineError> {
        let failed = |source| SpineError::io("hand a key to", self.program, source);
        let (reader, mut writer) = std::io::pipe().map_err(failed)?;
        writer
            .write_all(format!("{}\n", self.key).as_bytes())
            .map_err(failed)?;
        Ok(reader.into())
    }

    fn launch<'b>(&'b self, key: &'b OwnedFd) -> Launch<'b> {
        let (key_fd, lock_fd) = (HANDED_FD.to_string(), (HANDED_FD + 1).to_string());
        Launch::of(self.program, self.home)
            .words(["--key-fd", &key_fd, "--lock-fd", &lock_fd])
            .words(self.words.clone())
            .handing(key)
            .handing(&self.held.lock)
            .variables(self.display.variables.clone())
    }
}

/// The key that this process was handed under a number.
pub fn receive_key(number: RawFd) -> Result<String, SpineError> {
    let path = PathBuf::from(format!("/dev/fd/{number}"));
    let failed = |source| SpineError::io("read the key from", &path, source);
    let pipe = File::from(launch::handed(number).map_err(failed)?);
    let mut said = String::new();
    pipe.take(KEY).read_to_string(&mut said).map_err(failed)?;
    let key = said.trim_end();
    if key.is_empty() {
        return Err(failed(std::io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(key.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn display(variables: &[(&str, &str)]) -> Option<Display> {
        Display::of(|name| {
            let mut all = variables.iter();
            all.find_map(|(known, value)| (*known == name).then(|| value.into()))
        })
    }

    fn named(variables: &[(&str, &str)]) -> Option<String> {
        display(variables).map(|display| display.name)
    }

    #[test]
    fn a_display_has_one_name_however_it_is_reached() {
        for (said, name) in [
            (":0", ":0"),
            (":0.0", ":0"),
            ("unix:1.0", ":1"),
            ("host.lan:10.0", "host.lan:10"),
        ] {
            assert_eq!(named(&[(DISPLAY, said)]).as_deref(), Some(name), "{said}");
        }
        let both = [(DISPLAY, ":0"), (WAYLAND_DISPLAY, "wayland-1")];
        assert_eq!(named(&both).as_deref(), Some(":0"));
        assert_eq!(named(&both[1..]).as_deref(), Some("wayland-1"));
        assert_eq!(named(&[(DISPLAY, ""), ("XAUTHORITY", "/x")]), None);
    }

    #[test]
    fn only_a_display_of_this_machine_is_local() {
        for (said, local) in [
            (":0", true),
            ("unix:0.1", true),
            ("localhost:10.0", false),
            ("evil.example:0", false),
            (":evil", false),
        ] {
            let display = display(&[(DISPLAY, said)]).unwrap();
            assert_eq!(display.is_local(), local, "{said}");
        }
        assert!(
            display(&[(WAYLAND_DISPLAY, "wayland-0")])
                .unwrap()
                .is_local()
        );
    }

    #[test]
    fn there_is_one_a_display_and_its_end_is_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let here = display(&[(DISPLAY, ":0")]).unwrap();
        let there = display(&[(DISPLAY, ":1")]).unwrap();
        assert!(running(&home).is_empty() && !has_run(&home, &here));
        let starter = Held::take(&home, &here).unwrap().unwrap();
        assert!(Held::take(&home, &here).unwrap().is_none());
        assert_eq!(running_on(&home, &here).unwrap().pid, None);
        let other = Held::by_program(&home, &there, None).unwrap().unwrap();
        let displays: Vec<_> = running(&home).into_iter().map(|it| it.display).collect();
        assert_eq!(displays, [":0", ":1"]);
        let pid = running_on(&home, &there).unwrap().pid;
        assert_eq!(pid, Some(std::process::id()));
        drop(starter);
        assert!(running_on(&home, &here).is_none() && has_run(&home, &here));
        other.forget().unwrap();
        assert!(running(&home).is_empty() && !has_run(&home, &there));
    }

    #[test]
    fn it_is_handed_its_key_its_right_and_its_display() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let program = folder.path().join(PROGRAM);
        let script = "#!/bin/sh\nread key <&3\necho \"$key $DISPLAY $*\" >told.new\nmv told.new told\nread line <stay\n";
        std::fs::write(
            &program,
            script
                .replace("told", &format!("{}/told", folder.path().display()))
                .replace("stay", &format!("{}/stay", folder.path().display())),
        )
        .unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let stay = folder.path().join("stay");
        rustix::fs::mkfifoat(rustix::fs::CWD, &stay, 0o600.into()).unwrap();
        let here = display(&[(DISPLAY, ":7")]).unwrap();
        let held = Held::take(&home, &here).unwrap().unwrap();
        let start = Start {
            home: &home,
            program: &program,
            display: &here,
            words: vec!["--backend".into(), "x11".into()],
            held,
            key: "k1",
        };
        start.detached().unwrap();
        // The program opens its end once it has told everything.
        let mut stay = File::options().write(true).open(stay).unwrap();
        assert!(running_on(&home, &here).is_some(), "it has the lock");
        let told = std::fs::read_to_string(folder.path().join("told")).unwrap();
        let root = folder.path().display();
        assert_eq!(
            told,
            format!("k1 :7 --key-fd 3 --lock-fd 4 --backend x11 --home {root}\n")
        );
        stay.write_all(b"end\n").unwrap();
        drop(stay);
        while running_on(&home, &here).is_some() {
            std::thread::yield_now();
        }
    }
}
