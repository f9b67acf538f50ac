//! Claude Code: its payloads, its replies, its tools, and which of its versions knows what.
//!
//! The facts were recorded on version 2.1.325 and read in 248 published versions.

mod catalog;
mod feature;
mod payload;
mod reply;
mod stand_ins;
mod tools;

use crate::client::{Running, Variables, Version, VersionPlace, Wire};
use crate::event::{Event, Kind};
use crate::fields::Fields;

pub(super) const WIRE: Wire = Wire {
    title: "Claude Code",
    newest: Version(2, 1, 325),
    catalog: catalog::EVENTS,
    handlers: feature::HANDLERS,
    fields: feature::FIELDS,
    variables: Variables {
        project: &["CLAUDE_PROJECT_DIR"],
        pid: Some("CLAUDE_PID"),
        entrypoint: Some("CLAUDE_CODE_ENTRYPOINT"),
        attended: Some("CLAUDE_CODE_SESSION_ATTENDED"),
        interactive: "cli",
        version: |env| version(&env("AI_AGENT")?),
    },
    running: Running {
        names: &["claude"],
        files: &["/claude/versions/", "/@anthropic-ai/claude-"],
        marks: &["CLAUDECODE", "AI_AGENT", "CLAUDE_CODE_SESSION_ID"],
        versions: &[
            VersionPlace::Behind("/claude/versions/"),
            VersionPlace::Package {
                part: "/@anthropic-ai/claude-",
                manifest: "package.json",
            },
        ],
    },
    feature: |feature| Some(feature::support(feature)),
    read,
    render: reply::render,
    tools: tools::TOOLS,
    plugin: Version(2, 0, 30),
    stand_ins: stand_ins::STAND_INS,
    write: Some(payload::write),
};

/// Reads a payload. An event that is not known, such as one of our own, may have words all the same.
fn read<'a>(fields: &Fields<'a>, named: Option<Kind>) -> Event<'a> {
    let mut event = payload::Payload::read(fields, named).into_event();
    if event.kind == Kind::Other {
        event.message = event.message.or_else(|| fields.get("message"));
    }
    event
}

/// Reads `claude-code_2-1-325_harness`.
fn version(agent: &str) -> Option<Version> {
    let rest = agent.trim().strip_prefix("claude-code_")?;
    Version::triple(rest.split('_').next()?.split('-'))
}

#[cfg(test)]
mod matrix;
#[cfg(test)]
mod tests;
