//! The real client, fetched once into the user's cache folder.
//!
//! Tests run in parallel processes, so the fetch holds a file lock, and a client appears under its version's name only
//! when it is whole: it is unpacked beside and renamed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// The version the rig is proven with.
pub const CLIENT_VERSION: &str = "2.1.325";

/// The path of the client, fetched on first use.
pub fn path() -> Result<PathBuf> {
    fetch(CLIENT_VERSION)
}

/// The path of one version of the client, fetched on first use.
pub fn fetch(version: &str) -> Result<PathBuf> {
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
        unpack_into(&cache, version)
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

fn unpack_into(cache: &Path, version: &str) -> Result<()> {
    let unpacking = tempfile::tempdir_in(cache)?;
    let folder = unpacking.path();
    let package = format!("{}@{version}", package_name()?);
    run_in(
        folder,
        "npm",
        &["pack", "--silent", &package],
        "install Node.js",
    )?;
    let archive = only_file(folder)?;
    run_in(folder, "tar", &["xzf", &archive], "install tar and gzip")?;
    ensure!(
        folder.join("package/claude").is_file(),
        "{package} holds no package/claude"
    );
    fs::rename(folder.join("package"), cache.join(version))?;
    Ok(())
}

fn package_name() -> Result<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Ok("@anthropic-ai/claude-code-linux-x64"),
        "aarch64" => Ok("@anthropic-ai/claude-code-linux-arm64"),
        other => bail!("no client is published for {other}"),
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
