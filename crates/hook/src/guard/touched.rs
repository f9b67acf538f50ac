//! What the rules over files say about what a command does to them.

use std::path::Path;

use bellwether_shell::{Act, Analysis, Effect, Entry, How, Laid, Place, Ran, Target, World};

use super::config::Config;
use super::files::{self, Change};
use super::machine::{self, Spot};
use super::scene::Mode;
use super::verdict::{Finding, Verdict};

/// The most words of one call that are looked at as paths.
const MOST_WORDS: usize = 32;

/// A command while its effects on files are judged.
#[derive(Clone, Copy)]
pub(super) struct Touching<'a> {
    pub spot: Spot<'a>,
    pub config: &'a Config,
    pub analysis: &'a Analysis,
    pub world: &'a dyn World,
}

impl Touching<'_> {
    /// What there is against an act.
    pub(super) fn judge(&self, act: &Act) -> Vec<Finding> {
        let found = match &act.effect {
            Effect::Delete { targets, .. } => self.gone(targets),
            Effect::Move { from, to } => {
                let mut found = self.gone(from);
                found.extend(self.on(to, Change::Unknown));
                found
            }
            Effect::Overwrite { target, how } => {
                let mut found = self.written(target, *how);
                if self.is_from_template(act, target) {
                    found.retain(|finding| finding.rule != files::SECRETS.id);
                }
                found
            }
            Effect::Lay { from, to } => self.laid(from, to),
            Effect::Displace { targets, .. } => ours(self.gone(targets)),
            Effect::Permission { targets, what, .. } if locks(what) => ours(self.gone(targets)),
            Effect::Startup { what } => vec![startup(what)],
            _ => return Vec::new(),
        };
        let told = |finding| Finding {
            subject: act.command.clone(),
            via: act.via.clone(),
            ..finding
        };
        found.into_iter().map(told).collect()
    }

    /// What there is against a program of which nothing is known, by the paths that it is given.
    pub(super) fn handed(&self, ran: &Ran) -> Option<Finding> {
        let opaque = ran.opaque.as_ref()?;
        let folder = opaque.folder.as_deref().unwrap_or(self.spot.cwd);
        let words = ran.words.iter().skip(1).take(MOST_WORDS);
        let paths = words.filter_map(|word| path_in(word));
        let spot = Spot {
            cwd: folder,
            ..self.spot
        };
        let inside = machine::with_files(spot, self.config, |files| files.is_inside(folder));
        paths
            .filter(|path| inside || path.contains('/'))
            .find_map(|path| {
                let found = machine::on_path(spot, self.config, Path::new(path), Change::Unknown);
                let found = ours(found).pop()?;
                let program = ran.words.first()?;
                Some(Finding {
                    verdict: Verdict::Ask,
                    reason: format!(
                        "{}, and bellwether cannot tell what `{program}` does with it",
                        found.reason
                    ),
                    subject: ran.words.join(" "),
                    via: ran.via.clone(),
                    ..found
                })
            })
    }

    fn gone(&self, targets: &[Target]) -> Vec<Finding> {
        // Deleting or moving a link leaves alone what it leads to.
        let is_link = |target: &Target| match &target.place {
            Place::At(path) => !target.follows && path.is_symlink(),
            _ => false,
        };
        let kept = targets.iter().filter(|target| !is_link(target));
        kept.flat_map(|target| self.on(target, Change::Gone))
            .filter(is_lost_by_deleting)
            .collect()
    }

    fn written(&self, target: &Target, how: How) -> Vec<Finding> {
        let text = match (&target.place, how) {
            (Place::At(path), How::Written | How::Appended) => self.text_of(path),
            _ => None,
        };
        self.on(target, text.map_or(Change::Unknown, Change::To))
    }

    /// What a file holds after the command, when that is known.
    fn text_of(&self, path: &Path) -> Option<&str> {
        let mut written = self.analysis.written.iter();
        let known = written.find(|(known, _)| known == path);
        known.map(|(_, text)| text.as_str())
    }

    fn on(&self, target: &Target, change: Change<'_>) -> Vec<Finding> {
        machine::on_place(self.spot, self.config, &target.place, change)
    }

    /// `cp .env.example .env`, where there is no `.env` yet: nothing is lost, and what comes there is no secret.
    fn is_from_template(&self, act: &Act, target: &Target) -> bool {
        let Place::At(path) = &target.place else {
            return false;
        };
        let comes_there = |other: &Act| match &other.effect {
            Effect::Lay {
                from: Laid::Tree(from),
                to,
            } => {
                let name = from.file_name().and_then(|name| name.to_str());
                other.command == act.command
                    && to.place == target.place
                    && name.is_some_and(files::is_template)
            }
            _ => false,
        };
        self.config.mode == Mode::Loss
            && self.world.look(path) == Entry::Missing
            && self.analysis.acts.iter().any(comes_there)
    }

    fn laid(&self, from: &Laid, to: &Target) -> Vec<Finding> {
        let Place::At(path) = &to.place else {
            return Vec::new();
        };
        let look = |path: &Path| self.world.look(path);
        let found = machine::with_files(self.spot, self.config, |files| {
            files.judge_laid(from, path, &look)
        });
        let mut found = ours(found.into_iter().collect());
        // What is unpacked into git's own folder becomes its history.
        if path.components().any(|part| part.as_os_str() == ".git") {
            let mut inside = self.on(to, Change::Unknown);
            inside.retain(|finding| finding.rule == files::GIT.id);
            found.extend(inside);
        }
        found
    }
}

