//! The real client, in any published version, fetched once into the user's cache folder.
//!
//! Tests run in parallel processes, so the fetch holds a file lock, and a client appears under its version's name only
//! when it is whole: it is unpacked beside and renamed. Whatever a version was published as, its folder has a `claude`
//! that starts it.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::dialect::{Dialect, Published};

/// The version the rig is proven with.
pub const CLIENT_VERSION: &str = "2.1.325";

/// The last one that does not tell of completed tasks and idle teammates.
pub const BEFORE_TASKS: &str = "2.1.32";

/// The older ones that every run of the tests drives too.
pub const OLDER: [&str; 3] = ["2.0.30", "2.1.100", BEFORE_TASKS];

/// Those that a long run drives: on either side of each change in what a client tells its hooks.
pub const EVERY: [&str; 10] = [
    "1.0.128",
    "2.0.30",
    "2.0.77",
    BEFORE_TASKS,
    "2.1.33",
    "2.1.67",
    "2.1.100",
    "2.1.112",
    "2.1.252",
    CLIENT_VERSION,
];

/// The file that an older package's client is.
const SCRIPT: &str = "cli.js";

/// The path of one version's `claude`, fetched on first use.
pub fn fetch(version: &str) -> Result<PathBuf> {
    let published = Dialect::of(version)?.published();
    let cache = cache_folder()?;
    let claude = cache.join(version).join("claude");
    if claude.exists() {
        return Ok(claude);
    }
    fs::create_dir_all(&cache).with_context(|| format!("creating {}", cache.display()))?;
    let lock = cache.join(format!("{version}.lock"));
    let lock = File::create(&lock).with_context(|| format!("creating {}", lock.display()))?;
    lock.lock().context("waiting for another fetch")?;
    if !claude.exists() {
        unpack_into(&cache, published, version)
            .with_context(|| format!("fetching version {version} of the client"))?;
    }
    Ok(claude)
}

fn cache_folder() -> Result<PathBuf> {
    let base = match std::env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => std::env::home_dir()
            .context("neither XDG_CACHE_HOME nor HOME is set")?
            .join(".cache"),
    };
    Ok(base.join("bellwether-tests").join("client"))
}

fn unpack_into(cache: &Path, published: Published, version: &str) -> Result<()> {
    let unpacking = tempfile::tempdir_in(cache)?;
    let folder = unpacking.path();
    let package = format!("{}@{version}", package_name(published)?);
    run_in(
        folder,
        "npm",
        &["pack", "--loglevel=error", &package],
        "install Node.js",
    )?;
    let archive = only_file(folder)?;
    run_in(folder, "tar", &["xzf", &archive], "install tar and gzip")?;
    let unpacked = folder.join("package");
    if published == Published::Script {
        make_startable(&unpacked)?;
    }
    ensure!(
        unpacked.join("claude").is_file(),
        "{package} holds no client"
    );
    fs::rename(unpacked, cache.join(version))?;
    Ok(())
}

/// Gives a script the name `claude`, by a link: that is what installing its package does.
fn make_startable(unpacked: &Path) -> Result<()> {
    let script = unpacked.join(SCRIPT);
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("{} is missing", script.display()))?;
    Ok(symlink(SCRIPT, unpacked.join("claude"))?)
}

fn package_name(published: Published) -> Result<&'static str> {
    match (published, std::env::consts::ARCH) {
        (Published::Script, _) => Ok("@anthropic-ai/claude-code"),
        (Published::Program, "x86_64") => Ok("@anthropic-ai/claude-code-linux-x64"),
        (Published::Program, "aarch64") => Ok("@anthropic-ai/claude-code-linux-arm64"),
        (Published::Program, other) => bail!("no client is published for {other}"),
    }
}

fn only_file(folder: &Path) -> Result<String> {
    let entry = fs::read_dir(folder)?
        .next()
        .context("npm pack left no archive")??;
    Ok(entry.file_name().to_string_lossy().into_owned())
}

fn run_in(folder: &Path, program: &str, args: &[&str], remedy: &str) -> Result<()> {
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        .output()
        .with_context(|| format!("{program} does not start: {remedy}"))?;
    ensure!(
        output.status.success(),
        "{program} {}: {}\n{}",
        args.join(" "),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
