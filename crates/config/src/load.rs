//! Loads the configuration. Whatever is wrong in a file costs only the section it is in: that
//! section stays as it was when it was last good, or as the preset has it.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use bellwether_announce::{Hooks, Presets as _};
use bellwether_hook::guard;
use bellwether_hook::handlers::troubles;
use bellwether_spine::config::{
    Node, Origin, Place, Problem, Snapshot, Source, Trust, Value, merge, read,
};
use bellwether_spine::confirmed::Confirmed;
use bellwether_spine::{Home, SpineError};

use crate::confirm::guard_of;
use crate::layers::{Basis, Files, basis, environment, is_kit, take_out};
use crate::sections::{needs_trust, person_only, trusted_only};
use crate::{Config, phases, range, templates, yaml};

/// A file larger than this is no configuration.
const LARGEST: u64 = 1024 * 1024;
/// The section of a snapshot that holds what the person's own file came to, as JSON.
const LAST_GOOD: &str = "last_good";

/// The configuration, and what was wrong with it.
pub struct Loaded {
    pub config: Config,
    /// The same, with the place that each value came from.
    pub tree: Node,
    /// What would count without any file: the preset in its language.
    pub preset: Node,
    pub problems: Vec<Problem>,
    pub ignored: Vec<Ignored>,
    /// What the person's file would loosen in the guard, and the person has not confirmed.
    pub unconfirmed: Vec<String>,
    /// The project's file, if it has one.
    pub project: Option<ProjectFile>,
    /// Whether the person trusts the project, by its file or by its having none.
    pub trust: ProjectTrust,
    /// What counts without the environment: that of one process must not stay.
    lasting: Config,
    /// What the person's own file comes to.
    persons: Config,
    sources: Vec<Source>,
}

/// A project's file as it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct ProjectFile {
    pub path: PathBuf,
    /// What it holds; `None` when that could not be read.
    pub content: Option<Vec<u8>>,
    /// Whether that content is trusted.
    pub trusted: bool,
}

/// Whether a project is trusted. One without a file is trusted as such: the file that it gets later asks again.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ProjectTrust {
    /// The file that it goes by, which need not be there; `None` outside of any project.
    pub file: Option<PathBuf>,
    pub trusted: bool,
}

/// A setting that was passed over.
#[derive(Debug, PartialEq)]
pub struct Ignored {
    /// The keys that lead to it.
    pub path: String,
    /// What it says, and where.
    pub node: Node,
    pub why: Why,
}

/// Why a setting was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The project's file is not trusted.
    Untrusted,
    /// Only the person's own file can say it.
    PersonOnly,
}

/// Loads the configuration that counts in a project, or outside of any.
pub fn load(home: &Home, project: Option<&Path>, var: &dyn Fn(&str) -> Option<String>) -> Loaded {
    let confirmed = Confirmed::load(home).map(|confirmed| guard_of(&confirmed));
    load_over(home, project, var, confirmed.as_ref())
}

/// The person's file as it is written, whether that is confirmed or not.
pub(crate) fn load_as_written(home: &Home) -> Loaded {
    load_over(home, None, &|_| None, None)
}

/// Loads the configuration; what would loosen the guard that was confirmed does not count.
fn load_over(
    home: &Home,
    project: Option<&Path>,
    var: &dyn Fn(&str) -> Option<String>,
    confirmed: Option<&guard::Config>,
) -> Loaded {
    let files = Files::of(home, project);
    let watched = [files.person.clone(), home.trust(), home.confirmed()]
        .into_iter()
        .chain(files.project.clone());
    let sources = watched.map(Source::look).collect();
    let mut loading = Loading::default();
    let own = loading.file(&files.person);
    let (project_file, layer) = match files.of_project() {
        Some(path) => loading.project(home, path),
        None => (None, None),
    };
    let trust = ProjectTrust::of(home, &files, project_file.as_ref());
    let layers: Vec<&Node> = own.iter().map(|(node, _)| node).chain(&layer).collect();
    let mut standing = Standing::begin(basis(&layers, loading.has_kit));
    let preset = standing.tree.clone();
    let last_good = last_good(home, project);
    match own {
        Some((node, _)) => loading.lay(&mut standing, node, last_good.as_ref()),
        // The file is there and cannot be read: all that it last said counts.
        None if !loading.problems.is_empty() => standing.fall_back(last_good.as_ref()),
        None => {}
    }
    let unconfirmed = confirmed.map(|confirmed| standing.keep(confirmed));
    let persons = standing.config.clone();
    if let Some(mut layer) = layer {
        if project_file.as_ref().is_some_and(|file| !file.trusted) {
            loading.tighten(&mut layer, &standing.config);
        }
        loading.lay(&mut standing, layer, None);
    }
    if !trust.trusted {
        loading.switch_off(&mut standing);
    }
    let lasting = standing.config.clone();
    for layer in environment(var) {
        loading.lay(&mut standing, layer, None);
    }
    loading.forget_what_counts_anyway(&standing.tree);
    Loaded {
        config: standing.config,
        tree: standing.tree,
        preset,
        problems: loading.problems,
        ignored: loading.ignored,
        unconfirmed: unconfirmed.unwrap_or_default(),
        project: project_file,
        trust,
        lasting,
        persons,
        sources,
    }
}

