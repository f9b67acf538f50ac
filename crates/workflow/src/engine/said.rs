//! What somebody says by a command or on the page: go on, go there, this is the rate.

use super::{Engine, Mover, Outcome};
use crate::error::Refusal;
use crate::flow::Phase;
use crate::history::Step;
use crate::rate::Measured;
use crate::status::{By, Feature, RateFrom, Status, WaitsFor, What};
use crate::subject::LONGEST_FEATURE;

impl Engine<'_> {
    /// Somebody lets a feature go on to what comes next: a checkpoint is passed, or a round is granted.
    pub fn next(
        &self,
        status: &mut Status,
        name: &str,
        by: By,
        reason: &str,
    ) -> Result<Outcome, Refusal> {
        self.take_rate(status, name);
        let feature = status.feature(name)?.clone();
        if feature.finished_ms.is_some() {
            return Err(Refusal::Finished(name.to_owned()));
        }
        let phase = self.known_phase(&feature.phase)?;
        let mover = Mover {
            by,
            reason,
            forced: false,
        };
        if phase.is_last() {
            return Ok(self.finish(status, name, mover));
        }
        let Some(to) = self.leads_to(&feature, phase) else {
            return Err(self.unmeasured(name, &feature, "what comes next"));
        };
        self.check_paper(name, phase)?;
        Ok(self.go(status, name, to, mover))
    }

    /// Somebody puts a feature into a phase. What the flow does not allow is forced, with a reason.
    pub fn set(
        &self,
        status: &mut Status,
        name: &str,
        to: &str,
        by: By,
        reason: &str,
        forced: bool,
    ) -> Result<Outcome, Refusal> {
        let mover = Mover { by, reason, forced };
        self.known_phase(to)?;
        if forced && reason.trim().is_empty() {
            return Err(Refusal::NoReason);
        }
        if !status.features.contains_key(name) {
            return self.begin(status, name, to, mover);
        }
        self.take_rate(status, name);
        if !forced {
            self.check_step(status.feature(name)?, name, to)?;
        }
        Ok(self.go(status, name, to, mover))
    }

    fn begin(
        &self,
        status: &mut Status,
        name: &str,
        to: &str,
        mover: Mover<'_>,
    ) -> Result<Outcome, Refusal> {
        if !mover.forced && to != self.flow.first().name {
            return Err(Refusal::NoFeature(name.to_owned()));
        }
        let length = name.chars().count();
        let one_line = !name.chars().any(char::is_control) && name.trim() == name;
        if !(1..=LONGEST_FEATURE).contains(&length) || !one_line {
            return Err(Refusal::Name(name.to_owned(), LONGEST_FEATURE));
        }
        let step = Step::new(name, What::Begun, mover.by, self.now_ms);
        let step = step.because(mover.reason).forced(mover.forced);
        status.put(&step, Feature::new(to, self.now_ms));
        Ok(Outcome::Begun {
            feature: name.to_owned(),
            phase: to.to_owned(),
        })
    }

    /// Whether a feature may go from where it is to another phase.
    fn check_step(&self, feature: &Feature, name: &str, to: &str) -> Result<(), Refusal> {
        let phase = self.known_phase(&feature.phase)?;
        if phase.name == to {
            return Err(Refusal::AlreadyThere(name.to_owned(), to.to_owned()));
        }
        if !self.flow.allows(&phase.name, to) {
            let legal = phase.targets();
            return Err(Refusal::Illegal {
                feature: name.to_owned(),
                from: phase.name.clone(),
                to: to.to_owned(),
                legal: if legal.is_empty() {
                    "no other phase".to_owned()
                } else {
                    legal.join(", ")
                },
            });
        }
        let by_rate = phase.is_measured() && !phase.next.iter().any(|next| next == to);
        if by_rate && self.leads_to(feature, phase) != Some(to) {
            return Err(self.unmeasured(name, feature, to));
        }
        self.check_paper(name, phase)
    }

    fn check_paper(&self, name: &str, phase: &Phase) -> Result<(), Refusal> {
        match &phase.leaves {
            Some(path) if !self.papers.has(path, name) => Err(Refusal::Paper {
                feature: name.to_owned(),
                phase: phase.name.clone(),
                path: path.clone(),
            }),
            _ => Ok(()),
        }
    }

    fn unmeasured(&self, name: &str, feature: &Feature, to: &str) -> Refusal {
        let rate = match feature.current_rate() {
            Some(percent) => format!("is {percent}, and {} is wanted", self.policy.threshold),
            None => format!(
                "is not measured; it is read from {}, or said with --rate",
                self.papers.report(name)
            ),
        };
        Refusal::Rate {
            feature: name.to_owned(),
            to: to.to_owned(),
            rate,
        }
    }

    /// Somebody says the match rate. A feature that waited for it goes on.
    pub fn measure(
        &self,
        status: &mut Status,
        name: &str,
        percent: f64,
        by: By,
    ) -> Result<Outcome, Refusal> {
        let feature = status.feature(name)?;
        let phase = self.known_phase(&feature.phase)?;
        if Measured::of(Some(percent), 0.0) == Measured::Unmeasured {
            return Err(Refusal::NoRate(percent.to_string()));
        }
        if feature.finished_ms.is_some() || !phase.is_measured() {
            let phase = phase.name.clone();
            return Err(Refusal::NotMeasured(name.to_owned(), phase));
        }
        let waited = feature.waits.as_ref().map(|waits| waits.r#for);
        self.put_rate(status, name, percent, RateFrom::Said, by);
        Ok(match waited {
            Some(WaitsFor::Rate) => self.end_phase(status, name, by),
            _ => Outcome::Nothing,
        })
    }
}
