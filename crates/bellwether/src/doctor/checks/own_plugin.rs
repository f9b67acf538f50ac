//! Our own plugin: copies of another version than this program, and a hook that it does not find.

use std::path::Path;

use super::{Finding, Setup};
use crate::doctor::file;
use crate::doctor::finding::or_good;
use crate::registration::plugin::{self, OwnPlugin};
use crate::settings::HOOK;

pub(super) const ABOUT: &str =
    "bellwether's own plugin, where it is used, has this version and finds the hook";

const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let Some(plugin) = &setup.own_plugin else {
        return vec![Finding::good("bellwether's own plugin is not used")];
    };
    let mut findings: Vec<Finding> = old(plugin).into_iter().collect();
    findings.extend(others(plugin));
    findings.extend(started(setup));
    or_good(
        findings,
        format!("plugin {} has version {VERSION}", plugin.name),
    )
}

/// A copy that runs and is not that of this version.
fn old(plugin: &OwnPlugin) -> Option<Finding> {
    let (name, root) = (&plugin.name, plugin.root.display());
    let version = plugin.version().unwrap_or_else(|| "unknown".to_owned());
    if version == VERSION && plugin.is_ours() {
        return None;
    }
    let what = if version == VERSION {
        format!("plugin {name} differs from the one of this version ({root})")
    } else {
        format!("plugin {name} has version {version}, this program {VERSION} ({root})")
    };
    let finding = Finding::warning(format!(
        "{what}: `bellwether install` does not rely on it, so events may be checked twice"
    ));
    Some(finding.advise(renewal(name)))
}

/// Copies that are not those of this version: the client may run one of them next.
fn others(plugin: &OwnPlugin) -> Vec<Finding> {
    let differing = plugin.copies.iter().filter_map(|copy| {
        let version = plugin::version(copy).unwrap_or_else(|| "unknown".to_owned());
        (version != VERSION || !plugin::is_ours(copy)).then(|| {
            let (name, copy) = (&plugin.name, copy.display());
            let text = format!(
                "a copy of plugin {name} has other files than this program, {VERSION}: {copy}, version {version}"
            );
            Finding::warning(text).advise(renewal(name))
        })
    });
    differing.collect()
}

fn renewal(name: &str) -> String {
    let marketplace = name.split_once('@').map_or(name, |(_, market)| market);
    format!(
        "claude plugin marketplace update {marketplace}, then claude plugin uninstall {name} and claude plugin install {name}"
    )
}

/// What the plugin starts: the first that it finds.
fn started(setup: &Setup<'_>) -> Option<Finding> {
    let places = plugin::places();
    let found = places.iter().find(|place| file::runnable(place).is_ok());
    let Some(found) = found.cloned().or_else(|| file::on_path(HOOK)) else {
        let text = format!(
            "the plugin does not find {HOOK}: it looks in ~/.local/bin, /usr/local/bin, /usr/bin and on PATH"
        );
        return Some(
            Finding::problem(text)
                .advise("./install in the sources, or put both programs into ~/.local/bin"),
        );
    };
    let folder = found.canonicalize().ok();
    let folder = folder.as_deref().and_then(Path::parent);
    (folder != setup.programs.canonicalize().ok().as_deref()).then(|| {
        let text = format!(
            "the plugin starts {}, which is not the one beside this program",
            found.display()
        );
        Finding::note(text)
    })
}
