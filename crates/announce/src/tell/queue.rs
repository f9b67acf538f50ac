//! What waits to be made heard. The latest of a session counts, the most urgent comes first, and what
//! has become too late, was answered or taken back is dropped.

use super::Announcement;
use crate::handlers::subagent_stop;

/// What became of an announcement that was put into the queue.
#[derive(Debug, PartialEq)]
pub enum Pushed {
    Queued,
    /// It waits in place of others of its session.
    InPlaceOf(Vec<Announcement>),
    /// It was added to one that waits.
    Merged,
}

#[derive(Debug, Default)]
pub struct Queue(Vec<Announcement>);

impl Queue {
    /// Puts an announcement in. Of a session it takes the place of all that matters no more than it
    /// does; the ends of several subagents become one.
    pub fn push(&mut self, new: Announcement, several_finished: &str) -> Pushed {
        let merges = |old: &Announcement| {
            old.session == new.session
                && old.handler == new.handler
                && new.handler == subagent_stop::NAME
        };
        if let Some(old) = self.0.iter_mut().find(|old| merges(old)) {
            let count = old.count + new.count;
            let text = super::fill(several_finished, &[("count", &count.to_string())]);
            *old = Announcement { text, count, ..new };
            return Pushed::Merged;
        }
        let yields =
            |old: &mut Announcement| old.session == new.session && old.priority >= new.priority;
        let replaced: Vec<Announcement> = self.0.extract_if(.., yields).collect();
        self.0.push(new);
        if replaced.is_empty() {
            Pushed::Queued
        } else {
            Pushed::InPlaceOf(replaced)
        }
    }

    /// The next one to be made heard, and those that had become too late before it.
    pub fn pop(&mut self, now_ms: u64) -> (Option<Announcement>, Vec<Announcement>) {
        let is_late = |announcement: &mut Announcement| announcement.is_late(now_ms);
        let late = self.0.extract_if(.., is_late).collect();
        let next = self
            .0
            .iter()
            .enumerate()
            .min_by_key(|(place, announcement)| (announcement.priority, *place))
            .map(|(place, _)| place);
        (next.map(|place| self.0.remove(place)), late)
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Drops all of a session: its person is there.
    pub fn cancel(&mut self, session: &str) {
        self.0
            .retain(|announcement| announcement.session != session);
    }

    /// Drops the questions of an agent: it goes on, so they have been answered.
    pub fn answered(&mut self, session: &str, agent: Option<&str>) {
        self.0.retain(|waiting| {
            waiting.priority != super::Priority::Question
                || waiting.session != session
                || waiting.agent.as_deref() != agent
        });
    }

    /// Whether somebody in it waits for an answer.
    pub fn has_question(&self) -> bool {
        self.0
            .iter()
            .any(|waiting| waiting.priority == super::Priority::Question)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Priority;
    use super::*;

    const SEVERAL: &str = "{count} subagents finished";

    fn told(handler: &str, session: &str, priority: Priority, at_ms: u64) -> Announcement {
        Announcement {
            event: String::new(),
            handler: handler.into(),
            text: format!("{handler} {session}"),
            sound: None,
            voice: None,
            priority,
            at_ms,
            time_to_live_ms: priority.time_to_live_ms(),
            session: session.into(),
            agent: None,
            project: None,
            count: 1,
            seat: None,
        }
    }

    fn all(queue: &mut Queue, now_ms: u64) -> Vec<String> {
        std::iter::from_fn(|| queue.pop(now_ms).0)
            .map(|told| told.text)
            .collect()
    }

    #[test]
    fn the_end_of_a_turn_takes_the_place_of_ends_of_subagents() {
        let mut queue = Queue::default();
        let subagent = |at_ms| told("subagent_stop", "s", Priority::Info, at_ms);
        assert_eq!(queue.push(subagent(0), SEVERAL), Pushed::Queued);
        assert_eq!(queue.push(subagent(1), SEVERAL), Pushed::Merged);
        assert_eq!(queue.push(subagent(2), SEVERAL), Pushed::Merged);
        queue.push(told("subagent_stop", "other", Priority::Info, 3), SEVERAL);
        assert_eq!(
            all(&mut queue, 5),
            ["3 subagents finished", "subagent_stop other"]
        );
        queue.push(subagent(6), SEVERAL);
        let pushed = queue.push(told("stop", "s", Priority::Done, 7), SEVERAL);
        assert!(matches!(pushed, Pushed::InPlaceOf(replaced) if replaced.len() == 1));
        assert_eq!(all(&mut queue, 8), ["stop s"]);
    }

    #[test]
    fn the_urgent_comes_first_and_the_late_never() {
        let mut queue = Queue::default();
        queue.push(told("info", "a", Priority::Info, 0), SEVERAL);
        queue.push(told("stop", "b", Priority::Done, 0), SEVERAL);
        queue.push(
            told("permission_request", "c", Priority::Question, 0),
            SEVERAL,
        );
        queue.push(told("info", "c", Priority::Info, 0), SEVERAL);
        assert!(queue.has_question());
        assert_eq!(queue.pop(15_001).1.len(), 2, "both pieces of news are late");
        assert_eq!(all(&mut queue, 20_000), ["stop b"]);
    }

    #[test]
    fn answers_and_prompts_take_back() {
        let mut queue = Queue::default();
        queue.push(
            told("permission_request", "a", Priority::Question, 0),
            SEVERAL,
        );
        queue.answered("b", None);
        queue.answered("a", Some("subagent"));
        assert!(queue.has_question());
        queue.answered("a", None);
        assert!(!queue.has_question());
        queue.push(told("stop", "a", Priority::Done, 0), SEVERAL);
        queue.push(told("stop", "b", Priority::Done, 0), SEVERAL);
        queue.cancel("a");
        assert_eq!(all(&mut queue, 0), ["stop b"]);
    }
}
