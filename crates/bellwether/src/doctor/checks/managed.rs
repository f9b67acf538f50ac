//! Which mode holds, what it cannot prevent, and whether a managed installation is whole.

use std::path::Path;

use bellwether_hook::handlers::registrations;
use bellwether_hook::policy;
use bellwether_spine::Managed;

use super::{Finding, Setup};
use crate::doctor::settings_files::SettingsFile;
use crate::exit;
use crate::managed;
use crate::registration::Scope;
use crate::settings::flag;

pub(super) const ABOUT: &str =
    "which mode is in effect, what it cannot prevent, and that only root can change a managed one";

const USER: &str = "user mode: it stops accidents and careless agents; a program that an agent makes itself can still \
                    change your files, and with them the guard";
const MANAGED: &str = "managed mode: no file of yours makes the guard milder; what a program of the agent's own does \
                       with your rights is still not seen";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let managed = Managed::default();
    if !managed::is_registered(&managed) {
        return vec![in_user_mode(&managed)];
    }
    let mut findings = vec![Finding::note(MANAGED)];
    findings.extend(changeable(&managed));
    findings.extend(found(&managed));
    findings.extend(missing(setup));
    findings.extend(hooks_of_others(setup));
    findings
}

/// Nothing is managed, or no longer.
fn in_user_mode(managed: &Managed) -> Finding {
    if managed.snapshot().exists() {
        let text = format!(
            "{} is there, but nothing is registered in {}: the policy is not in effect",
            managed.policy().display(),
            managed.settings().display()
        );
        return Finding::problem(text).advise(Scope::Managed.command("install"));
    }
    Finding::good(USER)
}

/// Files that somebody else may change, or that are gone.
fn changeable(managed: &Managed) -> Vec<Finding> {
    let settings = managed.settings();
    let own = [
        managed.hook(),
        managed.main_program(),
        managed.policy(),
        managed.snapshot(),
        settings.clone(),
    ];
    let mut paths: Vec<&Path> = own.iter().flat_map(|path| path.ancestors()).collect();
    paths.sort_unstable();
    paths.dedup();
    let wrong = paths.into_iter().filter_map(|path| {
        let error = managed.check_path(path).err()?;
        let finding = Finding::problem(format!("managed mode is not in effect: {error}"));
        Some(if path.exists() {
            finding.advise(format!(
                "sudo chown root '{0}' && sudo chmod go-w '{0}'",
                path.display()
            ))
        } else {
            finding.advise(Scope::Managed.command("install"))
        })
    });
    wrong.collect()
}

/// What is wrong with the policy.
fn found(managed: &Managed) -> Vec<Finding> {
    let mut findings: Vec<Finding> = policy::load(managed)
        .1
        .trouble(managed)
        .map(Finding::problem)
        .into_iter()
        .collect();
    if let Err(error) = managed::check_policy(managed) {
        findings.push(Finding::problem(exit::told(&error)));
    }
    findings
}

/// Events that this client has and that are not registered for every user.
fn missing(setup: &Setup<'_>) -> Option<Finding> {
    let client = setup.client();
    let files = setup.settings.iter();
    let ours: Vec<_> = files
        .filter(|file| file.scope == Scope::Managed)
        .flat_map(SettingsFile::ours)
        .map(|entry| entry.event)
        .collect();
    let wanted = registrations().into_iter();
    let wanted = wanted.filter_map(|wanted| Some(client.entry(wanted.kind)?.name));
    let missing: Vec<&str> = wanted.filter(|event| !ours.contains(event)).collect();
    (!missing.is_empty()).then(|| {
        let text = format!("not registered for every user: {}", missing.join(", "));
        Finding::warning(text).advise(Scope::Managed.command("install"))
    })
}

/// Whether hooks of users run beside ours: one of theirs could answer what the guard only asks.
fn hooks_of_others(setup: &Setup<'_>) -> Option<Finding> {
    let file = setup
        .settings
        .iter()
        .find(|file| file.scope == Scope::Managed)
        .and_then(SettingsFile::document)?;
    (!flag::is_on(file, flag::MANAGED_HOOKS_ONLY)).then(|| {
        Finding::note(
            "hooks of users run too: one of them could answer what the guard asks, but not undo what it denies",
        )
        .advise("sudo bellwether install --managed --managed-hooks-only, if users need no hooks of their own")
    })
}
