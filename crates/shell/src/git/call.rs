//! One call of git: its global options, its environment, its subcommand or alias.

use std::path::{Path, PathBuf};

use super::act::GitAct;
use super::config::Config;
use super::staging::{self, Staged, Staging, Unforeseen};
use super::{Before, GitEffect, Site, commands, split};
use crate::text::Text;
use crate::world::{Entry, World};

#[derive(Clone, Copy)]
pub struct GitCall<'a> {
    /// The words behind `git`.
    pub words: &'a [Text],
    /// The variables set for it: `GIT_DIR=x git …`.
    pub environment: &'a [(String, Text)],
    /// The folder it is called in, when that is known.
    pub folder: Option<&'a Path>,
    pub world: &'a dyn World,
}

/// What a call of git does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    pub effects: Vec<GitEffect>,
    pub runs: Vec<Run>,
    pub touched: Vec<Touched>,
    /// What it means for the next commit, in order.
    pub staging: Vec<Staged>,
}

/// What git does to files and settings beside the repository's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Touched {
    /// A file is written.
    Written(PathBuf),
    /// A folder is filled with what a repository holds.
    Filled(PathBuf),
    /// A setting of the person makes git run something from now on.
    Command(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub ran: Started,
    /// The folder it is run in, when that is known.
    pub folder: Option<PathBuf>,
    /// What makes git run it: `the git alias wipe`.
    pub by: String,
    /// It is not run now: it is set up to be.
    pub is_later: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Started {
    /// A text that a shell reads, `"$@"` behind it when there are arguments.
    Script { text: Text, arguments: Vec<Text> },
    /// A program with its arguments.
    Words(Vec<Text>),
}

/// How many aliases may stand for aliases; git itself refuses loops.
const DEEPEST: usize = 8;

/// Tells what a call of git does.
pub fn read(call: &GitCall<'_>) -> Reading {
    let mut git = Git {
        world: call.world,
        environment: call.environment,
        folder: call.folder.map(Path::to_owned),
        repository: Named::No,
        work_tree: Named::No,
        config: Config::default(),
        depth: 0,
        is_later: false,
        reading: Reading::default(),
    };
    git.read_environment();
    git.read(call.words);
    git.reading
}

/// A call while it is read.
pub(super) struct Git<'a> {
    pub(super) world: &'a dyn World,
    pub(super) environment: &'a [(String, Text)],
    pub(super) folder: Option<PathBuf>,
    pub(super) repository: Named,
    pub(super) work_tree: Named,
    pub(super) config: Config,
    depth: usize,
    /// What is read now does not happen yet.
    is_later: bool,
    reading: Reading,
}

/// A path that may be named.
pub(super) enum Named {
    No,
    At(PathBuf),
    Unknown,
}

/// Variables that hold commands for git to run.
const COMMANDS: &[&str] = &[
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_PAGER",
    "GIT_EXTERNAL_DIFF",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_PROXY_COMMAND",
    "EDITOR",
    "VISUAL",
    "PAGER",
];

