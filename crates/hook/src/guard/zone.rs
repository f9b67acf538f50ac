//! Where a path is, as far as that says how bad it would be to lose it.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use bellwether_shell::{Entry, Place, Target, matches};

use super::scene::Scene;

/// A kind of place, from the one nobody misses to the one everybody needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Zone {
    /// Below the folders for temporary files.
    Temporary,
    /// A cache of the home or of the machine: it fills itself again.
    Cache,
    /// In the project.
    Inside,
    /// Neither in the project nor anywhere below.
    Elsewhere,
    /// The folder for temporary files itself.
    TemporaryRoot,
    /// In a folder that the system or the person's accounts stand on.
    Delicate,
    /// A repository's own folder: its history.
    Repository,
    /// The project as a whole, or a folder above it.
    Project,
    /// A folder that stands directly in the home, or one with keys and accounts.
    Belongings,
    /// The home, or a folder above it.
    Home,
    /// A folder that the system needs.
    System,
    Root,
}

/// A place that an effect hits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whereabouts {
    /// One path, with all that is in it.
    At(Zone, PathBuf),
    /// Some of what is in a folder: a name must match.
    Some(Zone, PathBuf, Filter),
    /// It cannot be told.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Filter {
    /// Patterns, of which a name must match one.
    pub patterns: Vec<String>,
    /// Whether folders of the folder are searched too.
    pub deep: bool,
}

impl Filter {
    pub(super) fn fits(&self, name: &str) -> bool {
        self.patterns.iter().any(|pattern| matches(pattern, name))
    }
}

/// Folders without which the machine does not run, or does not start again.
const SYSTEM: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/media",
    "/mnt",
    "/nix",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/snap",
    "/srv",
    "/sys",
    "/usr",
    "/var",
    "/usr/bin",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local",
    "/usr/sbin",
    "/usr/share",
    "/usr/local/bin",
    "/usr/local/lib",
    "/var/lib",
    "/var/log",
    "/var/cache",
    "/var/www",
    "/var/spool",
    "/etc/ssh",
    "/etc/ssl",
    "/etc/systemd",
    "/Applications",
    "/Library",
    "/System",
    "/Users",
    "/Volumes",
    "/private",
    "/private/etc",
    "/private/var",
    "/cores",
    "/mnt/c",
    "/mnt/c/Users",
    "/mnt/c/Windows",
    "/mnt/c/Program Files",
];
/// Folders in which everything is the system's.
const DELICATE: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix",
    "/proc",
    "/sbin",
    "/snap",
    "/sys",
    "/usr",
    "/var/lib",
    "/System",
    "/Library",
    "/private/etc",
    "/mnt/c/Windows",
    "/mnt/c/Program Files",
];
/// Folders for temporary files.
const TEMPORARY: &[&str] = &[
    "/tmp",
    "/var/tmp",
    "/private/tmp",
    "/private/var/tmp",
    "/dev/shm",
    "/var/folders",
    "/private/var/folders",
    "/run/user",
];
/// Folders of the machine that package managers fill again.
const MACHINE_CACHES: &[&str] = &["/var/lib/apt/lists", "/var/lib/dnf", "/var/lib/yum"];
/// Folders of the home with keys, accounts and settings of everything.
const BELONGINGS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".password-store",
    ".claude",
    ".config",
    ".local",
    ".local/share",
    ".local/bin",
    ".mozilla",
    ".thunderbird",
    ".gitconfig",
    ".netrc",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".bash_profile",
    ".config/gh",
    ".config/gcloud",
    "Library/Keychains",
    "Library/Application Support",
];
/// Folders of the home below which nothing may go either.
const KEYS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".password-store",
    ".config/gh",
    ".config/gcloud",
    "Library/Keychains",
];
/// Folders of the home that fill themselves again.
const CACHES: &[&str] = &[
    ".cache",
    ".npm",
    ".cargo/registry",
    ".cargo/git",
    ".gradle/caches",
    ".m2/repository",
    "Library/Caches",
    ".local/share/Trash",
    ".yarn/cache",
    ".yarn/berry",
    ".pnpm-store",
    ".local/share/pnpm/store",
    "go/pkg",
    ".bun/install/cache",
    ".rustup/tmp",
    ".rustup/downloads",
    ".nuget/packages",
    ".ivy2/cache",
    ".node-gyp",
    ".electron",
    ".terraform.d/plugin-cache",
    ".Trash",
];

