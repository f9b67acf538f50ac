//! Loads the configuration. Whatever is wrong in a file costs only the section it is in: that
//! section stays as it was when it was last good, or as the preset has it.

use std::path::{Path, PathBuf};

use bellwether_announce::{Hooks, NEEDS_TRUST, Presets as _};
use bellwether_hook::handlers::troubles;
use bellwether_spine::config::{
    Node, Origin, Place, Problem, Snapshot, Source, Trust, Value, merge, read,
};
use bellwether_spine::{Home, SpineError, meta};

use super::layers::{Files, environment, preset, take_out};
use super::{Config, PERSON_ONLY, yaml};

/// A file larger than this is no configuration.
const LARGEST: u64 = 1024 * 1024;
/// The section of a snapshot that holds all of the configuration, as JSON.
const WHOLE: &str = "config";

/// The configuration, and what was wrong with it.
pub(crate) struct Loaded {
    /// What counts.
    pub config: Config,
    /// The same, with the place that each value came from.
    pub tree: Node,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// What was passed over.
    pub ignored: Vec<Ignored>,
    /// The project's file, and whether it is trusted.
    pub project: Option<(PathBuf, bool)>,
    sources: Vec<Source>,
}

/// A setting that was passed over.
#[derive(Debug, PartialEq)]
pub(crate) struct Ignored {
    /// The keys that lead to it.
    pub path: String,
    /// What it says, and where.
    pub node: Node,
    /// Why.
    pub why: Why,
}

/// Why a setting was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// The project's file is not trusted.
    Untrusted,
    /// Only the person's own file can say it.
    PersonOnly,
}

/// Loads the configuration that counts in a project, or outside of any.
pub(crate) fn load(
    home: &Home,
    project: Option<&Path>,
    var: &dyn Fn(&str) -> Option<String>,
) -> Loaded {
    let files = Files::of(home, project);
    let sources = files
        .project
        .iter()
        .chain([&files.person, &home.trust()])
        .cloned()
        .map(Source::look)
        .collect();
    let mut loading = Loading {
        last_good: last_good(home, project),
        ..Loading::default()
    };
    let mut layers: Vec<Node> = loading
        .file(&files.person)
        .into_iter()
        .map(|(node, _)| node)
        .collect();
    let project_file = files.of_project().map(Path::to_owned);
    let trusted = project_file
        .as_deref()
        .is_some_and(|path| loading.project(home, path, &mut layers));
    layers.extend(environment(var));
    let (config, tree) = loading.settle(layers);
    // What says only what counts anyway is not worth a word.
    loading.ignored.retain(|ignored| {
        let path: Vec<&str> = ignored.path.split('.').collect();
        tree.at(&path)
            .is_none_or(|counts| counts.value != ignored.node.value)
    });
    Loaded {
        config,
        tree,
        problems: loading.problems,
        ignored: loading.ignored,
        project: project_file.map(|path| (path, trusted)),
        sources,
    }
}

/// Where the debug files of a project go, if its configuration asks for them.
pub(crate) fn debug_folder(home: &Home, project: Option<&Path>) -> Option<PathBuf> {
    let global = load(home, project, &meta::variable).config.global;
    global.debug.then_some(())?;
    let base = match global.project_dir.as_str() {
        "" => project?.to_owned(),
        folder => PathBuf::from(folder),
    };
    Some(base.join(global.debug_dir)).filter(|folder| folder.is_absolute())
}

/// What was last good, from the snapshot, whether it is still fresh or not.
fn last_good(home: &Home, project: Option<&Path>) -> Option<serde_json::Value> {
    let (snapshot, _) = Snapshot::load(home, project)?;
    serde_json::from_str(&snapshot.section::<String>(WHOLE)?).ok()
}

#[derive(Default)]
struct Loading {
    problems: Vec<Problem>,
    ignored: Vec<Ignored>,
    last_good: Option<serde_json::Value>,
    /// A file could not be read at all, so all of what it last said counts.
    broken: bool,
}

impl Loading {
    /// A file's tree and text; `None` when there is no file, or none that can be read.
    fn file(&mut self, path: &Path) -> Option<(Node, Vec<u8>)> {
        let read = match contents(path) {
            Ok(None) => return None,
            Ok(Some(text)) => {
                yaml::parse(path, &String::from_utf8_lossy(&text)).map(|node| (node, text))
            }
            Err(problem) => Err(problem),
        };
        match read {
            Ok(read) => Some(read),
            Err(problem) => {
                self.broken = true;
                self.problems.push(problem);
                None
            }
        }
    }

