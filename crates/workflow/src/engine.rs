//! What becomes of a feature when a task is completed, or when somebody says so.
//!
//! A step is legal or it is not taken. A task that speaks of another phase than the feature is in changes nothing: it is
//! told. What was counted is not counted again, in whatever order and how often events come.

mod completed;
mod said;

use crate::error::Refusal;
use crate::flow::{Flow, Phase};
use crate::history::Step;
use crate::papers::{Papers, Reading};
use crate::policy::{Automation, Policy};
use crate::rate::Measured;
use crate::status::{By, Feature, Rate, RateFrom, Status, Waits, WaitsFor, What};

/// What decides.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    pub flow: &'a Flow,
    pub policy: &'a Policy,
    pub papers: &'a dyn Papers,
    pub now_ms: u64,
}

/// What came of something.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is about no feature.
    Nothing,
    Begun {
        feature: String,
        phase: String,
    },
    Moved {
        feature: String,
        from: String,
        to: String,
    },
    Finished {
        feature: String,
        phase: String,
    },
    /// The phase is done, and the feature cannot go on by itself.
    Waits {
        feature: String,
        phase: String,
        waits: Waits,
    },
    /// Other tasks of the same phase are open.
    Partly {
        feature: String,
        phase: String,
        open: usize,
    },
    /// The task speaks of another phase than the feature is in.
    Disagrees {
        feature: String,
        phase: String,
        task: String,
    },
    /// There is no such feature, and the task is not of the first phase.
    Unknown {
        feature: String,
        task: String,
    },
}

/// Where a phase that is done leads to.
enum Verdict {
    Go(String),
    Finish,
    Wait(WaitsFor, Option<String>),
}

/// Who moves a feature, and why.
#[derive(Debug, Clone, Copy)]
struct Mover<'a> {
    by: By,
    reason: &'a str,
    forced: bool,
}