impl Scene<'_> {
    /// The kind of place that a path is.
    pub(super) fn zone(&self, path: &Path) -> Zone {
        if path == Path::new("/") {
            return Zone::Root;
        }
        if let Some(zone) = self.in_project(path) {
            return zone;
        }
        if let Some(zone) = self.home.and_then(|home| in_home(path, home)) {
            return zone;
        }
        let is = |list: &[&str]| is_one_of(path, list);
        let below = |list: &[&str]| is_below_one_of(path, list);
        let own = self.world.variable("TMPDIR").map(PathBuf::from);
        let own = own.filter(|folder| folder.is_absolute() && is_called_temporary(folder));
        if is(TEMPORARY) || own.as_deref() == Some(path) {
            return Zone::TemporaryRoot;
        }
        if below(TEMPORARY) || own.is_some_and(|folder| path.starts_with(folder)) {
            return Zone::Temporary;
        }
        if below(MACHINE_CACHES) || (below(&["/var/cache"]) && !is(SYSTEM)) {
            return Zone::Cache;
        }
        if is(SYSTEM) || is_home_of_another(path) {
            return Zone::System;
        }
        if let Some(inside) = in_home_of_another(path) {
            let is_cache = is_below_one_of(inside, CACHES);
            return if is_cache {
                Zone::Cache
            } else {
                Zone::Belongings
            };
        }
        if below(DELICATE) {
            return Zone::Delicate;
        }
        if path.components().any(|part| part.as_os_str() == ".git") {
            return Zone::Repository;
        }
        Zone::Elsewhere
    }

    fn in_project(&self, path: &Path) -> Option<Zone> {
        let project = self.own_project()?;
        if project.starts_with(path) {
            // A folder above the project may be the home too, which is worse.
            let home = self.home.is_some_and(|home| home.starts_with(path));
            return (!home && !is_one_of(path, SYSTEM)).then_some(Zone::Project);
        }
        let inside = path.strip_prefix(project).ok()?;
        let in_git = inside.components().any(|part| part.as_os_str() == ".git");
        // A lock that a dead git left behind is in everybody's way.
        let is_lock = path.extension().is_some_and(|end| end == "lock");
        Some(if in_git && !is_lock {
            Zone::Repository
        } else {
            Zone::Inside
        })
    }

    /// The project, unless it is so wide that being in it says nothing.
    pub(super) fn own_project(&self) -> Option<&Path> {
        self.project.filter(|project| {
            project.components().count() > 1
                && self.home.is_none_or(|home| !home.starts_with(project))
                && !is_one_of(project, SYSTEM)
        })
    }

    /// The places that a target stands for.
    pub(super) fn spots(&self, target: &Target) -> Vec<Whereabouts> {
        match &target.place {
            Place::At(path) => vec![self.at(path, target.follows)],
            Place::Within {
                folder,
                pattern,
                deep,
            } => self.within(folder, pattern, *deep),
            Place::Unknown { below } => {
                let harmless = below
                    .as_deref()
                    .map(|folder| (self.zone(&self.real(folder)), folder))
                    .filter(|(zone, _)| {
                        matches!(zone, Zone::Temporary | Zone::TemporaryRoot | Zone::Cache)
                    });
                match harmless {
                    Some((_, folder)) => vec![Whereabouts::At(Zone::Temporary, folder.to_owned())],
                    None => vec![Whereabouts::Unknown],
                }
            }
        }
    }

    /// One path: as it is written, and where links in it lead. The graver counts.
    fn at(&self, path: &Path, follows: bool) -> Whereabouts {
        let real = if follows {
            self.real(path)
        } else {
            match (path.parent(), path.file_name()) {
                (Some(parent), Some(name)) => self.real(parent).join(name),
                _ => path.to_owned(),
            }
        };
        let (written, led) = (self.zone(path), self.zone(&real));
        if led > written {
            Whereabouts::At(led, real)
        } else {
            Whereabouts::At(written, path.to_owned())
        }
    }

    fn within(&self, folder: &Path, pattern: &str, deep: bool) -> Vec<Whereabouts> {
        let real = self.real(folder);
        let folder = if self.zone(&real) > self.zone(folder) {
            real
        } else {
            folder.to_owned()
        };
        let patterns: Vec<String> = pattern.split('|').map(str::to_owned).collect();
        if patterns.iter().any(|pattern| is_all(pattern)) {
            let zone = match self.zone(&folder) {
                Zone::TemporaryRoot => Zone::Temporary,
                zone => zone,
            };
            return vec![Whereabouts::At(zone, folder)];
        }
        if deep {
            let zone = match self.zone(&folder) {
                Zone::TemporaryRoot => Zone::Temporary,
                zone => zone,
            };
            return vec![Whereabouts::Some(zone, folder, Filter { patterns, deep })];
        }
        // Where something of that name would stand.
        let zone = self.zone(&folder.join(pattern));
        if pattern.contains('/') {
            return vec![Whereabouts::Some(zone, folder, Filter { patterns, deep })];
        }
        let names = self.world.names(&folder);
        let found: Vec<Whereabouts> = names
            .iter()
            .filter(|name| matches(pattern, name))
            .map(|name| self.at(&folder.join(name), false))
            .collect();
        if found.is_empty() {
            return vec![Whereabouts::Some(zone, folder, Filter { patterns, deep })];
        }
        found
    }

    pub(super) fn is_folder(&self, path: &Path) -> bool {
        self.world.look(path) == Entry::Folder
    }

    pub(super) fn is_there(&self, path: &Path) -> bool {
        self.world.look(path) != Entry::Missing
    }
}

