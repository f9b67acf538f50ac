//! From a command to a verdict on its commits: what they will hold, whether that has passed before, and if not what the checks say.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bellwether_protocol::event::Deed;
use bellwether_protocol::reply::Reply;
use bellwether_shell::Analysis;
use bellwether_shell::git::staging::{Holds, Staging};
use bellwether_spine::trouble::Troubles;
use bellwether_spine::{Home, SpineError};

use super::config::{Config, SECTION};
use super::draft::is_id;
use super::drafts::{Candidate, Drafts, Gated, begun};
use super::git::{Asking, Git, Stop};
use super::passes::Passes;
use super::report::{Outcome, Report};
use super::runner::Subject;
use super::said::{Checked, CommitVerdict};
use super::scratch::Scratch;
use super::work_tree::WorkTree;
use super::{hint, record, runner};
use crate::handlers::Context;
use crate::handlers::guard::Case;

/// Longer than this the client does not wait: 60 s, less what it takes to say so.
const LONGEST: Duration = Duration::from_secs(55);

/// The commits of a command that go through a gate.
pub(crate) struct Commits<'a> {
    context: Context<'a>,
    analysis: &'a Analysis,
    gated: Vec<Gated>,
}

/// The commits of an event's command that go through a gate.
pub(crate) fn find(context: Context<'_>) -> Option<Commits<'_>> {
    let analysis = analysis(context)?;
    let mut gated: Vec<Gated> = Vec::new();
    for (tree, _) in work_trees(analysis) {
        if !gated.iter().any(|known| known.tree == tree) {
            gated.extend(gated_by(context, tree));
        }
    }
    (!gated.is_empty()).then_some(Commits {
        context,
        analysis,
        gated,
    })
}

/// What the guard has found out; without a guard, what we do, if there is a gate.
pub(super) fn analysis(context: Context<'_>) -> Option<&Analysis> {
    if !context.looked.has_analysed() {
        let tool = context.event.tool.as_ref()?;
        matches!(tool.deed(), Deed::Command(_)).then_some(())?;
        let config: Config = context.settings.section(SECTION);
        config.enabled.then_some(())?;
        Case::of(context)?.look(&std::sync::Arc::new(context.settings.guard()));
    }
    context.looked.analysis()
}

/// The work trees that a command commits in, each with the number of its step.
pub(super) fn work_trees(analysis: &Analysis) -> Vec<(WorkTree, usize)> {
    let begun = begun(analysis);
    analysis
        .commits()
        .filter_map(|(number, step)| {
            let tree = WorkTree::around(step.staged.site.as_ref()?, &begun)?;
            Some((tree, number))
        })
        .collect()
}

/// A work tree with its gate, if that is switched on: by the session's project where that is in it, by its own otherwise.
pub(super) fn gated_by(context: Context<'_>, tree: WorkTree) -> Option<Gated> {
    let project = crate::project_of(context.event, context.client);
    let inside = |project: &PathBuf| {
        let real = project.canonicalize();
        real.is_ok_and(|project| project.starts_with(&tree.root))
    };
    let project = project.filter(inside);
    let config: Config = if project.is_some() {
        context.settings.section(SECTION)
    } else {
        context.settings.of_other(&tree.root).section(SECTION)
    };
    let project = project.unwrap_or_else(|| tree.root.clone());
    config.enabled.then_some(Gated {
        tree,
        project,
        config,
    })
}

impl Commits<'_> {
    /// Checks them, and says what is to be said. If we fail, they go on.
    pub(crate) fn check(self) -> Reply {
        let begun = Instant::now();
        let allowed = self
            .gated
            .iter()
            .map(|gated| Duration::from_secs(gated.config.timeout.into()));
        let end = begun + allowed.min().unwrap_or(LONGEST).min(LONGEST);
        let Some(mut checked) = self.checked(end) else {
            return Reply::default();
        };
        checked.seconds = begun.elapsed().as_secs_f64();
        if let CommitVerdict::Unchecked(why) = &checked.verdict {
            let told = format!("the gate could not check a commit: {why}");
            // What cannot be noted is in the journal.
            let _ = Troubles(self.context.home).note("gate_failed", &told);
        }
        if let Err(error) = record::keep(self.context, &checked) {
            let told = format!("what the gate found is not among the events: {error}");
            let _ = Troubles(self.context.home).note("gate_not_kept", &told);
        }
        checked.reply(hint::of(self.analysis))
    }

    /// What came of it; nothing when all of it has passed before.
    fn checked(&self, end: Instant) -> Option<Checked> {
        let mut checked = Checked {
            verdict: CommitVerdict::Fine(Outcome::Nothing),
            steps: Vec::new(),
            seconds: 0.0,
            notes: Vec::new(),
        };
        let plain = self.plain();
        if plain
            .as_ref()
            .is_some_and(|plain| plain.has_passed(self.context.home))
        {
            return None;
        }
        let git = Git::new(end);
        let candidates = match self.candidates(&git) {
            Ok(candidates) => candidates,
            Err(stop) => {
                checked.verdict = self.stopped(stop)?;
                return Some(checked);
            }
        };
        let mut is_new = false;
        for candidate in &candidates {
            match self.run(candidate, &git, end) {
                Ok(None) => {}
                Ok(Some(report)) => {
                    is_new = true;
                    if !checked.takes(report, candidate.gated) {
                        break;
                    }
                }
                Err(stop) => {
                    checked.verdict = self.stopped(stop)?;
                    return Some(checked);
                }
            }
        }
        if let (Some(plain), [candidate]) = (plain, &candidates[..]) {
            // What cannot be remembered is asked of git again.
            let _ = plain.remember(self.context.home, &candidate.tree);
        }
        is_new.then_some(checked)
    }

    /// The index that the one commit of a command takes as it is, if that is all it does.
    fn plain(&self) -> Option<Plain<'_>> {
        let ([gated], [step]) = (&self.gated[..], &self.analysis.staging[..]) else {
            return None;
        };
        let Staging::Commit(commit) = &step.staged.act else {
            return None;
        };
        let takes_it = commit.holds == Holds::Index && step.staged.index.is_none();
        let checksum = takes_it.then(|| gated.tree.index_checksum())??;
        Some(Plain { gated, checksum })
    }

    /// What it means that there is no answer.
    fn stopped(&self, stop: Stop) -> Option<CommitVerdict> {
        Some(match stop {
            Stop::Doubt(why) => CommitVerdict::Doubtful(why),
            Stop::Refused => return None,
            Stop::Late => {
                let then = self.gated.first().map(|gated| gated.config.on_timeout);
                CommitVerdict::Late(then.unwrap_or_default())
            }
            Stop::Failed(why) => CommitVerdict::Unchecked(why),
        })
    }

    /// The trees that the commits will have, in their order.
    fn candidates(&self, git: &Git) -> Result<Vec<Candidate<'_>>, Stop> {
        let scratch = Scratch::make(self.context.home).map_err(Stop::Failed)?;
        let last = work_trees(self.analysis)
            .last()
            .map_or(0, |(_, number)| *number);
        let mut drafts = Drafts::new(self.analysis, &self.gated, git, &scratch);
        let mut candidates: Vec<Candidate<'_>> = Vec::new();
        for staging in self.analysis.staging.iter().take(last + 1) {
            let found = drafts.take(staging)?;
            let found = found.filter(|new| !candidates.iter().any(|known| known.is_same(new)));
            candidates.extend(found);
        }
        Ok(candidates)
    }

    /// Lets a commit be checked, unless it has passed before or holds what the last one does.
    fn run(
        &self,
        candidate: &Candidate<'_>,
        git: &Git,
        end: Instant,
    ) -> Result<Option<Report>, Stop> {
        let (gated, tree) = (candidate.gated, candidate.tree.as_str());
        let home = self.context.home;
        let rules = gated.config.rules();
        let passed = |root| Passes(home).has(root, tree, &rules);
        if passed(&gated.tree.root) {
            return Ok(None);
        }
        let (root, last) = last_commit(candidate, git)?;
        if last.as_deref() == Some(tree) || (root != gated.tree.root && passed(&root)) {
            return Ok(None);
        }
        let subject = Subject {
            root: &root,
            project: &gated.project,
            tree,
        };
        let mut lasts = || {
            // The checks go on whether or not anybody hears of them.
            let _ = record::tell_running(self.context, end);
        };
        runner::check(home, &subject, end, &mut lasts).map(Some)
    }
}

