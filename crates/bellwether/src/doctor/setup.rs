//! What checks look at, gathered once.

use std::path::PathBuf;

use bellwether_daemon::DaemonError;
use bellwether_daemon::control::{self, Status};
use bellwether_protocol::client::Client;
use bellwether_spine::Home;
use bellwether_transcript::{HookRun, Projects, hook_runs};

use super::plugins::{self, Plugins};
use super::settings_files::{self, SettingsFile};
use crate::registration::plugin::OwnPlugin;
use crate::registration::{Installed, Scope, newest};
use crate::settings::HOOK;

/// What a check may look at.
pub(crate) struct Setup<'a> {
    pub home: &'a Home,
    pub claude: PathBuf,
    /// The settings files of the client that count here.
    pub settings: Vec<SettingsFile>,
    pub plugins: Plugins,
    /// How long hooks took by the client's clock, as the newest transcripts tell.
    pub runs: Vec<HookRun>,
    /// Our own plugin, where it is on.
    pub own_plugin: Option<OwnPlugin>,
    /// The client that a person would start, or why it does not say its version.
    pub installed: anyhow::Result<Installed>,
    /// How the daemon is, if one runs.
    pub daemon: Result<Option<Status>, DaemonError>,
    /// The folder of this program.
    pub programs: PathBuf,
}

impl<'a> Setup<'a> {
    pub(super) fn gather(home: &'a Home) -> Self {
        // The client takes the folder that it is started in for the project.
        let project = std::env::current_dir().unwrap_or_default();
        let (claude, settings) = (claude_folder(), settings_files::look(&project));
        let plugins = plugins::look(&claude, &project, &settings);
        Self {
            home,
            own_plugin: OwnPlugin::find(&claude, &plugins, &settings),
            plugins,
            runs: hook_runs(&Projects::at(claude.join("projects"))),
            claude,
            settings,
            installed: Installed::find(None),
            daemon: control::Client::connect(home)
                .and_then(|client| client.map(|mut client| client.status()).transpose()),
            programs: programs(),
        }
    }

    /// The client; one whose version is not known is taken for the newest.
    pub(crate) fn client(&self) -> Client {
        self.installed
            .as_ref()
            .map_or_else(|_| newest(), Installed::client)
    }

    /// The program of the hook that belongs to this program.
    pub(crate) fn hook_program(&self) -> PathBuf {
        self.programs.join(HOOK)
    }
}

/// The client's settings files that count in the current folder.
pub(crate) fn settings_here() -> Vec<SettingsFile> {
    settings_files::look(&std::env::current_dir().unwrap_or_default())
}

/// The client's plugins with hooks that these settings leave on.
pub(crate) fn plugins_here(settings: &[SettingsFile]) -> Plugins {
    let project = std::env::current_dir().unwrap_or_default();
    plugins::look(&claude_folder(), &project, settings)
}

/// A settings file that says this.
#[cfg(test)]
pub(crate) fn settings_file(scope: Scope, text: &str) -> SettingsFile {
    settings_files::said(scope, text)
}

/// The folder that the person's own settings are in.
fn claude_folder() -> PathBuf {
    let settings = Scope::User.settings().unwrap_or_default();
    settings.parent().map(PathBuf::from).unwrap_or_default()
}

fn programs() -> PathBuf {
    let running = std::env::current_exe().unwrap_or_default();
    running.parent().map(PathBuf::from).unwrap_or_default()
}