/// Whether a folder's name says that nothing in it lasts: the variable that names it may come from a cloned project.
fn is_called_temporary(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_ascii_lowercase();
    ["tmp", "temp", "scratch"]
        .iter()
        .any(|word| name.contains(word))
}

/// Whether a pattern takes all that is there.
fn is_all(pattern: &str) -> bool {
    !pattern.is_empty()
        && pattern
            .chars()
            .all(|character| matches!(character, '*' | '.' | '?'))
        && pattern.contains('*')
        || matches!(pattern, "[!.]*" | ".[!.]*" | "?*" | "*/*" | "*/" | "**/*")
}

/// Whether a path is one of a list. It is spelled plainly first: to compare it part by part with each of a
/// long list takes longer than all the rest of a judgement.
fn is_one_of(path: &Path, list: &[&str]) -> bool {
    let path: PathBuf = path.components().collect();
    list.iter().any(|folder| path.as_os_str() == *folder)
}

/// Whether a path is one of a list, or below one.
fn is_below_one_of(path: &Path, list: &[&str]) -> bool {
    let path: PathBuf = path.components().collect();
    let path = path.as_os_str().as_bytes();
    list.iter().any(|folder| {
        let rest = path.strip_prefix(folder.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    })
}

/// The home of another person of this machine.
fn is_home_of_another(path: &Path) -> bool {
    let parent = path.parent();
    parent == Some(Path::new("/home"))
        || parent == Some(Path::new("/Users"))
        || parent == Some(Path::new("/mnt/c/Users"))
}

/// The path within the home of another person, when it is in one.
fn in_home_of_another(path: &Path) -> Option<&Path> {
    let mut above = path.ancestors().skip(1);
    let home = above.find(|folder| *folder == Path::new("/root") || is_home_of_another(folder))?;
    path.strip_prefix(home).ok()
}

fn in_home(path: &Path, home: &Path) -> Option<Zone> {
    if home.starts_with(path) {
        return Some(Zone::Home);
    }
    let inside = path.strip_prefix(home).ok()?;
    let is = |list: &[&str]| is_one_of(inside, list);
    let below = |list: &[&str]| is_below_one_of(inside, list);
    if below(CACHES) {
        return Some(Zone::Cache);
    }
    if is(BELONGINGS) || below(KEYS) {
        return Some(Zone::Belongings);
    }
    if inside.components().any(|part| part.as_os_str() == ".git") {
        return Some(Zone::Repository);
    }
    let direct = inside.components().count() == 1;
    let hidden = inside.to_string_lossy().starts_with('.');
    Some(match (direct, hidden) {
        (true, false) => Zone::Belongings,
        _ if below(&[".config", ".local"]) => Zone::Delicate,
        _ => Zone::Elsewhere,
    })
}
