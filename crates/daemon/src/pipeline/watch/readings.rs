//! Whose transcripts are to be read for what was used, and when.
//!
//! A transcript is read by one at a time, so that each reading begins where the one before it ended. The client tells of
//! an end before it has written the last of it down, so what was read at an end is read on a little later.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// When a transcript is read on after an end. The last one is for a machine that has much to do.
const AFTER: [Duration; 4] = [
    Duration::ZERO,
    Duration::from_secs(1),
    Duration::from_secs(5),
    Duration::from_secs(30),
];
/// A reading for which there was no room is tried again after this long.
const TRY_AGAIN: Duration = Duration::from_secs(1);
/// While an agent works its transcript is read at most this often.
const WHILE_AT_WORK: Duration = Duration::from_secs(4);
/// So many agents are followed; of more, those that end later are read when they end again.
const FOLLOWED: usize = 4096;

#[derive(Debug, Default)]
pub(in crate::pipeline) struct Readings(HashMap<String, Plan>);

#[derive(Debug, Default)]
struct Plan {
    is_read: bool,
    due: VecDeque<Instant>,
}

impl Readings {
    /// A turn or the work of an agent has ended.
    pub(in crate::pipeline) fn ended(&mut self, agent: &str, now: Instant) {
        if self.0.len() < FOLLOWED || self.0.contains_key(agent) {
            let plan = self.0.entry(agent.to_owned()).or_default();
            plan.due = AFTER.iter().map(|after| now + *after).collect();
        }
    }

    /// An agent has got further; what it has used by then is read soon.
    pub(in crate::pipeline) fn goes_on(&mut self, agent: &str, now: Instant) {
        if self.0.len() < FOLLOWED || self.0.contains_key(agent) {
            let plan = self.0.entry(agent.to_owned()).or_default();
            if plan.due.is_empty() {
                plan.due.push_back(now + WHILE_AT_WORK);
            }
        }
    }

    /// Takes the agents whose transcripts are to be read now. Each is being read until it is [`Self::done`].
    pub(in crate::pipeline) fn take_due(&mut self, now: Instant) -> Vec<String> {
        let mut agents = Vec::new();
        for (agent, plan) in &mut self.0 {
            if plan.is_read || plan.due.front().is_none_or(|due| *due > now) {
                continue;
            }
            plan.is_read = true;
            plan.due.retain(|due| *due > now);
            agents.push(agent.clone());
        }
        agents
    }

    /// What was read of an agent's transcript is kept.
    pub(in crate::pipeline) fn done(&mut self, agent: &str) {
        if let Some(plan) = self.0.get_mut(agent) {
            plan.is_read = false;
            if plan.due.is_empty() {
                self.0.remove(agent);
            }
        }
    }

    /// Nobody has read it: it is tried again.
    pub(in crate::pipeline) fn failed(&mut self, agent: &str, now: Instant) {
        if let Some(plan) = self.0.get_mut(agent) {
            plan.is_read = false;
            plan.due.push_front(now + TRY_AGAIN);
        }
    }

    /// Whoever read has ended: all that was being read is tried again.
    pub(in crate::pipeline) fn all_failed(&mut self, now: Instant) {
        let reading: Vec<String> = self
            .0
            .iter()
            .filter(|(_, plan)| plan.is_read)
            .map(|(agent, _)| agent.clone())
            .collect();
        for agent in reading {
            self.failed(&agent, now);
        }
    }

    /// When the next one is due.
    pub(in crate::pipeline) fn next(&self) -> Option<Instant> {
        let idle = self.0.values().filter(|plan| !plan.is_read);
        idle.filter_map(|plan| plan.due.front()).min().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_read_by_one_at_a_time_and_on_after_an_end() {
        let (begun, second) = (Instant::now(), Duration::from_secs(1));
        let mut readings = Readings::default();
        readings.ended("s", begun);
        assert_eq!(readings.take_due(begun), ["s"]);
        // The session ends while the end of its turn is being read.
        readings.ended("s", begun);
        assert!(readings.take_due(begun + second / 2).is_empty());
        readings.done("s");
        assert_eq!(readings.take_due(begun + second / 2), ["s"]);
        readings.done("s");
        let mut times = Vec::new();
        while let Some(next) = readings.next() {
            assert_eq!(readings.take_due(next), ["s"]);
            readings.done("s");
            times.push((next - begun).as_secs());
        }
        assert_eq!(times, [1, 5, 30]);
        assert!(readings.0.is_empty(), "nothing is kept of one that is read");
    }

    #[test]
    fn who_works_is_read_now_and_then_and_an_end_counts_more() {
        let now = Instant::now();
        let mut readings = Readings::default();
        readings.goes_on("s", now);
        readings.goes_on("s", now + Duration::from_secs(1));
        assert_eq!(readings.next(), Some(now + WHILE_AT_WORK));
        readings.ended("s", now);
        assert_eq!(readings.next(), Some(now));
    }

    #[test]
    fn what_nobody_has_read_is_tried_again() {
        let now = Instant::now();
        let mut readings = Readings::default();
        readings.ended("s", now);
        assert_eq!(readings.take_due(now), ["s"]);
        readings.all_failed(now);
        assert_eq!(readings.next(), Some(now + TRY_AGAIN));
        assert_eq!(readings.take_due(now + TRY_AGAIN), ["s"]);
    }
}
