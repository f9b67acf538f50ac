//! `cargo fmt` reaches every file. It follows `mod` lines and looks into no macro, so that a module which only a macro
//! names would stay as it is for ever, and nobody would be told.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use bellwether_tests::run::printed;

#[test]
fn cargo_fmt_reaches_every_file_that_git_knows() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()?;
    let (reached, known) = (reached(&root)?, known(&root)?);
    assert!(known.len() > 100, "{known:?}");
    let hidden: Vec<_> = known.difference(&reached).collect();
    assert!(hidden.is_empty(), "no `mod` line names {hidden:#?}");
    Ok(())
}

/// The files that are formatted. Whether they are, `./test` asks; here it is only who is asked about.
fn reached(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let output = Command::new(env!("CARGO"))
        .args(["fmt", "--all", "--check", "--", "--verbose"])
        .current_dir(root)
        .output()?;
    let told = String::from_utf8(output.stdout)?;
    let files = told
        .lines()
        .filter_map(|line| line.strip_prefix("Formatting "));
    Ok(files.map(PathBuf::from).collect())
}

/// The files in the tree, also those that are new.
fn known(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let words = [
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "*.rs",
    ];
    let told = printed(Command::new("git").args(words).current_dir(root))?;
    let files = told.lines().map(|line| root.join(line));
    Ok(files.filter(|file| file.exists()).collect())
}
