//! What waits to be made heard. The latest of a session counts, the most urgent comes first, and what
//! has become too late, was answered or taken back is dropped.

use super::{Announcement, Priority};
use crate::handlers::subagent_stop;
use crate::language::Words;
use crate::speech;
use crate::template::fill;

/// From so many sessions on, those that wait for an answer are told in one line.
const SEVERAL: usize = 3;
/// So many of their projects are named.
const NAMED: usize = 4;
const LONGEST_NAME: usize = 24;

/// What became of an announcement that was put into the queue.
#[derive(Debug, PartialEq)]
pub enum Pushed {
    Queued,
    /// It waits in place of others of its session.
    InPlaceOf(Vec<Announcement>),
    /// It was added to one that waits.
    Merged,
}

/// What is taken out of the queue.
#[derive(Debug, Default, PartialEq)]
pub struct Popped {
    /// The next one to be made heard.
    pub next: Option<Announcement>,
    /// Those that had become too late before it.
    pub late: Vec<Announcement>,
    /// Those that it tells of together.
    pub merged: Vec<Announcement>,
}

#[derive(Debug, Default)]
pub struct Queue {
    waiting: Vec<Announcement>,
    /// The words of whoever was last put in.
    words: Option<&'static Words>,
}

impl Queue {
    /// Puts an announcement in. Of a session it takes the place of all that matters no more than it
    /// does; the ends of several subagents become one.
    pub fn push(&mut self, new: Announcement, words: &'static Words) -> Pushed {
        self.words = Some(words);
        let merges = |old: &Announcement| {
            old.session == new.session
                && old.handler == new.handler
                && new.handler == subagent_stop::NAME
        };
        if let Some(old) = self.waiting.iter_mut().find(|old| merges(old)) {
            let count = old.count + new.count;
            let text = fill(words.subagents_finished, &[("count", count.to_string())]);
            *old = Announcement { text, count, ..new };
            return Pushed::Merged;
        }
        let yields =
            |old: &mut Announcement| old.session == new.session && old.priority >= new.priority;
        let replaced: Vec<Announcement> = self.waiting.extract_if(.., yields).collect();
        self.waiting.push(new);
        if replaced.is_empty() {
            Pushed::Queued
        } else {
            Pushed::InPlaceOf(replaced)
        }
    }

    /// The next one to be made heard. When several sessions wait for an answer, one line tells of all of them.
    pub fn pop(&mut self, now_ms: u64) -> Popped {
        let is_late = |announcement: &mut Announcement| announcement.is_late(now_ms);
        let late = self.waiting.extract_if(.., is_late).collect();
        let next = self
            .waiting
            .iter()
            .enumerate()
            .min_by_key(|(place, announcement)| (announcement.priority, *place))
            .map(|(place, _)| place);
        let next = next.map(|place| self.waiting.remove(place));
        let (next, merged) = match next {
            Some(next) if next.priority == Priority::Question => self.merge(next),
            next => (next, Vec::new()),
        };
        Popped { next, late, merged }
    }

    /// What is told of a question: itself, or that several sessions wait, and those.
    fn merge(&mut self, next: Announcement) -> (Option<Announcement>, Vec<Announcement>) {
        let waits = |waiting: &Announcement| waiting.priority == Priority::Question;
        let others = self.waiting.iter().filter(|waiting| waits(waiting)).count();
        let (Some(words), true) = (self.words, others + 1 >= SEVERAL) else {
            return (Some(next), Vec::new());
        };
        let others = self.waiting.extract_if(.., |waiting| waits(waiting));
        let merged: Vec<Announcement> = std::iter::once(next.clone()).chain(others).collect();
        let told = Announcement {
            text: several_wait(&merged, words),
            count: merged.iter().map(|one| one.count).sum(),
            agent: None,
            ..next
        };
        (Some(told), merged)
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Drops all of a session: its person is there.
    pub fn cancel(&mut self, session: &str) {
        self.waiting
            .retain(|announcement| announcement.session != session);
    }

    /// Drops the questions of an agent: it goes on, so they have been answered.
    pub fn answered(&mut self, session: &str, agent: Option<&str>) {
        self.waiting.retain(|waiting| {
            waiting.priority != Priority::Question
                || waiting.session != session
                || waiting.agent.as_deref() != agent
        });
    }

    /// Whether somebody in it waits for an answer.
    pub fn has_question(&self) -> bool {
        self.waiting
            .iter()
            .any(|waiting| waiting.priority == Priority::Question)
    }
}

/// That several sessions wait, and in which projects.
fn several_wait(waiting: &[Announcement], words: &Words) -> String {
    let count = fill(words.several_wait, &[("count", waiting.len().to_string())]);
    let folders = waiting.iter().filter_map(|one| one.project.as_deref());
    let mut names: Vec<String> = Vec::new();
    for name in folders.filter_map(|folder| speech::file_name(folder, LONGEST_NAME)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return count;
    }
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let mut projects = names.join(", ");
    if more > 0 {
        let values = [("projects", projects), ("count", more.to_string())];
        projects = fill(words.and_others, &values);
    }
    format!("{count}: {projects}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    fn words() -> &'static Words {
        Language::En.words()
    }

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
        std::iter::from_fn(|| queue.pop(now_ms).next)
            .map(|told| told.text)
            .collect()
    }

