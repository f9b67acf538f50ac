//! Where the checks run: in the work tree when it is just what will be committed, else in a tree of its own.

mod link;
mod own;

use std::path::{Path, PathBuf};

use crate::GateError;
use crate::git::{Folders, Git, records};
use crate::tree::Tree;

/// Names that are told of many.
const SHOWN: usize = 3;

/// A place to run checks in.
#[derive(Debug)]
pub(crate) struct Stage {
    /// The folder that stands for the work tree's root.
    pub(crate) root: PathBuf,
    /// The work tree itself.
    pub(crate) real: PathBuf,
    /// What a person should know about it.
    pub(crate) notes: Vec<String>,
}

/// Where checks run, and why there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Whereabouts {
    InPlace,
    /// The work tree is not what will be committed: in what it differs.
    Apart(String),
}

impl Whereabouts {
    /// Finds out whether the work tree is just what will be committed: every tracked file as in the tree, and none that
    /// git neither knows nor ignores. Without a tree the index counts.
    pub(crate) fn find(git: &Git<'_>, tree: Option<&str>) -> Result<Self, GateError> {
        let diff = "diff --name-only -z --no-renames --no-ext-diff --ignore-submodules=dirty";
        let mut words: Vec<&str> = diff.split(' ').collect();
        words.extend(tree);
        words.push("--");
        let differs: Vec<String> = records(&git.tell(&words)?).collect();
        if !differs.is_empty() {
            return Ok(Self::Apart(format!("{} not as committed", are(&differs))));
        }
        let others =
            "ls-files --others --exclude-standard --directory --no-empty-directory -z --full-name";
        let words: Vec<&str> = others.split(' ').collect();
        let unknown: Vec<String> = records(&git.tell(&words)?).collect();
        if !unknown.is_empty() {
            return Ok(Self::Apart(format!(
                "{} not part of the commit",
                are(&unknown)
            )));
        }
        Ok(Self::InPlace)
    }
}

impl Stage {
    pub(crate) fn in_place(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            real: root.to_owned(),
            notes: Vec::new(),
        }
    }

    /// Lays a tree out in a folder, with what it depends on.
    pub(crate) fn apart(
        git: &Git<'_>,
        folders: &Folders,
        tree: &Tree<'_>,
        (folder, links): (&Path, &[String]),
    ) -> Result<Self, GateError> {
        own::lay_out(git, folders, tree.id, folder)?;
        let mut linking = link::Linking::new(&folders.root, folder);
        linking.dependencies(tree)?;
        linking.wanted(links)?;
        linking.submodules(git, tree)?;
        linking.notes.extend(large_files(tree, folder));
        Ok(Self {
            root: folder.to_owned(),
            real: folders.root.clone(),
            notes: linking.notes,
        })
    }

    pub(crate) fn is_in_place(&self) -> bool {
        self.root == self.real
    }

    /// The tracked files that running the checks has changed.
    pub(crate) fn changed(&self, git: &Git<'_>, tree: &str) -> Result<Vec<String>, GateError> {
        let git = if self.is_in_place() {
            git.clone()
        } else {
            git.within(&self.root)
        };
        let words = "diff --name-only -z --no-renames --no-ext-diff --ignore-submodules=all";
        let mut words: Vec<&str> = words.split(' ').collect();
        words.extend([tree, "--"]);
        Ok(records(&git.tell(&words)?).collect())
    }
}

/// What to know where files of the tree are kept elsewhere (Git LFS): without a download they are only named.
fn large_files(tree: &Tree<'_>, folder: &Path) -> Option<String> {
    let mut attributes = tree
        .files
        .iter()
        .filter(|file| file.ends_with(".gitattributes"));
    let has = attributes.any(|file| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        text.contains("filter=lfs")
    });
    let note = "files in Git LFS are checked as pointers, unless gate.download lets git fetch them";
    has.then(|| note.to_owned())
}

/// The first of some names, with the verb: `a, b and 3 others are`.
fn are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", first_of(names))
}

/// The first of some names: `a, b and 3 others`.
pub(crate) fn first_of(names: &[String]) -> String {
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        1 => format!("{shown} and 1 other"),
        more => format!("{shown} and {more} others"),
    }
}
