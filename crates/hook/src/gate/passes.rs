//! Which trees have passed: one small file each, so that looking one up is opening a file.

use std::path::{Path, PathBuf};

use bellwether_spine::digest::sha256;
use bellwether_spine::{Home, SpineError, clock, place};
use serde::{Deserialize, Serialize};

/// So many are kept; the oldest go.
const KEPT: usize = 200;
/// How what a pass is known by begins where that is the index, and not the tree that git makes of it.
const OF_INDEX: &str = "index ";

/// A tree that has passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// The repository's work tree.
    pub root: PathBuf,
    /// Git's id of the tree.
    pub tree: String,
    /// Which checks those were: `Config::rules`.
    pub rules: String,
    /// The names of the checks that it passed.
    pub steps: Vec<String>,
    /// When, milliseconds since 1970.
    pub at_ms: u64,
}

/// The passes of one home.
#[derive(Debug, Clone, Copy)]
pub struct Passes<'a>(pub &'a Home);

impl Passes<'_> {
    /// Whether a tree has passed these checks.
    pub fn has(self, root: &Path, tree: &str, rules: &str) -> bool {
        let found = read(&self.file(root, tree, rules));
        found.is_some_and(|pass| pass.root == root && pass.tree == tree && pass.rules == rules)
    }

    /// Whether what an index holds has passed these checks: for this nobody need ask git for the tree.
    pub(super) fn has_index(self, root: &Path, index: &str, rules: &str) -> bool {
        self.has(root, &format!("{OF_INDEX}{index}"), rules)
    }

    /// Remembers that a tree that has passed is what an index holds.
    pub(super) fn add_index(self, root: &Path, index: &str, rules: &str) -> Result<(), SpineError> {
        self.add(root, &format!("{OF_INDEX}{index}"), rules, &[])
    }

    /// Remembers that a tree has passed.
    pub fn add(
        self,
        root: &Path,
        tree: &str,
        rules: &str,
        steps: &[String],
    ) -> Result<(), SpineError> {
        let pass = Pass {
            root: root.to_owned(),
            tree: tree.to_owned(),
            rules: rules.to_owned(),
            steps: steps.to_vec(),
            at_ms: clock::wall_ms(),
        };
        place::create_private(&self.0.gate_passes())?;
        self.forget_old();
        let text =
            serde_json::to_vec(&pass).map_err(|error| SpineError::Record(error.to_string()))?;
        place::replace_private(&self.file(root, tree, rules), &text)
    }

    /// All of them, or those of one work tree; the newest first.
    pub fn list(self, root: Option<&Path>) -> Vec<Pass> {
        let trees = self.all().into_iter().map(|(_, pass)| pass);
        let mut found: Vec<Pass> = trees
            .filter(|pass| !pass.tree.starts_with(OF_INDEX))
            .collect();
        found.retain(|pass| root.is_none_or(|root| pass.root == root));
        found.sort_by_key(|pass| std::cmp::Reverse(pass.at_ms));
        found
    }

    /// Forgets all of them, or those of one work tree, and says how many those were.
    pub fn clear(self, root: Option<&Path>) -> usize {
        let all = self.all().into_iter();
        let meant = all.filter(|(_, pass)| root.is_none_or(|root| pass.root == root));
        meant
            .filter(|(file, _)| std::fs::remove_file(file).is_ok())
            .filter(|(_, pass)| !pass.tree.starts_with(OF_INDEX))
            .count()
    }

    fn forget_old(self) {
        let mut all = self.all();
        all.sort_by_key(|(_, pass)| pass.at_ms);
        let too_many = (all.len() + 1).saturating_sub(KEPT);
        for (file, _) in all.into_iter().take(too_many) {
            // Whoever else removes it has done the same.
            let _ = std::fs::remove_file(file);
        }
    }

    fn all(self) -> Vec<(PathBuf, Pass)> {
        let entries = std::fs::read_dir(self.0.gate_passes())
            .into_iter()
            .flatten();
        let files = entries.flatten().map(|entry| entry.path());
        files
            .filter_map(|file| read(&file).map(|pass| (file, pass)))
            .collect()
    }

    fn file(self, root: &Path, tree: &str, rules: &str) -> PathBuf {
        let key = format!("{}\0{tree}\0{rules}", root.display());
        self.0.gate_passes().join(sha256(key.as_bytes()))
    }
}

fn read(file: &Path) -> Option<Pass> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_counts_for_its_tree_and_its_checks_alone() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let (passes, root) = (Passes(&home), Path::new("/p"));
        assert!(!passes.has(root, "t", "r"));
        passes.add(root, "t", "r", &["lint".to_owned()]).unwrap();
        assert!(passes.has(root, "t", "r"));
        for (root, tree, rules) in [("/q", "t", "r"), ("/p", "u", "r"), ("/p", "t", "s")] {
            assert!(!passes.has(Path::new(root), tree, rules));
        }
        passes.add_index(root, "i", "r").unwrap();
        assert!(passes.has_index(root, "i", "r") && !passes.has(root, "i", "r"));
        assert!(!passes.has_index(root, "i", "s"));
        assert_eq!(passes.list(Some(root)).len(), 1);
        assert_eq!(passes.list(Some(root))[0].steps, ["lint"]);
        assert_eq!(passes.clear(Some(Path::new("/q"))), 0);
        assert_eq!(passes.clear(None), 1);
        assert!(!passes.has(root, "t", "r") && !passes.has_index(root, "i", "r"));
    }

    #[test]
    fn the_oldest_passes_go() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        for number in 0..KEPT + 3 {
            Passes(&home)
                .add(Path::new("/p"), &number.to_string(), "r", &[])
                .unwrap();
        }
        assert_eq!(Passes(&home).list(None).len(), KEPT);
        let newest = (KEPT + 2).to_string();
        assert!(Passes(&home).has(Path::new("/p"), &newest, "r"));
    }
}