    #[test]
    fn the_end_of_a_turn_takes_the_place_of_ends_of_subagents() {
        let mut queue = Queue::default();
        let subagent = |at_ms| told("subagent_stop", "s", Priority::Info, at_ms);
        assert_eq!(queue.push(subagent(0), words()), Pushed::Queued);
        assert_eq!(queue.push(subagent(1), words()), Pushed::Merged);
        assert_eq!(queue.push(subagent(2), words()), Pushed::Merged);
        queue.push(told("subagent_stop", "other", Priority::Info, 3), words());
        assert_eq!(
            all(&mut queue, 5),
            ["3 subagents finished", "subagent_stop other"]
        );
        queue.push(subagent(6), words());
        let pushed = queue.push(told("stop", "s", Priority::Done, 7), words());
        assert!(matches!(pushed, Pushed::InPlaceOf(replaced) if replaced.len() == 1));
        assert_eq!(all(&mut queue, 8), ["stop s"]);
    }

    #[test]
    fn the_urgent_comes_first_and_the_late_never() {
        let mut queue = Queue::default();
        queue.push(told("info", "a", Priority::Info, 0), words());
        queue.push(told("stop", "b", Priority::Done, 0), words());
        queue.push(
            told("permission_request", "c", Priority::Question, 0),
            words(),
        );
        queue.push(told("info", "c", Priority::Info, 0), words());
        assert!(queue.has_question());
        assert_eq!(
            queue.pop(15_001).late.len(),
            2,
            "both pieces of news are late"
        );
        assert_eq!(all(&mut queue, 20_000), ["stop b"]);
    }

    #[test]
    fn answers_and_prompts_take_back() {
        let mut queue = Queue::default();
        queue.push(
            told("permission_request", "a", Priority::Question, 0),
            words(),
        );
        queue.answered("b", None);
        queue.answered("a", Some("subagent"));
        assert!(queue.has_question());
        queue.answered("a", None);
        assert!(!queue.has_question());
        queue.push(told("stop", "a", Priority::Done, 0), words());
        queue.push(told("stop", "b", Priority::Done, 0), words());
        queue.cancel("a");
        assert_eq!(all(&mut queue, 0), ["stop b"]);
    }

    fn asks(session: &str, project: &str) -> Announcement {
        Announcement {
            project: Some(format!("/home/dev/{project}")),
            ..told("permission_request", session, Priority::Question, 0)
        }
    }

    #[test]
    fn several_sessions_that_wait_are_told_in_one_line() {
        let mut queue = Queue::default();
        for (session, project) in [("1", "shop"), ("2", "api")] {
            queue.push(asks(session, project), words());
        }
        assert_eq!(
            all(&mut queue, 5),
            ["permission_request 1", "permission_request 2"],
            "two are told one after the other"
        );
        let projects = ["shop", "api", "web", "docs", "shop", "infra"];
        for (session, project) in (1..).zip(projects) {
            queue.push(asks(&session.to_string(), project), words());
        }
        queue.push(told("stop", "9", Priority::Done, 0), words());
        let popped = queue.pop(5);
        let next = popped.next.unwrap();
        assert_eq!(
            next.text,
            "6 agents wait for you: shop, api, web, docs and 1 more"
        );
        assert_eq!((next.count, popped.merged.len()), (6, 6));
        assert_eq!(all(&mut queue, 5), ["stop 9"]);
    }

    #[test]
    fn an_answer_before_it_is_told_counts() {
        let mut queue = Queue::default();
        for session in ["1", "2", "3"] {
            queue.push(asks(session, "shop"), words());
        }
        queue.answered("2", None);
        assert_eq!(all(&mut queue, 5).len(), 2, "two are told by themselves");
        for session in ["1", "2", "3"] {
            queue.push(asks(session, "shop"), Language::Ko.words());
        }
        assert_eq!(
            all(&mut queue, 5),
            ["에이전트 3개가 기다리고 있습니다: shop"]
        );
    }
}
