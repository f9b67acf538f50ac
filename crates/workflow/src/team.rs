//! The team: who is there, what each does, and the next task for whoever has nothing to do.
//!
//! A task is given to one member at a time. One that was given and not begun is given once more, to anybody, and then left:
//! so nobody is sent to work for ever.

use serde::{Deserialize, Serialize};

use crate::status::Status;
use crate::tasks::{Task, TaskState};

const MOST_MEMBERS: usize = 10;
const MOST_MESSAGES: usize = 50;
/// How often a task is given.
const GIVEN_AT_MOST: u8 = 2;
/// A message is no longer than this, in characters.
const LONGEST_MESSAGE: usize = 200;

/// A member of the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The session that it belongs to.
    pub session: String,
    pub name: String,
    pub state: MemberState,
    pub since_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MemberState {
    Working,
    Idle,
}

/// What the team was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    pub at_ms: u64,
    /// A member, or `all`.
    pub to: String,
    pub text: String,
}

impl Status {
    /// A member is heard of. Returns whether anything has changed; a full team takes nobody.
    pub fn member_is(
        &mut self,
        session: &str,
        name: &str,
        state: MemberState,
        now_ms: u64,
    ) -> bool {
        let is_it = |member: &&mut Member| member.session == session && member.name == name;
        if let Some(member) = self.team.iter_mut().find(is_it) {
            let changed = member.state != state;
            if changed {
                (member.state, member.since_ms) = (state, now_ms);
            }
            return changed;
        }
        if self.team.len() >= MOST_MEMBERS && !self.forget_stranger(session) {
            return false;
        }
        self.team.push(Member {
            session: session.to_owned(),
            name: name.to_owned(),
            state,
            since_ms: now_ms,
        });
        true
    }

    /// Forgets a member of another session.
    fn forget_stranger(&mut self, session: &str) -> bool {
        let stranger = |member: &Member| member.session != session;
        let place = self.team.iter().position(stranger);
        place.map(|place| self.team.remove(place)).is_some()
    }

    /// A session is over: its team is gone, and what was given is given no more.
    pub fn end_session(&mut self, session: &str) -> bool {
        let members = self.team.len();
        self.team.retain(|member| member.session != session);
        let mut changed = self.team.len() < members;
        let given = |task: &&mut Task| task.session == session && task.given_to.is_some();
        for task in self.tasks.iter_mut().filter(given) {
            task.given_to = None;
            changed = true;
        }
        changed
    }

    /// Gives a task to a member that has nothing to do, if there is one for it.
    pub fn give_task(&mut self, session: &str, name: &str, now_ms: u64) -> Option<Task> {
        self.member_is(session, name, MemberState::Idle, now_ms);
        let is_member = |member: &Member| member.session == session && member.name == name;
        self.team.iter().any(is_member).then_some(())?;
        self.take_back(session, name);
        if self.has_begun(session, name) {
            return None;
        }
        let id = self.next_task(session, name)?.id.clone();
        let task = self.task_mut(session, &id)?;
        task.given += 1;
        task.given_to = Some(name.to_owned());
        let task = task.clone();
        self.member_is(session, name, MemberState::Working, now_ms);
        let text = format!("next task: {}", task.subject);
        self.tell_team(name, &text, now_ms);
        Some(task)
    }

    /// What was given to a member that has not begun it is free again.
    fn take_back(&mut self, session: &str, name: &str) {
        let given =
            |task: &&mut Task| task.is_on(session) && task.given_to.as_deref() == Some(name);
        for task in self.tasks.iter_mut().filter(given) {
            task.given_to = None;
        }
    }

    fn has_begun(&self, session: &str, name: &str) -> bool {
        let own = |task: &Task| task.is_on(session) && task.owner.as_deref() == Some(name);
        let mut tasks = self.tasks.iter();
        tasks.any(|task| own(task) && task.state == TaskState::Begun)
    }

