//! The settings of handlers, from the snapshot of the project's configuration.
//!
//! The snapshot is read when a handler first asks. When it is missing or stale the big binary is
//! asked to make it anew, and waited for a little; if that takes longer the last good one counts, and
//! with none the defaults.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bellwether_spine::config::{Freshness, Snapshot, sources, try_to_make};
use bellwether_spine::launch::{self, Launch};
use bellwether_spine::{Home, Managed};
use serde::de::DeserializeOwned;

use crate::guard;
use crate::guard::allow::Grants;
use crate::guard::answer::Allower;
use crate::policy::{self, Found, Policy};

/// How long a snapshot is waited for.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often it is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The settings that count in a project.
#[derive(Debug)]
pub struct Settings<'a> {
    home: &'a Home,
    project: Option<PathBuf>,
    making: Making,
    snapshot: OnceCell<Snapshot>,
    managed: Option<&'a Managed>,
    policy: OnceCell<(Policy, Found)>,
}

/// Whether a snapshot may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Making {
    /// When it is missing or stale.
    WhenStale,
    /// Never: nothing is to be changed.
    Never,
}

impl<'a> Settings<'a> {
    /// The settings of a project, or those outside of any.
    pub fn new(home: &'a Home, project: Option<PathBuf>, making: Making) -> Self {
        Self {
            home,
            project,
            making,
            snapshot: OnceCell::new(),
            managed: None,
            policy: OnceCell::new(),
        }
    }

    /// The same under the policy of a machine, where there is one.
    #[must_use]
    pub fn under(self, managed: Option<&'a Managed>) -> Self {
        Self { managed, ..self }
    }

    /// The settings of another project, found in the same way.
    #[must_use]
    pub fn of_other(&self, project: &Path) -> Self {
        Self::new(self.home, Some(project.to_owned()), self.making).under(self.managed)
    }

    /// Settings that are known already.
    pub fn known(home: &'a Home, snapshot: Snapshot) -> Self {
        let settings = Self::new(home, None, Making::Never);
        // A new cell is empty.
        let _ = settings.snapshot.set(snapshot);
        settings
    }

    /// One section; its defaults when nothing is known of it.
    pub fn section<T: DeserializeOwned + Default>(&self, name: &str) -> T {
        self.snapshot
            .get_or_init(|| self.load())
            .section(name)
            .unwrap_or_default()
    }

    /// Whether the policy of a machine counts.
    pub fn is_managed(&self) -> bool {
        self.managed.is_some()
    }

    /// What counts for the guard: the person's, or the policy with what the person adds to it.
    pub fn guard(&self) -> guard::Config {
        let own: guard::Config = self.section(guard::config::SECTION);
        match self.policy() {
            Some((policy, _)) => policy.guard.joined(&own),
            None => own,
        }
    }

    /// What is allowed for a while. Under a policy only the administrator can say it.
    pub fn grants(&self) -> Grants {
        match (self.managed, self.policy()) {
            (Some(managed), Some((policy, _))) if policy.temporary_allowances => {
                Grants::of_machine(managed)
            }
            (Some(_), _) => Grants::default(),
            _ => Grants::load(self.home),
        }
    }

    /// Who can say so.
    pub fn allower(&self) -> Allower {
        match self.policy() {
            None => Allower::Person,
            Some((policy, _)) if policy.temporary_allowances => Allower::Administrator,
            Some(_) => Allower::Nobody,
        }
    }

    /// Whether requests may be answered from the page, if the person wants that.
    pub fn page_may_answer(&self) -> bool {
        self.policy().is_none_or(|(policy, _)| policy.page_answers)
    }

    /// What is wrong with the policy.
    pub fn policy_trouble(&self) -> Option<String> {
        self.policy()?.1.trouble(self.managed?)
    }

    fn policy(&self) -> Option<&(Policy, Found)> {
        let managed = self.managed?;
        Some(self.policy.get_or_init(|| policy::load(managed)))
    }

    fn load(&self) -> Snapshot {
        let project = self.project.as_deref();
        match Snapshot::load(self.home, project) {
            Some((snapshot, Freshness::Fresh)) => snapshot,
            Some((stale, Freshness::Stale)) => self.make().unwrap_or(stale),
            // Most people have no configuration, and pay nothing for it.
            None if sources(self.home, project).iter().any(|path| path.exists()) => {
                self.make().unwrap_or_default()
            }
            None => Snapshot::default(),
        }
    }

    fn make(&self) -> Option<Snapshot> {
        let project = self.project.as_deref();
        (self.making == Making::WhenStale && try_to_make(self.home, project)).then_some(())?;
        let program = launch::program().ok()?;
        let mut launch = Launch::of(&program, self.home).words(["config", "compile"]);
        if let Some(project) = project {
            launch = launch.words(["--project"]).words([project]);
        }
        launch.start().ok()?;
        self.wait(project)
    }

    fn wait(&self, project: Option<&Path>) -> Option<Snapshot> {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Some((snapshot, Freshness::Fresh)) = Snapshot::load(self.home, project) {
                return Some(snapshot);
            }
            std::thread::sleep(LOOK_EVERY);
        }
        None
    }
}
