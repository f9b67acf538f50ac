//! The configuration as the hook reads it: binary, made from YAML by the big binary, with a note of
//! the files that it was made from. As long as those look the same, it counts.

use std::fs::{File, Metadata};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Home, SpineError, place};

/// Raised whenever the meaning of the bytes changes.
const FORMAT: u32 = 4;

/// A file that a snapshot was made from, as it looked then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    pub path: PathBuf,
    /// How it looked; `None` when it was not there.
    pub seen: Option<Look>,
}

/// The files that a configuration can stand in: the person's, then the project's two places. In the
/// second one other kits of hooks keep theirs, and it counts only where the first is missing.
pub fn sources(home: &Home, project: Option<&Path>) -> Vec<PathBuf> {
    const IN_PROJECT: [&str; 2] = [".claude/bellwether.yaml", ".claude/hooks/config.yaml"];
    let project = project
        .into_iter()
        .flat_map(|project| IN_PROJECT.map(|name| project.join(name)));
    [home.config_file()].into_iter().chain(project).collect()
}

/// What tells one state of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    size: u64,
    changed_s: i64,
    changed_ns: i64,
    inode: u64,
}

impl Source {
    /// Looks at a file now.
    pub fn look(path: PathBuf) -> Self {
        Self {
            seen: look(&path),
            path,
        }
    }
}

fn look(path: &Path) -> Option<Look> {
    let seen = path.metadata().ok()?;
    Some(Look {
        size: seen.size(),
        changed_s: seen.ctime(),
        changed_ns: seen.ctime_nsec(),
        inode: seen.ino(),
    })
}

/// Whether a snapshot still says what the files say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    Fresh,
    /// A file has changed, appeared or gone.
    Stale,
}

/// What the hook needs of the configuration of one project.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Snapshot {
    format: u32,
    /// The project that it is of.
    project: Option<PathBuf>,
    sources: Vec<Source>,
    /// Each section by its name, as bytes that the section's own code can read.
    sections: Vec<(String, Vec<u8>)>,
}

impl Snapshot {
    /// An empty snapshot of these files.
    pub fn new(sources: Vec<Source>) -> Self {
        Self {
            format: FORMAT,
            project: None,
            sources,
            sections: Vec::new(),
        }
    }

    pub fn add(&mut self, name: &str, section: &impl Serialize) -> Result<(), SpineError> {
        let bytes = postcard::to_allocvec(section)
            .map_err(|error| SpineError::Record(format!("section {name}: {error}")))?;
        self.sections.push((name.to_owned(), bytes));
        Ok(())
    }

    /// Reads a section; `None` when there is none or it was written by another program.
    pub fn section<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let (_, bytes) = self.sections.iter().find(|(found, _)| found == name)?;
        postcard::from_bytes(bytes).ok()
    }

    /// The snapshot of a project, and whether it still counts; `None` when there is none.
    pub fn load(home: &Home, project: Option<&Path>) -> Option<(Self, Freshness)> {
        let loaded = Self::of_bytes(&contents(&home.snapshot(project))?)?;
        // Another project's may have the same name.
        (loaded.0.project.as_deref() == project).then_some(loaded)
    }

    /// A snapshot as it was kept, and whether it still counts; `None` when it is of another program.
    pub fn of_bytes(bytes: &[u8]) -> Option<(Self, Freshness)> {
        let snapshot: Self = postcard::from_bytes(bytes).ok()?;
        (snapshot.format == FORMAT).then_some(())?;
        let freshness = snapshot.freshness();
        Some((snapshot, freshness))
    }

    /// The same, to be kept.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SpineError> {
        postcard::to_allocvec(self)
            .map_err(|error| SpineError::Record(format!("snapshot: {error}")))
    }

    fn freshness(&self) -> Freshness {
        let same = |source: &Source| look(&source.path) == source.seen;
        if self.sources.iter().all(same) {
            Freshness::Fresh
        } else {
            Freshness::Stale
        }
    }

    /// Keeps it for a project or for none, whole or not at all.
    pub fn save(self, home: &Home, project: Option<&Path>) -> Result<(), SpineError> {
        let path = home.snapshot(project);
        let whole = Self {
            project: project.map(Path::to_owned),
            ..self
        };
        place::replace_private(&path, &whole.to_bytes()?)
    }
}

