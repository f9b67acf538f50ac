//! What a shell knows while it runs: folder, variables, functions, files that it has written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rable::Node;

use crate::effect::CodeFile;
use crate::git::Before;
use crate::stream::Stream;
use crate::text::{Fill, Text};

/// The most values that one variable is followed through.
pub(crate) const MOST_VALUES: usize = 8;

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Held {
    /// One of these; usually one.
    Text(Vec<Text>),
    List(Vec<Text>),
}

impl Held {
    fn texts(&self) -> &[Text] {
        match self {
            Self::Text(texts) | Self::List(texts) => texts,
        }
    }

    /// Whether some of it is not known.
    pub(crate) fn has_hole(&self) -> bool {
        self.texts().iter().any(Text::has_hole)
    }

    pub(crate) fn is_given(&self) -> bool {
        self.texts().iter().any(Text::is_given)
    }

    /// The same as a file gets it.
    pub(crate) fn given(&self) -> Self {
        let texts = self.texts().iter().map(Text::given).collect();
        match self {
            Self::Text(_) => Self::Text(texts),
            Self::List(_) => Self::List(texts),
        }
    }

    pub(crate) fn one(text: Text) -> Self {
        Self::Text(vec![text])
    }

    /// One of several, or a hole when there are too many.
    pub(crate) fn any(mut texts: Vec<Text>, shown: &str) -> Self {
        texts.dedup();
        match texts.len() {
            0 => Self::one(Text::default()),
            many if many > MOST_VALUES => Self::one(Text::hole(shown, Fill::Anything)),
            _ => Self::Text(texts),
        }
    }

    fn join(&mut self, other: &Self, name: &str) {
        match (&mut *self, other) {
            (Self::Text(ours), Self::Text(theirs)) => {
                let new: Vec<Text> = theirs
                    .iter()
                    .filter(|text| !ours.contains(text))
                    .cloned()
                    .collect();
                ours.extend(new);
                if ours.len() > MOST_VALUES {
                    *self = Self::one(Text::hole(format!("${name}"), Fill::Anything));
                }
            }
            (ours, theirs) if *ours != *theirs => {
                *ours = Self::one(Text::hole(format!("${name}"), Fill::Anything));
            }
            _ => {}
        }
    }
}

/// The longest value that is kept: names of files are shorter.
const LONGEST: usize = 64 * 1024;

/// A text, or a hole where it is too long.
pub(crate) fn bounded(text: Text, name: &str) -> Text {
    if text.len() > LONGEST {
        return Text::hole(format!("${name}"), Fill::Anything);
    }
    text
}

/// A function, and the file that it stands in.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub body: Rc<Node>,
    pub file: Option<CodeFile>,
}

/// All that a subshell copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// Where it may be; nowhere means that it cannot be told.
    pub folders: Vec<PathBuf>,
    pub before: Vec<PathBuf>,
    pub variables: BTreeMap<String, Held>,
    pub functions: BTreeMap<String, Function>,
    pub aliases: BTreeMap<String, String>,
    /// `$1`, `$2`, …
    pub arguments: Vec<Text>,
    /// `$0`.
    pub program: Option<Text>,
    /// Files that were written on the way, with their content.
    pub files: BTreeMap<PathBuf, Stream>,
    /// Those of them that code in a file has written.
    pub by_files: BTreeSet<PathBuf>,
    /// Links that were made on the way.
    pub links: BTreeMap<PathBuf, PathBuf>,
    /// Programs that were copied or linked on the way, with their names.
    pub copies: BTreeMap<PathBuf, String>,
    /// Folders that were made on the way.
    pub made: Vec<PathBuf>,
    /// Folders that were filled on the way with something whose names are not known.
    pub filled: Vec<PathBuf>,
    /// What runs when the shell ends.
    pub traps: Vec<Text>,
    /// `set -e`: nothing runs after a failure.
    pub leaves_on_failure: bool,
    /// What was opened by `exec 3<…`, by number or name.
    pub descriptors: BTreeMap<String, Stream>,
    /// What was done to the repository that git works in.
    pub git: Steps,
}

/// What git has done on the way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    /// Where.
    pub folder: Option<PathBuf>,
    pub done: Before,
    /// What is true as well if the last command succeeded.
    pub hoped: Option<Before>,
}

impl State {
    /// Goes on to the next command: it runs only after a success, or whatever happened.
    pub(crate) fn settle(&mut self, succeeded: bool) {
        let hoped = self.git.hoped.take();
        if let Some(hoped) = hoped.filter(|_| succeeded || self.leaves_on_failure) {
            self.git.done = hoped;
        }
    }

    /// What may be true after one of two ways was taken.
    pub(crate) fn join(&mut self, other: Self) {
        for folder in other.folders {
            if !self.folders.contains(&folder) {
                self.folders.push(folder);
            }
        }
        // Where one way has shifted them and the other has not, nothing is known of them.
        if self.arguments != other.arguments {
            let most = self.arguments.len().max(other.arguments.len());
            let unknown = |place| Text::hole(format!("${place}"), Fill::Anything);
            self.arguments = (1..=most).map(unknown).collect();
        }
        self.join_variables(other.variables);
        self.functions.extend(other.functions);
        self.aliases.extend(other.aliases);
        self.files.extend(other.files);
        self.by_files.extend(other.by_files);
        self.links.extend(other.links);
        self.copies.extend(other.copies);
        // What both ways made is there once.
        for folder in other.made {
            if !self.made.contains(&folder) {
                self.made.push(folder);
            }
        }
        for folder in other.filled {
            if !self.filled.contains(&folder) {
                self.filled.push(folder);
            }
        }
        self.descriptors.extend(other.descriptors);
        if self.git != other.git {
            self.git = Steps::default();
        }
    }

    /// Whether something in it may have one of several values.
    pub(crate) fn has_alternatives(&self) -> bool {
        let several = |value: &Held| match value {
            Held::Text(texts) => texts.len() > 1,
            Held::List(texts) => !texts.is_empty(),
        };
        self.folders.len() > 1 || self.variables.values().any(several)
    }

    /// What variables may hold after one of two ways was taken.
    pub(crate) fn join_variables(&mut self, other: BTreeMap<String, Held>) {
        for (name, value) in other {
            match self.variables.get_mut(&name) {
                Some(ours) => ours.join(&value, &name),
                // Set on one way only: on the other it is what it was outside, most often nothing.
                None => {
                    self.variables.insert(name, value);
                }
            }
        }
    }

    /// The folder, when there is only one that it can be.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self.folders.as_slice() {
            [folder] => Some(folder),
            _ => None,
        }
    }

    pub(crate) fn set(&mut self, name: &str, text: Text) {
        let text = bounded(text, name);
        self.variables.insert(name.to_owned(), Held::one(text));
    }
}
