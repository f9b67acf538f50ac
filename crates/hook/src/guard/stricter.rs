//! What counts while the person has not confirmed new settings: of each setting the stricter one. So a file that
//! somebody else changed can tighten the guard at once, and loosen nothing.

use super::config::{Allowed, Answers, Config, RuleChange, WhenAsked};
use super::scene::Mode;
use super::verdict::Verdict;

/// The settings that count, and a sentence for each that the new ones would loosen.
pub fn stricter(new: &Config, confirmed: &Config) -> (Config, Vec<String>) {
    let mut loose = Vec::new();
    let mut kept = new.clone();
    if confirmed.enabled && !new.enabled {
        kept.enabled = true;
        loose.push("guard.enabled is now false".to_owned());
    }
    if confirmed.mode == Mode::Strict && new.mode != Mode::Strict {
        kept.mode = Mode::Strict;
        loose.push("guard.mode is no longer strict".to_owned());
    }
    if !confirmed.remember_yes && new.remember_yes {
        kept.remember_yes = false;
        loose.push("guard.remember_yes is now true".to_owned());
    }
    let lists = [
        (
            "protected_branches",
            &confirmed.protected_branches,
            &mut kept.protected_branches,
        ),
        (
            "protected_files",
            &confirmed.protected_files,
            &mut kept.protected_files,
        ),
    ];
    for (name, confirmed, kept) in lists {
        for gone in missing(confirmed, kept) {
            loose.push(format!("guard.{name} no longer has {gone}"));
            kept.push(gone);
        }
    }
    answers(confirmed.answers, &mut kept.answers, &mut loose);
    rules(new, confirmed, &mut kept, &mut loose);
    kept.allow.retain(|allowed| {
        let known = confirmed.allow.iter().any(|known| same(known, allowed));
        if !known {
            loose.push(format!("guard.allow now has {}", aim(allowed)));
        }
        known
    });
    (kept, loose)
}

fn missing(confirmed: &[String], new: &[String]) -> Vec<String> {
    let gone = confirmed.iter().filter(|it| !new.contains(it));
    gone.cloned().collect()
}

fn answers(confirmed: Answers, kept: &mut Answers, loose: &mut Vec<String>) {
    let pairs = [
        ("default", confirmed.default, &mut kept.default),
        ("auto", confirmed.auto, &mut kept.auto),
        (
            "acceptEdits",
            confirmed.accept_edits,
            &mut kept.accept_edits,
        ),
        ("plan", confirmed.plan, &mut kept.plan),
        ("dontAsk", confirmed.dont_ask, &mut kept.dont_ask),
        (
            "bypassPermissions",
            confirmed.bypass_permissions,
            &mut kept.bypass_permissions,
        ),
        ("unattended", confirmed.unattended, &mut kept.unattended),
    ];
    for (name, confirmed, kept) in pairs {
        if confirmed == WhenAsked::Deny && *kept == WhenAsked::Ask {
            *kept = confirmed;
            loose.push(format!("guard.answers.{name} is now ask"));
        }
    }
}

fn rules(new: &Config, confirmed: &Config, kept: &mut Config, loose: &mut Vec<String>) {
    let plain = RuleChange::default();
    let ids = new.rules.keys().chain(confirmed.rules.keys());
    for id in ids.collect::<std::collections::BTreeSet<_>>() {
        let (now, before) = (new.rules.get(id), confirmed.rules.get(id));
        let is_own = before.is_some_and(RuleChange::is_own);
        // A rule of the person's own that is gone, or aims elsewhere.
        if let Some(before) = before.filter(|_| is_own)
            && now.is_none_or(|now| (&now.command, &now.path) != (&before.command, &before.path))
        {
            kept.rules.insert(id.clone(), before.clone());
            loose.push(format!("guard.rules.{id} is gone or changed"));
            continue;
        }
        // A new rule of the person's own can only stop more.
        if before.is_none() && now.is_some_and(RuleChange::is_own) {
            continue;
        }
        let (said, stood) = (now.unwrap_or(&plain), before.unwrap_or(&plain));
        let mut rule = said.clone();
        if stood.enabled && !said.enabled {
            rule.enabled = true;
            loose.push(format!("guard.rules.{id}.enabled is now false"));
        }
        if rank(said.verdict) < rank(stood.verdict) {
            rule.verdict = stood.verdict;
            loose.push(format!("guard.rules.{id}.verdict is now milder"));
        }
        if rule == plain {
            kept.rules.remove(id);
        } else {
            kept.rules.insert(id.clone(), rule);
        }
    }
}