/// A file's bytes. A verdict waits for this: nobody may hold it up with a pipe, or with a file without an end.
fn contents(path: &Path) -> Option<Vec<u8>> {
    const LARGEST: u64 = 8 * 1024 * 1024;
    let file = File::options()
        .read(true)
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
        .open(path)
        .ok()?;
    file.metadata().ok().filter(Metadata::is_file)?;
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Remembers that a snapshot of these files is being made; false when that was tried a moment ago and
/// nothing has changed since. A snapshot that cannot be made must not be waited for at every event.
pub fn try_to_make(home: &Home, project: Option<&Path>) -> bool {
    /// So long nothing new is expected of the same files.
    const AGAIN: std::time::Duration = std::time::Duration::from_mins(1);
    let watched = sources(home, project)
        .into_iter()
        .chain([home.trust(), home.confirmed()]);
    let looks: Vec<Source> = watched.map(Source::look).collect();
    let Ok(now) = postcard::to_allocvec(&looks) else {
        return false;
    };
    let tried = home.snapshot(project).with_extension("tried");
    let recent = |seen: std::fs::Metadata| {
        seen.modified()
            .ok()?
            .elapsed()
            .ok()
            .filter(|age| *age < AGAIN)
    };
    if tried.metadata().ok().and_then(recent).is_some()
        && std::fs::read(&tried).is_ok_and(|then| then == now)
    {
        return false;
    }
    place::replace_private(&tried, &now).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Section {
        enabled: bool,
        words: Vec<String>,
    }

    #[test]
    fn a_snapshot_counts_until_a_file_changes_appears_or_goes() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("home"))).unwrap();
        let (there, missing) = (
            folder.path().join("there.yaml"),
            folder.path().join("missing.yaml"),
        );
        std::fs::write(&there, "a: 1").unwrap();
        let project = Some(Path::new("/p"));
        assert!(Snapshot::load(&home, project).is_none());
        let section = Section {
            enabled: true,
            words: vec!["x".into()],
        };
        let save = || {
            let sources = [&there, &missing].map(|path| Source::look(path.clone()));
            let mut snapshot = Snapshot::new(sources.into());
            snapshot.add("guard", &section).unwrap();
            snapshot.save(&home, project).unwrap();
        };
        let freshness = || Snapshot::load(&home, project).unwrap().1;
        save();
        let (snapshot, fresh) = Snapshot::load(&home, project).unwrap();
        assert_eq!(
            (snapshot.section::<Section>("guard"), fresh),
            (
                Some(Section {
                    enabled: true,
                    words: vec!["x".into()]
                }),
                Freshness::Fresh
            )
        );
        assert_eq!(snapshot.section::<Section>("other"), None);
        assert!(Snapshot::load(&home, None).is_none(), "one a project");
        std::fs::copy(home.snapshot(project), home.snapshot(None)).unwrap();
        assert!(
            Snapshot::load(&home, None).is_none(),
            "another one's under this name"
        );
        std::fs::write(&there, "a: 2").unwrap();
        assert_eq!(freshness(), Freshness::Stale);
        save();
        assert_eq!(freshness(), Freshness::Fresh);
        std::fs::write(&missing, "").unwrap();
        assert_eq!(freshness(), Freshness::Stale);
        save();
        std::fs::remove_file(&there).unwrap();
        assert_eq!(freshness(), Freshness::Stale);
    }

    #[test]
    fn the_same_files_are_tried_once_in_a_while() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        assert!(try_to_make(&home, None));
        assert!(!try_to_make(&home, None));
        std::fs::create_dir_all(home.config()).unwrap();
        std::fs::write(home.config_file(), "a: 1").unwrap();
        assert!(try_to_make(&home, None));
        assert!(!try_to_make(&home, None));
    }

    #[test]
    fn rubbish_is_no_snapshot() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let path = home.snapshot(None);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        for bytes in [
            &b""[..],
            b"\xff\xff\xff\xff\xff\xff\xff\xff",
            b"{}",
            &[0; 4096],
        ] {
            std::fs::write(&path, bytes).unwrap();
            assert!(Snapshot::load(&home, None).is_none(), "{bytes:?}");
        }
    }
}
