//! Whether anybody can see a screen.
//!
//! The compositor says when a picture was shown. When it says nothing for a while, a full-screen program or a locked
//! screen is above; when it says so after all, that has gone.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::panels::Panels;
use crate::desktop::Happened;

/// A busy compositor answers within this time.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(super) struct Sight {
    hidden: BTreeSet<String>,
    /// When the compositor last said that something was shown on a screen.
    seen: BTreeMap<String, Instant>,
}

impl Sight {
    /// A picture on this screen was shown.
    pub(super) fn shown(&mut self, screen: &str) -> Option<Happened> {
        self.seen.insert(screen.to_owned(), Instant::now());
        self.hidden.remove(screen).then(|| told(screen, false))
    }

    pub(super) fn forget(&mut self, screen: &str) {
        self.hidden.remove(screen);
        self.seen.remove(screen);
    }

    /// What has become hidden by now, and what is no longer known to be so.
    pub(super) fn look(&mut self, panels: &Panels) -> Vec<Happened> {
        let now = Instant::now();
        let overdue: BTreeSet<String> = self
            .deadlines(panels)
            .filter(|(_, deadline)| *deadline <= now)
            .map(|(screen, _)| screen.to_owned())
            .collect();
        let newly = overdue.iter().map(|screen| told(screen, true)).collect();
        self.hidden.extend(overdue);
        [newly, self.unknown(panels)].concat()
    }

    /// When to look again.
    pub(super) fn next(&self, panels: &Panels) -> Option<Instant> {
        self.deadlines(panels).map(|(_, deadline)| deadline).min()
    }

    /// When each panel that waits will have waited too long. One does not count while others on its screen are seen.
    fn deadlines<'a>(&'a self, panels: &'a Panels) -> impl Iterator<Item = (&'a str, Instant)> {
        panels.iter().filter_map(|panel| {
            let since = panel.owed_since()?;
            let seen = self.seen.get(panel.screen());
            let counts = !self.hidden.contains(panel.screen()) && seen.is_none_or(|at| *at < since);
            counts.then(|| (panel.screen(), since + PATIENCE))
        })
    }

    /// Hidden screens on which nothing waits any more: nobody would ever say that they can be seen again.
    fn unknown(&mut self, panels: &Panels) -> Vec<Happened> {
        let waits = |screen: &String| {
            let mut here = panels.iter().filter(|panel| panel.screen() == screen);
            here.any(|panel| panel.owed_since().is_some())
        };
        let unknown = self.hidden.extract_if(.., |screen| !waits(screen));
        unknown.map(|screen| told(&screen, false)).collect()
    }
}

fn told(screen: &str, hidden: bool) -> Happened {
    Happened::Hidden {
        screen: screen.to_owned(),
        hidden,
    }
}