/// An index that is committed as it is, known by what it holds.
struct Plain<'a> {
    gated: &'a Gated,
    checksum: String,
}

impl Plain<'_> {
    fn has_passed(&self, home: &Home) -> bool {
        let rules = self.gated.config.rules();
        Passes(home).has_index(&self.gated.tree.root, &self.checksum, &rules)
    }

    /// Remembers that it has passed, where its tree has and nobody has changed it meanwhile.
    fn remember(&self, home: &Home, tree: &str) -> Result<(), SpineError> {
        let (root, rules) = (&self.gated.tree.root, self.gated.config.rules());
        let is_as_it_was = self.gated.tree.index_checksum().as_ref() == Some(&self.checksum);
        if is_as_it_was && Passes(home).has(root, tree, &rules) {
            Passes(home).add_index(root, &self.checksum, &rules)?;
        }
        Ok(())
    }
}

/// The work tree as git itself names it, and the tree of the last commit.
fn last_commit(candidate: &Candidate<'_>, git: &Git) -> Result<(PathBuf, Option<String>), Stop> {
    let tree = &candidate.gated.tree;
    let site = tree.site();
    let asking = Asking {
        site: &site,
        index: &tree.own.join("index"),
        input: None,
    };
    let head = candidate.head.as_deref().unwrap_or("HEAD");
    let words = ["rev-parse", "--show-toplevel", &format!("{head}^{{tree}}")];
    let said = git.ask(&asking, &words)?;
    let text = String::from_utf8_lossy(&said.out);
    let mut lines = text.lines();
    let root = lines.next().filter(|line| line.starts_with('/'));
    let root = root.map_or_else(|| tree.root.clone(), PathBuf::from);
    let last = lines.next().filter(|line| is_id(line)).map(str::to_owned);
    Ok((root, last))
}

impl Checked {
    /// Adds what came of one commit; whether the next one is to be checked.
    fn takes(&mut self, report: Report, gated: &Gated) -> bool {
        self.steps.extend(report.steps);
        self.notes
            .extend(Some(report.note).filter(|note| !note.is_empty()));
        self.verdict = match report.outcome {
            Outcome::Failed => CommitVerdict::Failed(report.reason),
            Outcome::Late => CommitVerdict::Late(gated.config.on_timeout),
            fine => match self.verdict {
                CommitVerdict::Fine(before) => CommitVerdict::Fine(before.max(fine)),
                _ => return false,
            },
        };
        matches!(self.verdict, CommitVerdict::Fine(_))
    }
}
