//! The index as it will be when a commit is made: a copy of the repository's, over which git repeats what the command stages.
//!
//! Architecture Invariant: neither the work tree nor the repository's own index, branches or settings are changed. All that git writes
//! into the repository are objects, the same that the commit will write.

mod only;
mod rename;

use std::fs::{File, FileTimes};
use std::path::{Path, PathBuf};

use bellwether_shell::git::Site;
use bellwether_shell::git::staging::{
    Added, Adding, Commit, Holds, Removing, Rewound, Staging, Unforeseen,
};
use bellwether_shell::{Act, Text};

use super::changes::{Covering, changed};
use super::git::{Asking, Git, Stop, complaint};
use super::scratch::Scratch;
use super::words;
use super::work_tree::WorkTree;
use rename::Renamed;

/// The most files that are looked at which a command changes before it stages them.
const MOST_CHANGED: usize = 32;

pub(super) struct Draft<'a> {
    git: &'a Git,
    tree: &'a WorkTree,
    scratch: &'a Scratch,
    /// Our copy of the index.
    index: PathBuf,
    /// The last commit: `HEAD`, or where the command has put it.
    head: Option<String>,
    /// What is gone from the work tree by then: where it was said, and the paths.
    removed: Vec<(Site, Vec<String>)>,
    renamed: Vec<Renamed>,
    /// What changes the work tree in a way that cannot be told.
    unforeseen: Option<String>,
    /// Why it cannot be told what will be committed.
    doubt: Option<String>,
}

/// A step of a command: where, and what was done before it.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub site: &'a Site,
    pub before: &'a [Act],
}

impl<'a> Draft<'a> {
    /// A copy of a repository's index, or of the one that is named.
    pub(super) fn of(
        git: &'a Git,
        tree: &'a WorkTree,
        scratch: &'a Scratch,
        number: usize,
        named: Option<&Text>,
    ) -> Result<Self, Stop> {
        let from = match named.map(words::known).transpose()? {
            Some(named) => tree.root.join(named),
            None => tree.own.join("index"),
        };
        let index = scratch.file(&format!("index-{number}"));
        copy(&from, &index)
            .map_err(|error| Stop::Failed(format!("{}: {error}", from.display())))?;
        Ok(Self {
            git,
            tree,
            scratch,
            index,
            head: None,
            removed: Vec::new(),
            renamed: Vec::new(),
            unforeseen: None,
            doubt: None,
        })
    }

    /// Why it cannot be told what will be committed.
    pub(super) fn doubt(&self) -> Option<&str> {
        self.doubt.as_deref()
    }

    /// The last commit by then, where the command has made or named it.
    pub(super) fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    /// Repeats a step. What cannot be repeated makes the draft doubtful.
    pub(super) fn take(&mut self, act: &Staging, step: Step<'_>) -> Result<(), Stop> {
        let done = match act {
            Staging::Add(adding) => self.add(adding, step),
            Staging::Remove(removing) => self.remove(removing, step.site),
            Staging::Rename { from, to } => self.rename(from, to, step.site),
            Staging::Unstage { from, paths } => self.unstage(from.as_ref(), paths, step.site),
            Staging::Rewind { to, index } => self.rewind(to.as_ref(), *index, step.site),
            Staging::Unknown { by, of } => self.forgo(by, *of),
            Staging::Commit(_) | Staging::Begin(_) => Ok(()),
        };
        self.tolerate(done)
    }

    /// The tree that a commit will have; none when it will be that of the last one.
    pub(super) fn commit(
        &mut self,
        commit: &Commit,
        step: Step<'_>,
    ) -> Result<Option<String>, Stop> {
        let tree = match &commit.holds {
            Holds::Nothing => return Ok(None),
            Holds::Only(paths) => self.only(paths, step),
            holds => {
                let staged = self.stage_for(holds, step);
                self.tolerate(staged)?;
                self.write_tree(&self.index, step.site)
            }
        }?;
        self.head = Some(tree.clone());
        Ok(Some(tree))
    }

