//! What the guard says about an act, and why.

use serde::{Deserialize, Serialize};

/// What the guard says, from the mildest to the strictest. It never says "allow": what it has nothing
/// against is for the client and the person to decide.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing.
    #[default]
    Silent,
    /// The person is asked.
    Ask,
    /// It must not happen.
    Deny,
}

/// How bad it would be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Work of a few minutes.
    Low,
    /// Work of hours, or something that others see.
    #[default]
    Medium,
    /// Work of days, history, other people's work.
    High,
    /// The machine, or all of a person's files.
    Critical,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's identifier: `delete-home`.
    pub rule: String,
    /// How bad it would be.
    pub severity: Severity,
    pub verdict: Verdict,
    /// Why, in one sentence for the agent, with what would be hit.
    pub reason: String,
    /// What would be lost, when that could be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// What does the job safely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
    /// The resolved command, or the file, that it is about.
    pub subject: String,
    /// The way to it, from the outside: `bash deploy.sh`, `make clean`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
}

/// What the guard says about one tool call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// The strictest of its findings.
    pub verdict: Verdict,
    /// What was found, the gravest first. Empty when there is nothing to say.
    pub findings: Vec<Finding>,
}

impl Judgement {
    pub fn of(mut findings: Vec<Finding>) -> Self {
        findings.sort_by_key(|finding| std::cmp::Reverse((finding.verdict, finding.severity)));
        Self {
            verdict: findings
                .first()
                .map_or(Verdict::Silent, |finding| finding.verdict),
            findings,
        }
    }
}
