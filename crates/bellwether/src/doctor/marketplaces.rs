//! The client's lists of plugins: which are installed and where, and what the marketplaces that they come from have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::file;

/// Where the client keeps its lists, below its `plugins`.
const INSTALLED: &str = "installed_plugins.json";
const MARKETPLACES: &str = "known_marketplaces.json";
/// Where a marketplace lists its plugins, and a plugin describes itself.
const OFFERS: &str = ".claude-plugin/marketplace.json";
pub(super) const MANIFEST: &str = ".claude-plugin/plugin.json";

/// One line of the client's list of installed plugins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Installation {
    /// `plugin@marketplace`.
    pub name: String,
    pub folder: PathBuf,
    pub version: Option<String>,
    /// The project that it is installed for; `None` for all.
    project: Option<PathBuf>,
}

/// What the client's list of installed plugins says; why it cannot be read.
pub(super) fn installed(plugins: &Path) -> Result<Vec<Installation>, String> {
    let list = json(&plugins.join(INSTALLED))?;
    let named = list["plugins"].as_object().into_iter().flatten();
    let found = named.flat_map(|(name, entry)| {
        // Older clients have one entry, newer ones one for each scope.
        let entries = match entry {
            Value::Array(entries) => entries.as_slice(),
            one => std::slice::from_ref(one),
        };
        entries.iter().filter_map(|entry| {
            Some(Installation {
                name: name.clone(),
                folder: entry["installPath"].as_str()?.into(),
                version: entry["version"].as_str().map(str::to_owned),
                project: entry["projectPath"].as_str().map(PathBuf::from),
            })
        })
    });
    Ok(found.collect())
}

/// The installations that count in a project: one for each name, the project's own before the general one.
pub(super) fn counting(all: &[Installation], project: &Path) -> Vec<Installation> {
    let mut counting: BTreeMap<&str, &Installation> = BTreeMap::new();
    for one in all {
        match &one.project {
            Some(other) if other != project => {}
            Some(_) => drop(counting.insert(&one.name, one)),
            None => drop(counting.entry(&one.name).or_insert(one)),
        }
    }
    counting.into_values().cloned().collect()
}

/// The marketplaces that the client knows, by name.
#[derive(Debug, Default)]
pub(crate) struct Marketplaces(BTreeMap<String, Marketplace>);

#[derive(Debug)]
struct Marketplace {
    /// A folder of this machine, out of which the client runs plugins as they are.
    is_folder: bool,
    offers: Vec<Offer>,
}

/// A plugin as its marketplace has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    name: String,
    pub folder: PathBuf,
    pub version: Option<String>,
}

impl Marketplaces {
    pub(super) fn known(plugins: &Path) -> Self {
        let list = json(&plugins.join(MARKETPLACES)).unwrap_or_default();
        let known = list.as_object().into_iter().flatten();
        let read = known.filter_map(|(name, entry)| {
            let root = PathBuf::from(entry["installLocation"].as_str()?);
            let marketplace = Marketplace {
                is_folder: entry["source"]["source"] == "directory",
                offers: offers(&root),
            };
            Some((name.clone(), marketplace))
        });
        Self(read.collect())
    }

    /// What a plugin's marketplace has under its name; `None` when that lies elsewhere than on this machine.
    pub(crate) fn offer(&self, plugin: &str) -> Option<&Offer> {
        let (marketplace, name) = self.of(plugin)?;
        marketplace.offers.iter().find(|offer| offer.name == name)
    }

    /// Whether the client runs a plugin out of its marketplace's folder, and not the copy that it made.
    pub(crate) fn runs_in_place(&self, plugin: &str) -> bool {
        self.of(plugin)
            .is_some_and(|(marketplace, _)| marketplace.is_folder)
    }

    fn of<'a>(&self, plugin: &'a str) -> Option<(&Marketplace, &'a str)> {
        let (name, marketplace) = plugin.rsplit_once('@')?;
        Some((self.0.get(marketplace)?, name))
    }
}

fn offers(root: &Path) -> Vec<Offer> {
    let list = json(&root.join(OFFERS)).unwrap_or_default();
    let base = list["metadata"]["pluginRoot"].as_str().unwrap_or_default();
    let base = root.join(base.trim_start_matches("./"));
    let plugins = list["plugins"].as_array().into_iter().flatten();
    let offers = plugins.filter_map(|plugin| {
        let source = plugin["source"].as_str()?;
        let folder = base.join(source.trim_start_matches("./"));
        let version = plugin["version"].as_str().map(str::to_owned);
        Some(Offer {
            name: plugin["name"].as_str()?.to_owned(),
            version: version_of(&folder).or(version),
            folder,
        })
    });
    offers.collect()
}

/// The version that a plugin's folder says it has.
pub(crate) fn version_of(folder: &Path) -> Option<String> {
    let manifest = json(&folder.join(MANIFEST)).ok()?;
    manifest["version"].as_str().map(str::to_owned)
}

/// A file of JSON; nothing when there is none.
fn json(path: &Path) -> Result<Value, String> {
    let text = file::read_text(path).map_err(|why| format!("{} {why}", path.display()))?;
    let Some(text) = text else {
        return Ok(Value::Null);
    };
    serde_json::from_str(&text).map_err(|why| format!("{} is no JSON: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_installation_of_this_project_counts() {
        let installation = |folder: &str, project: Option<&str>| Installation {
            name: "lint@shop".into(),
            folder: folder.into(),
            version: None,
            project: project.map(PathBuf::from),
        };
        let (general, here, elsewhere) = (
            installation("/1", None),
            installation("/2", Some("/p")),
            installation("/3", Some("/q")),
        );
        let all = [here.clone(), general.clone(), elsewhere];
        assert_eq!(counting(&all, Path::new("/p")), [here]);
        assert_eq!(counting(&all, Path::new("/x")), [general]);
    }

    #[test]
    fn lists_of_old_and_new_clients_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| std::fs::write(folder.path().join(INSTALLED), text).unwrap();
        assert_eq!(installed(folder.path()), Ok(vec![]));
        write(
            r#"{"plugins": {"a@m": {"installPath": "/a"}, "b@m": [{"installPath": "/b", "version": "1"}, 7]}}"#,
        );
        let names: Vec<String> = installed(folder.path())
            .unwrap()
            .iter()
            .map(|one| format!("{} {} {:?}", one.name, one.folder.display(), one.version))
            .collect();
        assert_eq!(names, ["a@m /a None", "b@m /b Some(\"1\")"]);
        write("[");
        assert!(installed(folder.path()).unwrap_err().contains("is no JSON"));
        write("[]");
        assert_eq!(installed(folder.path()), Ok(vec![]));
    }
}
