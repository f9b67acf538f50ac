//! What settings say that changes our hook: variables that a project gives it, and whether hooks
//! run at all.

use serde_json::Value;

use super::{Context, Finding};
use crate::doctor::finding::or_good;
use crate::doctor::settings_files::{Layer, SettingsFile};

pub(super) const ABOUT: &str =
    "this project's settings do not turn hooks off; which variables they give to hooks";

/// Variables that change what a hook does or where it looks. Ours obeys none of them: it reads its
/// own arguments only, and a static program has no loader.
const TELLING: &[&str] = &[
    "BELLWETHER_",
    "HOOK_",
    "LD_",
    "AI_AGENT",
    "PATH",
    "HOME",
    "XDG_",
];

pub(super) fn run(context: &Context<'_>) -> Vec<Finding> {
    let off = context.settings.iter().filter_map(turned_off);
    let given = context.settings.iter().filter_map(variables);
    or_good(
        off.chain(given).collect(),
        "hooks are on, and the project gives them no variables",
    )
}

fn turned_off(file: &SettingsFile) -> Option<Finding> {
    (file.get("disableAllHooks") == Some(&Value::Bool(true))).then(|| {
        let text = format!(
            "{} has disableAllHooks: Claude Code starts no hook at all, ours neither",
            file.path.display()
        );
        Finding::problem(text).advise("remove disableAllHooks from that file, if it is not meant")
    })
}

/// A person's own variables are theirs; a project's may come from a stranger.
fn variables(file: &SettingsFile) -> Option<Finding> {
    if file.layer == Layer::User {
        return None;
    }
    let names: Vec<&String> = file.get("env")?.as_object()?.keys().collect();
    let last = names.last()?;
    let telling = names
        .iter()
        .any(|name| TELLING.iter().any(|start| name.starts_with(start)));
    let listed = names
        .iter()
        .map(|name| name.as_str())
        .collect::<Vec<_>>()
        .join(", ");
    let text = format!(
        "{} gives every hook variables: {listed}",
        file.path.display()
    );
    Some(if telling {
        let text = format!("{text}; some could change what hooks do. Ours obeys none of them");
        Finding::warning(text).advise(format!("look why that file sets {last}"))
    } else {
        Finding::note(text)
    })
}
