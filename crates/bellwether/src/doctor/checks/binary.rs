//! Our two programs as files.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use bellwether_spine::VERSION;

use super::{Finding, Setup};
use crate::doctor::file;
use crate::doctor::finding::or_good;
use crate::limited;

pub(super) const ABOUT: &str =
    "both programs are side by side, of one version, and nobody else may change them";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let (hook, main) = (setup.hook_program(), setup.programs.join("bellwether"));
    let mut findings: Vec<Finding> = [&hook, &main]
        .into_iter()
        .filter_map(|program| not_runnable(program))
        .collect();
    if findings.is_empty() {
        findings.extend(other_version(&hook));
    }
    let places = [&setup.programs, &hook, &main];
    findings.extend(places.into_iter().filter_map(|place| world_writable(place)));
    let folder = setup.programs.display();
    or_good(
        findings,
        format!("both programs are version {VERSION}, in {folder}"),
    )
}

fn not_runnable(program: &Path) -> Option<Finding> {
    let why = file::runnable(program).err()?;
    let finding = Finding::problem(format!("{} {why}", program.display()));
    Some(finding.advise("put both programs into one folder: run ./install again"))
}

/// A hook of another version still works: the journal is read by every version.
fn other_version(hook: &Path) -> Option<Finding> {
    let finding = match limited::version_of(hook, limited::PATIENCE) {
        Ok(said) => {
            let version = said.split([' ', ':']).nth(1).unwrap_or("unknown");
            (version != VERSION).then_some(())?;
            Finding::warning(format!(
                "the hook is version {version} and this program {VERSION}"
            ))
        }
        Err(why) => Finding::problem(format!("{} {why}", hook.display())),
    };
    Some(finding.advise("install both programs together"))
}

/// Whoever can change the hook can run what they like in every session.
fn world_writable(place: &Path) -> Option<Finding> {
    let mode = place.metadata().ok()?.permissions().mode();
    // In a folder with the sticky bit nobody can replace another's file.
    (mode & 0o002 != 0 && mode & 0o1000 == 0).then_some(())?;
    let (path, kept) = (place.to_owned(), mode & 0o7775);
    let finding = Finding::problem(format!(
        "everyone may change {}, which runs in your sessions",
        place.display()
    ));
    Some(
        finding
            .advise(format!("chmod o-w '{}'", place.display()))
            .fix(
                format!("remove others' write access to {}", place.display()),
                move || {
                    Ok(std::fs::set_permissions(
                        &path,
                        std::fs::Permissions::from_mode(kept),
                    )?)
                },
            ),
    )
}
