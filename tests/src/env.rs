//! The environment the client gets: built from nothing, so that no secret and no setting of the developer leaks in.

use std::collections::BTreeMap;
use std::path::Path;

use crate::fake_api;
use crate::home::Home;

/// Where the tools of the system are; the caller's own PATH is never used.
pub const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The variables of one run, by name.
#[derive(Clone, Debug)]
pub struct ClientEnv(BTreeMap<String, String>);

impl ClientEnv {
    pub fn new(home: &Home) -> Self {
        let vars = [
            ("HOME", home.dir().display().to_string()),
            ("TMPDIR", home.tmp().display().to_string()),
            ("USER", "rig".into()),
            ("SHELL", "/bin/bash".into()),
            ("LANG", "C.UTF-8".into()),
            ("TERM", "xterm-256color".into()),
            ("PATH", SYSTEM_PATH.into()),
            (
                "ANTHROPIC_BASE_URL",
                format!("http://{}", fake_api::ADDRESS),
            ),
            ("ANTHROPIC_API_KEY", "dummy".into()),
            ("CLAUDE_CODE_TMPDIR", home.tmp().display().to_string()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
            // Newer models have the task tools only when asked for.
            ("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1".into()),
            ("DISABLE_TELEMETRY", "1".into()),
            ("DISABLE_AUTOUPDATER", "1".into()),
            ("DISABLE_ERROR_REPORTING", "1".into()),
        ];
        Self(vars.map(|(name, value)| (name.into(), value)).into())
    }

    /// Sets a variable, also one of the rig's own.
    pub fn set(&mut self, name: &str, value: &str) {
        self.0.insert(name.into(), value.into());
    }

    /// Puts a folder in front of PATH: that of the program under test.
    pub fn path_first(&mut self, folder: &Path) {
        let path = self.0.entry("PATH".into()).or_default();
        *path = format!("{}:{path}", folder.display());
    }

    pub fn vars(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}
