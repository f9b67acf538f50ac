//! The stricter of two configurations of the guard: what an administrator says, and what a user adds to it.

use super::catalog;
use super::config::{Answers, Config, RuleChange};
use super::scene::Mode;
use super::verdict::Verdict;

impl Config {
    /// This configuration, with all in another one that makes it stricter. What is milder there counts for nothing.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let mode = if [self.mode, other.mode].contains(&Mode::Strict) {
            Mode::Strict
        } else {
            Mode::Loss
        };
        let mut joined = Self {
            enabled: self.enabled || other.enabled,
            mode,
            protected_branches: both(&self.protected_branches, &other.protected_branches),
            protected_files: both(&self.protected_files, &other.protected_files),
            answers: self.answers.joined(other.answers),
            rules: self.rules.clone(),
            allow: self.allow.clone(),
            remember_yes: self.remember_yes && other.remember_yes,
        };
        // Where the guard is off here, all that it says comes from the other.
        if !self.enabled {
            joined.rules.clear();
            joined.allow.clear();
        }
        for (id, change) in &other.rules {
            joined.add(id, change);
        }
        joined
    }

    fn add(&mut self, id: &str, change: &RuleChange) {
        if !change.enabled {
            return;
        }
        match self.rules.get_mut(id) {
            Some(standing) => {
                standing.enabled = true;
                standing.verdict = stricter(standing.verdict, change.verdict);
            }
            None if change.is_own() && !catalog::is_known(id) => {
                self.rules.insert(id.to_owned(), change.clone());
            }
            None if change.verdict == Some(Verdict::Deny) => {
                let stricter = RuleChange {
                    verdict: change.verdict,
                    ..RuleChange::default()
                };
                self.rules.insert(id.to_owned(), stricter);
            }
            None => {}
        }
    }
}

impl Answers {
    fn joined(self, other: Self) -> Self {
        Self {
            default: self.default.max(other.default),
            auto: self.auto.max(other.auto),
            accept_edits: self.accept_edits.max(other.accept_edits),
            plan: self.plan.max(other.plan),
            dont_ask: self.dont_ask.max(other.dont_ask),
            bypass_permissions: self.bypass_permissions.max(other.bypass_permissions),
            unattended: self.unattended.max(other.unattended),
        }
    }
}

/// A rule without a verdict of its own decides by itself; only a refusal is never milder than that.
fn stricter(standing: Option<Verdict>, other: Option<Verdict>) -> Option<Verdict> {
    match (standing, other) {
        (_, Some(Verdict::Deny)) => Some(Verdict::Deny),
        (Some(standing), Some(other)) => Some(standing.max(other)),
        (standing, _) => standing,
    }
}

fn both(one: &[String], other: &[String]) -> Vec<String> {
    let more = other.iter().filter(|it| !one.contains(it));
    one.iter().chain(more).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(json: &str) -> Config {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_user_cannot_make_it_milder() {
        let policy = config(
            r#"{"mode":"strict","protected_files":["*.pem"],"answers":{"default":"deny"},
                "rules":{"bomb":{"verdict":"deny"},"theirs":{"command":["x"],"verdict":"ask"},"publish":{"enabled":false}},
                "allow":[{"command":"ls"}],"remember_yes":false}"#,
        );
        let user = config(
            r#"{"enabled":false,"mode":"loss","protected_branches":[],"protected_files":[],
                "answers":{"default":"ask","bypassPermissions":"ask","unattended":"ask"},
                "rules":{"bomb":{"enabled":false},"delete":{"verdict":"silent"},"git-push":{"verdict":"ask","reason":"go on"},
                         "protect-own":{"enabled":false},"theirs":{"command":["y"],"verdict":"silent"}},
                "allow":[{"command":"*"},{"path":"/"}]}"#,
        );
        assert_eq!(policy.joined(&user), policy);
        let defaults = Config::default();
        assert_eq!(
            defaults.joined(&user).rules.len(),
            1,
            "only a rule of their own"
        );
        assert_eq!(defaults.joined(&Config::default()), defaults);
    }

    #[test]
    fn a_user_can_make_it_stricter() {
        let user = config(
            r#"{"mode":"strict","protected_branches":["prod"],"protected_files":["*.key"],"answers":{"auto":"deny"},
                "rules":{"publish":{"verdict":"deny"},"mine":{"command":["terraform"]}}}"#,
        );
        let joined = Config::default().joined(&user);
        assert_eq!(joined.mode, Mode::Strict);
        assert_eq!(joined.protected_branches, ["main", "master", "prod"]);
        assert_eq!(joined.protected_files, ["*.key"]);
        assert_eq!(joined.rules, user.rules);
        assert_eq!(joined.answers, user.answers);
        let off = config(r#"{"enabled":false,"allow":[{"command":"*"}]}"#);
        let joined = off.joined(&user);
        assert!(joined.enabled && joined.allow.is_empty());
    }
}