impl Git<'_> {
    fn read_environment(&mut self) {
        for (name, value) in self.environment {
            match name.as_str() {
                "GIT_DIR" => self.repository = self.named(value),
                "GIT_WORK_TREE" => self.work_tree = self.named(value),
                command if COMMANDS.contains(&command) && !value.is_empty() => {
                    self.script(value.clone(), Vec::new(), command);
                }
                _ => {}
            }
        }
        self.config.add_environment(self.environment);
        self.run_config(0);
    }

    /// Reads the words behind `git`.
    pub(super) fn read(&mut self, words: &[Text]) {
        let known = self.config.len();
        let Some(rest) = self.globals(words) else {
            return;
        };
        self.run_config(known);
        let Some((name, rest)) = rest.split_first() else {
            return;
        };
        match name.known() {
            None => self.unknown(name, rest),
            Some(name) => {
                self.fill_work_tree(name);
                self.run_subcommand(name, rest);
            }
        }
    }

    /// A work tree that is named may be any folder, and these write what the repository holds into it.
    fn fill_work_tree(&mut self, subcommand: &str) {
        const FILLING: [&str; 14] = [
            "checkout",
            "reset",
            "restore",
            "switch",
            "pull",
            "merge",
            "read-tree",
            "checkout-index",
            "apply",
            "stash",
            "am",
            "cherry-pick",
            "revert",
            "rebase",
        ];
        let setting = self.config.get("core.worktree").cloned();
        let tree = match (&self.work_tree, setting) {
            (Named::At(path), _) => Some(path.clone()),
            (_, Some(setting)) => match self.named(&setting) {
                Named::At(path) => Some(path),
                _ => None,
            },
            _ => None,
        };
        if let Some(tree) = tree.filter(|_| FILLING.contains(&subcommand)) {
            self.reading.touched.push(Touched::Filled(tree));
        }
    }

    fn run_subcommand(&mut self, name: &str, rest: &[Text]) {
        staging::read(self, name, rest);
        match commands::of(name) {
            Some(command) => command(self, rest),
            None if commands::is_builtin(name) => {}
            None => self.alias(name, rest),
        }
    }

    /// Runs the settings from one on that are commands.
    fn run_config(&mut self, first: usize) {
        for (key, command) in self.config.commands_from(first) {
            self.script(command, Vec::new(), &key);
        }
    }

    fn alias(&mut self, name: &str, rest: &[Text]) {
        let set = self
            .config
            .get(&format!("alias.{}", name.to_ascii_lowercase()));
        let value = match (set, &self.folder) {
            (Some(value), _) => Some(value.clone()),
            (None, Some(folder)) => self.world.git_alias(folder, name).map(Text::from),
            (None, None) => None,
        };
        if let Some(value) = value {
            self.expand(name, &value, rest);
        }
    }

    /// Reads what an alias stands for.
    pub(super) fn expand(&mut self, name: &str, value: &Text, rest: &[Text]) {
        let by = format!("the git alias {name}");
        if self.depth >= DEEPEST {
            return self.act(GitAct::Unknown { what: by });
        }
        if let Some(script) = value.strip_prefix("!") {
            return self.script(script, rest.to_vec(), &by);
        }
        let Some(known) = value.known() else {
            return self.act(GitAct::Unknown { what: by });
        };
        let mut words = split::words(known);
        words.extend_from_slice(rest);
        self.depth += 1;
        self.read(&words);
        self.depth -= 1;
    }

    fn unknown(&mut self, name: &Text, rest: &[Text]) {
        if rest.iter().any(|word| is_forceful(word.lead())) {
            let what: Vec<String> = std::iter::once(name).chain(rest).map(Text::shown).collect();
            self.act(GitAct::Unknown {
                what: format!("git {}", what.join(" ")),
            });
        }
    }

    /// Something is done to the repository.
    pub(super) fn act(&mut self, act: GitAct) {
        let site = self.site();
        let before = Before::default();
        self.reading.effects.push(GitEffect { site, act, before });
    }

    /// Something is done that decides what the next commit holds.
    pub(super) fn stages(&mut self, act: Staging) {
        if self.is_later {
            return;
        }
        let named = |(name, _): &&(String, Text)| name == "GIT_INDEX_FILE";
        let index = self.environment.iter().rev().find(named);
        self.reading.staging.push(Staged {
            site: self.site(),
            index: index.map(|(_, file)| file.clone()),
            act,
        });
    }

    /// Reads something that is only set up.
    pub(super) fn later(&mut self, read: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_later, true);
        read(self);
        self.is_later = before;
    }

    /// What the next commit holds cannot be told from here on.
    pub(super) fn unforeseen(&mut self, by: String, of: Unforeseen) {
        self.stages(Staging::Unknown { by, of });
    }

    fn site(&self) -> Option<Site> {
        let named = |named: &Named| match named {
            Named::No => Some(None),
            Named::At(path) => Some(Some(path.clone())),
            Named::Unknown => None,
        };
        Some(Site {
            folder: self.folder.clone()?,
            git_dir: named(&self.repository)?,
            work_tree: named(&self.work_tree)?,
        })
    }

    /// A file that a word names is written.
    pub(super) fn writes(&mut self, file: &Text) {
        if let Named::At(path) = self.named(file) {
            self.reading.touched.push(Touched::Written(path));
        }
    }

    /// A folder that a word names is filled.
    pub(super) fn fills(&mut self, folder: &Text) {
        if let Named::At(path) = self.named(folder) {
            self.reading.touched.push(Touched::Filled(path));
        }
    }

    /// A lasting setting of the person runs something.
    pub(super) fn sets_command(&mut self, what: String) {
        self.reading.touched.push(Touched::Command(what));
    }

    /// A shell reads a text, in the root of the work tree.
    pub(super) fn script(&mut self, text: Text, arguments: Vec<Text>, by: &str) {
        let folder = self.root();
        self.run(Started::Script { text, arguments }, folder, by);
    }

    pub(super) fn run(&mut self, ran: Started, folder: Option<PathBuf>, by: &str) {
        let by = by.to_owned();
        let is_later = self.is_later;
        self.reading.runs.push(Run {
            ran,
            folder,
            by,
            is_later,
        });
    }

    /// The folder git works in.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The root of the work tree, or the folder itself when none is seen.
    pub(super) fn root(&self) -> Option<PathBuf> {
        let folder = self.folder.as_deref()?;
        let root = folder
            .ancestors()
            .find(|folder| self.world.look(&folder.join(".git")) != Entry::Missing);
        Some(root.unwrap_or(folder).to_owned())
    }

    /// Whether a word names something that is there.
    pub(super) fn is_there(&self, word: &Text) -> bool {
        match (word.known(), &self.folder) {
            (Some(name), Some(folder)) if !name.is_empty() => {
                self.world.look(&folder.join(name)) != Entry::Missing
            }
            _ => false,
        }
    }

    /// The names in a folder, which may be relative; nothing when it is not there.
    pub(super) fn names(&self, folder: &Text) -> Option<Vec<String>> {
        match self.named(folder) {
            Named::At(path) => match self.world.look(&path) {
                Entry::Folder | Entry::Link => Some(self.world.names(&path)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The text of a file in the root of the work tree.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.world.read(&self.root()?.join(name)).ok()
    }
}

/// Whether a word tells some subcommand to go on whatever is lost.
fn is_forceful(word: &str) -> bool {
    let cluster = word.strip_prefix('-').is_some_and(|letters| {
        letters.chars().all(|letter| letter.is_ascii_alphabetic()) && letters.contains(['f', 'D'])
    });
    cluster
        || word.starts_with('+')
        || ["--force", "--hard", "--delete", "--mirror", "--discard"]
            .iter()
            .any(|option| word.starts_with(option))
}
