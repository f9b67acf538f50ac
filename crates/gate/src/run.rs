//! One run of the gate: from a tree to a report.

use std::path::PathBuf;

use bellwether_hook::gate::Passes;
use bellwether_spine::{clock, place};
use rustix::rand::{GetRandomFlags, getrandom};

use crate::GateError;
use crate::checks::Checks;
use crate::environment::Environment;
use crate::git::{Folders, Git};
use crate::process::{Guardian, MARK, Stop, adopt, end_children};
use crate::record::{self, Ended, Repository, Running};
use crate::report::{Outcome, Report, State, StepReport};
use crate::request::{Notes, Remembered, Request, Watcher, base};
use crate::stage::{Stage, Whereabouts, first_of};
use crate::steps::{Plan, Scene};
use crate::tools::Tools;
use crate::tree::{self, Tree};
use crate::words::{joined, late_before, missing, reason};

/// Checks a tree. No other process may be a child of this one: at the end every child is ended.
pub fn run(request: &Request<'_>, watcher: &mut dyn Watcher) -> Result<Report, GateError> {
    if std::env::var_os(MARK).is_some() {
        return Err(GateError::Nested);
    }
    let id = run_id()?;
    let environment = Environment::of_run(request.config, &id);
    let git = Git::new(&environment, &request.limits, request.folder)?;
    let folders = git.folders()?;
    let began_ms = clock::wall_ms();
    let repository = match Repository::take(request.home, &folders.root, &request.limits) {
        Err(GateError::Stopped(Stop::Late)) => {
            let report = late(request, "other checks of this repository are running");
            watcher.answered(&report);
            return Ok(report);
        }
        taken => taken?,
    };
    let mut run = Run {
        request,
        git: git.at(&folders.root),
        environment: &environment,
        rules: request.config.rules(),
        folders,
        repository,
        running: Running {
            run: id,
            pid: std::process::id(),
            root: PathBuf::new(),
            tree: String::new(),
            started_ms: began_ms,
            deadline_ms: request
                .budget
                .map(|budget| u64::try_from(budget.as_millis()).unwrap_or(u64::MAX)),
            place: PathBuf::new(),
            steps: Vec::new(),
        },
    };
    run.guarded(watcher)
}

/// A run that has its repository for itself.
struct Run<'a> {
    request: &'a Request<'a>,
    git: Git<'a>,
    environment: &'a Environment,
    rules: String,
    folders: Folders,
    repository: Repository,
    running: Running,
}

