//! Claude Code: its payloads, its replies, its tools, and which of its versions knows what.
//!
//! The facts were recorded on version 2.1.325 and read in 248 published versions.

mod catalog;
mod feature;
mod payload;
mod reply;
mod tools;

use crate::client::{Running, Variables, Version, Wire};

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
    },
    feature: |feature| Some(feature::support(feature)),
    read: |fields| payload::Payload::read(fields).into_event(),
    render: reply::render,
    tools: tools::TOOLS,
};

/// Reads `claude-code_2-1-325_harness`.
fn version(agent: &str) -> Option<Version> {
    let rest = agent.trim().strip_prefix("claude-code_")?;
    Version::triple(rest.split('_').next()?.split('-'))
}

#[cfg(test)]
mod tests;
