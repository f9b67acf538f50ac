//! The daemon's own section.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Daemon {
    /// The port for HTTP on 127.0.0.1; 0 for none.
    pub port: u16,
    /// End after so many seconds without anything to do; the next event starts it again.
    #[schemars(range(min = 0, max = 31_536_000))]
    pub idle_exit: u32,
}

impl Default for Daemon {
    fn default() -> Self {
        Self {
            port: bellwether_spine::PORT,
            idle_exit: 3600,
        }
    }
}
