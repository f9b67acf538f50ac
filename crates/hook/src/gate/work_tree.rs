//! Which repository a commit goes into, found as git finds it, without asking git.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use bellwether_shell::git::Site;
use bellwether_spine::digest::sha256;

/// The bytes of a checksum; where git takes longer ones, so many of its end.
const CHECKSUM: usize = 20;

/// A work tree, with links in its paths followed.
#[derive(Debug, Clone)]
pub(super) struct WorkTree {
    pub root: PathBuf,
    /// What belongs to this work tree alone: `HEAD`, the index.
    pub own: PathBuf,
    /// The command names both: git does not find them by itself.
    is_named: bool,
}

impl PartialEq for WorkTree {
    fn eq(&self, other: &Self) -> bool {
        (&self.root, &self.own) == (&other.root, &other.own)
    }
}

impl WorkTree {
    /// The work tree around a place; `None` when it is in no repository, or in one that the command itself begins.
    pub(super) fn around(site: &Site, begun: &[PathBuf]) -> Option<Self> {
        let folder = site.folder.canonicalize().ok()?;
        let named = |path: &Option<PathBuf>| path.as_deref().map(|path| folder.join(path));
        if let Some(own) = named(&site.git_dir) {
            let root = named(&site.work_tree).unwrap_or_else(|| folder.clone());
            return Some(Self {
                root: root.canonicalize().ok()?,
                own: own.canonicalize().ok()?,
                is_named: true,
            });
        }
        let (found, own) = folder
            .ancestors()
            .find_map(|above| Some((above, repository(&above.join(".git"))?)))?;
        let is_new =
            |new: &PathBuf| folder.starts_with(new) && new.starts_with(found) && new != found;
        if begun.iter().any(is_new) {
            return None;
        }
        let root = named(&site.work_tree).unwrap_or_else(|| found.to_owned());
        Some(Self {
            root: root.canonicalize().ok()?,
            own,
            is_named: site.work_tree.is_some(),
        })
    }
}

impl WorkTree {
    /// What tells one index from another: the checksum of all that is in it, which git writes at its end. `None` where git was
    /// told to write none.
    pub(super) fn index_checksum(&self) -> Option<String> {
        let index = File::open(self.own.join("index")).ok()?;
        let length = index.metadata().ok()?.len();
        let mut end = [0; CHECKSUM];
        index
            .read_exact_at(&mut end, length.checked_sub(CHECKSUM as u64)?)
            .ok()?;
        let is_one = end.iter().any(|byte| *byte != 0);
        is_one.then(|| sha256(&end))
    }

    /// Its root, as git is told to find it.
    pub(super) fn site(&self) -> Site {
        Site {
            folder: self.root.clone(),
            git_dir: self.is_named.then(|| self.own.clone()),
            work_tree: self.is_named.then(|| self.root.clone()),
        }
    }
}

/// The repository that a `.git` is, or leads to.
fn repository(dot_git: &Path) -> Option<PathBuf> {
    if dot_git.is_dir() {
        return is_repository(dot_git).then(|| dot_git.to_owned());
    }
    let text = std::fs::read_to_string(dot_git).ok()?;
    let to = dot_git.parent()?.join(text.strip_prefix("gitdir:")?.trim());
    let to = to.canonicalize().ok()?;
    is_repository(&to).then_some(to)
}

fn is_repository(folder: &Path) -> bool {
    // Of an unborn branch's it is a link to nothing.
    folder.join("HEAD").symlink_metadata().is_ok()
}

/// A path with links in it followed, as far as there is something at it.
pub(super) fn real(path: &Path) -> PathBuf {
    let known = path.ancestors().find_map(|above| {
        let rest = path.strip_prefix(above).ok()?;
        Some((above.canonicalize().ok()?, rest))
    });
    match known {
        Some((above, rest)) if rest.as_os_str().is_empty() => above,
        Some((above, rest)) => above.join(rest),
        None => path.to_owned(),
    }
}
