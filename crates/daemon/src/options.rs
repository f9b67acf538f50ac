//! How a daemon is to run.

use std::os::fd::RawFd;
use std::time::Duration;

use bellwether_flock::Retention;
use bellwether_spine::Home;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AnnounceSettings, DebugFolder, SoundSettings};

/// The daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The port for HTTP on 127.0.0.1; 0 for none.
    pub port: u16,
    /// End after so many seconds without anything to do; the next event starts it again.
    pub idle_exit: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            port: 4820,
            idle_exit: 3600,
        }
    }
}

/// Gives the settings that count outside of any project, fit to be shown.
pub type ShownSettings = fn(&Home) -> serde_json::Value;
/// Changes the person's settings: keys with their new values, all or none.
pub type ChangeSettings = fn(&Home, &[(String, serde_json::Value)]) -> Result<(), Unchanged>;

/// Why settings were not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchanged {
    /// The key that is wrong, if it is one.
    pub key: Option<String>,
    /// What is wrong, and what to do.
    pub why: String,
    /// Whether the wish is wrong, or the file in the way.
    pub fault: UnchangedBy,
}

/// What keeps settings from being changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnchangedBy {
    /// The wish is wrong.
    Wish,
    /// The file cannot be changed by us as it is: the person can.
    File,
    /// The system refused.
    System,
}

/// Says what hooks cost by the client's own clock.
pub type HookCosts = fn() -> Vec<HookCost>;

/// What the runs of one hook cost, by the client's own clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HookCost {
    /// The file name of its command.
    pub name: String,
    /// Whether it is ours.
    pub ours: bool,
    /// How many runs were seen.
    pub runs: usize,
    /// Half of them took no longer, in milliseconds.
    pub p50_ms: u64,
    /// Nineteen of twenty took no longer.
    pub p95_ms: u64,
    /// The longest.
    pub longest_ms: u64,
}

/// How a daemon is to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The port of the page, on the loopback address; `None` for none.
    pub port: Option<u16>,
    /// How long to stay without anything to do.
    pub idle_exit: Duration,
    /// A descriptor that holds the lock already, from whoever started this process.
    pub lock_fd: Option<RawFd>,
    /// Says where the debug files of a project go, if it wants any.
    pub debug_folder: DebugFolder,
    /// Says what the announcer is to obey in a project.
    pub announce_settings: AnnounceSettings,
    /// Says what counts for what is heard.
    pub sound_settings: SoundSettings,
    /// Gives the settings that the API shows.
    pub shown_settings: ShownSettings,
    pub change_settings: ChangeSettings,
    pub hook_costs: HookCosts,
    /// How long events are kept.
    pub retention: Retention,
}

impl From<&Config> for Options {
    fn from(config: &Config) -> Self {
        Self {
            port: (config.port > 0).then_some(config.port),
            idle_exit: Duration::from_secs(config.idle_exit.into()),
            lock_fd: None,
            debug_folder: |_, _| None,
            announce_settings: |_, _| bellwether_announce::Settings::default(),
            sound_settings: |_| crate::Hearing::default(),
            shown_settings: |_| serde_json::Value::Null,
            change_settings: |_, _| {
                Err(Unchanged {
                    key: None,
                    why: "this daemon has no settings".to_owned(),
                    fault: UnchangedBy::System,
                })
            },
            hook_costs: Vec::new,
            retention: Retention::default(),
        }
    }
}

impl Options {
    /// The command line that says the same; the lock has its own.
    pub(crate) fn to_arguments(&self) -> Vec<String> {
        vec![
            "--port".into(),
            self.port.unwrap_or(0).to_string(),
            "--idle-exit".into(),
            self.idle_exit.as_secs_f64().to_string(),
        ]
    }
}
