//! The steps of a command, each over the index that it works on, and the trees that its commits will have.

use std::path::PathBuf;

use bellwether_shell::git::Site;
use bellwether_shell::git::staging::Staging;
use bellwether_shell::{Analysis, StagingStep, Text};

use super::config::Config;
use super::draft::{Draft, Step};
use super::git::{Git, Stop};
use super::scratch::Scratch;
use super::work_tree::{WorkTree, real};

/// A work tree whose project has a gate.
pub(super) struct Gated {
    pub tree: WorkTree,
    /// The folder whose configuration counts.
    pub project: PathBuf,
    pub config: Config,
}

/// A commit that is to be made.
pub(super) struct Candidate<'a> {
    pub gated: &'a Gated,
    pub tree: String,
    /// The last commit, where the command has made or named it.
    pub head: Option<String>,
}

impl Candidate<'_> {
    /// Whether another one holds the same in the same work tree.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.tree == other.tree && self.gated.tree == other.gated.tree
    }
}

/// The indexes that a command's steps work on.
pub(super) struct Drafts<'d, 'a> {
    analysis: &'a Analysis,
    gated: &'a [Gated],
    git: &'d Git,
    scratch: &'d Scratch,
    begun: Vec<PathBuf>,
    all: Vec<(&'a Gated, Option<&'a Text>, Draft<'d>)>,
}

impl<'d, 'a: 'd> Drafts<'d, 'a> {
    pub(super) fn new(
        analysis: &'a Analysis,
        gated: &'a [Gated],
        git: &'d Git,
        scratch: &'d Scratch,
    ) -> Self {
        Self {
            analysis,
            gated,
            git,
            scratch,
            begun: begun(analysis),
            all: Vec::new(),
        }
    }

    /// Repeats a step; when it is a commit, says what it will hold.
    pub(super) fn take(&mut self, staging: &'a StagingStep) -> Result<Option<Candidate<'a>>, Stop> {
        let Some(site) = &staging.staged.site else {
            return Ok(None);
        };
        let Some(at) = self.at(site, staging.staged.index.as_ref())? else {
            return Ok(None);
        };
        let (gated, _, draft) = &mut self.all[at];
        let acts = &self.analysis.acts;
        let step = Step {
            site,
            before: acts.get(..staging.after).unwrap_or_default(),
        };
        let Staging::Commit(commit) = &staging.staged.act else {
            draft.take(&staging.staged.act, step)?;
            return Ok(None);
        };
        let head = draft.head().map(str::to_owned);
        // A script cannot be taken apart: what can be told of it is checked.
        let is_script = !staging.via.is_empty();
        let drafted = draft.commit(commit, step);
        let doubt = draft
            .doubt()
            .filter(|_| !is_script && drafted != Err(Stop::Late));
        if let Some(why) = doubt {
            return Err(Stop::Doubt(why.to_owned()));
        }
        let tree = match drafted {
            Err(Stop::Refused) => None,
            Err(Stop::Doubt(_)) if is_script => None,
            drafted => drafted?,
        };
        Ok(tree.map(|tree| Candidate { gated, tree, head }))
    }

    /// Which draft a step works on, if its work tree has a gate.
    fn at(&mut self, site: &Site, named: Option<&'a Text>) -> Result<Option<usize>, Stop> {
        let Some(tree) = WorkTree::around(site, &self.begun) else {
            return Ok(None);
        };
        let Some(gated) = self.gated.iter().find(|gated| gated.tree == tree) else {
            return Ok(None);
        };
        let is_it = |(of, index, _): &(&Gated, Option<&Text>, Draft<'_>)| {
            of.tree == tree && *index == named
        };
        if let Some(at) = self.all.iter().position(is_it) {
            return Ok(Some(at));
        }
        let draft = Draft::of(self.git, &gated.tree, self.scratch, self.all.len(), named)?;
        self.all.push((gated, named, draft));
        Ok(Some(self.all.len() - 1))
    }
}

/// Where the command makes new repositories.
pub(super) fn begun(analysis: &Analysis) -> Vec<PathBuf> {
    let steps = analysis.staging.iter();
    let begun = steps.filter_map(|step| match &step.staged.act {
        Staging::Begin(folder) => Some(real(folder)),
        _ => None,
    });
    begun.collect()
}
