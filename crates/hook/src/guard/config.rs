//! What a person can say about the guard.

use std::collections::BTreeMap;
use std::fmt;

use bellwether_spine::clock;
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};

use super::catalog;
use super::scene::Mode;
use super::verdict::{Severity, Verdict};

/// The name of this section in the configuration.
pub const SECTION: &str = "guard";

/// The guard: judges what a tool call would do before it is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Judge tool calls at all.
    pub enabled: bool,
    /// `loss`: stop what would lose something; `strict`: stop what could, whether something would be lost now or not.
    pub mode: Mode,
    /// Branches that nobody may rewrite or delete; names or patterns such as `release/*`.
    pub protected_branches: Vec<String>,
    /// Files that no tool may change, beside secrets, lockfiles, `.git` and our own; a pattern without `/` fits a name in any
    /// folder, others a path in the project or from `/` or `~/`.
    pub protected_files: Vec<String>,
    /// What becomes of a question, by the client's permission mode.
    pub answers: Answers,
    /// Changes of rules by their identifiers, and rules of your own: see docs/guard.md.
    #[serde(deserialize_with = "known_rules")]
    pub rules: BTreeMap<String, RuleChange>,
    /// What is allowed although a rule is against it, to an end that you choose: see docs/guard.md.
    pub allow: Vec<Allowed>,
    /// Do not ask again in a session what you have answered with yes there, until something that the question rested on has
    /// changed: see docs/guard.md. Never with a managed installation.
    pub remember_yes: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: true,
            mode: Mode::default(),
            protected_branches: vec!["main".to_owned(), "master".to_owned()],
            protected_files: Vec::new(),
            answers: Answers::default(),
            rules: BTreeMap::new(),
            allow: Vec::new(),
            remember_yes: true,
        }
    }
}

/// What becomes of a question to the person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WhenAsked {
    /// The client asks it.
    #[default]
    Ask,
    /// It is answered with no.
    Deny,
}

/// What becomes of a question, by the client's permission mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Answers {
    /// In the default mode, and in modes that are not listed here.
    pub default: WhenAsked,
    /// When the client decides by itself what is safe.
    pub auto: WhenAsked,
    /// When edits are accepted without a question.
    pub accept_edits: WhenAsked,
    /// While planning.
    pub plan: WhenAsked,
    /// When the client refuses whatever it would have to ask for.
    pub dont_ask: WhenAsked,
    /// When nothing is asked, so that a run over night is not stuck.
    pub bypass_permissions: WhenAsked,
    /// When nobody sits in front of the session, whatever its mode.
    pub unattended: WhenAsked,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            default: WhenAsked::Ask,
            auto: WhenAsked::Ask,
            accept_edits: WhenAsked::Ask,
            plan: WhenAsked::Ask,
            dont_ask: WhenAsked::Deny,
            bypass_permissions: WhenAsked::Deny,
            unattended: WhenAsked::Deny,
        }
    }
}

impl Answers {
    /// What becomes of a question in a permission mode; the stricter counts when nobody is there.
    pub fn to(&self, permission_mode: Option<&str>, attended: bool) -> WhenAsked {
        let by_mode = match permission_mode {
            Some("auto") => self.auto,
            Some("acceptEdits") => self.accept_edits,
            Some("plan") => self.plan,
            Some("dontAsk") => self.dont_ask,
            Some("bypassPermissions") => self.bypass_permissions,
            _ => self.default,
        };
        if attended {
            by_mode
        } else {
            by_mode.max(self.unattended)
        }
    }
}

/// A change of a rule, or a rule of the person's own: one that has a `command` or a `path`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RuleChange {
    /// The rule counts.
    pub enabled: bool,
    /// What it says whenever it applies: `silent`, `ask`, `deny`.
    pub verdict: Option<Verdict>,
    /// How bad it would be: `low`, `medium`, `high`, `critical`.
    pub severity: Option<Severity>,
    /// Why, for the agent.
    pub reason: Option<String>,
    /// What does the job safely, for the agent.
    pub instead: Option<String>,
    /// The words of a command, in this order, with others between them: `[terraform, destroy]`. Patterns are allowed.
    pub command: Vec<String>,
    /// The files that no tool may change; a pattern as in `protected_files`.
    pub path: Option<String>,
}

