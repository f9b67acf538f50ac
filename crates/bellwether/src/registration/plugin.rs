//! Our own plugin, where the client has it on: what comes by it need not stand in the settings too.
//!
//! Architecture Invariant: events count as brought only by a copy whose files are those of this version. Whoever could put
//! another in its place would take the guard out of the settings with the next installation.

use std::path::{Path, PathBuf};

use bellwether_protocol::client::Client;
use serde_json::Value;

use super::Scope;
use crate::doctor::{Plugins, SettingsFile, file as looked, plugins_here, settings_here};
use crate::settings::{Document, file};

/// What it is called in every marketplace.
const NAME: &str = "bellwether";
const MANIFEST: &str = ".claude-plugin/plugin.json";
const HOOKS: &str = "hooks/hooks.json";
const STARTER: &str = "hooks/bellwether-hook";
/// The same as this version brings them.
const OUR_HOOKS: &str = include_str!("../../../../plugin/hooks/hooks.json");
const OUR_STARTER: &str = include_str!("../../../../plugin/hooks/bellwether-hook");
/// Where the client keeps its list of marketplaces, below its `plugins`, and where a marketplace lists what it has.
const MARKETPLACES: &str = "known_marketplaces.json";
const OFFERS: &str = ".claude-plugin/marketplace.json";

/// A copy of the plugin that the client runs, or would take the next one from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OwnPlugin {
    /// As the client calls it: with its marketplace.
    pub(crate) name: String,
    pub(crate) root: PathBuf,
    /// The marketplace's own copy and the one in the client's cache, where they are others.
    pub(crate) copies: Vec<PathBuf>,
}

impl OwnPlugin {
    /// The one that runs wherever this scope's settings count. Older clients than it is made for have no plugins.
    pub(crate) fn beside(scope: Scope, client: Client) -> Option<Self> {
        (client.version >= client.product.wire().plugin).then_some(())?;
        let mut settings = settings_here();
        settings.retain(|file| match scope {
            Scope::Managed => false,
            Scope::User => matches!(file.scope, Scope::User | Scope::Managed),
            Scope::Project | Scope::Local => true,
        });
        let claude = Scope::User.settings().ok()?.parent()?.to_owned();
        Self::find(&claude, &plugins_here(&settings), &settings)
    }

    /// The one that these settings switch on, among what the client has.
    pub(crate) fn find(
        claude: &Path,
        plugins: &Plugins,
        settings: &[SettingsFile],
    ) -> Option<Self> {
        let found = switched_on(settings).into_iter().filter_map(|name| {
            let installed = plugins.root_of(&name);
            let offered = in_marketplace(&claude.join("plugins"), &name);
            let cached = plugins.installed.iter().find(|one| one.name == name);
            let cached = cached.map(|one| one.folder.clone());
            // Clients that keep no list of what is installed run it where the marketplace has it.
            let in_place = offered.clone().filter(|_| !keeps_list(claude));
            let root = installed.map(PathBuf::from).or(in_place)?;
            let copies = offered.into_iter().chain(cached);
            Some(Self {
                name,
                copies: copies.filter(|copy| *copy != root).collect(),
                root,
            })
        });
        found.into_iter().next()
    }

    /// The events that reach us by it.
    pub(crate) fn events(&self) -> Vec<String> {
        if self.is_ours() { events() } else { Vec::new() }
    }

    /// Whether the copy that runs has the files of this version.
    pub(crate) fn is_ours(&self) -> bool {
        is_ours(&self.root)
    }

    pub(crate) fn version(&self) -> Option<String> {
        version(&self.root)
    }
}

/// The events in the hooks that this version brings.
fn events() -> Vec<String> {
    let document = Document::parse(OUR_HOOKS).ok();
    let entries = document.iter().flat_map(Document::ours);
    let mut events: Vec<String> = entries.map(|entry| entry.event.to_owned()).collect();
    events.dedup();
    events
}

/// Whether a copy has the files of this version.
pub(crate) fn is_ours(root: &Path) -> bool {
    let same = |path: &str, ours: &str| {
        let content = file::read(&root.join(path)).ok().flatten();
        content.is_some_and(|content| content.text == ours)
    };
    same(HOOKS, OUR_HOOKS)
        && same(STARTER, OUR_STARTER)
        && looked::runnable(&root.join(STARTER)).is_ok()
}

/// The version that a copy says it has.
pub(crate) fn version(root: &Path) -> Option<String> {
    let manifest = json(&root.join(MANIFEST))?;
    manifest["version"].as_str().map(str::to_owned)
}

