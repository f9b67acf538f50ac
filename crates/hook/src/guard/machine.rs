//! This machine, as far as the rules over files must know it.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use bellwether_spine::{Home, meta};

use super::config::Config;
use super::files::{Files, Ours};
use super::paths::Ground;

/// A settings file larger than this is none.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Where a tool call happens.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    /// The folder that relative paths begin in.
    pub cwd: &'a Path,
    /// The project's folder.
    pub project: Option<&'a Path>,
    /// Where our files are.
    pub home: &'a Home,
}

/// Looks at files of this machine.
pub fn with_files<T>(spot: Spot<'_>, config: &Config, look: impl FnOnce(Files<'_>) -> T) -> T {
    let user = user();
    let programs = programs();
    let claude = meta::variable("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    look(Files {
        ground: ground(spot, user.as_deref()),
        ours: Ours {
            home: spot.home,
            programs: &programs,
            claude: claude.as_deref(),
        },
        patterns: &config.protected_files,
        read: &read,
    })
}

/// Where paths are seen from on this machine.
pub fn ground<'a>(spot: Spot<'a>, user: Option<&'a Path>) -> Ground<'a> {
    Ground {
        cwd: spot.cwd,
        project: spot.project,
        user,
        real: &real,
    }
}

/// The person's home.
pub fn user() -> Option<PathBuf> {
    meta::variable("HOME").map(PathBuf::from)
}

fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// A file's text; pipes, devices and what is too large have none.
fn read(path: &Path) -> Option<String> {
    let seen = path.metadata().ok()?;
    (seen.is_file() && seen.len() <= LARGEST).then_some(())?;
    let mut text = String::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(LARGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Both of our programs, as they are called and where links to them lead.
fn programs() -> Vec<PathBuf> {
    let Ok(running) = std::env::current_exe() else {
        return Vec::new();
    };
    let both = ["bellwether", "bellwether-hook"].map(|name| running.with_file_name(name));
    let real = both.clone().into_iter().filter_map(|path| real(&path));
    both.iter().cloned().chain(real).collect()
}
