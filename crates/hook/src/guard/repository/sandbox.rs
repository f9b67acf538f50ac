//! Real repositories in temporary folders, for tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use bellwether_shell::git::Site;

use super::Git;

/// A folder with a home beside it.
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    /// A folder that is no repository.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "w"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    /// A repository with `a.txt` and `b.txt` in one commit on `main`, of which `origin` knows.
    pub(crate) fn clean() -> Self {
        let sandbox = Self::empty();
        sandbox.git("init -q -b main .");
        sandbox.write("a.txt", "a");
        sandbox.write("b.txt", "b");
        sandbox.write(".gitignore", "*.log\n.env\nnode_modules/\n");
        sandbox.commit("one");
        sandbox.git("init -q --bare -b main ../origin");
        sandbox.git("remote add origin ../origin");
        sandbox.git("push -q -u origin main");
        sandbox.git("remote set-head origin main");
        sandbox
    }

    /// The same once more.
    pub(crate) fn copy(&self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let from = format!("{}/.", self.folder.path().display());
        let mut copy = Command::new("cp");
        let copied = copy.arg("-a").arg(from).arg(folder.path()).status();
        assert!(copied.unwrap().success());
        Self { folder }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("w")
    }

    pub(crate) fn site(&self) -> Site {
        Site::of(self.path())
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// A patient git: the machine that tests run on may be slow.
    pub(crate) fn repository(&self) -> Git {
        Git::new(Some(self.home()), Duration::from_secs(20))
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git("add -A");
        self.git_in(&self.path(), &["commit", "-q", "-m", message]);
    }

    /// Runs git with words that are separated by blanks.
    pub(crate) fn git(&self, words: &str) {
        let words: Vec<&str> = words.split(' ').collect();
        self.git_in(&self.path(), &words);
    }

    pub(crate) fn git_in(&self, folder: &Path, words: &[&str]) {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@t",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(["-c", "protocol.file.allow=always"])
            .args(words)
            .current_dir(folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "git {words:?}: {complaint}");
    }
}