/// How strict a change of a verdict is: without one the rule's own counts, which is at least a question.
fn rank(verdict: Option<Verdict>) -> u8 {
    match verdict {
        Some(Verdict::Silent) => 0,
        Some(Verdict::Ask) => 1,
        None => 2,
        Some(Verdict::Deny) => 3,
    }
}

fn same(one: &Allowed, other: &Allowed) -> bool {
    let plain = |allowed: &Allowed| Allowed {
        reason: None,
        ..allowed.clone()
    };
    plain(one) == plain(other)
}

fn aim(allowed: &Allowed) -> &str {
    let aim = allowed.command.as_deref().or(allowed.path.as_deref());
    aim.unwrap_or("an empty entry")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn config(value: Value) -> Config {
        serde_json::from_value(value).unwrap()
    }

    fn kept(confirmed: Value, new: Value) -> (Config, Vec<String>) {
        stricter(&config(new), &config(confirmed))
    }

    #[test]
    fn what_is_looser_waits_and_what_is_stricter_counts() {
        let confirmed = json!({
            "mode": "strict", "protected_branches": ["main", "prod"], "answers": {"default": "deny"},
            "rules": {"mine": {"command": ["x"]}, "bomb": {"verdict": "deny"}}, "remember_yes": false,
        });
        let (stands, loose) = kept(
            confirmed.clone(),
            json!({
                "enabled": false, "mode": "loss", "protected_branches": ["main", "next"],
                "protected_files": ["*.pem"], "answers": {"unattended": "ask", "plan": "deny"},
                "rules": {"bomb": {"enabled": false}, "publish": {"verdict": "silent"}, "new": {"path": "x/**"}},
                "allow": [{"command": "*"}],
            }),
        );
        assert_eq!(
            loose,
            [
                "guard.enabled is now false",
                "guard.mode is no longer strict",
                "guard.remember_yes is now true",
                "guard.protected_branches no longer has prod",
                "guard.answers.default is now ask",
                "guard.answers.unattended is now ask",
                "guard.rules.bomb.enabled is now false",
                "guard.rules.bomb.verdict is now milder",
                "guard.rules.mine is gone or changed",
                "guard.rules.publish.verdict is now milder",
                "guard.allow now has *",
            ]
        );
        let expected = config(json!({
            "mode": "strict", "protected_branches": ["main", "next", "prod"], "protected_files": ["*.pem"],
            "answers": {"default": "deny", "plan": "deny"},
            "rules": {"mine": {"command": ["x"]}, "bomb": {"verdict": "deny"}, "new": {"path": "x/**"}},
            "remember_yes": false,
        }));
        assert_eq!(stands, expected);
    }

    #[test]
    fn taking_back_what_was_loose_counts_at_once() {
        let confirmed = json!({
            "enabled": false, "answers": {"bypassPermissions": "ask"},
            "rules": {"bomb": {"enabled": false, "verdict": "ask"}}, "allow": [{"command": "ls"}, {"path": "a"}],
        });
        let new = json!({"allow": [{"path": "a", "reason": "said anew"}]});
        let (stands, loose) = kept(confirmed, new.clone());
        assert_eq!((stands, loose), (config(new), vec![]));
    }

    #[test]
    fn the_same_stays_the_same() {
        for same in [
            json!({}),
            json!({"enabled": false, "rules": {"bomb": {"enabled": false}}}),
        ] {
            assert_eq!(kept(same.clone(), same.clone()), (config(same), vec![]));
        }
    }
}
