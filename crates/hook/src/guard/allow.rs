//! What the person has allowed: for a while with `bellwether guard allow`, or in the configuration.
//!
//! The file is read only once a rule has found something: what is harmless never waits for it. A
//! file that cannot be read allows nothing.

use std::path::{Path, PathBuf};

use bellwether_shell::matches_path;
use bellwether_spine::confirmed::{is_vouched_for, vouch};
use bellwether_spine::digest::sha256;
use bellwether_spine::{Home, Managed, SpineError, clock, place, text};
use serde::{Deserialize, Serialize};

use super::config::{Allowed, Config};
use super::paths::{self, Ground};
use super::verdict::{Finding, Judgement};

/// As much of a command as is shown.
const SHOWN: usize = 200;
/// How many characters of a hash make an id.
const ID: usize = 12;

/// One thing that is allowed for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    pub what: What,
    /// Only against this rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Only in this project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<PathBuf>,
    /// Since when, milliseconds since 1970.
    pub since_ms: u64,
    pub until_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Exactly this command, known by its hash; its text may hold secrets.
    Command {
        /// The hash of all of it.
        hash: String,
        /// Its beginning, masked.
        shown: String,
    },
    /// This file, or all that is in this folder.
    Path(PathBuf),
}

impl What {
    /// A command by its text.
    pub fn command(command: &str) -> Self {
        Self::Command {
            hash: hash_of(command),
            shown: text::shown(command, SHOWN),
        }
    }

    /// What tells it from others.
    pub fn id(&self) -> String {
        match self {
            Self::Command { hash, .. } => hash.chars().take(ID).collect(),
            Self::Path(path) => id_of(&path.to_string_lossy()),
        }
    }
}

/// A command's hash: white space around it does not matter.
pub fn hash_of(command: &str) -> String {
    sha256(command.trim().as_bytes())
}

/// A short name for a command, for people to type.
pub fn id_of(command: &str) -> String {
    hash_of(command).chars().take(ID).collect()
}

/// Everything that is allowed for a while.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Grants {
    grants: Vec<Grant>,
}

impl Grants {
    pub fn load(home: &Home) -> Self {
        let text = std::fs::read(home.allowed()).unwrap_or_default();
        // What somebody else wrote there allows nothing.
        if !is_vouched_for(home, &home.allowed(), &text) {
            return Self::default();
        }
        Self::read(&text)
    }

    /// What the administrator of a machine allows.
    pub fn of_machine(managed: &Managed) -> Self {
        let text = managed.read(&managed.allowed()).ok().flatten();
        Self::read(&text.unwrap_or_default())
    }

    fn read(text: &[u8]) -> Self {
        let mut grants: Self = serde_json::from_slice(text).unwrap_or_default();
        let now = clock::wall_ms();
        // A clock that was set back must not make an hour last a year.
        grants
            .grants
            .retain(|grant| grant.since_ms <= now && now < grant.until_ms);
        grants
    }

    pub fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.grants.iter()
    }

    /// Allows something more; the same thing is allowed once.
    pub fn add(&mut self, grant: Grant) {
        let same = |other: &Grant| {
            (&other.what, &other.rule, &other.project) == (&grant.what, &grant.rule, &grant.project)
        };
        self.grants.retain(|other| !same(other));
        self.grants.push(grant);
    }

    /// Takes back what an id begins with, or everything; how many that were.
    pub fn revoke(&mut self, id: Option<&str>) -> usize {
        let before = self.grants.len();
        self.grants
            .retain(|grant| id.is_some_and(|id| !grant.what.id().starts_with(id)));
        before - self.grants.len()
    }

    /// Keeps it, whole or not at all.
    pub fn save(&self, home: &Home) -> Result<(), SpineError> {
        let path = home.allowed();
        let text = self.written(&path)?;
        place::replace_private(&path, &text)?;
        vouch(home, &path, &text)
    }

    /// Keeps it for all users of a machine.
    pub fn save_for_machine(&self, managed: &Managed) -> Result<(), SpineError> {
        let path = managed.allowed();
        managed.replace(&path, &self.written(&path)?)
    }

    fn written(&self, path: &Path) -> Result<Vec<u8>, SpineError> {
        serde_json::to_vec_pretty(self)
            .map_err(|error| SpineError::io("write", path, std::io::Error::from(error)))
    }
}