    fn stage_for(&mut self, holds: &Holds, step: Step<'_>) -> Result<(), Stop> {
        let paths = match holds {
            Holds::All => &[][..],
            Holds::Include(paths) => paths,
            Holds::Unknown(what) => return Err(Stop::Doubt(format!("it takes {what}"))),
            _ => return Ok(()),
        };
        let adding = Adding {
            of: Added::Tracked,
            paths: paths.to_vec(),
            ..Adding::default()
        };
        self.add(&adding, step)
    }

    fn tolerate(&mut self, done: Result<(), Stop>) -> Result<(), Stop> {
        match done {
            Err(Stop::Doubt(why)) => {
                self.doubt.get_or_insert(why);
                Ok(())
            }
            done => done,
        }
    }

    fn forgo(&mut self, by: &str, of: Unforeseen) -> Result<(), Stop> {
        match of {
            Unforeseen::Index => Err(Stop::Doubt(format!("`{by}` changes what is staged first"))),
            Unforeseen::WorkTree => {
                self.unforeseen.get_or_insert_with(|| by.to_owned());
                Ok(())
            }
        }
    }

    fn add(&mut self, adding: &Adding, step: Step<'_>) -> Result<(), Stop> {
        let folder = &step.site.folder;
        let paths = words::paths(&adding.paths, folder)?;
        let covering = Covering {
            tracked: adding.of == Added::Tracked,
            forced: adding.options.contains(&"--force"),
            ..Covering::of(&paths, folder, &self.tree.root)
        };
        let foreseen = self.foresee(&covering, step.before);
        self.tolerate(foreseen)?;
        let mut said: Vec<String> = vec!["add".to_owned()];
        said.extend(match adding.of {
            Added::Named => None,
            Added::All => Some("--all".to_owned()),
            Added::Tracked => Some("--update".to_owned()),
        });
        said.extend(adding.options.iter().map(|option| (*option).to_owned()));
        if let Some(listed) = &adding.listed {
            let file = words::known(&listed.file)?;
            if file == "-" {
                return Err(Stop::Doubt("`git add` reads what to add".to_owned()));
            }
            said.push(format!("--pathspec-from-file={file}"));
            said.extend(listed.nul.then(|| "--pathspec-file-nul".to_owned()));
        } else {
            said.push("--".to_owned());
            said.extend(self.before_renames(paths, folder));
        }
        self.over_the_work_tree(step.site, &said)
    }

    /// Lets git look at the work tree as it is now, and then takes out of the index what will be gone.
    fn over_the_work_tree(&mut self, site: &Site, said: &[String]) -> Result<(), Stop> {
        let renamed = self.renamed.clone();
        for one in renamed.iter().rev() {
            self.relocate(&one.to, &one.from)?;
        }
        let done = self.must(site, said);
        for one in &renamed {
            self.relocate(&one.from, &one.to)?;
        }
        for (site, paths) in self.removed.clone() {
            let gone = ["rm", "--cached", "-q", "-f", "-r", "--ignore-unmatch", "--"];
            let gone: Vec<String> = gone.into_iter().map(str::to_owned).chain(paths).collect();
            self.must(&site, &gone)?;
        }
        done
    }

    fn remove(&mut self, removing: &Removing, site: &Site) -> Result<(), Stop> {
        let paths = words::paths(&removing.paths, &site.folder)?;
        let mut said: Vec<String> = ["rm", "--cached", "-q", "-f"].map(str::to_owned).to_vec();
        said.extend(removing.folders.then(|| "-r".to_owned()));
        said.extend(removing.lenient.then(|| "--ignore-unmatch".to_owned()));
        said.push("--".to_owned());
        said.extend(paths.iter().cloned());
        self.must(site, &said)?;
        if !removing.cached {
            self.removed.push((site.clone(), paths));
        }
        Ok(())
    }

    fn unstage(&mut self, from: Option<&Text>, paths: &[Text], site: &Site) -> Result<(), Stop> {
        let mut said = vec!["reset".to_owned(), "-q".to_owned()];
        match from {
            Some(from) => said.push(self.revision(from)?),
            None => said.extend(self.head.clone()),
        }
        said.push("--".to_owned());
        let paths = words::paths(paths, &site.folder)?;
        // Without a path it would move the branch.
        if paths.is_empty() {
            return Ok(());
        }
        said.extend(paths);
        self.must(site, &said)
    }