/// Our names that some settings switch on and none switches off.
fn switched_on(settings: &[SettingsFile]) -> Vec<String> {
    let said: Vec<Value> = settings
        .iter()
        .filter_map(SettingsFile::document)
        .filter_map(|document| serde_json::from_str::<Value>(document.text()).ok())
        .map(|settings| settings["enabledPlugins"].clone())
        .collect();
    let names = said.iter().filter_map(Value::as_object).flatten();
    let mut names: Vec<String> = names
        .map(|(name, _)| name.clone())
        .filter(|name| name.split_once('@').is_some_and(|(name, _)| name == NAME))
        .filter(|name| {
            let mut here = said.iter().filter_map(|said| said.get(name));
            here.all(|on| *on == Value::Bool(true))
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

fn keeps_list(claude: &Path) -> bool {
    claude.join("plugins/installed_plugins.json").exists()
}

/// The folder of our plugin in the marketplace that its name tells.
fn in_marketplace(plugins: &Path, name: &str) -> Option<PathBuf> {
    let (_, marketplace) = name.split_once('@')?;
    let known = json(&plugins.join(MARKETPLACES))?;
    let folder = PathBuf::from(known[marketplace]["installLocation"].as_str()?);
    let offers = json(&folder.join(OFFERS))?;
    let mut offers = offers["plugins"].as_array()?.iter();
    let ours = offers.find(|offer| offer["name"] == NAME)?;
    let source = ours["source"].as_str()?;
    Some(folder.join(source.trim_start_matches("./")))
}

fn json(path: &Path) -> Option<Value> {
    let content = file::read(path).ok().flatten()?;
    serde_json::from_str(&content.text).ok()
}

/// Where the plugin looks for the hook before it looks at the search path.
pub(crate) fn places() -> Vec<PathBuf> {
    let own = std::env::home_dir().map(|home| home.join(".local/bin"));
    let system = ["/usr/local/bin", "/usr/bin", "/usr/local/lib/bellwether"];
    let folders = own.into_iter().chain(system.map(PathBuf::from));
    folders
        .map(|folder| folder.join(crate::settings::HOOK))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use bellwether_spine::Managed;

    use super::*;
    use crate::doctor::settings_file;

    /// A folder with the plugin as this version brings it.
    fn copy(folder: &Path) {
        for (path, text) in [
            (HOOKS, OUR_HOOKS),
            (STARTER, OUR_STARTER),
            (MANIFEST, r#"{"name": "bellwether", "version": "0.1.0"}"#),
        ] {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// A client's folder with a marketplace that has the plugin, run from there.
    fn client(folder: &Path) -> PathBuf {
        let (claude, clone) = (folder.join("claude"), folder.join("clone"));
        fs::create_dir_all(claude.join("plugins")).unwrap();
        fs::create_dir_all(clone.join(".claude-plugin")).unwrap();
        copy(&clone.join("plugin"));
        let offers = r#"{"plugins": [{"name": "bellwether", "source": "./plugin"}]}"#;
        fs::write(clone.join(OFFERS), offers).unwrap();
        let known = serde_json::json!({"m": {"installLocation": clone}}).to_string();
        fs::write(claude.join("plugins").join(MARKETPLACES), known).unwrap();
        claude
    }

    fn found(claude: &Path, settings: &[&str]) -> Option<OwnPlugin> {
        let files: Vec<SettingsFile> = settings
            .iter()
            .map(|text| settings_file(Scope::User, text))
            .collect();
        OwnPlugin::find(claude, &Plugins::default(), &files)
    }

    const ON: &str = r#"{"enabledPlugins": {"bellwether@m": true}}"#;
    const OFF: &str = r#"{"enabledPlugins": {"bellwether@m": false}}"#;

    #[test]
    fn it_counts_only_where_it_is_switched_on() {
        let folder = tempfile::tempdir().unwrap();
        let claude = client(folder.path());
        assert!(found(&claude, &[ON]).is_some_and(|plugin| plugin.is_ours()));
        let other = r#"{"enabledPlugins": {"bellwether@n": true, "sheep@m": true}}"#;
        for settings in [&[][..], &["{}"], &[OFF], &[ON, OFF], &[OFF, ON], &[other]] {
            assert_eq!(found(&claude, settings), None, "{settings:?}");
        }
    }

    #[test]
    fn a_copy_that_is_not_of_this_version_brings_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let claude = client(folder.path());
        let plugin = found(&claude, &[ON]).unwrap();
        assert_eq!(plugin.events().len(), 9);
        for path in [HOOKS, STARTER] {
            copy(&plugin.root);
            let text = fs::read_to_string(plugin.root.join(path)).unwrap();
            fs::write(plugin.root.join(path), text + "\n").unwrap();
            assert_eq!(plugin.events(), Vec::<String>::new(), "{path}");
        }
        copy(&plugin.root);
        let starter = plugin.root.join(STARTER);
        fs::set_permissions(&starter, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(!plugin.is_ours());
        fs::remove_file(&starter).unwrap();
        assert!(!plugin.is_ours());
    }

    #[test]
    fn the_starter_looks_where_we_say() {
        for place in places() {
            let place = place.display().to_string();
            let written = place.replace(
                &std::env::home_dir().unwrap().display().to_string(),
                "$HOME",
            );
            assert!(OUR_STARTER.contains(&written), "{written}");
        }
        assert!(places().contains(&Managed::default().hook()));
    }
}
