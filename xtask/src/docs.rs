//! Writes the pages that are made from the code. A test of the code says when they are old.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::Outcome;
use crate::workspace::{Workspace, cargo};

/// Each page, and the words that make the big binary print it.
const PAGES: [(&str, [&str; 2]); 2] = [
    ("docs/config.md", ["config", "reference"]),
    ("docs/config.schema.json", ["config", "schema"]),
];

/// The page that people write but for its table of rules, and the marks around that.
const GUARD: &str = "docs/guard.md";
const RULES: (&str, &str) = (
    "<!-- rules: made by `cargo xtask docs` -->\n",
    "<!-- end of rules -->\n",
);

pub(crate) fn run() -> Result<Outcome> {
    let workspace = Workspace::find()?;
    for (page, words) in PAGES {
        write(&workspace, page, &printed(&workspace, &words)?)?;
    }
    write(
        &workspace,
        "docs/openapi.json",
        &bellwether_daemon::openapi(),
    )?;
    write(&workspace, "docs/api.md", &bellwether_daemon::reference())?;
    let rules = printed(&workspace, &["guard", "rules", "--markdown"])?;
    let page = std::fs::read_to_string(workspace.root.join(GUARD)).context(GUARD)?;
    let marks = "the marks of the rules are missing";
    let (before, rest) = page.split_once(RULES.0).context(marks)?;
    let (_, after) = rest.split_once(RULES.1).context(marks)?;
    let page = [before, RULES.0, &rules, RULES.1, after].concat();
    write(&workspace, GUARD, &page)?;
    Ok(Outcome::Good)
}

/// What the big binary prints.
fn printed(workspace: &Workspace, words: &[&str]) -> Result<String> {
    let output = Command::new(cargo())
        .args(["run", "--quiet", "--package", "bellwether", "--"])
        .args(words)
        .current_dir(&workspace.root)
        .output()
        .context("run cargo")?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

fn write(workspace: &Workspace, page: &str, text: &str) -> Result<()> {
    let path = workspace.root.join(page);
    std::fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    println!("{page}");
    Ok(())
}
