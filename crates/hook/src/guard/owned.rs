//! What the project itself is, is not the agent's doing.
//!
//! A script, a makefile, a module or a script of a package that git knows and that nobody has changed since the session
//! began was there before the agent. What such code could do with values that nobody knows is the project's own affair:
//! it is stopped for what it surely does to a place that surely matters, and its holes are silent. What the agent wrote or
//! changed is judged like the command itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bellwether_shell::{Act, CodeFile, Effect, How, Place, Target};

use super::files;
use super::repository::blobs::is_blob;
use super::repository::disk::root_of;
use super::repository::{Moment, Silence};
use super::rules;
use super::scene::Scene;
use super::verdict::{Finding, Verdict};
use super::zone::{Whereabouts, Zone};

/// The most repositories and files that are asked about for one command.
const MOST_ROOTS: usize = 3;
const MOST_FILES: usize = 64;

/// Folders that package managers fill: what runs from there was installed.
const INSTALLED: &[&str] = &[
    "node_modules",
    "site-packages",
    "dist-packages",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".rustup",
    ".nvm",
    ".pyenv",
    ".rbenv",
    ".asdf",
    ".sdkman",
    ".volta",
    ".linuxbrew",
];
/// The same of the whole machine.
const OF_SYSTEM: &[&str] = &[
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix", "/snap", "/System", "/Library",
];

/// Which files are the project's own.
pub(super) struct Owned {
    own: Vec<CodeFile>,
}

impl Owned {
    /// Asks git about the files of some acts, all at once.
    pub(super) fn among<'a>(
        acts: impl Iterator<Item = &'a Act>,
        scene: &Scene<'_>,
        moment: &Moment,
    ) -> Self {
        let mut files: Vec<&CodeFile> = acts.flat_map(|act| &act.files).collect();
        files.retain(|file| !file.is_new);
        files.truncate(MOST_FILES);
        let (mut own, mut asked) = (Vec::new(), BTreeMap::<PathBuf, Vec<Asked<'_>>>::new());
        for file in files {
            let path = scene.real(&file.path);
            if is_installed(&path) {
                own.push(file.clone());
            } else if let Some(root) = path.parent().and_then(root_of)
                && let Ok(inside) = path.strip_prefix(&root)
            {
                let inside = inside.to_string_lossy().into_owned();
                let one = Asked { file, path, inside };
                asked.entry(root).or_default().push(one);
            }
        }
        for (root, asked) in asked.iter().take(MOST_ROOTS) {
            own.extend(unchanged(root, asked, scene, moment));
        }
        Self { own }
    }

    /// Whether all code on the way to an act is the project's own.
    pub(super) fn has(&self, act: &Act) -> bool {
        !act.files.is_empty() && act.files.iter().all(|file| self.own.contains(file))
    }
}

/// A file that git is asked about.
struct Asked<'a> {
    file: &'a CodeFile,
    path: PathBuf,
    /// Its path in the work tree.
    inside: String,
}

/// The files that are as the repository held them.
fn unchanged(
    root: &Path,
    asked: &[Asked<'_>],
    scene: &Scene<'_>,
    moment: &Moment,
) -> Vec<CodeFile> {
    let paths: Vec<String> = asked.iter().map(|one| one.inside.clone()).collect();
    let held = match scene.repository.held(root, moment, &paths) {
        Ok(held) => held,
        // Git has no time to answer on a busy machine: what nobody has touched since was there before the agent.
        Err(Silence::Trouble(_)) => {
            let old = asked.iter().filter(|one| moment.is_after(&one.path));
            return old.map(|one| one.file.clone()).collect();
        }
        Err(Silence::NoRepository) => return Vec::new(),
    };
    // What was cloned in this session is new to everybody here, unless it is what the session is about.
    let is_project = scene.project.is_some_and(|project| {
        let project = scene.real(project);
        project.starts_with(root) || root.starts_with(&project)
    });
    if !held.is_older && !is_project {
        return Vec::new();
    }
    let known = asked.iter().zip(&held.ids);
    let own = known.filter(|(one, id)| match id {
        Some(id) => is_blob(&one.path, id) || has_part(root, one, scene, moment),
        None => false,
    });
    own.map(|(one, _)| one.file.clone()).collect()
}

/// Whether the part of a changed file that is run stood in it before.
fn has_part(root: &Path, one: &Asked<'_>, scene: &Scene<'_>, moment: &Moment) -> bool {
    let Some(part) = one.file.part.as_deref() else {
        return false;
    };
    let Ok(text) = scene.repository.text(root, moment, &one.inside) else {
        return false;
    };
    let text = plainly(&text);
    let escaped = serde_json::to_string(part).unwrap_or_default();
    let is_package = one.path.extension().is_some_and(|end| end == "json");
    let wanted = if is_package { &escaped } else { part };
    text.contains(&plainly(wanted))
}

/// A text with one blank for each gap, and lines that go on joined.
fn plainly(text: &str) -> String {
    let joined = text.replace("\\\n", " ");
    let words: Vec<&str> = joined.split_whitespace().collect();
    words.join(" ")
}

/// Whether something is where package managers and the system put programs.
fn is_installed(path: &Path) -> bool {
    let in_system = OF_SYSTEM.iter().any(|folder| path.starts_with(folder));
    let by_manager = path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        INSTALLED.contains(&name.as_ref())
    });
    (in_system && !path.starts_with("/usr/src")) || by_manager
}

