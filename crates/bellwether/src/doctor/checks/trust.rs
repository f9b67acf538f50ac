//! What a project's configuration says in vain, because nobody has agreed to it.

use bellwether_spine::config::Trust;
use bellwether_spine::meta;

use super::{Finding, Setup};
use crate::config::{self, Ignored, Why};
use crate::doctor::finding::or_good;

pub(super) const ABOUT: &str = "what this project's configuration may change, and what is ignored";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let project = std::env::current_dir().ok();
    let loaded = config::load(setup.home, project.as_deref(), &meta::variable);
    let Some(project) = &loaded.project else {
        return vec![Finding::good("this project has no configuration")];
    };
    let keys = |why: Why| -> Vec<&str> {
        loaded
            .ignored
            .iter()
            .filter(|it| it.why == why)
            .map(|it: &Ignored| it.path.as_str())
            .collect()
    };
    let (untrusted, persons) = (keys(Why::Untrusted), keys(Why::PersonOnly));
    let mut findings = Vec::new();
    if !untrusted.is_empty() {
        let known = Trust::load(setup.home).knows(&project.path);
        let changed = if known {
            "has changed since you trusted it"
        } else {
            "is not trusted"
        };
        let keys = untrusted.join(", ");
        findings.push(
            Finding::note(format!(
                "{} {changed}; ignored: {keys}",
                project.path.display()
            ))
            .advise("read it, then run `bellwether config trust`"),
        );
    }
    if !persons.is_empty() {
        let text = format!(
            "{} cannot set {}: one daemon serves all projects",
            project.path.display(),
            persons.join(", ")
        );
        findings.push(Finding::note(text).advise("put it into your own configuration"));
    }
    let good = if project.trusted {
        "this project's configuration is trusted"
    } else {
        "this project's configuration needs no trust"
    };
    or_good(findings, good)
}