/// What is wrong with a text of the person's file.
pub fn problems_of(path: &Path, text: &str) -> Vec<Problem> {
    of_text(path, text).1
}

/// What a text of the person's file comes to by itself, and what is wrong with it.
pub(crate) fn of_text(path: &Path, text: &str) -> (Config, Vec<Problem>) {
    let node = match yaml::parse(path, text) {
        Ok(node) => node,
        Err(problem) => return (Config::default(), vec![problem]),
    };
    let mut loading = Loading::default();
    let mut standing = Standing::begin(basis(&[&node], is_kit(&node)));
    loading.lay(&mut standing, node, None);
    (standing.config, loading.problems)
}

/// What the person's own file last came to, from the snapshot, whether that is still fresh or not.
fn last_good(home: &Home, project: Option<&Path>) -> Option<Node> {
    let (snapshot, _) = Snapshot::load(home, project)?;
    let good = serde_json::from_str(&snapshot.section::<String>(LAST_GOOD)?).ok()?;
    let place = Place::in_whole(Origin::BuiltIn("the last valid values"));
    Some(Node::from_json(&good, &place)).filter(|good| templates::problem(good).is_none())
}

/// What counts so far: always something that can be read.
struct Standing {
    tree: Node,
    config: Config,
}

impl Standing {
    fn begin(Basis { preset, language }: Basis) -> Self {
        let config = Config {
            preset,
            language,
            hooks: Hooks::of(preset, language),
            ..Config::default()
        };
        Self {
            tree: tree_of(&config, "the preset"),
            config,
        }
    }

    /// Keeps what was confirmed of the guard where the person's file is looser, and says where.
    fn keep(&mut self, confirmed: &guard::Config) -> Vec<String> {
        let (guard, loose) = guard::stricter(&self.config.guard, confirmed);
        if !loose.is_empty() {
            let place = Place::in_whole(Origin::BuiltIn("what you last confirmed"));
            let section = serde_json::to_value(&guard).unwrap_or_default();
            let entries = match &mut self.tree.value {
                Value::Map(entries) => entries.as_mut_slice(),
                _ => &mut [],
            };
            for (_, node) in entries
                .iter_mut()
                .filter(|(key, _)| key.text == guard::config::SECTION)
            {
                *node = Node::from_json(&section, &place);
            }
            self.config.guard = guard;
        }
        loose
    }

    fn fall_back(&mut self, good: Option<&Node>) {
        let Some(good) = good else { return };
        let tree = merge(self.tree.clone(), good.clone());
        if let Ok(config) = read(&tree) {
            *self = Self { tree, config };
        }
    }
}

#[derive(Default)]
struct Loading {
    problems: Vec<Problem>,
    ignored: Vec<Ignored>,
    /// One of the files is the notification kit's.
    has_kit: bool,
}

impl Loading {
    /// A file's tree and text; `None` when there is no file, or none that can be read.
    fn file(&mut self, path: &Path) -> Option<(Node, Vec<u8>)> {
        let text = contents(path).transpose()?;
        let read = text.and_then(|text| {
            let node = yaml::parse(path, &String::from_utf8_lossy(&text))?;
            Ok((node, text))
        });
        let read = read.map_err(|problem| self.problems.push(problem)).ok();
        self.has_kit |= read.as_ref().is_some_and(|(node, _)| is_kit(node));
        read
    }

    /// The project's file and its layer, without what it may not say.
    fn project(&mut self, home: &Home, path: &Path) -> (Option<ProjectFile>, Option<Node>) {
        let read = self.file(path);
        let trusted = read
            .as_ref()
            .is_some_and(|(_, text)| Trust::load(home).covers(path, text));
        let (mut layer, content) = read.unzip();
        if let Some(layer) = &mut layer {
            self.take_out(layer, &person_only(), Why::PersonOnly);
            if !trusted {
                self.take_out(layer, &needs_trust(), Why::Untrusted);
            }
        }
        (
            Some(ProjectFile {
                path: path.to_owned(),
                content,
                trusted,
            }),
            layer,
        )
    }

