//! Real linters, formatters and package managers, for projects that tests make: eslint, prettier, markdownlint (both
//! command lines), npm, pnpm, yarn, ruff, uv, Go's and Rust's own. `tests/tools/install` fetches them.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::env::SYSTEM_PATH;
use crate::programs::build_folder;

/// The tools that are installed.
#[derive(Debug, Clone)]
pub struct Tools(PathBuf);

impl Tools {
    /// Those that `./test` has installed.
    pub fn installed() -> Result<Self> {
        let folder = build_folder().join("tools");
        ensure!(
            folder.join("rust").exists(),
            "the tools are not installed; `tests/tools/install` does that"
        );
        Ok(Self(folder.canonicalize()?))
    }

    /// A PATH with all of them, and those of the system behind.
    pub fn path(&self) -> String {
        let folders = self.folders().map(|folder| folder.display().to_string());
        format!("{}:{SYSTEM_PATH}", folders.join(":"))
    }

    /// Where one of them is.
    pub fn program(&self, name: &str) -> Result<PathBuf> {
        let system = SYSTEM_PATH.split(':').map(PathBuf::from);
        let mut places = self.folders().into_iter().chain(system);
        places
            .find_map(|folder| Some(folder.join(name)).filter(|path| path.exists()))
            .with_context(|| format!("{name} is not installed; `tests/tools/install` does that"))
    }

    /// Links some of them into a folder: a `node_modules/.bin`, or a PATH that has nothing else.
    pub fn link(&self, names: &[&str], folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder)?;
        for name in names {
            symlink(self.program(name)?, folder.join(name))
                .with_context(|| format!("link {name} into {}", folder.display()))?;
        }
        Ok(())
    }

    fn folders(&self) -> [PathBuf; 3] {
        ["bin", "node_modules/.bin", "rust"].map(|name| self.0.join(name))
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn every_tool_starts() {
        let tools = Tools::installed().unwrap();
        let home = tempfile::tempdir().unwrap();
        for words in [
            "eslint --version",
            "prettier --version",
            "markdownlint --version",
            "npm --version",
            "pnpm --version",
            "yarn --version",
            "ruff --version",
            "uv --version",
            "go version",
            "gofmt -h",
            "cargo --version",
            "cargo clippy --version",
            "rustfmt --version",
        ] {
            let mut words = words.split(' ');
            let program = tools.program(words.next().unwrap()).unwrap();
            let mut command = Command::new(&program);
            command.args(words).current_dir(home.path()).env_clear();
            command.env("PATH", tools.path()).env("HOME", home.path());
            let output = command.output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let helped = said.starts_with("usage: gofmt");
            assert!(output.status.success() || helped, "{program:?}: {said}");
        }
    }
}
