//! A file that was changed, and the project around it.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use super::plan::LeftAlone;

/// What is larger than this was not written by hand.
const LARGEST: u64 = 1024 * 1024;
/// Folders whose files come from elsewhere.
const FOREIGN: [&str; 5] = [".git", "node_modules", ".venv", "venv", "vendor"];

/// A file in a project. Both paths are real: no link is left in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    file: PathBuf,
    root: PathBuf,
}

impl Target {
    /// The file at a path, if it is one that may be formatted.
    pub fn new(path: &Path, root: &Path) -> Result<Self, LeftAlone> {
        let (Ok(file), Ok(root)) = (path.canonicalize(), root.canonicalize()) else {
            return Err(LeftAlone::Gone);
        };
        let Ok(below) = file.strip_prefix(&root) else {
            return Err(LeftAlone::Outside);
        };
        let is_foreign = |part: &std::ffi::OsStr| FOREIGN.iter().any(|name| part == *name);
        if below
            .parent()
            .is_some_and(|folders| folders.iter().any(is_foreign))
        {
            return Err(LeftAlone::Foreign);
        }
        let seen = file.symlink_metadata().map_err(|_| LeftAlone::Gone)?;
        match seen.len() {
            _ if !seen.is_file() => Err(LeftAlone::NoFile),
            _ if seen.nlink() > 1 => Err(LeftAlone::SecondName),
            length if length > LARGEST => Err(LeftAlone::TooLarge),
            _ => Ok(Self { file, root }),
        }
    }

    /// Some file in the folder of a project, whether it is there or not.
    pub fn imagined(root: &Path, ending: &str) -> Self {
        Self {
            file: root.join(format!("x.{ending}")),
            root: root.to_owned(),
        }
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// As people and agents know it: from the project's folder.
    pub fn shown(&self) -> String {
        let below = self.file.strip_prefix(&self.root).unwrap_or(&self.file);
        below.display().to_string()
    }

    /// What the file's name ends in, in small letters.
    pub(super) fn ending(&self) -> Option<String> {
        let ending = self.file.extension()?.to_str()?;
        Some(ending.to_ascii_lowercase())
    }

    /// The folders around it, from its own up to the project's.
    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        let above = self.file.ancestors().skip(1);
        above.take_while(|folder| folder.starts_with(&self.root))
    }

    /// The nearest file of one of these names.
    pub(super) fn nearest(&self, names: &[&str]) -> Option<PathBuf> {
        self.every(names).next()
    }

    /// Every file of one of these names, the nearest first.
    pub(super) fn every(&self, names: &[&str]) -> impl Iterator<Item = PathBuf> {
        let at = move |folder: &Path| -> Vec<PathBuf> {
            let paths = names.iter().map(|name| folder.join(name));
            paths.filter(|path| path.is_file()).collect()
        };
        self.folders().flat_map(at)
    }

    /// The program of one of these names: one of the project's own, in these folders of it, or else one of the PATH.
    pub(super) fn program(&self, names: &[&str], local: &[&str]) -> Option<PathBuf> {
        let own = self
            .folders()
            .flat_map(|folder| local.iter().map(|below| folder.join(below)));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
        let mut places = own
            .chain(path)
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        places.find(|place| is_program(place))
    }
}

pub(super) fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|seen| seen.is_file() && seen.mode() & 0o111 != 0)
}

/// What a file of the project says; nothing when it is none, or too large for one.
pub(super) fn read(path: &Path) -> Option<String> {
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options()
        .read(true)
        .custom_flags(nonblocking)
        .open(path)
        .ok()?;
    let seen = file.metadata().ok()?;
    (seen.is_file() && seen.len() <= LARGEST).then_some(())?;
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_files_of_the_project_are_targets() {
        let folder = tempfile::tempdir().unwrap();
        let (root, other) = (folder.path().join("p"), folder.path().join("other"));
        for below in ["src", "node_modules/x", ".git", "go/vendor/y"] {
            fs::create_dir_all(root.join(below)).unwrap();
        }
        fs::create_dir(&other).unwrap();
        let write = |path: PathBuf| fs::write(path, "x").unwrap();
        for name in [
            "src/a.ts",
            "src/twice.ts",
            "node_modules/x/a.ts",
            ".git/a.ts",
            "go/vendor/y/a.go",
        ] {
            write(root.join(name));
        }
        write(other.join("a.ts"));
        fs::hard_link(root.join("src/twice.ts"), root.join("src/again.ts")).unwrap();
        symlink(other.join("a.ts"), root.join("src/out.ts")).unwrap();
        symlink(&other, root.join("away")).unwrap();
        symlink("src/a.ts", root.join("in.ts")).unwrap();
        fs::write(root.join("src/large.ts"), vec![b'x'; 1024 * 1024 + 1]).unwrap();
        let pipe = std::process::Command::new("mkfifo")
            .arg(root.join("src/pipe.ts"))
            .status();
        assert!(pipe.unwrap().success());
        for (path, expected) in [
            ("src/a.ts", Ok("src/a.ts")),
            ("src/../src/a.ts", Ok("src/a.ts")),
            ("in.ts", Ok("src/a.ts")),
            ("src/none.ts", Err(LeftAlone::Gone)),
            ("src", Err(LeftAlone::NoFile)),
            ("src/pipe.ts", Err(LeftAlone::NoFile)),
            ("src/out.ts", Err(LeftAlone::Outside)),
            ("away/a.ts", Err(LeftAlone::Outside)),
            ("../other/a.ts", Err(LeftAlone::Outside)),
            ("src/twice.ts", Err(LeftAlone::SecondName)),
            ("src/large.ts", Err(LeftAlone::TooLarge)),
            ("node_modules/x/a.ts", Err(LeftAlone::Foreign)),
            (".git/a.ts", Err(LeftAlone::Foreign)),
            ("go/vendor/y/a.go", Err(LeftAlone::Foreign)),
        ] {
            let target = Target::new(&root.join(path), &root);
            let shown = target.map(|target| target.shown());
            assert_eq!(shown.as_deref().map_err(|why| *why), expected, "{path}");
        }
    }

    #[test]
    fn the_projects_own_program_comes_first_and_none_from_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("p");
        let program = |below: &str, mode: u32| {
            let path = root.join(below);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "#!/bin/sh\n").unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            fs::set_permissions(&path, mode).unwrap();
            path
        };
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/x.ts"), "").unwrap();
        let target = Target::new(&root.join("a/b/x.ts"), &root).unwrap();
        let find = |name: &str| target.program(&[name], &["bin"]);
        program("../bin/sh", 0o755);
        let system = find("sh").unwrap();
        assert!(!system.starts_with(folder.path()), "{system:?}");
        let plain = program("a/bin/sh", 0o644);
        assert_eq!(find("sh"), Some(system), "{plain:?} cannot be run");
        let upper = program("bin/sh", 0o755);
        assert_eq!(find("sh"), Some(upper));
        let nearer = program("a/b/bin/sh", 0o755);
        assert_eq!(find("sh"), Some(nearer));
        assert_eq!(find("a-program-that-nobody-has"), None);
    }
}