    fn take_out(&mut self, layer: &mut Node, paths: &[impl AsRef<[&'static str]>], why: Why) {
        let taken = take_out(layer, paths).into_iter();
        self.ignored
            .extend(taken.map(|(path, node)| Ignored { path, node, why }));
    }

    /// Switches off what runs a project's own programs, whichever file has switched it on.
    fn switch_off(&mut self, standing: &mut Standing) {
        let off = Node {
            value: Value::Bool(false),
            place: Place::in_whole(Origin::BuiltIn("a project that is not trusted")),
        };
        for section in trusted_only() {
            let Some(node) = standing.tree.at_mut(&[section, "enabled"]) else {
                continue;
            };
            if node.value == Value::Bool(true) {
                self.ignored.push(Ignored {
                    path: format!("{section}.enabled"),
                    node: std::mem::replace(node, off.clone()),
                    why: Why::Untrusted,
                });
            }
        }
        if let Ok(config) = read(&standing.tree) {
            standing.config = config;
        }
    }

    /// Takes out of an untrusted layer what would make the guard milder.
    fn tighten(&mut self, layer: &mut Node, standing: &Config) {
        let Value::Map(entries) = &mut layer.value else {
            return;
        };
        let section = entries
            .iter_mut()
            .find(|(key, _)| key.text == guard::config::SECTION);
        let taken = section.map(|(_, section)| guard::tighten(section, &standing.guard));
        self.ignored
            .extend(taken.into_iter().flatten().map(|(path, node)| Ignored {
                path: format!("{}.{path}", guard::config::SECTION),
                node,
                why: Why::Untrusted,
            }));
    }

    /// Lays a layer over what counts. A section of it that is wrong falls back to the last valid values,
    /// if that is known, else to what counts without this layer: a file spoils only what it says.
    fn lay(&mut self, standing: &mut Standing, layer: Node, last_good: Option<&Node>) {
        let without = match last_good {
            Some(good) => merge(standing.tree.clone(), good.clone()),
            None => standing.tree.clone(),
        };
        let mut tree = merge(standing.tree.clone(), layer);
        // Each turn takes one wrong section out, so there are no more turns than sections.
        loop {
            match checked(&tree) {
                Ok(config) => return *standing = Standing { tree, config },
                Err(problem) => {
                    let replaced = put_back(&mut tree, &problem, &without);
                    self.problems.push(problem);
                    if !replaced {
                        return;
                    }
                }
            }
        }
    }

    /// What says only what counts anyway is not worth a word.
    fn forget_what_counts_anyway(&mut self, tree: &Node) {
        self.ignored.retain(|ignored| {
            let path: Vec<&str> = ignored.path.split('.').collect();
            tree.at(&path)
                .is_none_or(|counts| counts.value != ignored.node.value)
        });
    }
}

/// The configuration that a tree says, if all of it may stand there.
fn checked(tree: &Node) -> Result<Config, Problem> {
    let config: Config = read(tree)?;
    let wrong = range::first_outside(tree)
        .or_else(|| templates::problem(tree))
        .or_else(|| phases::problem(tree, &config.workflow));
    wrong.map_or(Ok(config), Err)
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
    let unreadable = |error: std::io::Error| complain(format!("cannot be read: {error}"));
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = match File::options()
        .read(true)
        .custom_flags(nonblocking)
        .open(path)
    {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(complain("is not a file".to_owned()));
    }
    let mut text = Vec::new();
    file.take(LARGEST + 1)
        .read_to_end(&mut text)
        .map_err(unreadable)?;
    if text.len() as u64 > LARGEST {
        return Err(complain("is larger than 1 MiB".to_owned()));
    }
    Ok(Some(text))
}

/// What is said to the person of something that is not confirmed.
fn waits(what: &str) -> String {
    format!(
        "{what}, which you have not confirmed; what you confirmed before stays in effect until you run `bellwether config confirm`"
    )
}

impl ProjectTrust {
    fn of(home: &Home, files: &Files, found: Option<&ProjectFile>) -> Self {
        let absent = || files.project.first();
        let file = found.map(|found| &found.path).or_else(absent);
        let covers = |path: &PathBuf| Trust::load(home).covers(path, &[]);
        Self {
            file: file.cloned(),
            trusted: found.map_or_else(|| file.is_some_and(covers), |found| found.trusted),
        }
    }
}

impl Loaded {
    /// What the hook needs of it.
    pub fn snapshot(&self) -> Result<Snapshot, SpineError> {
        let mut snapshot = Snapshot::new(self.sources.clone());
        self.lasting.add_to(&mut snapshot)?;
        snapshot.add(
            troubles::PROBLEMS,
            &self
                .problems
                .iter()
                .map(ToString::to_string)
                .chain(self.unconfirmed.iter().map(|what| waits(what)))
                .collect::<Vec<_>>(),
        )?;
        snapshot.add(
            LAST_GOOD,
            &serde_json::to_string(&self.persons).unwrap_or_default(),
        )?;
        Ok(snapshot)
    }

    pub fn save(&self, home: &Home, project: Option<&Path>) -> Result<(), SpineError> {
        self.snapshot()?.save(home, project)
    }
}

#[cfg(test)]
mod tests;
