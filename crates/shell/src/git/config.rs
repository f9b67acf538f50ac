//! Settings that come with the call: `-c`, `--config-env`, `GIT_CONFIG_COUNT`,
//! `GIT_CONFIG_PARAMETERS`. Some of them are commands that git runs.

use super::split;
use crate::text::Text;

/// Settings in the order in which they were given. Keys are in lower case.
#[derive(Debug, Default)]
pub(super) struct Config {
    entries: Vec<(String, Text)>,
}

impl Config {
    /// Adds `key=value`; a key alone is true.
    pub(super) fn add(&mut self, setting: &Text) {
        match split::at(setting, '=') {
            Some((key, value)) => self.set(&key.shown(), value),
            None => self.set(&setting.shown(), Text::plain("true")),
        }
    }

    pub(super) fn set(&mut self, key: &str, value: Text) {
        self.entries.push((key.to_ascii_lowercase(), value));
    }

    /// The last value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Text> {
        self.entries
            .iter()
            .rev()
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    }

    /// Whether a key is said to be true or false; nothing when it is not said.
    pub(super) fn switch(&self, key: &str) -> Option<bool> {
        self.get(key)
            .map(|value| value.known().is_none_or(|value| !is_false(value)))
    }

    /// The settings from one on that are commands which git runs, with their keys.
    pub(super) fn commands_from(&self, first: usize) -> Vec<(String, Text)> {
        self.entries
            .iter()
            .skip(first)
            .filter_map(|(key, value)| Some((key.clone(), command(key, value)?)))
            .collect()
    }

    /// How many settings there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds the settings of an environment.
    pub(super) fn add_environment(&mut self, environment: &[(String, Text)]) {
        let value = |wanted: &str| {
            environment
                .iter()
                .rev()
                .find(|(name, _)| name == wanted)
                .map(|(_, value)| value)
        };
        for (name, key) in environment {
            let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") else {
                continue;
            };
            if let Some(value) = value(&format!("GIT_CONFIG_VALUE_{number}")) {
                self.set(&key.shown(), value.clone());
            }
        }
        if let Some(parameters) = value("GIT_CONFIG_PARAMETERS").and_then(Text::known) {
            for setting in split::words(parameters) {
                self.add(&setting);
            }
        }
    }
}

/// Whether a value is git's false.
pub(super) fn is_false(value: &str) -> bool {
    value.is_empty()
        || ["false", "no", "off", "0"]
            .iter()
            .any(|no| value.eq_ignore_ascii_case(no))
}

fn is_switch(value: &str) -> bool {
    is_false(value)
        || ["true", "yes", "on", "1"]
            .iter()
            .any(|yes| value.eq_ignore_ascii_case(yes))
}

/// The command that a setting makes git run.
pub(super) fn command(key: &str, value: &Text) -> Option<Text> {
    if value.known().is_some_and(is_switch) {
        return None;
    }
    let (section, rest) = key.split_once('.')?;
    let name = rest.rsplit_once('.').map_or(rest, |(_, name)| name);
    let runs = match section {
        "core" => matches!(
            name,
            "pager"
                | "editor"
                | "sshcommand"
                | "fsmonitor"
                | "askpass"
                | "gitproxy"
                | "alternaterefscommand"
        ),
        "sequence" => name == "editor",
        "interactive" => name == "difffilter",
        "gpg" => name == "program",
        "pager" => true,
        "diff" => matches!(name, "external" | "textconv" | "command"),
        "filter" => matches!(name, "clean" | "smudge" | "process"),
        "merge" => name == "driver",
        "remote" => matches!(name, "uploadpack" | "receivepack"),
        "difftool" | "mergetool" | "browser" | "man" => name == "cmd",
        "trailer" => matches!(name, "cmd" | "command"),
        "uploadpack" => name == "packobjectshook",
        // Other helpers are names of git's own programs.
        "credential" if name == "helper" => {
            return value
                .strip_prefix("!")
                .or_else(|| value.lead().starts_with('/').then(|| value.clone()));
        }
        _ => false,
    };
    runs.then(|| value.clone())
}
