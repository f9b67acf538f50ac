//! The hooks of the client's plugins, which stand in no settings file: those of every plugin that is installed and
//! switched on, and of those in a folder of skills, which the client loads by themselves.
//!
//! Plugins that a session is started with by an option of the client's cannot be known here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::file::{self, Unread};
use super::marketplaces::{self, Installation, MANIFEST, Marketplaces};
use super::settings_files::{Content, SettingsFile};
use crate::settings::check::FileKind;
use crate::settings::json::{Node, Value as Json};
use crate::settings::{Document, Entry};
use bellwether_transcript::CommandLine;

/// Where a plugin's hooks are, below its folder.
const HOOKS: &str = "hooks/hooks.json";
/// So many plugins are read, and for so long.
const MOST: usize = 500;
const PATIENCE: Duration = Duration::from_millis(500);

/// What was found of plugins.
#[derive(Default)]
pub(crate) struct Plugins {
    /// Those with hooks that count here, by name.
    pub with_hooks: Vec<Plugin>,
    /// All that are installed, also those that are switched off or count elsewhere.
    pub installed: Vec<Installation>,
    /// Those of them that count here and are switched on.
    pub enabled: Vec<Installation>,
    pub marketplaces: Marketplaces,
    /// Why the client's list cannot be read.
    pub unreadable: Option<String>,
    /// How many were not read, because there are too many.
    pub left_out: usize,
}

impl Plugins {
    /// The folder that a plugin with hooks runs from.
    pub(crate) fn root_of(&self, name: &str) -> Option<&Path> {
        let plugin = self.with_hooks.iter().find(|plugin| plugin.name == name);
        plugin.map(|plugin| plugin.root.as_path())
    }
}

/// A plugin with hooks.
pub(crate) struct Plugin {
    pub name: String,
    /// The files that it has hooks in; the first is its `hooks.json`, where there is one.
    pub files: Vec<HookFile>,
    root: PathBuf,
    data: PathBuf,
}

/// A file with hooks.
pub(crate) struct HookFile {
    pub path: PathBuf,
    pub kind: FileKind,
    pub content: Content,
}

