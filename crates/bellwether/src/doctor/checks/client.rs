//! Claude Code itself.

use bellwether_protocol::claude::feature;
use bellwether_protocol::claude::version::Version;

use super::{Finding, Setup};
use crate::registration::Client;

pub(super) const ABOUT: &str = "Claude Code is there, and of a version that we know";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let (path, version) = match &setup.client {
        Ok(Client::Found(path, version)) => (path.display(), *version),
        Ok(Client::Named(_) | Client::Absent) => {
            let text = "Claude Code is not on PATH: its newest version is assumed";
            return vec![Finding::warning(text).advise("install it, or put `claude` on PATH")];
        }
        Err(error) => {
            let text = format!("`claude` does not tell its version: {}", error.root_cause());
            return vec![Finding::warning(text).advise("claude --version, and see what it says")];
        }
    };
    let finding = if !feature::EXEC_FORM.has(version) {
        let since = feature::EXEC_FORM.since;
        Finding::note(format!(
            "Claude Code {version} is older than {since}: hooks are started through a shell, and events of later versions are not seen"
        ))
        .advise("claude update")
    } else if version > Version::NEWEST {
        Finding::note(format!(
            "Claude Code {version} is newer than {}, the newest that we have read: what it added is passed through unread",
            Version::NEWEST
        ))
    } else {
        Finding::good(format!("Claude Code {version} ({path})"))
    };
    vec![finding]
}
