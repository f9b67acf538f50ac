//! A folder of what is about to be committed, as those who look for checks see it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bellwether_hook::gate::Config;

use super::{Found, Missing, Step, Verdict};
use crate::tools::{Tools, is_program};

/// All that is known of a commit when checks are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    /// The folder that stands for the work tree's root.
    pub(crate) root: &'a Path,
    /// The work tree itself.
    pub(crate) real: &'a Path,
    /// The project in it; empty where that is the root.
    pub(crate) base: &'a Path,
    /// Every file of the commit's tree, relative to the root.
    pub(crate) files: &'a [String],
    /// Those that the commit adds or changes.
    pub(crate) changed: &'a [String],
    pub(crate) tools: &'a Tools,
    pub(crate) config: &'a Config,
}

/// One folder of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) scene: Scene<'a>,
    /// Relative to the root.
    pub(crate) folder: &'a Path,
}

impl<'a> Scene<'a> {
    /// The files of a list that are in the project.
    pub(crate) fn within(self, files: &'a [String]) -> impl Iterator<Item = &'a str> {
        let base = self.base;
        let files = files.iter().map(String::as_str);
        files.filter(move |file| Path::new(file).starts_with(base))
    }
}

impl<'a> Place<'a> {
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.scene.root.join(self.folder).join(name)
    }

    /// The folder of the work tree that this one stands for.
    pub(crate) fn real(&self) -> PathBuf {
        self.scene.real.join(self.folder)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub(crate) fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path(name)).ok()
    }

    /// This folder and those above it, up to the project's.
    pub(crate) fn upwards(&self) -> impl Iterator<Item = Place<'a>> {
        let scene = self.scene;
        let folders = self.folder.ancestors();
        let inside = folders.take_while(move |folder| folder.starts_with(scene.base));
        inside.map(move |folder| Place { scene, folder })
    }

    /// The first of these files that stands here or above.
    pub(crate) fn nearest(&self, names: &[&'static str]) -> Option<&'static str> {
        let mut places = self.upwards();
        places.find_map(|place| names.iter().copied().find(|name| place.has(name)))
    }

    /// A program of the project's own, here or above.
    pub(crate) fn local(&self, path: &str) -> Option<PathBuf> {
        let mut places = self.upwards().map(|place| place.path(path));
        places.find(|path| is_program(path))
    }

    /// The name of a check here.
    pub(crate) fn named(&self, name: &str) -> String {
        let folder = self
            .folder
            .strip_prefix(self.scene.base)
            .unwrap_or(self.folder);
        if folder.as_os_str().is_empty() {
            return name.to_owned();
        }
        format!("{name}:{}", folder.display())
    }

    /// A check that runs here, to be completed.
    pub(crate) fn step(&self, name: &str, program: &Path, shown: &str, how: String) -> Step {
        let words = shown.split(' ').skip(1).map(OsString::from);
        Step {
            name: self.named(name),
            program: program.to_owned(),
            words: words.collect(),
            shown: shown.to_owned(),
            folder: self.path(""),
            variables: Vec::new(),
            verdict: Verdict::ByCode,
            how,
            absent: &[],
        }
    }

    /// A check that would run here.
    pub(crate) fn missing(
        &self,
        name: &str,
        shown: &str,
        how: String,
        want: (&str, &str),
    ) -> Found {
        Found::Missing(Missing {
            name: self.named(name),
            shown: shown.to_owned(),
            how,
            what: want.0.to_owned(),
            advice: want.1.to_owned(),
        })
    }
}