/// What a tool call is about, as far as it can be allowed.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// All of the command, as the agent gave it.
    pub command: Option<&'a str>,
    /// The file that a tool changes.
    pub path: Option<&'a Path>,
    /// Where paths are seen from.
    pub ground: Ground<'a>,
}

impl Subject<'_> {
    /// The judgement without what is allowed.
    pub fn pardon(&self, judgement: Judgement, config: &Config, grants: &Grants) -> Judgement {
        let now = clock::wall_ms();
        let stands = |finding: &Finding| {
            let configured = config
                .allow
                .iter()
                .any(|it| self.configured(it, finding, now));
            !configured && !grants.iter().any(|it| self.granted(it, finding))
        };
        Judgement::of(judgement.findings.into_iter().filter(stands).collect())
    }

    fn granted(&self, grant: &Grant, finding: &Finding) -> bool {
        let rule = grant.rule.as_ref().is_none_or(|rule| *rule == finding.rule);
        let project = grant.project.as_deref();
        let project = project.is_none_or(|project| self.ground.project == Some(project));
        rule && project
            && match &grant.what {
                What::Command { hash, .. } => self
                    .command
                    .is_some_and(|command| hash_of(command) == *hash),
                // Where a link leads must be allowed too: the link may be the agent's.
                What::Path(allowed) => self.path.is_some_and(|path| {
                    let mut spellings = self.ground.spellings(path).into_iter();
                    spellings.all(|path| paths::is_below(&path, allowed))
                }),
            }
    }

    fn configured(&self, allowed: &Allowed, finding: &Finding, now: u64) -> bool {
        let rule = allowed
            .rule
            .as_ref()
            .is_none_or(|rule| *rule == finding.rule);
        let expired = allowed.until.is_some_and(|until| until.0 <= now);
        let command = allowed.command.as_deref().map(|pattern| {
            let all = self
                .command
                .is_some_and(|command| command.trim() == pattern.trim());
            // Only the one command that the rule is against: `*` must not reach behind a `;`.
            all || (self.command.is_some() && matches_path(&any_slash(pattern), &finding.subject))
        });
        let path = allowed.path.as_deref().map(|pattern| {
            self.path.is_some_and(|path| {
                let mut spellings = self.ground.spellings(path).into_iter();
                spellings.all(|path| paths::fits(pattern, &path, &self.ground))
            })
        });
        // What names neither allows nothing.
        let named = [command, path].into_iter().flatten();
        let named: Vec<bool> = named.collect();
        rule && !expired && !named.is_empty() && named.into_iter().all(|fits| fits)
    }
}

/// In a command `*` stands for anything.
fn any_slash(pattern: &str) -> String {
    pattern.replace('*', "**")
}

#[cfg(test)]
mod tests {
    use super::super::verdict::{Severity, Verdict};
    use super::*;

    fn finding(rule: &str, subject: &str) -> Judgement {
        Judgement::of(vec![Finding {
            rule: rule.into(),
            severity: Severity::High,
            verdict: Verdict::Deny,
            reason: "because".into(),
            lost: None,
            instead: None,
            subject: subject.into(),
            via: vec![],
        }])
    }

    fn real(path: &Path) -> Option<PathBuf> {
        (path == Path::new("/p/link")).then(|| "/p/.env".into())
    }