/// The part of a word that may be a path: `--out=FILE`, `-oFILE`.
fn path_in(word: &str) -> Option<&str> {
    if !word.starts_with('-') {
        return Some(word);
    }
    match word.split_once('=') {
        Some((_, value)) => Some(value),
        None => word.find('/').map(|at| &word[at..]),
    }
}

/// A lockfile that is deleted is made again, and git's own files have a rule of their own.
fn is_lost_by_deleting(finding: &Finding) -> bool {
    ![files::LOCKFILE.id, files::GIT.id].contains(&finding.rule.as_str())
}

/// Only what is said for our own files.
fn ours(mut found: Vec<Finding>) -> Vec<Finding> {
    found.retain(|finding| finding.rule == files::OWN.id);
    found
}

/// Whether a mode or an owner takes from its owner what it needs.
fn locks(what: &str) -> bool {
    if !what.is_empty() && what.bytes().all(|byte| byte.is_ascii_digit()) {
        let digits = what.trim_start_matches('0');
        let owner = digits.len().checked_sub(3).map(|at| &digits[at..=at]);
        return !matches!(owner, Some("6" | "7"));
    }
    if what.contains(['+', '-', '=']) {
        let takes = what.split(',').any(|part| {
            let who = part.split(['+', '-', '=']).next().unwrap_or_default();
            let of_owner = who.is_empty() || who.contains(['u', 'a']);
            of_owner && (part.contains('-') || part.ends_with('='))
        });
        // `chattr +i`, `chattr +a`: nobody can write.
        return takes || what == "+i" || what == "+a" || what.contains("---");
    }
    // Another owner.
    true
}

/// What is set up to run by itself.
fn startup(what: &str) -> Finding {
    let what = bellwether_spine::text::line(what, 120);
    Finding {
        rule: files::STARTUP.id.to_owned(),
        severity: files::STARTUP.severity,
        verdict: Verdict::Ask,
        reason: format!("it sets up something that runs by itself later: {what}"),
        lost: None,
        instead: Some("say what should run and when, and let the person set it up".to_owned()),
        subject: String::new(),
        via: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_take_the_owners_rights_lock() {
        for mode in [
            "000",
            "0",
            "400",
            "555",
            "a-x",
            "-x",
            "u-rwx",
            "u=",
            "+i",
            "nobody",
            "u:ann:---",
        ] {
            assert!(locks(mode), "{mode}");
        }
        for mode in ["755", "700", "0644", "+x", "u+w", "go-w", "a+r"] {
            assert!(!locks(mode), "{mode}");
        }
    }
}