/// Whether a finding counts against an act of the project's own code.
pub(super) fn counts(act: &Act, finding: &Finding, scene: &Scene<'_>) -> bool {
    let by_file = files::RULES.iter().any(|rule| rule.id == finding.rule);
    let by_rule = rules::ALL.iter().any(|rule| rule.id == finding.rule);
    if by_file {
        return by_files(act, finding, scene);
    }
    // A rule of the person's own says what it says.
    if !by_rule {
        return true;
    }
    match &act.effect {
        Effect::Run(_) => false,
        Effect::Delete { targets, .. } => at_stake(targets, act, finding, scene),
        Effect::Move { from, .. } => at_stake(from, act, finding, scene),
        Effect::Permission { targets, .. } => {
            finding.verdict == Verdict::Deny && at_stake(targets, act, finding, scene)
        }
        Effect::Overwrite { target, .. } => {
            at_stake(std::slice::from_ref(target), act, finding, scene)
        }
        Effect::Device { device, .. } => device.starts_with("/dev/") && !device.contains('$'),
        Effect::Git(_) => act.sure && by_git(act, finding),
        Effect::Publish { .. }
        | Effect::Remote { .. }
        | Effect::System { .. }
        | Effect::Client { .. }
        | Effect::Startup { .. } => act.sure,
        Effect::Bomb | Effect::Own { .. } | Effect::Lay { .. } | Effect::Displace { .. } => true,
    }
}

/// Whether a place that surely matters is surely hit.
fn at_stake(targets: &[Target], act: &Act, finding: &Finding, scene: &Scene<'_>) -> bool {
    if finding.rule == rules::delete_work::ID {
        return act.sure;
    }
    targets.iter().any(|target| {
        scene.spots(target).iter().any(|spot| match spot {
            // Whoever gives a script something unknown to delete has not read what it is.
            Whereabouts::Unknown => target.given,
            // Where nothing is, nothing is lost.
            Whereabouts::At(_, path) if !scene.is_there(path) && !is_write(act) => false,
            Whereabouts::At(zone, _) | Whereabouts::Some(zone, _, _) => match zone {
                Zone::Temporary | Zone::Cache | Zone::Inside => false,
                Zone::Repository | Zone::Project | Zone::Home | Zone::System | Zone::Root => true,
                Zone::Elsewhere | Zone::TemporaryRoot | Zone::Delicate | Zone::Belongings => {
                    act.sure
                }
            },
        })
    })
}

fn is_write(act: &Act) -> bool {
    matches!(act.effect, Effect::Overwrite { .. })
}

/// What is surely lost, or surely done to the branches of others.
fn by_git(act: &Act, finding: &Finding) -> bool {
    let harmless = [rules::git_skip_hooks::ID, rules::git_unknown::ID];
    if harmless.contains(&finding.rule.as_str()) {
        return false;
    }
    let outside = [rules::git_push::ID, rules::git_history::ID].contains(&finding.rule.as_str());
    finding.lost.is_some()
        || finding.verdict == Verdict::Deny
        || (outside && !act.command.contains('$'))
}

/// What files the project's own code may change: its lockfiles, its hooks, and secrets that are not there yet.
fn by_files(act: &Act, finding: &Finding, scene: &Scene<'_>) -> bool {
    let rule = finding.rule.as_str();
    if rule == files::LOCKFILE.id {
        return false;
    }
    let written = match &act.effect {
        Effect::Overwrite { target, how } => match (&target.place, how) {
            (Place::At(path), How::Written | How::Edited | How::Truncated) => Some(path),
            (Place::At(_), _) => return rule != files::SECRETS.id && act.sure,
            _ => None,
        },
        _ => None,
    };
    if rule == files::SECRETS.id {
        return act.sure && written.is_none_or(|path| scene.is_there(path));
    }
    if rule == files::GIT.id {
        let is_hook = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "hooks");
        return act.sure && !written.is_some_and(is_hook);
    }
    rule != files::STARTUP.id || act.sure
}
