//! Settings for everything at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings for everything at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Global {
    /// Write debug files, every secret masked; also by `HOOK_DEBUG=1 bellwether daemon run`.
    pub debug: bool,
    /// Where debug files go, relative to `project_dir`.
    pub debug_dir: String,
    /// The project's folder; `HOOK_PROJECT_DIR` wins, and without either it is the current folder.
    pub project_dir: String,
}

impl Default for Global {
    fn default() -> Self {
        Self {
            debug: false,
            debug_dir: "Temp".into(),
            project_dir: String::new(),
        }
    }
}
