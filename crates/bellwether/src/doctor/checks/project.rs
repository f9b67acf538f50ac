//! What settings say that changes our hook: variables that a project gives it, and whether hooks
//! run at all.

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::doctor::settings_files::SettingsFile;
use crate::registration::Scope;
use crate::settings::Document;
use crate::settings::json::Value;

pub(super) const ABOUT: &str =
    "this project's settings leave hooks on, and which variables they set for hooks";

/// How the names of variables begin that can change what a hook does or where it looks. Our hook
/// obeys its own arguments; but the client's version is told by a variable.
const TELLING: &[&str] = &[
    "AI_AGENT",
    "BELLWETHER_",
    "HOME",
    "HOOK_",
    "LD_",
    "PATH",
    "XDG_",
];

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let off = setup.settings.iter().filter_map(turned_off);
    let off = off.chain(setup.settings.iter().filter_map(without_plugin));
    let given = setup.settings.iter().filter_map(variables);
    or_good(
        off.chain(given).collect(),
        "hooks are on, and the project gives them no variables",
    )
}

fn turned_off(file: &SettingsFile) -> Option<Finding> {
    file.document()
        .is_some_and(Document::disables_all_hooks)
        .then(|| {
            let text = format!(
                "{} has disableAllHooks: Claude Code runs no hooks, including ours",
                file.path.display()
            );
            Finding::problem(text)
                .advise("remove disableAllHooks from that file if that was not intended")
        })
}

/// A project can switch a person's plugin off, and with it the guard that it brings.
fn without_plugin(file: &SettingsFile) -> Option<Finding> {
    if matches!(file.scope, Scope::User | Scope::Managed) {
        return None;
    }
    let plugins = file.document()?.root().get("enabledPlugins")?.members();
    let ours = |name: &str| {
        name.split_once('@')
            .is_some_and(|(name, _)| name == "bellwether")
    };
    let mut off = plugins
        .iter()
        .filter(|one| ours(&one.name) && one.value.value == Value::Bool(false));
    let name = &off.next()?.name;
    let path = file.path.display();
    let text = format!(
        "{path} switches the plugin {name} off: nothing that it brings runs in this project"
    );
    Some(Finding::problem(text).advise(format!(
        "remove {name} from enabledPlugins in that file, if you did not put it there"
    )))
}

/// A person's own variables are theirs; a project's may come from a stranger.
fn variables(file: &SettingsFile) -> Option<Finding> {
    if matches!(file.scope, Scope::User | Scope::Managed) {
        return None;
    }
    let given = file.document()?.root().get("env")?.members();
    let names: Vec<&str> = given.iter().map(|one| one.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    let path = file.path.display();
    let text = format!("{path} gives every hook variables: {}", names.join(", "));
    let is_telling = |name: &&str| TELLING.iter().any(|start| name.starts_with(start));
    let telling: Vec<&str> = names.into_iter().filter(is_telling).collect();
    if telling.is_empty() {
        return Some(Finding::note(text));
    }
    let finding = Finding::warning(format!(
        "{text}; {} can change what a hook does",
        telling.join(", ")
    ));
    Some(finding.advise(format!("find out why {path} sets them")))
}