impl Engine<'_> {
    /// The tasks of a feature's phase are done.
    fn end_phase(&self, status: &mut Status, name: &str, by: By) -> Outcome {
        self.take_rate(status, name);
        let Some(feature) = status.features.get(name).cloned() else {
            return Outcome::Nothing;
        };
        let Some(phase) = self.flow.phase(&feature.phase) else {
            return Outcome::Nothing;
        };
        let mover = Mover {
            by,
            reason: "",
            forced: false,
        };
        match self.verdict(name, &feature, phase) {
            Verdict::Go(to) => self.go(status, name, &to, mover),
            Verdict::Finish => self.finish(status, name, mover),
            Verdict::Wait(what, to) => self.wait(status, name, what, to, by),
        }
    }

    fn verdict(&self, name: &str, feature: &Feature, phase: &Phase) -> Verdict {
        if phase.is_last() {
            return Verdict::Finish;
        }
        let missing = |path: &String| !self.papers.has(path, name);
        if phase.leaves.as_ref().is_some_and(missing) {
            return Verdict::Wait(WaitsFor::Paper, None);
        }
        let to = match self.leads_to(feature, phase) {
            Some(to) => to.to_owned(),
            None => return Verdict::Wait(WaitsFor::Rate, None),
        };
        let fails = phase.failed.as_ref() == Some(&to) && phase.is_measured();
        if fails && feature.iterations >= self.policy.max_iterations {
            return Verdict::Wait(WaitsFor::Limit, Some(to));
        }
        if self.policy.advances(phase) {
            return Verdict::Go(to);
        }
        let what = match self.policy.automation {
            Automation::FullAuto => WaitsFor::Checkpoint,
            Automation::Manual | Automation::SemiAuto => WaitsFor::Person,
        };
        Verdict::Wait(what, Some(to))
    }

    /// The phase that comes by itself; none where the rate that decides it is not measured.
    fn leads_to<'p>(&self, feature: &Feature, phase: &'p Phase) -> Option<&'p str> {
        if !phase.is_measured() {
            return phase.next.first().map(String::as_str);
        }
        match self.measured(feature) {
            Measured::Passed => phase.passed.as_deref(),
            Measured::Failed => phase.failed.as_deref(),
            Measured::Unmeasured => None,
        }
    }

    pub fn measured(&self, feature: &Feature) -> Measured {
        Measured::of(feature.current_rate(), self.policy.threshold)
    }

    /// Reads the rate of a measured phase from its report, unless somebody has said it.
    fn take_rate(&self, status: &mut Status, name: &str) {
        let Some(feature) = status.features.get(name) else {
            return;
        };
        let phase = self.flow.phase(&feature.phase);
        let wanted = phase.is_some_and(Phase::is_measured) && feature.current_rate().is_none();
        let Reading::Percent(percent) = self.papers.rate(name, feature.since_ms) else {
            return;
        };
        if wanted && Measured::of(Some(percent), 0.0) != Measured::Unmeasured {
            self.put_rate(status, name, percent, RateFrom::Report, By::Task);
        }
    }

    fn put_rate(&self, status: &mut Status, name: &str, percent: f64, from: RateFrom, by: By) {
        let Some(mut feature) = status.features.get(name).cloned() else {
            return;
        };
        feature.rate = Some(Rate {
            percent,
            at_ms: self.now_ms.max(feature.since_ms),
            from,
        });
        status.put(&Step::new(name, What::Measured, by, self.now_ms), feature);
    }

    fn go(&self, status: &mut Status, name: &str, to: &str, mover: Mover<'_>) -> Outcome {
        let Some(before) = status.features.get(name).cloned() else {
            return Outcome::Nothing;
        };
        let failed = self
            .flow
            .phase(&before.phase)
            .and_then(|it| it.failed.as_deref());
        let after = Feature {
            iterations: before.iterations + u32::from(failed == Some(to)),
            rate: before.rate,
            ..Feature::new(to, self.now_ms.max(before.since_ms))
        };
        let step = Step::new(name, What::Moved, mover.by, self.now_ms);
        let step = step.because(mover.reason).forced(mover.forced);
        status.put(&step, after);
        let text = format!("{name}: {} → {to}", before.phase);
        status.tell_team("all", &text, self.now_ms);
        Outcome::Moved {
            feature: name.to_owned(),
            from: before.phase,
            to: to.to_owned(),
        }
    }

    fn finish(&self, status: &mut Status, name: &str, mover: Mover<'_>) -> Outcome {
        let Some(mut feature) = status.features.get(name).cloned() else {
            return Outcome::Nothing;
        };
        feature.finished_ms = Some(self.now_ms);
        feature.waits = None;
        let phase = feature.phase.clone();
        let step = Step::new(name, What::Finished, mover.by, self.now_ms);
        status.put(&step.because(mover.reason), feature);
        Outcome::Finished {
            feature: name.to_owned(),
            phase,
        }
    }

    fn wait(
        &self,
        status: &mut Status,
        name: &str,
        what: WaitsFor,
        to: Option<String>,
        by: By,
    ) -> Outcome {
        let Some(mut feature) = status.features.get(name).cloned() else {
            return Outcome::Nothing;
        };
        let since_ms = self.now_ms;
        let waits = Waits {
            r#for: what,
            to,
            since_ms,
        };
        feature.waits = Some(waits.clone());
        let phase = feature.phase.clone();
        status.put(&Step::new(name, What::Waits, by, self.now_ms), feature);
        Outcome::Waits {
            feature: name.to_owned(),
            phase,
            waits,
        }
    }

    fn known_phase(&self, name: &str) -> Result<&Phase, Refusal> {
        self.flow.phase(name).ok_or_else(|| {
            let all: Vec<&str> = self
                .flow
                .phases()
                .iter()
                .map(|it| it.name.as_str())
                .collect();
            Refusal::NoPhase(name.to_owned(), all.join(", "))
        })
    }
}

#[cfg(test)]
mod tests;
