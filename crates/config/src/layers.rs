//! Where settings come from, lowest first: the preset, the person's file, the project's file, the
//! environment.

use std::path::{Path, PathBuf};

use bellwether_announce::{Language, Preset};
use bellwether_spine::Home;
use bellwether_spine::config::{Node, Origin, Place, Value, read};
use serde::de::DeserializeOwned;
use serde_json::json;

/// The files that can say something, in the order in which they count.
pub(crate) struct Files {
    pub person: PathBuf,
    /// The project's: of these the first that exists.
    pub project: Vec<PathBuf>,
}

impl Files {
    pub(crate) fn of(home: &Home, project: Option<&Path>) -> Self {
        let mut sources = bellwether_spine::config::sources(home, project).into_iter();
        Self {
            person: sources.next().unwrap_or_default(),
            project: sources.collect(),
        }
    }

    /// The project's file that counts.
    pub(crate) fn of_project(&self) -> Option<&Path> {
        self.project
            .iter()
            .find(|path| path.exists())
            .map(PathBuf::as_path)
    }
}

/// What the defaults depend on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Basis {
    pub preset: Preset,
    pub language: Language,
}

/// Where the notification kit whose configuration we read has it.
const KIT: &str = ".claude/hooks/config.yaml";

/// Whether a file is that kit's: it stands in its place, or has its two sections and no other.
pub(crate) fn is_kit(file: &Node) -> bool {
    let stands = matches!(&file.place.origin, Origin::File(path) if path.ends_with(KIT));
    let sections: Vec<&str> = file.entries().iter().map(|(key, _)| &*key.text).collect();
    stands || (sections.len() == 2 && ["global", "hooks"].iter().all(|it| sections.contains(it)))
}

/// The preset and the language that the layers name, the last one counting; a wrong name is
/// complained of later. The kit has no presets: what its file does not name is as in `full`.
pub(crate) fn basis(layers: &[&Node], has_kit: bool) -> Basis {
    fn named<T: DeserializeOwned>(layers: &[&Node], key: &str) -> Option<T> {
        let mut layers = layers.iter().rev();
        layers.find_map(|layer| read(layer.get(key)?).ok())
    }
    Basis {
        preset: named(layers, "preset").unwrap_or(if has_kit {
            Preset::Full
        } else {
            Preset::default()
        }),
        language: named(layers, "language").unwrap_or_default(),
    }
}

/// What the environment says. The names are those of the kit whose configuration we read.
pub(crate) fn environment(var: &dyn Fn(&str) -> Option<String>) -> Vec<Node> {
    let layer = |name: &'static str, key: &str, value: serde_json::Value| {
        Node::from_json(
            &json!({ "global": { key: value } }),
            &Place::in_whole(Origin::Variable(name)),
        )
    };
    let debug = var("HOOK_DEBUG").map(|said| layer("HOOK_DEBUG", "debug", json!(is_yes(&said))));
    let project =
        var("HOOK_PROJECT_DIR").map(|path| layer("HOOK_PROJECT_DIR", "project_dir", json!(path)));
    debug.into_iter().chain(project).collect()
}

fn is_yes(said: &str) -> bool {
    matches!(
        said.to_ascii_lowercase().as_str(),
        "1" | "true" | "yes" | "on"
    )
}

/// Takes out of a layer what it may not say, and returns it with its path.
pub(crate) fn take_out(
    layer: &mut Node,
    paths: &[impl AsRef<[&'static str]>],
) -> Vec<(String, Node)> {
    let removed = paths.iter().flat_map(|path| layer.remove(path.as_ref()));
    removed
        .filter(|(_, node)| node.value != Value::Null)
        .collect()
}