    /// Adds the project's layer, without what it may not say; true when the file is trusted.
    fn project(&mut self, home: &Home, path: &Path, layers: &mut Vec<Node>) -> bool {
        let Some((mut layer, text)) = self.file(path) else {
            return false;
        };
        let trusted = Trust::load(home).covers(path, &text);
        let mut take = |paths, why| {
            let taken = take_out(&mut layer, paths);
            self.ignored.extend(
                taken
                    .into_iter()
                    .map(|(path, node)| Ignored { path, node, why }),
            );
        };
        take(PERSON_ONLY, Why::PersonOnly);
        if !trusted {
            take(NEEDS_TRUST, Why::Untrusted);
        }
        layers.push(layer);
        trusted
    }

    /// Reads the layers over the preset, section by section.
    fn settle(&mut self, layers: Vec<Node>) -> (Config, Node) {
        let preset = preset(&layers);
        let begun = Config {
            preset,
            hooks: Hooks::of(preset),
            ..Config::default()
        };
        let base = tree_of(&begun, "the preset");
        let fallback = match self.last_good.take() {
            Some(good) => merge(
                base.clone(),
                Node::from_json(
                    &good,
                    &Place::in_whole(Origin::BuiltIn("what was last good")),
                ),
            ),
            None => base.clone(),
        };
        if self.broken {
            return (read(&fallback).unwrap_or(begun), fallback);
        }
        let mut tree = layers.into_iter().fold(base, merge);
        // Each turn takes one wrong section out, so there are no more turns than sections.
        loop {
            match read::<Config>(&tree) {
                Ok(config) => return (config, tree),
                Err(problem) => {
                    let replaced = put_back(&mut tree, &problem, &fallback);
                    self.problems.push(problem);
                    if !replaced {
                        return (begun, fallback);
                    }
                }
            }
        }
    }
}

fn tree_of(config: &Config, name: &'static str) -> Node {
    let json = serde_json::to_value(config).unwrap_or_default();
    Node::from_json(&json, &Place::in_whole(Origin::BuiltIn(name)))
}

/// Replaces the section that a problem is in by what it falls back to; false when nothing changes.
fn put_back(tree: &mut Node, problem: &Problem, fallback: &Node) -> bool {
    let Value::Map(entries) = &mut tree.value else {
        return false;
    };
    let mut path = problem.path.split('.').filter(|key| !key.is_empty());
    let Some(section) = path.next() else {
        // An unknown key at the top.
        let before = entries.len();
        entries.retain(|(key, _)| key.place != problem.place);
        return entries.len() < before;
    };
    let Some((_, node)) = entries.iter_mut().find(|(key, _)| key.text == section) else {
        return false;
    };
    let Some(good) = fallback.get(section) else {
        return false;
    };
    match (path.next(), &mut node.value) {
        // Each announcement is a section of its own.
        (Some(name), Value::Map(inner)) if section == "hooks" => {
            let Some((_, node)) = inner.iter_mut().find(|(key, _)| key.text == name) else {
                return false;
            };
            let Some(good) = good.get(name) else {
                return false;
            };
            replace(node, good)
        }
        (None, Value::Map(inner)) if section == "hooks" => {
            let before = inner.len();
            inner.retain(|(key, _)| key.place != problem.place);
            inner.len() < before
        }
        _ => replace(node, good),
    }
}

fn replace(node: &mut Node, good: &Node) -> bool {
    let changes = node != good;
    *node = good.clone();
    changes
}

/// A file's bytes; `None` when there is none. Pipes and devices are not waited for.
fn contents(path: &Path) -> Result<Option<Vec<u8>>, Problem> {
    let complain = |message: String| Problem {
        place: Place::in_whole(Origin::File(std::sync::Arc::new(path.to_owned()))),
        path: String::new(),
        message,
        suggestion: None,
    };
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(complain(format!("cannot be read: {error}"))),
        Ok(seen) if !seen.is_file() => Err(complain("is not a file".to_owned())),
        Ok(seen) if seen.len() > LARGEST => Err(complain("is larger than 1 MiB".to_owned())),
        Ok(_) => std::fs::read(path)
            .map(Some)
            .map_err(|error| complain(format!("cannot be read: {error}"))),
    }
}

impl Loaded {
    /// Keeps what the hook needs of it.
    pub(crate) fn save(&self, home: &Home, project: Option<&Path>) -> Result<(), SpineError> {
        let mut snapshot = Snapshot::new(self.sources.clone());
        snapshot.add(troubles::SECTION, &self.config.troubles)?;
        snapshot.add(
            WHOLE,
            &serde_json::to_string(&self.config).unwrap_or_default(),
        )?;
        snapshot.save(home, project)
    }
}

#[cfg(test)]
mod tests;
