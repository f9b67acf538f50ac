//! What a command does to files before it stages them: the work tree as it is now is then not what will be staged.

use std::path::{Path, PathBuf};

use bellwether_shell::{Act, Effect, Place, Target};

use super::work_tree::real;

/// Which files of a work tree a step stages.
#[derive(Debug, Default)]
pub(super) struct Covering {
    /// Below which paths, relative to the root; everywhere when there are none.
    pub paths: Vec<PathBuf>,
    /// Only files that git knows.
    pub tracked: bool,
    /// Ignored ones too.
    pub forced: bool,
}

impl Covering {
    /// What the words of a pathspec cover; what has a meaning of its own covers everything.
    pub(super) fn of(specs: &[String], folder: &Path, root: &Path) -> Self {
        let plain = |spec: &&String| !spec.contains(['*', '?', '[']) && !spec.starts_with(':');
        let at = |spec: &String| within(root, &folder.join(spec));
        let paths = specs.iter().filter(plain).filter_map(at).collect();
        let all = specs.iter().any(|spec| !plain(&spec));
        Self {
            paths: if all { Vec::new() } else { paths },
            ..Self::default()
        }
    }

    pub(super) fn has(&self, path: &Path) -> bool {
        let meets = |covered: &PathBuf| path.starts_with(covered) || covered.starts_with(path);
        self.paths.is_empty() || self.paths.iter().any(meets)
    }
}

/// The files and folders of a work tree that acts change, relative to its root.
pub(super) fn changed(acts: &[Act], root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = acts
        .iter()
        .flat_map(|act| targets(&act.effect))
        .filter_map(|target| match &target.place {
            Place::At(path) => within(root, path),
            Place::Within { folder, .. } => within(root, folder),
            // It may be anywhere, and mostly is elsewhere.
            Place::Unknown { .. } => None,
        })
        .filter(|path| !path.starts_with(".git"))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn targets(effect: &Effect) -> Vec<&Target> {
    match effect {
        Effect::Delete { targets, .. }
        | Effect::Permission { targets, .. }
        | Effect::Displace { targets, .. } => targets.iter().collect(),
        Effect::Overwrite { target, .. } => vec![target],
        Effect::Move { from, to } => from.iter().chain([to]).collect(),
        Effect::Lay { to, .. } => vec![to],
        _ => Vec::new(),
    }
}

/// Where a path is below a root. A link at its end is a file like any other.
pub(super) fn within(root: &Path, path: &Path) -> Option<PathBuf> {
    let path = bellwether_shell::normal(path);
    let path = match (path.parent(), path.file_name()) {
        (Some(above), Some(name)) if path != root => real(above).join(name),
        _ => path,
    };
    Some(path.strip_prefix(root).ok()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_covered_by_what_is_around_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("src/deep")).unwrap();
        let covers = |specs: &[&str], path: &str| {
            let specs: Vec<String> = specs.iter().map(|spec| (*spec).to_owned()).collect();
            Covering::of(&specs, &root.join("src"), &root).has(Path::new(path))
        };
        assert!(covers(&["."], "src/a.rs"));
        assert!(!covers(&["."], "b.rs"));
        assert!(covers(&["../b.rs", "x"], "b.rs"));
        assert!(covers(&["deep/a"], "src/deep"), "a folder that holds it");
        assert!(covers(&["*.rs"], "anything"));
        assert!(covers(&[":/"], "anything"));
        assert!(covers(&[], "anything"));
    }
}