    fn rewind(&mut self, to: Option<&Text>, index: Rewound, site: &Site) -> Result<(), Stop> {
        let to = match to {
            Some(to) => self.revision(to)?,
            None => self.head.clone().unwrap_or_else(|| "HEAD".to_owned()),
        };
        if index == Rewound::Too {
            self.must(site, &["read-tree", "--reset", &to].map(str::to_owned))?;
        }
        self.head = Some(to);
        Ok(())
    }

    /// A commit by a name that git cannot take for an option. What is seen from `HEAD` is something else once that has moved.
    fn revision(&self, name: &Text) -> Result<String, Stop> {
        let known = words::known(name)?;
        if known.is_empty() || known.starts_with('-') {
            return Err(Stop::Doubt(format!("`{known}` is no commit")));
        }
        let relative = known.starts_with("HEAD") || known.starts_with('@');
        if relative && self.head.is_some() {
            return Err(Stop::Doubt(format!("`{known}` is another commit by then")));
        }
        Ok(known.to_owned())
    }

    /// Makes sure that what is staged from the work tree stands there already.
    fn foresee(&self, covering: &Covering, before: &[Act]) -> Result<(), Stop> {
        if let Some(by) = &self.unforeseen {
            return Err(Stop::Doubt(format!("`{by}` changes files first")));
        }
        let changed = changed(before, &self.tree.root).into_iter();
        let covered: Vec<PathBuf> = changed.filter(|path| covering.has(path)).collect();
        for path in covered.iter().take(MOST_CHANGED) {
            if covered.len() > MOST_CHANGED || self.would_stage(path, covering)? {
                let shown = bellwether_spine::text::shown(&path.display().to_string(), 80);
                let shown = if shown.is_empty() {
                    ".".to_owned()
                } else {
                    shown
                };
                return Err(Stop::Doubt(format!(
                    "the same command changes `{shown}` first"
                )));
            }
        }
        Ok(())
    }

    fn would_stage(&self, path: &Path, covering: &Covering) -> Result<bool, Stop> {
        let site = self.tree.site();
        let asking = self.asking(&site);
        let spec = literal(path);
        let known = self.git.must(&asking, &["ls-files", "-z", "--", &spec])?;
        if !known.out.is_empty() {
            return Ok(true);
        }
        if covering.tracked || covering.forced {
            return Ok(covering.forced);
        }
        let path = path.display().to_string();
        let ignored = self
            .git
            .ask(&asking, &["check-ignore", "-q", "--", &path])?;
        Ok(ignored.code != Some(0))
    }

    fn write_tree(&self, index: &Path, site: &Site) -> Result<String, Stop> {
        let asking = Asking {
            index,
            ..self.asking(site)
        };
        let said = self.git.ask(&asking, &["write-tree", "--missing-ok"])?;
        let tree = String::from_utf8_lossy(&said.out).trim().to_owned();
        match said.code {
            Some(0) if is_id(&tree) => Ok(tree),
            _ if said.complaint.contains("unmerged") => Err(Stop::Refused),
            _ => Err(Stop::Failed(format!(
                "git write-tree: {}",
                complaint(&said)
            ))),
        }
    }

    fn must(&self, site: &Site, words: &[String]) -> Result<(), Stop> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.git.must(&self.asking(site), &words).map(drop)
    }

    fn asking<'s>(&'s self, site: &'s Site) -> Asking<'s> {
        Asking {
            site,
            index: &self.index,
            input: None,
        }
    }
}

/// A path from the root that means itself.
fn literal(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return ":(top)".to_owned();
    }
    format!(":(top,literal){}", path.display())
}

pub(super) fn is_id(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Copies an index with its time: git compares it with those of the files.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let modified = match std::fs::metadata(from) {
        Ok(found) => found.modified()?,
        // A repository without an index has nothing staged.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    std::fs::copy(from, to)?;
    let copied = File::options().write(true).open(to)?;
    copied.set_times(FileTimes::new().set_modified(modified))
}
