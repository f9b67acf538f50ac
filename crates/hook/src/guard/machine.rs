//! This machine, as far as the rules over files must know it.

use std::cell::RefCell;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bellwether_protocol::event::FileChange;
use bellwether_shell::Place;
use bellwether_spine::{Home, Managed, meta};

use super::config::Config;
use super::files::{Change, Files, Ours};
use super::paths::Ground;
use super::users;
use super::verdict::Finding;

/// A settings file larger than this is none.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Where a tool call happens.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    /// The folder that relative paths begin in.
    pub cwd: &'a Path,
    pub project: Option<&'a Path>,
    pub home: &'a Home,
    pub user: Option<&'a Path>,
}

/// Looks at files of this machine.
pub fn with_files<T>(spot: Spot<'_>, config: &Config, look: impl FnOnce(Files<'_>) -> T) -> T {
    let claude = meta::variable("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    look(Files {
        ground: ground(spot),
        ours: Ours {
            home: spot.home,
            programs: programs(),
            claude: claude.as_deref(),
        },
        patterns: &config.protected_files,
        read: &read,
    })
}

/// What our rules and the person's own have against a tool's change of a file.
pub fn on_change(spot: Spot<'_>, config: &Config, change: &FileChange<'_>) -> Vec<Finding> {
    with_files(spot, config, |files| {
        let mut found = by_person(config, &files, Path::new(change.path.as_ref()));
        found.extend(files.judge_change(change));
        found
    })
}

/// The same for what a command does to a file.
pub fn on_path(spot: Spot<'_>, config: &Config, path: &Path, change: Change<'_>) -> Vec<Finding> {
    with_files(spot, config, |files| {
        let mut found = by_person(config, &files, path);
        found.extend(files.judge(path, change));
        found
    })
}

/// The same for what a command does to all that a place stands for.
pub fn on_place(
    spot: Spot<'_>,
    config: &Config,
    place: &Place,
    change: Change<'_>,
) -> Vec<Finding> {
    match place {
        Place::At(path) => on_path(spot, config, path, change),
        place => with_files(spot, config, |files| {
            files.judge_place(place, change).into_iter().collect()
        }),
    }
}

fn by_person(config: &Config, files: &Files<'_>, path: &Path) -> Vec<Finding> {
    let spellings = files.ground.spellings(path);
    let spellings: Vec<&Path> = spellings.iter().map(PathBuf::as_path).collect();
    users::on_path(config, &spellings, &files.ground)
}

/// Where paths are seen from on this machine.
pub fn ground(spot: Spot<'_>) -> Ground<'_> {
    Ground {
        cwd: spot.cwd,
        project: spot.project,
        user: spot.user,
        real: &real,
    }
}

pub fn user() -> Option<PathBuf> {
    meta::variable("HOME").map(PathBuf::from)
}

/// So many paths are remembered: to look for one must not take longer than to ask.
const REMEMBERED: usize = 32;

thread_local! {
    /// Where links lead, as far as this judgement has asked.
    static REAL: RefCell<Vec<(PathBuf, Option<PathBuf>)>> = const { RefCell::new(Vec::new()) };
}

/// Begins a new judgement: what was so during the last one may not be so any more.
pub(super) fn look_anew() {
    REAL.with_borrow_mut(Vec::clear);
}

/// Where a path leads. Rules ask about the same few paths again and again, and the system is asked about
/// every part of each.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    let known = REAL.with_borrow(|all| {
        let known = all
            .iter()
            .find(|(asked, _)| asked.as_os_str() == path.as_os_str());
        known.map(|(_, real)| real.clone())
    });
    known.unwrap_or_else(|| {
        let real = led(path);
        REAL.with_borrow_mut(|all| {
            if all.len() < REMEMBERED {
                all.push((path.to_owned(), real.clone()));
            }
        });
        real
    })
}

/// Where a path leads, from where its folder does. What is not there is told by one look.
fn led(path: &Path) -> Option<PathBuf> {
    let seen = path.symlink_metadata().ok()?;
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !seen.is_symlink() => Some(real(parent)?.join(name)),
        _ => path.canonicalize().ok(),
    }
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

/// Both of our programs, which stand side by side, and what an administrator has put in place for all users.
fn programs() -> &'static [PathBuf] {
    // They are asked for with every file that a command changes.
    static PROGRAMS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let managed = Managed::default();
        let mut all = vec![managed.programs(), managed.link(), managed.folder()];
        if let Ok(running) = std::env::current_exe() {
            all.extend(["bellwether", "bellwether-hook"].map(|name| running.with_file_name(name)));
        }
        all
    })
}