    /// A member's own tasks come first, then those of nobody, in the order of the list.
    fn next_task(&self, session: &str, name: &str) -> Option<&Task> {
        let open = |task: &&Task| {
            task.is_on(session)
                && task.state == TaskState::Pending
                && task.given < GIVEN_AT_MOST
                && task.given_to.is_none()
                && !task.subject.is_empty()
                && self.is_free(task)
        };
        let owned_by = |owner: Option<&str>| {
            let tasks = self.tasks.iter().filter(open);
            tasks
                .into_iter()
                .find(|task| task.owner.as_deref() == owner)
        };
        owned_by(Some(name)).or_else(|| owned_by(None))
    }

    /// Writes down what the team is told; the oldest messages go.
    pub(crate) fn tell_team(&mut self, to: &str, text: &str, now_ms: u64) {
        self.messages.push(Message {
            at_ms: now_ms,
            to: to.to_owned(),
            text: text.chars().take(LONGEST_MESSAGE).collect(),
        });
        let too_many = self.messages.len().saturating_sub(MOST_MESSAGES);
        self.messages.drain(..too_many);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::{Flow, Shipped};

    fn status(tasks: &[&str]) -> Status {
        let mut status = Status::new(&Flow::of(Shipped::Pdca, &[]).unwrap());
        for (place, subject) in tasks.iter().enumerate() {
            status.note_task("s", &(place + 1).to_string(), Some(subject));
        }
        status
    }

    fn given(status: &mut Status, name: &str) -> Option<String> {
        status.give_task("s", name, 1).map(|task| task.subject)
    }

    #[test]
    fn each_task_goes_to_one_member_and_then_there_is_nothing() {
        let mut status = status(&["a", "b"]);
        assert_eq!(given(&mut status, "ann").as_deref(), Some("a"));
        assert_eq!(given(&mut status, "bob").as_deref(), Some("b"));
        assert_eq!(given(&mut status, "cid"), None);
        let texts: Vec<&str> = status.messages.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["next task: a", "next task: b"]);
    }

    #[test]
    fn what_is_not_begun_is_given_once_more_and_then_left() {
        let mut status = status(&["a"]);
        assert!(given(&mut status, "ann").is_some());
        assert!(given(&mut status, "ann").is_some(), "it was not begun");
        assert_eq!(given(&mut status, "ann"), None);
        assert_eq!(given(&mut status, "bob"), None);
        assert_eq!(status.tasks[0].given, 2);
    }

    #[test]
    fn a_member_s_own_tasks_come_first_and_those_of_others_never() {
        let mut status = status(&["a", "b", "c", "d"]);
        status.tasks[0].owner = Some("bob".into());
        status.tasks[2].owner = Some("ann".into());
        status.tasks[1].after = vec!["1".into()];
        assert_eq!(given(&mut status, "ann").as_deref(), Some("c"));
        status.tasks[2].state = TaskState::Begun;
        assert_eq!(given(&mut status, "ann"), None, "it is at work");
        status.tasks[2].state = TaskState::Done;
        assert_eq!(given(&mut status, "ann").as_deref(), Some("d"));
        assert_eq!(given(&mut status, "cid"), None, "b waits for a");
        status.tasks[0].state = TaskState::Done;
        assert_eq!(given(&mut status, "cid").as_deref(), Some("b"));
    }

    #[test]
    fn a_team_has_ten_members_and_fifty_messages() {
        let mut status = status(&["a"; 60]);
        for number in 0..12 {
            status.member_is("s", &format!("m{number}"), MemberState::Working, 1);
        }
        assert_eq!(status.team.len(), 10);
        assert_eq!(given(&mut status, "m11"), None, "it is no member");
        assert!(status.member_is("t", "new", MemberState::Idle, 2));
        assert_eq!(status.team.len(), 10, "another session's made room");
        for _ in 0..60 {
            status.tell_team("all", "x", 1);
        }
        assert_eq!(status.messages.len(), 50);
        assert!(status.end_session("s") && status.team.len() == 1);
    }
}
