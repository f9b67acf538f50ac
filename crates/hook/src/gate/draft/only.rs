//! `git commit PATH`: the last commit with these paths as they are in the work tree, whatever else is staged.

use std::path::Path;

use bellwether_shell::Text;

use super::super::changes::Covering;
use super::super::git::{Asking, Stop};
use super::super::words;
use super::{Draft, Step};

impl Draft<'_> {
    pub(super) fn only(&mut self, paths: &[Text], step: Step<'_>) -> Result<String, Stop> {
        let folder = &step.site.folder;
        let paths = words::paths(paths, folder)?;
        if !self.renamed.is_empty() || !self.removed.is_empty() {
            return Err(Stop::Doubt("files are renamed or removed first".to_owned()));
        }
        let covering = Covering {
            tracked: true,
            ..Covering::of(&paths, folder, &self.tree.root)
        };
        let foreseen = self.foresee(&covering, step.before);
        self.tolerate(foreseen)?;
        let list = self.scratch.file("paths");
        self.list(&paths, step, &list)?;
        let base = self.scratch.file("only");
        self.begin_with_last_commit(&base)?;
        for index in [base.as_path(), self.index.as_path()] {
            self.update(index, &list)?;
        }
        let tree = self.write_tree(&base, step.site);
        // The next one begins anew.
        let _ = std::fs::remove_file(&base);
        tree
    }

    /// Lists the files that git knows among some paths.
    fn list(&self, paths: &[String], step: Step<'_>, list: &Path) -> Result<(), Stop> {
        let mut words = vec!["ls-files", "-z", "--full-name", "--error-unmatch", "--"];
        words.extend(paths.iter().map(String::as_str));
        let known = self.git.must(&self.asking(step.site), &words)?;
        std::fs::write(list, known.out).map_err(|error| Stop::Failed(error.to_string()))
    }

    /// An index of what the last commit holds; an empty one where there is no commit yet.
    fn begin_with_last_commit(&self, index: &Path) -> Result<(), Stop> {
        let site = self.tree.site();
        let asking = Asking {
            index,
            ..self.asking(&site)
        };
        let head = self.head.as_deref().unwrap_or("HEAD");
        let words = ["rev-parse", "-q", "--verify", &format!("{head}^{{tree}}")];
        let is_there = self.git.ask(&asking, &words)?.code == Some(0);
        if is_there {
            self.git.must(&asking, &["read-tree", head])?;
        }
        Ok(())
    }

    /// Takes listed files from the work tree; those that are gone there go.
    fn update(&self, index: &Path, list: &Path) -> Result<(), Stop> {
        let site = self.tree.site();
        let asking = Asking {
            index,
            site: &site,
            input: Some(list),
        };
        let words = ["update-index", "--add", "--remove", "-z", "--stdin"];
        self.git.must(&asking, &words).map(drop)
    }
}
