//! What a tree depends on and git ignores: linked from the work tree, so that nothing is installed again.
//!
//! Packages of the project itself that stand in `node_modules` as links lead into the tree, not back into the work tree:
//! those are part of what is judged.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use crate::GateError;
use crate::git::Git;
use crate::tree::Tree;

/// What stands beside a manifest once its dependencies are installed.
const BESIDE: &[(&str, &[&str])] = &[
    (
        "package.json",
        &[
            "node_modules",
            ".pnp.cjs",
            ".pnp.loader.mjs",
            ".yarn/cache",
            ".yarn/unplugged",
        ],
    ),
    ("pyproject.toml", &[".venv", "venv"]),
    ("requirements.txt", &[".venv", "venv"]),
    ("uv.lock", &[".venv"]),
];

const MODULES: &str = "node_modules";

/// Links from one work tree into another.
pub(super) struct Linking<'a> {
    real: &'a Path,
    tree: &'a Path,
    pub(super) notes: Vec<String>,
}

impl<'a> Linking<'a> {
    pub(super) fn new(real: &'a Path, tree: &'a Path) -> Self {
        Self {
            real,
            tree,
            notes: Vec::new(),
        }
    }

    /// Links what was installed for the tree's manifests, at every level.
    pub(super) fn dependencies(&mut self, tree: &Tree<'_>) -> Result<(), GateError> {
        let installed: BTreeSet<PathBuf> =
            tree.files.iter().flat_map(|file| beside(file)).collect();
        for path in installed {
            self.link(&path)?;
        }
        Ok(())
    }

    /// Links what the person names.
    pub(super) fn wanted(&mut self, paths: &[String]) -> Result<(), GateError> {
        for name in paths {
            let path = Path::new(name);
            let inside =
                |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
            if path.components().all(inside) {
                self.link(path)?;
            } else {
                self.notes
                    .push(format!("gate.link: {name} is not a path in the project"));
            }
        }
        Ok(())
    }

    /// Links what other repositories have checked out, and says where that is another commit.
    pub(super) fn submodules(&mut self, git: &Git<'_>, tree: &Tree<'_>) -> Result<(), GateError> {
        for (path, commit) in &tree.submodules {
            let (from, to) = (self.real.join(path), self.tree.join(path));
            if !from.join(".git").exists() {
                self.notes
                    .push(format!("the submodule {path} is not checked out"));
                continue;
            }
            let from_text = from.display().to_string();
            let head = git.line(&["-C", &from_text, "rev-parse", "-q", "--verify", "HEAD"])?;
            if head.as_ref() != Some(commit) {
                let note = format!(
                    "the checks see the submodule {path} as it is checked out, not as committed"
                );
                self.notes.push(note);
            }
            // Git makes an empty folder for it.
            let _ = std::fs::remove_dir(&to);
            symlink(&from, &to).map_err(GateError::io("link", &to))?;
        }
        Ok(())
    }

    fn link(&self, path: &Path) -> Result<(), GateError> {
        let (from, to) = (self.real.join(path), self.tree.join(path));
        // What is tracked came with the tree.
        if !from.exists() || to.symlink_metadata().is_ok() {
            return Ok(());
        }
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder).map_err(GateError::io("create", folder))?;
            // A link in the tree may lead out of it.
            let lead = folder.canonicalize().ok();
            if !lead
                .zip(self.tree.canonicalize().ok())
                .is_some_and(|(lead, tree)| lead.starts_with(tree))
            {
                return Ok(());
            }
        }
        if path.ends_with(MODULES) && from.is_dir() {
            return self.mirror(&from, &to);
        }
        symlink(&from, &to).map_err(GateError::io("link", &to))
    }

    /// A folder of links to what is in another. Scopes are folders of packages.
    fn mirror(&self, from: &Path, to: &Path) -> Result<(), GateError> {
        std::fs::create_dir(to).map_err(GateError::io("create", to))?;
        let entries = std::fs::read_dir(from).map_err(GateError::io("list", from))?;
        for entry in entries.flatten() {
            let (from, to) = (entry.path(), to.join(entry.file_name()));
            let is_scope = entry.file_name().as_encoded_bytes().starts_with(b"@");
            if is_scope && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.mirror(&from, &to)?;
            } else {
                symlink(self.target(&from), &to).map_err(GateError::io("link", &to))?;
            }
        }
        Ok(())
    }

    /// What a package in `node_modules` is: a folder of this project is that of the tree.
    fn target(&self, package: &Path) -> PathBuf {
        let own = || {
            std::fs::read_link(package).ok()?;
            let meant = package.canonicalize().ok()?;
            let inside = meant.strip_prefix(self.real).ok()?.to_owned();
            let installed = inside.components().any(|part| part.as_os_str() == MODULES);
            let there = self.tree.join(inside);
            (!installed && there.exists()).then_some(there)
        };
        own().unwrap_or_else(|| package.to_owned())
    }
}

/// What may stand beside a manifest.
fn beside(file: &str) -> impl Iterator<Item = PathBuf> {
    let path = Path::new(file);
    let name = path.file_name().unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    let installed = BESIDE.iter().filter(move |(manifest, _)| name == *manifest);
    installed.flat_map(move |(_, names)| names.iter().map(move |name| folder.join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_the_project_lead_into_the_tree() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let (real, tree) = (base.join("real"), base.join("tree"));
        for path in [
            "real/node_modules/@shop",
            "real/node_modules/left-pad",
            "real/packages/ui",
            "tree/packages/ui",
        ] {
            std::fs::create_dir_all(base.join(path)).unwrap();
        }
        symlink("../../packages/ui", real.join("node_modules/@shop/ui")).unwrap();
        symlink("../packages/gone", real.join("node_modules/gone")).unwrap();
        let files = Tree {
            id: "t",
            files: vec!["package.json".into()],
            submodules: Vec::new(),
        };
        let mut linking = Linking::new(&real, &tree);
        linking.dependencies(&files).unwrap();
        let leads = |path: &str| std::fs::read_link(tree.join("node_modules").join(path)).unwrap();
        assert_eq!(leads("@shop/ui"), tree.join("packages/ui"));
        assert_eq!(leads("left-pad"), real.join("node_modules/left-pad"));
        assert_eq!(leads("gone"), real.join("node_modules/gone"));
    }

    #[test]
    fn what_is_named_is_linked_and_nothing_outside() {
        let folder = tempfile::tempdir().unwrap();
        let (real, tree) = (folder.path().join("real"), folder.path().join("tree"));
        std::fs::create_dir_all(real.join("gen/api")).unwrap();
        std::fs::create_dir_all(&tree).unwrap();
        std::fs::write(folder.path().join("secret"), "x").unwrap();
        let mut linking = Linking::new(&real, &tree);
        let names = ["gen/api", "../secret", "/etc/passwd", "not/there"];
        linking.wanted(&names.map(str::to_owned)).unwrap();
        assert_eq!(
            std::fs::read_link(tree.join("gen/api")).unwrap(),
            real.join("gen/api")
        );
        assert_eq!(linking.notes.len(), 2, "{:?}", linking.notes);
        assert!(!tree.join("not").exists());
    }
}