impl Run<'_> {
    /// Runs with somebody who clears away when we cannot.
    fn guarded(&mut self, watcher: &mut dyn Watcher) -> Result<Report, GateError> {
        let home = self.request.home;
        // Without one, what a killed run leaves is removed by the next.
        let guardian = Guardian::start(home, &self.repository, &self.running.run).ok();
        adopt();
        record::forget_the_dead(home, &self.repository);
        let report = match self.checked(watcher) {
            Err(GateError::Stopped(Stop::Late)) => {
                Ok(late(self.request, "git was still busy with the tree"))
            }
            other => other,
        };
        end_children();
        if let Ok(report) = &report {
            watcher.answered(report);
        }
        let cleared = record::forget(home, self.repository.key());
        if let (Some(guardian), Ok(())) = (guardian, cleared) {
            guardian.dismiss();
        }
        report
    }

    fn checked(&mut self, watcher: &mut dyn Watcher) -> Result<Report, GateError> {
        let folder = self.repository.tree(self.request.home);
        let tree = match self.request.tree {
            Some(name) => tree::named(&self.git, name)?,
            None => tree::of_index(&self.git, &self.index(), &folder)?,
        };
        if let Some(report) = self.known(&tree) {
            return Ok(report);
        }
        let tree = Tree::read(&self.git, &tree)?;
        let changed = tree::changed(&self.git, tree.id)?;
        let stage = self.stage(&tree)?;
        let tools = Tools::of(self.environment);
        let base = base(self.request.project, &self.folders.root);
        let plan = Plan::of(Scene {
            root: &stage.root,
            real: &stage.real,
            base: &base,
            files: &tree.files,
            changed: &changed,
            tools: &tools,
            config: self.request.config,
        });
        self.running.root.clone_from(&self.folders.root);
        self.running.place.clone_from(&stage.root);
        tree.id.clone_into(&mut self.running.tree);
        let steps = self.run_checks(&plan, &stage, watcher)?;
        self.conclude(tree.id, steps, &plan, &stage)
    }

    fn run_checks(
        &mut self,
        plan: &Plan,
        stage: &Stage,
        watcher: &mut dyn Watcher,
    ) -> Result<Vec<StepReport>, GateError> {
        let folders: Vec<&str> = [&stage.root, &stage.real]
            .iter()
            .filter_map(|path| path.to_str())
            .collect();
        let limits = &self.request.limits;
        let checks = Checks::new(&plan.found, self.environment, limits, folders);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (home, repository, running) = (self.request.home, &self.repository, &mut self.running);
        let mut tell = |steps: &[StepReport]| {
            running.steps = steps.to_vec();
            repository.tell_running(home, running);
            watcher.changed(steps);
        };
        Ok(checks.run(cores, &mut tell)?)
    }

    /// What was found, remembered for the next time.
    fn conclude(
        &self,
        tree: &str,
        steps: Vec<StepReport>,
        plan: &Plan,
        stage: &Stage,
    ) -> Result<Report, GateError> {
        let home = self.request.home;
        let outcome = Outcome::of(&steps);
        let mut notes = [stage.notes.as_slice(), &plan.notes, &missing(&steps)].concat();
        if self.request.notes == Notes::Once {
            notes = self.repository.untold(home, notes);
        }
        if outcome.lasts() {
            notes.extend(self.changes(tree, stage));
            self.remember(tree, &steps)?;
        }
        let report = Report {
            outcome,
            reason: reason(outcome, &steps, self.request.seconds()),
            note: joined(&notes),
            steps,
        };
        let ended = Ended::new(&self.folders.root, tree, &self.rules, report.clone());
        self.repository.keep(home, &ended)?;
        Ok(report)
    }

    /// What to know where files are no longer what was checked, such as by a linter that mends what it finds.
    fn changes(&self, tree: &str, stage: &Stage) -> Option<String> {
        let changed = stage.changed(&self.git, tree).unwrap_or_default();
        let names = first_of(&changed);
        (!changed.is_empty())
            .then(|| format!("changed while the checks ran, and committed as before: {names}"))
    }

    fn remember(&self, tree: &str, steps: &[StepReport]) -> Result<(), GateError> {
        let passed = steps.iter().filter(|step| step.state == State::Passed);
        let names: Vec<String> = passed.map(|step| step.name.clone()).collect();
        let home = self.request.home;
        Ok(Passes(home).add(&self.folders.root, tree, &self.rules, &names)?)
    }

    /// The result of an earlier run, or of one that we have waited for.
    fn known(&self, tree: &str) -> Option<Report> {
        let (home, root) = (self.request.home, &self.folders.root);
        let last =
            record::last(home, root).filter(|last| last.tree == tree && last.rules == self.rules);
        if let Some(last) = last
            .as_ref()
            .filter(|last| last.ended_ms >= self.running.started_ms)
        {
            return Some(last.report.clone());
        }
        let counts = self.request.remembered == Remembered::Counts;
        (counts && Passes(home).has(root, tree, &self.rules)).then(|| Report {
            outcome: Outcome::Passed,
            steps: last.map(|last| last.report.steps).unwrap_or_default(),
            reason: String::new(),
            note: String::new(),
        })
    }

    fn stage(&self, tree: &Tree<'_>) -> Result<Stage, GateError> {
        match Whereabouts::find(&self.git, Some(tree.id))? {
            Whereabouts::InPlace => Ok(Stage::in_place(&self.folders.root)),
            Whereabouts::Apart(_) => {
                let folder = self.repository.tree(self.request.home);
                let base = base(self.request.project, &self.folders.root);
                let links = self.request.config.link.iter();
                let links: Vec<String> = links
                    .map(|link| base.join(link).display().to_string())
                    .collect();
                Stage::apart(&self.git, &self.folders, tree, (&folder, &links))
            }
        }
    }

    /// The index; in a hook of git, the one that git makes for a commit of some files only.
    fn index(&self) -> PathBuf {
        match std::env::var_os("GIT_INDEX_FILE") {
            Some(index) => self.request.folder.join(index),
            None => self.folders.own.join("index"),
        }
    }
}

fn late(request: &Request<'_>, what: &str) -> Report {
    Report {
        outcome: Outcome::Late,
        steps: Vec::new(),
        reason: late_before(what, request.seconds()),
        note: String::new(),
    }
}

/// A name for a run that no other has.
fn run_id() -> Result<String, GateError> {
    let mut bytes = [0; 8];
    getrandom(&mut bytes, GetRandomFlags::empty())
        .map_err(|errno| GateError::Pipe(errno.into()))?;
    Ok(place::hex(&bytes))
}