    fn ground() -> Ground<'static> {
        Ground {
            cwd: Path::new("/p"),
            project: Some(Path::new("/p")),
            user: None,
            real: &real,
        }
    }

    fn command(command: &str) -> Subject<'_> {
        Subject {
            command: Some(command),
            path: None,
            ground: ground(),
        }
    }

    fn grant(what: What) -> Grant {
        Grant {
            what,
            rule: None,
            project: None,
            since_ms: 0,
            until_ms: u64::MAX,
        }
    }

    fn grants(grant: Grant) -> Grants {
        Grants {
            grants: vec![grant],
        }
    }

    #[test]
    fn exactly_the_command_is_allowed() {
        let config = Config::default();
        let push = "git push --force origin main";
        let grants = grants(grant(What::command(push)));
        let left = |said: &str| {
            command(said)
                .pardon(finding("force-push", push), &config, &grants)
                .verdict
        };
        assert_eq!(left(push), Verdict::Silent);
        assert_eq!(left(&format!("  {push}\n")), Verdict::Silent);
        assert_eq!(left(&format!("{push}; rm -rf ~")), Verdict::Deny);
        assert_eq!(left("git push --force origin master"), Verdict::Deny);
    }

    #[test]
    fn a_rule_and_a_project_narrow_it() {
        let config = Config::default();
        let left = |change: &dyn Fn(&mut Grant)| {
            let mut grant = grant(What::command("x"));
            change(&mut grant);
            let judged = finding("a", "x");
            command("x").pardon(judged, &config, &grants(grant)).verdict
        };
        assert_eq!(
            left(&|grant| grant.rule = Some("a".into())),
            Verdict::Silent
        );
        assert_eq!(left(&|grant| grant.rule = Some("b".into())), Verdict::Deny);
        assert_eq!(
            left(&|grant| grant.project = Some("/p".into())),
            Verdict::Silent
        );
        assert_eq!(
            left(&|grant| grant.project = Some("/q".into())),
            Verdict::Deny
        );
    }

    #[test]
    fn a_path_is_allowed_with_what_is_in_it_and_links_do_not_lead_out() {
        let config = Config::default();
        let left = |allowed: &str, path: &str| {
            let subject = Subject {
                command: None,
                path: Some(Path::new(path)),
                ground: ground(),
            };
            let grants = grants(grant(What::Path(allowed.into())));
            subject
                .pardon(finding("protect-git", path), &config, &grants)
                .verdict
        };
        assert_eq!(left("/p/.git", ".git/config"), Verdict::Silent);
        assert_eq!(left("/p/.git/config", ".git/hooks/x"), Verdict::Deny);
        assert_eq!(left("/p/link", "link"), Verdict::Deny);
    }

    #[test]
    fn the_configuration_allows_by_pattern_over_one_command_until_a_moment() {
        let left = |allow: &str, said: &str, subject: &str| {
            let config: Config =
                serde_json::from_str(&format!(r#"{{"allow":[{allow}]}}"#)).unwrap();
            command(said)
                .pardon(finding("force-push", subject), &config, &Grants::default())
                .verdict
        };
        let push = "git push -f origin feature/x";
        let pattern = r#"{"command":"git push -f origin feature*"}"#;
        assert_eq!(left(pattern, push, push), Verdict::Silent);
        assert_eq!(
            left(pattern, &format!("cd x && {push}"), push),
            Verdict::Silent
        );
        let both = format!("{push}; git push -f origin main");
        assert_eq!(
            left(pattern, &both, "git push -f origin main"),
            Verdict::Deny
        );
        assert_eq!(
            left(r#"{"command":"*","rule":"other"}"#, push, push),
            Verdict::Deny
        );
        assert_eq!(
            left(r#"{"command":"*","until":"2020-01-01"}"#, push, push),
            Verdict::Deny
        );
        assert_eq!(
            left(r#"{"command":"*","until":"2999-01-01"}"#, push, push),
            Verdict::Silent
        );
        assert_eq!(left(r#"{"rule":"force-push"}"#, push, push), Verdict::Deny);
    }

    #[test]
    fn what_is_over_or_cannot_be_read_allows_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let mut all = Grants::load(&home);
        let now = clock::wall_ms();
        for (name, since, until) in [
            ("now", now - 5, now + 60_000),
            ("over", now - 9, now - 1),
            ("to come", now + 50_000, now + 60_000),
        ] {
            all.add(Grant {
                since_ms: since,
                until_ms: until,
                ..grant(What::command(name))
            });
        }
        all.save(&home).unwrap();
        let mut all = Grants::load(&home);
        assert_eq!(all.iter().count(), 1);
        let id = id_of("now");
        assert_eq!(all.revoke(Some("ffff")), 0);
        assert_eq!(all.revoke(Some(&id[..4])), 1);
        std::fs::write(home.allowed(), "{").unwrap();
        assert_eq!(Grants::load(&home).iter().count(), 0);
    }
}
