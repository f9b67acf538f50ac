//! What a project's configuration says in vain, because nobody has agreed to it.

use bellwether_spine::config::Trust;
use bellwether_spine::meta;

use super::{Finding, Setup};
use crate::config::{self, Ignored, Loaded, Why};
use crate::doctor::finding::or_good;

pub(super) const ABOUT: &str = "what this project's configuration may change, and what is ignored";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let project = std::env::current_dir().ok();
    let loaded = config::load(setup.home, project.as_deref(), &meta::variable);
    let keys = |why: Why| -> Vec<&str> {
        loaded
            .ignored
            .iter()
            .filter(|it| it.why == why)
            .map(|it: &Ignored| it.path.as_str())
            .collect()
    };
    let (untrusted, persons) = (keys(Why::Untrusted), keys(Why::PersonOnly));
    let Some(project) = &loaded.project else {
        return vec![without_file(&loaded, &untrusted)];
    };
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

/// A project without a file has nothing to say, and yet what runs its own programs waits for your trust.
fn without_file(loaded: &Loaded, untrusted: &[&str]) -> Finding {
    if untrusted.is_empty() {
        return Finding::good(if loaded.trust.trusted {
            "this project has no configuration and is trusted"
        } else {
            "this project has no configuration"
        });
    }
    let keys = untrusted.join(", ");
    Finding::note(format!(
        "your configuration sets {keys}; this project is not trusted, so that has no effect here"
    ))
    .advise("run `bellwether config trust` here if the project's own programs may run")
}
