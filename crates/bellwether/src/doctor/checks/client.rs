//! Claude Code itself.

use bellwether_protocol::claude::feature;
use bellwether_protocol::claude::version::Version;

use super::{Context, Finding};
use crate::doctor::client::Client;

pub(super) const ABOUT: &str = "Claude Code is there, and of a version that we know";

pub(super) fn run(context: &Context<'_>) -> Vec<Finding> {
    let (path, version) = match &context.client {
        Client::Missing => {
            let finding =
                Finding::warning("Claude Code is not on PATH: its newest version is assumed");
            return vec![finding.advise("install Claude Code, or put `claude` on PATH")];
        }
        Client::Silent { path, why } => {
            let finding = Finding::warning(format!("{} {why}", path.display()));
            return vec![finding.advise("run `claude --version` and see what it says")];
        }
        Client::Found { path, version } => (path.display(), *version),
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
