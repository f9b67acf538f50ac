//! A real Wayland compositor that nobody sees: sway, with outputs that are only in memory.
//!
//! Invariant: it needs no hardware and no rights, never starts an X server, and is gone with all its windows when this is
//! dropped or the test process dies.

mod mouse;
mod shot;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use tempfile::TempDir;

use crate::env::SYSTEM_PATH;
use crate::run;

pub use mouse::{Key, Mouse};
pub use shot::Shot;

/// How large its outputs are.
pub const SIZE: (u32, u32) = (1280, 800);
/// What is seen where no window is: red, green, blue.
pub const GROUND: [u8; 3] = [0x20, 0x40, 0x60];
/// The bar that [`Sway::bar`] starts.
const BAR: &str = "bar-0";
/// sway refuses to run as root; this user has nothing.
const NOBODY: u32 = 65534;
/// How long a compositor on a busy machine may take for anything.
pub const LONG: Duration = Duration::from_secs(40);

pub struct Sway {
    folder: TempDir,
    process: Child,
}

impl Sway {
    /// Starts one, and waits until it has begun.
    pub fn start() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bw-sway").tempdir()?;
        let place = folder.path();
        give(place, 0o700)?;
        let ready = fifo(&place.join("ready"))?;
        let [red, green, blue] = GROUND;
        let (width, height) = SIZE;
        let config = format!(
            "xwayland disable\n\
             default_border none\n\
             focus_follows_mouse no\n\
             output * resolution {width}x{height} scale 1 bg #{red:02x}{green:02x}{blue:02x} solid_color\n\
             bar {BAR} {{\n swaybar_command true\n mode dock\n position top\n status_command true\n}}\n\
             exec echo > {}\n",
            place.join("ready").display()
        );
        fs::write(place.join("config"), config)?;
        let log = File::create(place.join("log"))?;
        let process = begin(place, log)?;
        let sway = Self { folder, process };
        let mut ready = [PollFd::new(&ready, PollFlags::IN)];
        let is_ready = poll(&mut ready, Some(&Timespec::try_from(LONG)?))? > 0;
        ensure!(is_ready, "sway does not start: {}", sway.log());
        Ok(sway)
    }

    /// A connection as a window's program has it.
    pub fn connect(&self) -> Result<UnixStream> {
        Ok(UnixStream::connect(self.socket())?)
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("wayland-1")
    }

    /// A folder that programs in it may write to.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A program that will run in it.
    pub fn command(&self, program: &str) -> Command {
        within(self.folder.path(), program)
    }

    /// Tells it something, which must succeed; its answer.
    pub fn tell(&self, words: &[&str]) -> Result<String> {
        let mut command = self.command("swaymsg");
        run::printed(command.arg("--").args(words))
    }

    /// Asks for something by the name that `swaymsg -t` knows it by.
    pub fn ask(&self, what: &str) -> Result<Value> {
        let text = run::printed(self.command("swaymsg").args(["-r", "-t", what]))?;
        Ok(serde_json::from_str(&text)?)
    }

    /// What is seen on an output.
    pub fn shot(&self, output: &str) -> Result<Shot> {
        let mut grim = self.command("grim");
        let said = grim.args(["-t", "ppm", "-o", output, "-"]).output()?;
        let complaint = String::from_utf8_lossy(&said.stderr);
        ensure!(said.status.success(), "grim: {complaint}");
        Shot::read(&said.stdout)
    }

    /// A mouse of its own.
    pub fn mouse(&self) -> Result<Mouse> {
        Mouse::new(self.connect()?)
    }

    /// Starts a bar along the upper edge; killed, it is gone.
    pub fn bar(&self) -> Result<Child> {
        let mut bar = self.command("swaybar");
        bar.args(["-b", BAR]).stdin(Stdio::null());
        let bar = bar.stdout(Stdio::null()).stderr(Stdio::null());
        bar.spawn().context("start swaybar: install sway")
    }

    /// Ends it at once, with all that it started.
    pub fn kill(&mut self) {
        if self.process.try_wait().is_ok_and(|ended| ended.is_none()) {
            let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
            let _ = self.process.wait();
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Sway {
    fn drop(&mut self) {
        self.kill();
    }
}

fn begin(place: &Path, log: File) -> Result<Child> {
    use std::os::unix::process::CommandExt as _;
    let mut sway = within(place, "sway");
    sway.arg("-c").arg(place.join("config"));
    sway.env("WLR_BACKENDS", "headless")
        .env("WLR_RENDERER", "pixman")
        .env("WLR_LIBINPUT_NO_DEVICES", "1")
        .env_remove("WAYLAND_DISPLAY")
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    sway.spawn().context("start sway: install it")
}

/// A program that ends with us, and is not root.
fn within(place: &Path, program: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.arg("--pdeathsig=KILL");
    if rustix::process::geteuid().is_root() {
        command.arg(format!("--reuid={NOBODY}"));
        command.arg(format!("--regid={NOBODY}"));
        command.arg("--clear-groups");
    }
    command.arg("--").arg(program).env_clear();
    command
        .env("PATH", SYSTEM_PATH)
        .env("LANG", "C.UTF-8")
        .env("HOME", place)
        .env("XDG_RUNTIME_DIR", place)
        .env("WAYLAND_DISPLAY", "wayland-1")
        .env("SWAYSOCK", place.join("ipc"))
        .current_dir(place);
    command
}

/// What sway writes to when it has begun. Open for both, it never ends.
fn fifo(path: &Path) -> Result<File> {
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0)?;
    give(path, 0o600)?;
    Ok(File::options().read(true).write(true).open(path)?)
}

fn give(path: &Path, mode: u32) -> Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode))?;
    if fs::metadata(path)?.uid() == 0 {
        chown(path, Some(NOBODY), Some(NOBODY))?;
    }
    Ok(())
}
