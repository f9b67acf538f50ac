//! Writes the pages and the plugin's files that are made from the code. A test of the code says when they are old.

mod plugin;

use anyhow::{Context as _, Result};
use bellwether_hook::guard::{Verdict, catalog};

use crate::Outcome;
use crate::workspace::Workspace;

/// The page that people write but for its table of rules, and the marks around that.
const GUARD: &str = "docs/guard.md";
const RULES: (&str, &str) = (
    "<!-- rules: made by `cargo xtask docs` -->\n",
    "<!-- end of rules -->\n",
);

pub(crate) fn run() -> Result<Outcome> {
    let workspace = Workspace::find()?;
    let guard = std::fs::read_to_string(workspace.root.join(GUARD)).context(GUARD)?;
    let pages = [
        ("docs/config.md", bellwether_config::reference()),
        (
            "docs/config.schema.json",
            format!("{:#}\n", bellwether_config::schema()),
        ),
        ("docs/openapi.json", bellwether_daemon::openapi()),
        ("docs/api.md", bellwether_daemon::reference()),
        (GUARD, with_rules(&guard)?),
    ];
    for (page, text) in pages.into_iter().chain(plugin::files()?) {
        let path = workspace.root.join(page);
        std::fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
        println!("{page}");
    }
    Ok(Outcome::Good)
}

/// The table of the guard's rules.
fn rules() -> String {
    let head = "| rule | against | by loss | strict |\n|---|---|---|---|\n";
    let rows = catalog::all().into_iter().map(|rule| {
        let strict = match rule.strict {
            Verdict::Silent => "silent",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        };
        format!(
            "| `{}` | {} | {} | {strict} |\n",
            rule.id, rule.about, rule.by_loss
        )
    });
    rows.fold(head.to_owned(), |page, row| page + &row)
}

fn with_rules(page: &str) -> Result<String> {
    let marks = "the marks of the rules are missing";
    let (before, rest) = page.split_once(RULES.0).context(marks)?;
    let (_, after) = rest.split_once(RULES.1).context(marks)?;
    Ok([before, RULES.0, &rules(), RULES.1, after].concat())
}
