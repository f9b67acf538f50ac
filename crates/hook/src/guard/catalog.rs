//! Every rule there is, whatever it judges, as people see it: `guard rules`, the docs, and the names
//! that a configuration may change.

use serde::Serialize;

use super::files;
use super::rules;
use super::verdict::{Severity, Verdict};

/// A rule as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Described {
    pub id: String,
    pub about: &'static str,
    /// How bad it would be.
    pub severity: Severity,
    /// What it says by loss.
    pub by_loss: &'static str,
    /// What it says in strict mode.
    pub strict: Verdict,
}

/// Every rule, first those over files and then those over what commands do.
pub fn all() -> Vec<Described> {
    let over_files = files::RULES.iter().map(|rule| Described {
        id: rule.id.to_owned(),
        about: rule.about,
        severity: rule.severity,
        by_loss: rule.by_loss,
        strict: rule.strict,
    });
    let over_acts = rules::ALL.iter().map(|rule| Described {
        id: rule.id.to_owned(),
        about: rule.about,
        severity: rule.severity,
        by_loss: rule.by_loss,
        strict: rule.strict,
    });
    over_files.chain(over_acts).collect()
}

/// Whether a rule of ours has this identifier.
pub fn is_known(id: &str) -> bool {
    files::RULES.iter().any(|rule| rule.id == id) || rules::ALL.iter().any(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_one_name_and_is_known_by_it() {
        let all = all();
        for rule in &all {
            assert!(is_known(&rule.id));
            let same = all.iter().filter(|other| other.id == rule.id).count();
            assert_eq!(same, 1, "{}", rule.id);
        }
        assert!(!is_known("nothing"));
    }

    #[test]
    fn the_docs_list_every_rule() {
        let docs = include_str!("../../../../docs/guard.md");
        for rule in all() {
            let row = format!("| `{}` | {} | {} |", rule.id, rule.about, rule.by_loss);
            assert!(
                docs.contains(&row),
                "docs/guard.md lacks: {row}; run `cargo xtask docs`"
            );
        }
    }
}
