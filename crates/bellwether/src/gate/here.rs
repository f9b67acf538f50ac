//! Which project the gate works for here, and whether it may.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use bellwether_spine::{Home, meta};

use crate::config::{self, Loaded, Why};

/// The work tree, the project in it and its configuration.
pub(crate) struct Here {
    /// The folder that the command was given in.
    pub(crate) folder: PathBuf,
    /// The work tree's root, as git names it.
    pub(crate) root: PathBuf,
    /// The folder whose configuration counts.
    pub(crate) project: PathBuf,
    pub(crate) loaded: Loaded,
}

impl Here {
    /// The project that is named, or the nearest folder from the current one up to the work tree's root that has a
    /// configuration or is trusted; else the root.
    pub(crate) fn find(home: &Home, named: Option<&Path>) -> anyhow::Result<Self> {
        let folder = std::env::current_dir()?;
        let root = bellwether_gate::root_of(&folder)?;
        let load = |project: &Path| config::load(home, Some(project), &meta::variable);
        let nearest = || {
            let above = folder.ancestors();
            let inside = above.take_while(|folder| folder.starts_with(&root));
            let mut loaded = inside.map(|project| (project.to_owned(), load(project)));
            loaded.find(|(_, loaded)| loaded.project.is_some() || loaded.trust.trusted)
        };
        let (project, loaded) = match named {
            // Trusting one project says nothing about the programs of another.
            Some(project) => {
                let inside = project.canonicalize()?.starts_with(&root);
                ensure!(
                    inside,
                    "{} is not in the work tree {}",
                    project.display(),
                    root.display()
                );
                (project.to_owned(), load(project))
            }
            None => nearest().unwrap_or_else(|| (root.clone(), load(&root))),
        };
        Ok(Self {
            folder,
            root,
            project,
            loaded,
        })
    }

    /// Whether commits are checked here.
    pub(crate) fn is_on(&self) -> bool {
        self.loaded.config.gate.enabled
    }

    pub(crate) fn is_trusted(&self) -> bool {
        self.loaded.trust.trusted
    }

    /// Why commits are not checked here, and what would change that.
    pub(crate) fn why_off(&self) -> Option<String> {
        if self.is_on() {
            return None;
        }
        let mut ignored = self.loaded.ignored.iter();
        let waits = ignored.any(|it| it.why == Why::Untrusted && it.path.starts_with("gate"));
        let project = self.project.display();
        Some(if waits {
            format!(
                "{project} is not trusted, so what your configuration or its own says about the gate has no effect. A \
                 person can change that there: bellwether config trust"
            )
        } else if self.is_trusted() {
            format!(
                "gate.enabled is off for {project}. To switch it on: gate: {{enabled: true}} in the configuration"
            )
        } else {
            format!(
                "gate.enabled is off for {project}, and the project is not trusted. To switch it on: gate: {{enabled: \
                 true}} in your configuration, then bellwether config trust in the project"
            )
        })
    }
}
