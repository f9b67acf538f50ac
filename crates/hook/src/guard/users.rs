//! What the person has made of the rules: changes of ours, rules of their own, and what is allowed.

use std::path::Path;

use bellwether_shell::matches_path;

use super::config::{Config, RuleChange};
use super::paths;
use super::verdict::{Finding, Judgement, Verdict};

/// What the person's own rules say about a command, given as its resolved words.
pub fn on_command(config: &Config, words: &[String], via: &[String]) -> Vec<Finding> {
    let fits = |change: &RuleChange| !change.command.is_empty() && has(words, &change.command);
    own(config, fits, &words.join(" "), via)
}

/// What the person's own rules say about a change of a file, given by each of its spellings.
pub fn on_path(config: &Config, spellings: &[&Path], ground: &paths::Ground<'_>) -> Vec<Finding> {
    let fits = |change: &RuleChange| {
        change.path.as_ref().is_some_and(|pattern| {
            spellings
                .iter()
                .any(|path| paths::fits(pattern, path, ground))
        })
    };
    let shown = spellings
        .first()
        .map_or_else(String::new, |path| path.display().to_string());
    own(config, fits, &shown, &[])
}

fn own(
    config: &Config,
    fits: impl Fn(&RuleChange) -> bool,
    subject: &str,
    via: &[String],
) -> Vec<Finding> {
    let rules = config.rules.iter();
    let applying = rules.filter(|(_, change)| change.enabled && change.is_own() && fits(change));
    applying
        .map(|(id, change)| Finding {
            rule: id.clone(),
            severity: change.severity.unwrap_or_default(),
            verdict: change.verdict.unwrap_or(Verdict::Deny),
            reason: change
                .reason
                .clone()
                .unwrap_or_else(|| format!("the rule `{id}` of this configuration is against it")),
            lost: None,
            instead: change.instead.clone(),
            subject: subject.to_owned(),
            via: via.to_vec(),
        })
        .collect()
}

/// Whether a command has these words in this order; others may stand between them. Its program may be
/// given by its path.
fn has(words: &[String], pattern: &[String]) -> bool {
    let Some((program, rest)) = words.split_first() else {
        return false;
    };
    let Some((first, others)) = pattern.split_first() else {
        return false;
    };
    let name = program.rsplit('/').next().unwrap_or(program);
    if !matches_path(first, name) && !matches_path(first, program) {
        return false;
    }
    let mut rest = rest.iter();
    others
        .iter()
        .all(|wanted| rest.any(|word| word == wanted || matches_path(wanted, word)))
}

/// The judgement once the person's changes have been made to what was found.
pub fn changed(findings: Vec<Finding>, config: &Config) -> Judgement {
    let findings = findings.into_iter().filter_map(|mut finding| {
        let Some(change) = config.rules.get(&finding.rule).filter(|it| !it.is_own()) else {
            return Some(finding);
        };
        change.enabled.then_some(())?;
        finding.verdict = change.verdict.unwrap_or(finding.verdict);
        finding.severity = change.severity.unwrap_or(finding.severity);
        if let Some(reason) = &change.reason {
            finding.reason.clone_from(reason);
        }
        finding.instead = change.instead.clone().or(finding.instead);
        Some(finding)
    });
    Judgement::of(
        findings
            .filter(|finding| finding.verdict > Verdict::Silent)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(json: &str) -> Config {
        serde_json::from_str(json).unwrap()
    }

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_rule_of_the_person_names_words_in_order() {
        let config = config(
            r#"{"rules":{
                "tf":{"command":["terraform","destroy"],"verdict":"ask","reason":"it is live","instead":"plan first"},
                "kube":{"command":["kubectl","delete","n*"]},
                "off":{"command":["ls"],"enabled":false}}}"#,
        );
        let said = |line: &str| -> Vec<(String, Verdict)> {
            let found = on_command(&config, &words(line), &[]);
            found.into_iter().map(|it| (it.rule, it.verdict)).collect()
        };
        let tf = vec![("tf".to_owned(), Verdict::Ask)];
        assert_eq!(said("terraform destroy"), tf);
        assert_eq!(said("/opt/terraform -chdir=x destroy -auto-approve"), tf);
        assert_eq!(said("terraform plan"), []);
        assert_eq!(said("echo terraform destroy"), []);
        assert_eq!(
            said("kubectl -n x delete ns/y"),
            [],
            "a star does not cross a slash"
        );
        assert_eq!(
            said("kubectl delete namespace x"),
            [("kube".to_owned(), Verdict::Deny)]
        );
        assert_eq!(said("ls"), []);
    }

    #[test]
    fn a_change_switches_a_rule_off_or_changes_what_it_says() {
        let found = || {
            vec![Finding {
                rule: "bomb".into(),
                severity: crate::guard::Severity::Critical,
                verdict: Verdict::Deny,
                reason: "ours".into(),
                lost: None,
                instead: None,
                subject: ":".into(),
                via: vec![],
            }]
        };
        let said = |json: &str| changed(found(), &config(json));
        assert_eq!(said("{}").verdict, Verdict::Deny);
        assert_eq!(
            said(r#"{"rules":{"bomb":{"enabled":false}}}"#),
            Judgement::default()
        );
        assert_eq!(
            said(r#"{"rules":{"bomb":{"verdict":"silent"}}}"#),
            Judgement::default()
        );
        let asked = said(r#"{"rules":{"bomb":{"verdict":"ask","reason":"theirs"}}}"#);
        assert_eq!(
            (asked.verdict, asked.findings[0].reason.as_str()),
            (Verdict::Ask, "theirs")
        );
    }
}
