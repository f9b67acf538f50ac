//! What a person can say about the gate.

use std::collections::BTreeMap;

use bellwether_spine::digest::sha256;
use serde::{Deserialize, Serialize};

/// The name of this section in the configuration.
pub const SECTION: &str = "gate";

/// Checks before a commit; only in projects that you trust.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Check what is about to be committed.
    pub enabled: bool,
    /// Run the checks that the project's own files ask for: see docs/gate.md.
    pub detect: bool,
    /// Checks that are left out, by their names: `node-build`, `rust-clippy`.
    pub skip: Vec<String>,
    /// Checks of your own, by name; one with the name of a check that was found replaces it.
    pub steps: BTreeMap<String, Step>,
    /// How many seconds all checks of a commit may take. Claude Code waits for 60.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 55)))]
    pub timeout: u32,
    /// What becomes of a commit whose checks have not ended by then: `deny` or `allow`.
    pub on_timeout: OnTimeout,
    /// What git ignores and the checks need, beside `node_modules` and virtual environments; paths in the project.
    pub link: Vec<String>,
    /// Variables that the checks get beside PATH and the like, by name. Others are kept from them.
    pub variables: Vec<String>,
    /// Let checks download what they need.
    pub download: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: false,
            detect: true,
            skip: Vec::new(),
            steps: BTreeMap::new(),
            timeout: 50,
            on_timeout: OnTimeout::default(),
            link: Vec::new(),
            variables: Vec::new(),
            download: false,
        }
    }
}

impl Config {
    /// What a pass depends on beside the tree: another set of checks asks again.
    pub fn rules(&self) -> String {
        let set = (
            &self.detect,
            &self.skip,
            &self.steps,
            &self.link,
            &self.variables,
        );
        sha256(&serde_json::to_vec(&set).unwrap_or_default())
    }
}

/// A check of your own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    /// The command, for `sh`. Exit code 0 means that all is well.
    pub run: String,
    /// The folder that it runs in, in the project.
    pub folder: Option<String>,
    /// Run it only when files of these patterns are committed, such as `*.py` or `docs/**`.
    pub files: Vec<String>,
}

/// What becomes of a commit whose checks take too long.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OnTimeout {
    /// It is refused.
    #[default]
    Deny,
    /// It is made all the same.
    Allow,
}
