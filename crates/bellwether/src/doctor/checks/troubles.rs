//! What the hook and the daemon could not do in the last day, as they noted it.

use bellwether_spine::trouble::Troubles;

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::output;

pub(super) const ABOUT: &str = "what the hook and the daemon could not do in the last day";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let mut troubles = Troubles(setup.home).recent();
    troubles.sort_by_key(|trouble| std::cmp::Reverse(trouble.at_ms));
    let told = troubles.iter().map(|trouble| {
        let (at, text) = (output::moment(trouble.at_ms), &trouble.text);
        let times = match trouble.count {
            1 => String::new(),
            count => format!(" ({count} times)"),
        };
        Finding::warning(format!("{at}{times}: {text}"))
    });
    let mut findings: Vec<Finding> = told.collect();
    // They are forgotten together.
    if let Some(last) = findings.pop() {
        let home = setup.home.clone();
        let forget = move || Ok(Troubles(&home).forget()?);
        findings.push(last.fix("forget these troubles", forget));
    }
    or_good(findings, "none in the last day")
}