/// The plugins that count here.
pub(super) fn look(claude: &Path, project: &Path, settings: &[SettingsFile]) -> Plugins {
    let folder = claude.join("plugins");
    let (installed, unreadable) = match marketplaces::installed(&folder) {
        Ok(installed) => (installed, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let marketplaces = Marketplaces::known(&folder);
    let said = said(settings);
    let mut enabled = marketplaces::counting(&installed, project);
    enabled.retain(|one| said.get(&one.name) == Some(&true));
    let roots = enabled.iter().map(|one| {
        let offer = marketplaces.offer(&one.name);
        let in_place = offer.filter(|_| marketplaces.runs_in_place(&one.name));
        let root = in_place.map_or(&one.folder, |offer| &offer.folder);
        (one.name.clone(), root.clone())
    });
    let mut roots: Vec<(String, PathBuf)> = roots.collect();
    roots.extend(
        [claude.join("skills"), project.join(".claude/skills")]
            .iter()
            .flat_map(|skills| among_skills(skills))
            .filter(|(name, _)| said.get(name) != Some(&false)),
    );
    roots.sort();
    roots.dedup();
    let (with_hooks, left_out) = read(roots, &folder.join("data"));
    Plugins {
        with_hooks,
        installed,
        enabled,
        marketplaces,
        unreadable,
        left_out,
    }
}

/// Reads plugins as long as there is time, and says how many were left out.
fn read(roots: Vec<(String, PathBuf)>, data: &Path) -> (Vec<Plugin>, usize) {
    let (began, all) = (Instant::now(), roots.len());
    let mut seen = 0;
    let in_time = |_: &(String, PathBuf)| began.elapsed() < PATIENCE;
    let plugins = roots.into_iter().take(MOST).take_while(in_time);
    let plugins = plugins.inspect(|_| seen += 1).filter_map(|(name, root)| {
        let files = hook_files(&root);
        let data = data.join(name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "-"));
        (!files.is_empty()).then_some(Plugin {
            name,
            files,
            root,
            data,
        })
    });
    let plugins = plugins.collect();
    (plugins, all - seen)
}

/// Which plugins settings switch on or off: of several that say so the last counts.
fn said(settings: &[SettingsFile]) -> BTreeMap<String, bool> {
    let documents = settings.iter().filter_map(SettingsFile::document);
    let mut said = BTreeMap::new();
    for document in documents {
        let plugins = document.root().get("enabledPlugins");
        for plugin in plugins.into_iter().flat_map(Node::members) {
            let is_on = !matches!(plugin.value.value, Json::Bool(false) | Json::Null);
            said.insert(plugin.name.clone(), is_on);
        }
    }
    said
}

/// The plugins in a folder of skills. The client calls them by the name that they give themselves.
fn among_skills(skills: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(skills).into_iter().flatten().flatten();
    let plugins = entries.take(MOST).filter_map(|entry| {
        let manifest = file::read_text(&entry.path().join(MANIFEST)).ok()??;
        let manifest: Value = serde_json::from_str(&manifest).ok()?;
        let name = format!("{}@skills-dir", manifest["name"].as_str()?);
        Some((name, entry.path()))
    });
    plugins.collect()
}

/// The files of a plugin that have hooks: its `hooks.json`, and what its manifest names or holds.
fn hook_files(root: &Path) -> Vec<HookFile> {
    let usual = hook_file(root.join(HOOKS), FileKind::Plugin);
    let manifest = hook_file(root.join(MANIFEST), FileKind::Manifest);
    let named: Vec<PathBuf> = match &manifest.content {
        Content::Said(document) => named_in(document)
            .iter()
            .map(|name| root.join(name.trim_start_matches("./")))
            .filter(|path| *path != usual.path)
            .collect(),
        _ => Vec::new(),
    };
    let holds = match &manifest.content {
        // Without a manifest the client makes one up.
        Content::Missing => false,
        Content::Said(document) => {
            document.hooks().is_some() || document.root().get("name").is_none()
        }
        Content::Unreadable(_) | Content::Unchecked(_) => true,
    };
    let more = named
        .into_iter()
        .map(|path| hook_file(path, FileKind::Plugin));
    let usual = Some(usual).filter(|usual| !matches!(usual.content, Content::Missing));
    let files = usual.into_iter().chain(more);
    files.chain(holds.then_some(manifest)).collect()
}

/// The files that a manifest names under `hooks`.
fn named_in(manifest: &Document) -> Vec<&str> {
    let hooks = manifest.hooks();
    let (one, several) = (
        hooks.and_then(|hooks| hooks.as_str()),
        hooks.map(Node::items).unwrap_or_default(),
    );
    let several = several.iter().filter_map(|item| item.as_str());
    one.into_iter().chain(several).collect()
}

fn hook_file(path: PathBuf, kind: FileKind) -> HookFile {
    let shown = path.display();
    let content = match file::read_text(&path) {
        Ok(None) => Content::Missing,
        Ok(Some(text)) => match Document::parse(text) {
            Ok(document) => Content::Said(document),
            Err(error) if error.is_depth() => Content::Unchecked(format!("{shown}, {error}")),
            Err(error) => Content::Unreadable(format!("{shown}, {error}")),
        },
        Err(why @ Unread::TooLarge(_)) => Content::Unchecked(format!("{shown} {why}")),
        Err(why) => Content::Unreadable(format!("{shown} {why}")),
    };
    HookFile {
        path,
        kind,
        content,
    }
}

impl HookFile {
    /// What it says, if it can be read.
    pub(crate) fn document(&self) -> Option<&Document> {
        match &self.content {
            Content::Said(document) => Some(document),
            Content::Missing | Content::Unreadable(_) | Content::Unchecked(_) => None,
        }
    }
}

impl Plugin {
    /// Every hook in its files that has the right shape, with its file.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&HookFile, Entry<'_>)> {
        self.files.iter().flat_map(|file| {
            let entries = file.document().map(Document::entries).unwrap_or_default();
            entries.into_iter().map(move |entry| (file, entry))
        })
    }

    /// The text of a command, with the plugin's folders in their places.
    pub(crate) fn placed(&self, text: &str) -> String {
        let (root, data) = (self.root.to_string_lossy(), self.data.to_string_lossy());
        text.replace("${CLAUDE_PLUGIN_ROOT}", &root)
            .replace("$CLAUDE_PLUGIN_ROOT", &root)
            .replace("${CLAUDE_PLUGIN_DATA}", &data)
            .replace("$CLAUDE_PLUGIN_DATA", &data)
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

    /// Its name without that of its marketplace.
    pub(crate) fn short_name(&self) -> &str {
        self.name
            .rsplit_once('@')
            .map_or(&self.name, |(name, _)| name)
    }
}
