//! The history: every step is written down, and none is taken out.

use crate::error::Refusal;
use crate::flow::Flow;
use crate::status::{By, Entry, Feature, Status, What};

/// A reason is no longer than this, in characters.
const LONGEST_REASON: usize = 200;

/// A step that is taken.
pub(crate) struct Step<'a> {
    pub feature: &'a str,
    pub what: What,
    pub by: By,
    pub reason: &'a str,
    pub forced: bool,
    pub undoes: Option<u64>,
    pub now_ms: u64,
}

impl<'a> Step<'a> {
    pub(crate) fn new(feature: &'a str, what: What, by: By, now_ms: u64) -> Self {
        Self {
            feature,
            what,
            by,
            reason: "",
            forced: false,
            undoes: None,
            now_ms,
        }
    }

    pub(crate) fn because(self, reason: &'a str) -> Self {
        Self { reason, ..self }
    }

    pub(crate) fn forced(self, forced: bool) -> Self {
        Self { forced, ..self }
    }
}

impl Status {
    /// Puts a feature into its new state, with an entry in the history, and returns that entry's number.
    pub(crate) fn put(&mut self, step: &Step<'_>, after: Feature) -> u64 {
        let n = self.history.last().map_or(1, |last| last.n + 1);
        let phase = after.phase.clone();
        let before = self.features.insert(step.feature.to_owned(), after);
        self.history.push(Entry {
            n,
            at_ms: step.now_ms,
            feature: step.feature.to_owned(),
            what: step.what,
            phase,
            by: step.by,
            reason: step.reason.chars().take(LONGEST_REASON).collect(),
            forced: step.forced,
            undoes: step.undoes,
            before,
        });
        n
    }

    pub(crate) fn feature(&self, name: &str) -> Result<&Feature, Refusal> {
        let found = self.features.get(name);
        found.ok_or_else(|| Refusal::NoFeature(name.to_owned()))
    }

    /// Takes back the last step of a feature, or of all: the feature is as it was before. That is a step too.
    pub fn undo(
        &mut self,
        flow: &Flow,
        feature: Option<&str>,
        by: By,
        reason: &str,
        now_ms: u64,
    ) -> Result<u64, Refusal> {
        if let Some(name) = feature {
            self.feature(name)?;
        }
        let undone: Vec<u64> = self.history.iter().filter_map(|it| it.undoes).collect();
        let is_it = |entry: &&Entry| {
            let fits = feature.is_none_or(|name| name == entry.feature);
            let can = entry.what != What::Undone && self.features.contains_key(&entry.feature);
            fits && can && !undone.contains(&entry.n)
        };
        let entry = self.history.iter().rev().find(is_it);
        let entry = entry.ok_or(Refusal::NothingToUndo)?.clone();
        let before = entry.before.filter(|it| flow.phase(&it.phase).is_some());
        let before = before.ok_or(Refusal::NothingToUndo)?;
        let step = Step {
            undoes: Some(entry.n),
            ..Step::new(&entry.feature, What::Undone, by, now_ms).because(reason)
        };
        Ok(self.put(&step, before))
    }

    /// The steps of one feature, the oldest first.
    pub fn history_of<'a>(&'a self, feature: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.history.iter().filter(move |it| it.feature == feature)
    }

    /// Takes a finished feature out, with its history, for whoever keeps it elsewhere.
    pub fn take_out(&mut self, feature: &str, even_unfinished: bool) -> Result<Status, Refusal> {
        let found = self.feature(feature)?;
        if found.finished_ms.is_none() && !even_unfinished {
            return Err(Refusal::NotFinished(feature.to_owned()));
        }
        let (kept, history) = std::mem::take(&mut self.history)
            .into_iter()
            .partition(|entry| entry.feature != feature);
        self.history = kept;
        let found = self.features.remove_entry(feature);
        Ok(Status {
            version: self.version,
            flow: self.flow.clone(),
            features: found.into_iter().collect(),
            history,
            tasks: Vec::new(),
            team: Vec::new(),
            messages: Vec::new(),
        })
    }
}
