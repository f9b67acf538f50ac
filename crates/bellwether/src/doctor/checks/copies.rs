//! Whether the copies of plugins that the client made are those that their marketplaces have.
//!
//! The client copies a plugin into its cache and runs it from there. Whoever edits one of the two does not change the
//! other, and a copy of the same version is not replaced by an update.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Finding, Setup};
use crate::doctor::file::{self, Unread};
use crate::doctor::finding::or_good;
use crate::doctor::marketplaces::{Installation, Offer, version_of};
use crate::output;

pub(super) const ABOUT: &str =
    "installed plugins are there, and are the same as in their marketplaces";

/// The files that decide what hooks do, below a plugin's folder, and folders of such.
const COMPARED: [&str; 2] = [".claude-plugin/plugin.json", "hooks/hooks.json"];
const FOLDERS: [&str; 3] = ["hooks", "scripts", "bin"];
/// So many files of a folder are compared.
const MOST: usize = 100;
/// So many folders of the cache are looked at, and so many orphans named.
const COPIES: usize = 2000;
const NAMED: usize = 10;

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let plugins = &setup.plugins;
    // Our own has a check of its own.
    let own = setup.own_plugin.as_ref().map(|own| &own.name);
    let differing = plugins.enabled.iter().filter_map(|one| {
        if plugins.marketplaces.runs_in_place(&one.name) || own == Some(&one.name) {
            return None;
        }
        if !one.folder.is_dir() {
            return Some(gone(one));
        }
        differs(one, plugins.marketplaces.offer(&one.name)?)
    });
    let cache = setup.claude.join("plugins/cache");
    let mut findings: Vec<Finding> = differing.collect();
    findings.extend(orphans(&cache, &plugins.installed));
    let good = match plugins.enabled.len() {
        0 => "no plugin is installed and switched on".to_owned(),
        count => format!("no difference found in {}", output::many(count, "plugin")),
    };
    or_good(findings, good)
}

fn gone(one: &Installation) -> Finding {
    let (name, folder) = (&one.name, one.folder.display());
    Finding::warning(format!(
        "plugin {name} is switched on, but its folder {folder} does not exist"
    ))
    .advise(format!("claude plugin install {name}"))
}

fn differs(one: &Installation, offer: &Offer) -> Option<Finding> {
    let name = &one.name;
    let installed = version_of(&one.folder).or(one.version.clone());
    if let (Some(installed), Some(offered)) = (&installed, &offer.version)
        && installed != offered
    {
        let text = format!("plugin {name} {installed} is installed, its marketplace has {offered}");
        return Some(Finding::note(text).advise(format!("claude plugin update {name}")));
    }
    let file = compared(&offer.folder)
        .into_iter()
        .find(|file| !same(&one.folder.join(file), &offer.folder.join(file)))?;
    let text = format!(
        "plugin {name}: {} in {} is not that of its marketplace ({}), though both have the same version",
        file.display(),
        one.folder.display(),
        offer.folder.display()
    );
    // An update leaves a copy of the same version as it is.
    let advice = format!("claude plugin uninstall {name}, then claude plugin install {name}");
    Some(Finding::warning(text).advise(advice))
}

/// The files that are compared: those that the marketplace has. A plugin may write others into its copy.
fn compared(offered: &Path) -> BTreeSet<PathBuf> {
    let mut files: BTreeSet<PathBuf> = COMPARED.iter().map(PathBuf::from).collect();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(offered.join(folder)).into_iter();
        let names = entries.flatten().flatten().take(MOST).filter_map(|entry| {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            is_file.then(|| Path::new(folder).join(entry.file_name()))
        });
        files.extend(names);
    }
    files
}

/// Whether two files have the same content. What is too large to read is compared by its size.
fn same(one: &Path, other: &Path) -> bool {
    match (file::read_text(one), file::read_text(other)) {
        (Err(Unread::TooLarge(one)), Err(Unread::TooLarge(other))) => one == other,
        (Err(_), Err(_)) => true,
        (one, other) => one == other,
    }
}

/// Copies in the cache that belong to no plugin.
fn orphans(cache: &Path, installed: &[Installation]) -> Option<Finding> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let used: BTreeSet<PathBuf> = installed.iter().map(|one| real(&one.folder)).collect();
    let copies = folders(cache)
        .into_iter()
        .flat_map(|marketplace| folders(&marketplace))
        .flat_map(|plugin| folders(&plugin))
        .take(COPIES);
    let orphans: Vec<PathBuf> = copies.filter(|copy| !used.contains(&real(copy))).collect();
    let shown = orphans.iter().take(NAMED).map(|orphan| {
        let shown = orphan.strip_prefix(cache).unwrap_or(orphan);
        shown.display().to_string()
    });
    let shown: Vec<String> = shown.collect();
    (!orphans.is_empty()).then(|| {
        let count = match orphans.len() {
            1 => "1 copy".to_owned(),
            count => format!("{count} copies"),
        };
        let text = format!(
            "{count} in {} belong to no installed plugin and are not run: {}",
            cache.display(),
            shown.join(", ")
        );
        Finding::note(text).advise("delete those that you do not miss")
    })
}

/// The folders in a folder, but for hidden ones, through no link.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries
        .take(COPIES)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}
