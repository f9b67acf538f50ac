//! One program: how it is built, how it is linked, where it goes.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::workspace::{Workspace, cargo};

/// How much the compiler shall try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As it is shipped.
    Release,
    /// As it is built fastest.
    Debug,
}

/// How a program finds the C library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Linking {
    /// It has it inside, where the system has a library to put inside.
    Static,
    /// The system's loader brings it.
    Dynamic,
}

/// A program of this workspace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program {
    package: &'static str,
    /// Its file, as cargo names it.
    file: &'static str,
    /// Where it goes, below `target/dist/`.
    place: &'static str,
    linking: Linking,
}

impl Program {
    /// What the client starts.
    pub(crate) const HOOK: Self = Self::of("bellwether-hook", Linking::Static);
    pub(crate) const MAIN: Self = Self::of("bellwether", Linking::Dynamic);
    /// Nothing at all, linked like the hook.
    pub(crate) const NOOP: Self = Self::of("bellwether-noop", Linking::Static);
    /// The hook as it would be without our trouble.
    pub(crate) const DYNAMIC_HOOK: Self = Self {
        place: "dynamic/bellwether-hook",
        ..Self::of("bellwether-hook", Linking::Dynamic)
    };
    /// What runs the real client for a test.
    pub(crate) const RIG: Self = Self {
        file: "rig",
        place: "rig",
        ..Self::of("bellwether-tests", Linking::Dynamic)
    };

    /// A program whose package has the name of its file.
    const fn of(name: &'static str, linking: Linking) -> Self {
        Self {
            package: name,
            file: name,
            place: name,
            linking,
        }
    }

    /// Builds the program and returns where cargo left it.
    pub(super) fn build(&self, workspace: &Workspace, profile: Profile) -> Result<PathBuf> {
        let mut command = Command::new(cargo());
        command.args(["build", "--package", self.package, "--bin", self.file]);
        command.current_dir(&workspace.root);
        if profile == Profile::Release {
            command.arg("--release");
        }
        let mut folder = workspace.target.clone();
        if self.linking == Linking::Static && can_link_statically() {
            let host = host()?;
            command.args(["--target", &host]);
            command.env("RUSTFLAGS", static_flags());
            folder.push(host);
        }
        let status = command.status().context("run cargo build")?;
        ensure!(status.success(), "cargo build of {} failed", self.package);
        folder.push(match profile {
            Profile::Release => "release",
            Profile::Debug => "debug",
        });
        Ok(folder.join(self.file))
    }
}

/// The folder of finished programs.
#[derive(Debug, Clone)]
pub(crate) struct Dist(PathBuf);

impl Dist {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The finished programs, for whoever puts them to the test.
    pub(crate) fn programs(&self) -> Result<bellwether_tests::Programs> {
        bellwether_tests::Programs::in_folder(self.0.clone())
    }

    pub(crate) fn path(&self, program: &Program) -> PathBuf {
        self.0.join(program.place)
    }

    /// Puts a program into its place in one step and returns the place.
    pub(super) fn put(&self, program: &Program, built: &Path) -> Result<PathBuf> {
        let place = self.path(program);
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let fresh = place.with_extension(format!("new-{}", std::process::id()));
        std::fs::copy(built, &fresh)
            .and_then(|_| std::fs::rename(&fresh, &place))
            .with_context(|| format!("put {} to {}", built.display(), place.display()))?;
        Ok(place)
    }
}

/// The flags of whoever calls us, and ours. A program that may stand anywhere in memory has to find all its
/// addresses anew at each start, which takes a tenth of the hook's time.
fn static_flags() -> String {
    let given = std::env::var("RUSTFLAGS").unwrap_or_default();
    format!("{given} -C target-feature=+crt-static -C relocation-model=static")
}

/// Whether there is a C library to link statically; says what to install when there is none.
fn can_link_statically() -> bool {
    if !cfg!(target_os = "linux") {
        return false;
    }
    let found = Command::new("cc").arg("-print-file-name=libc.a").output();
    // The compiler prints the bare name when it knows no such file.
    let there = found.is_ok_and(|found| found.stdout.contains(&b'/'));
    if !there {
        eprintln!(
            "libc.a is missing, so the hook is linked dynamically and starts slower; Debian has it in libc6-dev"
        );
    }
    there
}

/// The target triple of this machine.
fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = Command::new(rustc)
        .arg("-vV")
        .output()
        .context("run rustc")?;
    String::from_utf8_lossy(&told.stdout)
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("rustc names no host")
}
