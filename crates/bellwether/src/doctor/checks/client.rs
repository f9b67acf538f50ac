//! Claude Code itself.

use bellwether_protocol::client::feature::Feature;

use super::{Finding, Setup};
use crate::registration::{Installed, newest};

pub(super) const ABOUT: &str = "Claude Code is installed, in a version that bellwether knows";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let client = setup.client();
    let path = match &setup.installed {
        Ok(Installed::Found(path, _)) => path.display(),
        Ok(Installed::Named(_) | Installed::Absent) => {
            let text = "Claude Code is not on PATH: its newest version is assumed";
            return vec![Finding::warning(text).advise("install it, or put `claude` on PATH")];
        }
        Err(error) => {
            let text = format!(
                "`claude` does not report its version: {}",
                error.root_cause()
            );
            return vec![Finding::warning(text).advise("claude --version, and see what it says")];
        }
    };
    let finding = if !client.has(Feature::ExecForm) {
        let since = client.since(Feature::ExecForm);
        let since = since.map(|since| since.to_string()).unwrap_or_default();
        Finding::note(format!(
            "{client} is older than {since}: hooks are started through a shell, and events of later versions are not seen"
        ))
        .advise("claude update")
    } else if client.version > newest().version {
        Finding::note(format!(
            "{client} is newer than {}, the newest that bellwether knows: events that it added are stored, but not understood",
            newest().version
        ))
    } else {
        Finding::good(format!("{client} ({path})"))
    };
    vec![finding]
}