impl Default for RuleChange {
    fn default() -> Self {
        Self {
            enabled: true,
            verdict: None,
            severity: None,
            reason: None,
            instead: None,
            command: Vec::new(),
            path: None,
        }
    }
}

impl RuleChange {
    /// Whether it is a rule of the person's own.
    pub fn is_own(&self) -> bool {
        !self.command.is_empty() || self.path.is_some()
    }
}

/// What is allowed although a rule is against it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Allowed {
    /// A command: all of what the agent runs, or a pattern over the one command that a rule is against.
    pub command: Option<String>,
    /// A file, a folder with all that is in it, or a pattern as in `protected_files`.
    pub path: Option<String>,
    /// Only against this rule.
    pub rule: Option<String>,
    /// To this moment: `2026-12-31`, `2026-12-31T18:00:00Z`.
    pub until: Option<Moment>,
    /// Why, for whoever reads the file later.
    pub reason: Option<String>,
}

/// A moment, as it is written in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Moment(pub u64);

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        clock::parse_utc(&text).map(Self).ok_or_else(|| {
            format!(
                "expected a date, with a time or without: 2026-12-31, 2026-12-31T18:00:00Z; found the text \"{text}\""
            )
        })
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        clock::utc(moment.0)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&clock::utc(self.0))
    }
}

/// Changes of rules that there are. What the hook reads was checked when it was made, perhaps by
/// another version, whose rules it must not lose.
fn known_rules<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, RuleChange>, D::Error> {
    let checked = deserializer.is_human_readable();
    let changes = BTreeMap::<String, RuleChange>::deserialize(deserializer)?;
    if !checked {
        return Ok(changes);
    }
    for (id, change) in &changes {
        if catalog::is_known(id) {
            if change.is_own() {
                let said = "is a rule of ours: give yours another name";
                return Err(de::Error::custom(format!("`{id}` {said}")));
            }
        } else if !change.is_own() {
            let said =
                "is none of our rules (see `bellwether guard rules`), and has no command or path";
            return Err(de::Error::custom(format!("`{id}` {said}")));
        }
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_become_refusals_where_nobody_answers() {
        let answers = Answers::default();
        for (mode, attended, expected) in [
            (Some("default"), true, WhenAsked::Ask),
            (Some("auto"), true, WhenAsked::Ask),
            (Some("acceptEdits"), true, WhenAsked::Ask),
            (Some("plan"), true, WhenAsked::Ask),
            (Some("dontAsk"), true, WhenAsked::Deny),
            (Some("bypassPermissions"), true, WhenAsked::Deny),
            (Some("something new"), true, WhenAsked::Ask),
            (None, true, WhenAsked::Ask),
            (Some("default"), false, WhenAsked::Deny),
        ] {
            assert_eq!(answers.to(mode, attended), expected, "{mode:?} {attended}");
        }
        let asked = Answers {
            unattended: WhenAsked::Ask,
            ..answers
        };
        assert_eq!(asked.to(None, false), WhenAsked::Ask);
        assert_eq!(asked.to(Some("bypassPermissions"), false), WhenAsked::Deny);
    }

    #[test]
    fn a_change_must_be_of_a_rule_that_there_is() {
        let read = |json: &str| serde_json::from_str::<Config>(json);
        assert!(read(r#"{"rules":{"bomb":{"enabled":false}}}"#).is_ok());
        assert!(read(r#"{"rules":{"protect-secrets":{"verdict":"ask"}}}"#).is_ok());
        assert!(read(r#"{"rules":{"mine":{"command":["terraform","destroy"]}}}"#).is_ok());
        let error = read(r#"{"rules":{"bmob":{"enabled":false}}}"#).unwrap_err();
        assert!(error.to_string().contains("`bmob` is none of our rules"));
        let error = read(r#"{"rules":{"bomb":{"path":"x"}}}"#).unwrap_err();
        assert!(error.to_string().contains("another name"));
        let error = read(r#"{"allow":[{"until":"soon"}]}"#).unwrap_err();
        assert!(error.to_string().contains("expected a date"), "{error}");
    }
}
