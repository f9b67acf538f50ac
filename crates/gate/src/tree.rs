//! Trees of git: which one is about to be committed, what is in it, and what of that is new.

use std::path::Path;

use bellwether_spine::{place, text};

use crate::GateError;
use crate::git::{Git, records};

/// What is about to be committed.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    pub(crate) id: &'a str,
    /// Every file in it, relative to the root.
    pub(crate) files: Vec<String>,
    /// The commits that it has of other repositories, by their folders.
    pub(crate) submodules: Vec<(String, String)>,
}

impl<'a> Tree<'a> {
    pub(crate) fn read(git: &Git<'_>, id: &'a str) -> Result<Self, GateError> {
        let listed = git.tell(&["ls-tree", "-r", "-z", "--full-tree", id])?;
        let mut tree = Self {
            id,
            files: Vec::new(),
            submodules: Vec::new(),
        };
        for record in records(&listed) {
            let Some((about, path)) = record.split_once('\t') else {
                continue;
            };
            match about.split(' ').collect::<Vec<_>>()[..] {
                [_, "commit", commit] => tree.submodules.push((path.to_owned(), commit.to_owned())),
                _ => tree.files.push(path.to_owned()),
            }
        }
        Ok(tree)
    }
}

/// The tree that somebody names by its id.
pub(crate) fn named(git: &Git<'_>, name: &str) -> Result<String, GateError> {
    let no_tree = || GateError::NoTree {
        name: text::shown(name, 80),
    };
    let is_id = name.len() >= 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_id {
        return Err(no_tree());
    }
    let name = format!("{name}^{{tree}}");
    let words = ["rev-parse", "-q", "--verify", "--end-of-options", &name];
    git.line(&words)?.ok_or_else(no_tree)
}

/// The tree that an index stands for, by a copy in a folder of ours: git would lock the index itself.
pub(crate) fn of_index(git: &Git<'_>, index: &Path, folder: &Path) -> Result<String, GateError> {
    place::create_private(folder)?;
    let copy = folder.join("index");
    match std::fs::copy(index, &copy) {
        // Before the first file is added there is none.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        copied => drop(copied.map_err(GateError::io("copy", &copy))?),
    }
    let said = git.with_index(&copy).ask(&["write-tree"])?;
    // What is left of it goes with the folder.
    let _ = std::fs::remove_file(&copy);
    match said.code {
        0 => Ok(String::from_utf8_lossy(&said.out).trim().to_owned()),
        _ if said.complaint.contains("unmerged") => Err(GateError::Conflicts {
            said: text::shown(&said.complaint, 200),
        }),
        _ => Err(said.failed("write-tree")),
    }
}

/// The files that a commit of a tree adds or changes.
pub(crate) fn changed(git: &Git<'_>, tree: &str) -> Result<Vec<String>, GateError> {
    let head = git.line(&["rev-parse", "-q", "--verify", "HEAD^{tree}"])?;
    let Some(head) = head else {
        let words = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree];
        return Ok(records(&git.tell(&words)?).collect());
    };
    let words = "diff-tree -r -z --name-only --no-renames --diff-filter=d --ignore-submodules=all";
    let mut words: Vec<&str> = words.split(' ').collect();
    words.extend([head.as_str(), tree]);
    Ok(records(&git.tell(&words)?).collect())
}
