//! The hooks of the client's plugins, which stand in no settings file: those of every plugin that is installed and not
//! switched off.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::settings_files::{Content, SettingsFile, read};
use crate::settings::{Document, file};
use bellwether_announce::transcript::CommandLine;

/// Where the client keeps its list of them, below its `plugins`.
const INSTALLED: &str = "installed_plugins.json";
/// Where a plugin's hooks are, below its folder.
const HOOKS: &str = "hooks/hooks.json";
/// Folders below `plugins` that hold copies, and no plugin of their own.
const COPIES: [&str; 5] = ["cache", "marketplaces", "repos", "data", "npm-cache"];

/// A plugin with hooks.
pub(crate) struct Plugin {
    pub name: String,
    /// Its `hooks.json`.
    pub path: PathBuf,
    pub content: Content,
    root: PathBuf,
}

/// The plugins with hooks that count here, by name.
pub(super) fn look(claude: &Path, project: &Path, settings: &[SettingsFile]) -> Vec<Plugin> {
    let listed = installed(&claude.join("plugins"))
        .into_iter()
        .filter(|(name, _)| !is_off(name, settings));
    let folders = [claude.join("plugins"), project.join(".claude/plugins")];
    let mut found: Vec<(String, PathBuf)> = listed
        .chain(folders.iter().flat_map(|folder| beside(folder)))
        .collect();
    found.sort();
    found.dedup_by(|one, other| one.1 == other.1);
    let plugins = found.into_iter().map(|(name, root)| {
        let path = root.join(HOOKS);
        let content = read(&path);
        Plugin {
            name,
            path,
            content,
            root,
        }
    });
    plugins
        .filter(|plugin| !matches!(plugin.content, Content::Missing))
        .collect()
}

/// What the client's own list has: names with folders.
fn installed(plugins: &Path) -> Vec<(String, PathBuf)> {
    let content = file::read(&plugins.join(INSTALLED)).ok().flatten();
    let list = content.and_then(|content| serde_json::from_str::<Value>(&content.text).ok());
    let list = list.unwrap_or_default();
    let named = list["plugins"].as_object().into_iter().flatten();
    let found = named.flat_map(|(name, entry)| {
        // Older clients have one entry, newer ones one for each scope.
        let entries = match entry {
            Value::Array(entries) => entries.as_slice(),
            one => std::slice::from_ref(one),
        };
        let folders = entries
            .iter()
            .filter_map(|entry| entry["installPath"].as_str());
        folders.map(|folder| (name.clone(), PathBuf::from(folder)))
    });
    found.collect()
}

/// Plugins that somebody has put into the folder by hand.
fn beside(plugins: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(plugins).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_plugin = entry.path().is_dir() && !COPIES.contains(&name.as_str());
        is_plugin.then(|| (name, entry.path()))
    });
    named.collect()
}

/// Whether settings switch a plugin off, and none switches it on.
fn is_off(name: &str, settings: &[SettingsFile]) -> bool {
    let said = settings
        .iter()
        .filter_map(SettingsFile::document)
        .filter_map(|document| serde_json::from_str::<Value>(document.text()).ok())
        .filter_map(|settings| settings["enabledPlugins"][name].as_bool());
    let said: Vec<bool> = said.collect();
    !said.is_empty() && !said.contains(&true)
}

impl Plugin {
    /// What it says, if it can be read.
    pub(crate) fn document(&self) -> Option<&Document> {
        match &self.content {
            Content::Said(document) => Some(document),
            Content::Missing | Content::Unreadable(_) => None,
        }
    }

    /// The text of a command, with the plugin's folder in its place.
    pub(crate) fn placed(&self, text: &str) -> String {
        let root = self.root.to_string_lossy();
        text.replace("${CLAUDE_PLUGIN_ROOT}", &root)
            .replace("$CLAUDE_PLUGIN_ROOT", &root)
    }

    /// What a command of it starts.
    pub(crate) fn command(&self, command: &str, arguments: Option<&[&str]>) -> CommandLine {
        let project = std::env::current_dir().unwrap_or_default();
        let command = self.placed(command);
        match arguments {
            Some(arguments) => {
                let words: Vec<String> = arguments.iter().map(|word| self.placed(word)).collect();
                let words = words.iter().map(|word| Some(word.as_str()));
                CommandLine::of_exec_form(&command, words, &project)
            }
            None => CommandLine::of_shell(&command, &project),
        }
    }
}
