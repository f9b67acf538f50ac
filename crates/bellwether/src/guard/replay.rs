//! Calls of past sessions, judged by the rules of today.
//!
//! Each is judged where it was made, on the files as they are now: what stood there then is gone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use bellwether_hook::guard::allow::{Grants, Subject};
use bellwether_hook::guard::judge::{Call, judge};
use bellwether_hook::guard::machine::{self, Spot};
use bellwether_hook::guard::{self, Config, Judgement, Verdict};
use bellwether_protocol::event::Deed;
use bellwether_spine::{Home, text};
use bellwether_transcript::PastCall;
use serde::Serialize;

use crate::{config, managed};

/// As much of a command as is shown.
const SHOWN: usize = 300;

/// What the guard would have said, by project.
pub(crate) struct Replay<'a> {
    home: &'a Home,
    user: Option<PathBuf>,
    configs: HashMap<PathBuf, Config>,
    seen: HashSet<String>,
    pub(crate) projects: BTreeMap<PathBuf, OfProject>,
    /// Calls whose folder is gone.
    pub(crate) left_out: usize,
}

/// The calls of one project.
#[derive(Debug, Default, Serialize)]
pub(crate) struct OfProject {
    /// How many commands and changes of files were judged.
    pub(crate) calls: usize,
    pub(crate) asked: usize,
    pub(crate) refused: usize,
    pub(crate) stops: Vec<WouldStop>,
}

impl OfProject {
    /// Stops in a thousand calls.
    #[expect(clippy::cast_precision_loss, reason = "nobody made so many calls")]
    pub(crate) fn rate(&self) -> f64 {
        (self.asked + self.refused) as f64 * 1000.0 / self.calls.max(1) as f64
    }
}

/// Something that would have been stopped, as often as it was called.
#[derive(Debug, Serialize)]
pub(crate) struct WouldStop {
    pub(crate) verdict: Verdict,
    pub(crate) rule: String,
    pub(crate) reason: String,
    /// The command or the file, masked.
    pub(crate) subject: String,
    pub(crate) times: usize,
    /// When it was called first, milliseconds since 1970.
    pub(crate) first_ms: Option<u64>,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(home: &'a Home) -> Self {
        Self {
            home,
            user: machine::user(),
            configs: HashMap::new(),
            seen: HashSet::new(),
            projects: BTreeMap::new(),
            left_out: 0,
        }
    }

    /// Judges one more call. A call that another transcript had too counts once.
    pub(crate) fn add(&mut self, call: &PastCall<'_>) {
        let deed = call.tool.deed();
        let is_judged = matches!(deed, Deed::Command(_) | Deed::Change(_));
        if !is_judged || !(call.id.is_empty() || self.seen.insert(call.id.to_owned())) {
            return;
        }
        let cwd = call.cwd.as_deref().map(PathBuf::from);
        let Some(cwd) = cwd.filter(|cwd| cwd.is_absolute() && cwd.is_dir()) else {
            self.left_out += 1;
            return;
        };
        let project = guard::root_of(&cwd).unwrap_or_else(|| cwd.clone());
        let judgement = self.judge(&deed, &cwd, &project);
        let of_project = self.projects.entry(project).or_default();
        of_project.add(call, &deed, &judgement);
    }

    fn judge(&mut self, deed: &Deed<'_>, cwd: &Path, project: &Path) -> Judgement {
        let home = self.home;
        let known = self.configs.entry(project.to_owned());
        let config = known.or_insert_with(|| {
            managed::standing(config::load(home, Some(project), &|_| None).config.guard)
        });
        let spot = Spot {
            cwd,
            project: Some(project),
            home,
            user: self.user.as_deref(),
        };
        let call = Call {
            deed,
            cwd,
            project: Some(project),
            home,
            user: self.user.as_deref(),
            transcript: None,
        };
        let (command, path) = match deed {
            Deed::Command(command) => (Some(command.text.as_ref()), None),
            Deed::Change(change) => (None, Some(Path::new(change.path.as_ref()))),
            _ => (None, None),
        };
        let subject = Subject {
            command,
            path,
            ground: machine::ground(spot),
        };
        // What is allowed for a while is no rule.
        subject.pardon(judge(&call, config).judgement, config, &Grants::default())
    }
}

impl OfProject {
    fn add(&mut self, call: &PastCall<'_>, deed: &Deed<'_>, judgement: &Judgement) {
        self.calls += 1;
        match judgement.verdict {
            Verdict::Silent => return,
            Verdict::Ask => self.asked += 1,
            Verdict::Deny => self.refused += 1,
        }
        let Some(first) = judgement.findings.first() else {
            return;
        };
        let subject = match deed {
            Deed::Command(command) => text::shown(&command.text, SHOWN),
            Deed::Change(change) => text::shown(&change.path, SHOWN),
            _ => String::new(),
        };
        let same = |stop: &&mut WouldStop| stop.subject == subject && stop.rule == first.rule;
        match self.stops.iter_mut().find(same) {
            Some(stop) => stop.times += 1,
            None => self.stops.push(WouldStop {
                verdict: judgement.verdict,
                rule: first.rule.clone(),
                reason: text::shown(&first.reason, SHOWN),
                subject,
                times: 1,
                first_ms: call.at_ms,
            }),
        }
    }
}
