//! Whether files are formatted, and whether what formats them is there.

use bellwether_hook::format;
use bellwether_spine::meta;

use super::{Finding, Setup};
use crate::config;

pub(super) const ABOUT: &str = "where files are formatted after an edit, the formatters are there";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let Ok(project) = std::env::current_dir() else {
        return vec![Finding::good("no project here")];
    };
    let config = config::load(setup.home, Some(&project), &meta::variable)
        .config
        .format;
    if !config.enabled {
        return vec![Finding::good("off in this project")];
    }
    let (there, missing) = format::available(&config, &project);
    let mut findings: Vec<Finding> = missing
        .iter()
        .map(|name| {
            Finding::warning(format!(
                "this project uses {name}, and it is not installed: such files are not formatted"
            ))
            .advise(format!(
                "install {name} in the project or for all of them; bellwether downloads nothing"
            ))
        })
        .collect();
    if !there.is_empty() {
        findings.push(Finding::good(format!("on, with {}", there.join(", "))));
    } else if missing.is_empty() {
        findings.push(
            Finding::warning("on, and nothing says which formatter this project uses").advise(
                "docs/sessions.md says how a formatter is found; `format.formatters` names one",
            ),
        );
    }
    findings
}
