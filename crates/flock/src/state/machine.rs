//! What follows on what.
//!
//! Nothing is a dead end: whoever starts a tool or is given a prompt works, whatever it did before. A
//! state that lasts only for a moment hides the one behind it and never loses what happens meanwhile.

use super::{Cue, Life, Signal, Status, Wait};
use crate::normal::{After, Ending, EventType, Role};

/// So many failures in a row are one.
const TOO_MANY: u32 = 3;
/// Two calls are told apart by so many characters: more of one is kept when it is asked for than when it ends.
const TOLD: usize = 100;
/// An error with one of these words will not go away by itself.
const FATAL: [&str; 4] = ["permission denied", "not found", "enoent", "eacces"];

/// The state after a signal.
#[must_use]
pub fn next(life: &Life, signal: &Signal<'_>, now_ms: u64) -> Life {
    let mut next = life.clone();
    count(&mut next, signal);
    match life.status {
        Status::Offline => come(&mut next, signal, now_ms),
        Status::Disappearing => come_back(&mut next, signal, now_ms),
        Status::Appearing | Status::Startled => behind(&mut next, signal, now_ms),
        Status::Walking | Status::Chatting | Status::Returning => detour(&mut next, signal, now_ms),
        status => {
            if let Some(to) = lasting(status, &next, signal) {
                settle(&mut next, to, signal, now_ms);
            }
        }
    }
    next
}

/// Failures are counted until something succeeds or somebody gives a new order.
fn count(life: &mut Life, signal: &Signal<'_>) {
    match signal.cue {
        Cue::Event(EventType::ToolFailed) => life.failures = life.failures.saturating_add(1),
        Cue::Event(
            EventType::ToolSucceeded | EventType::AgentUnblocked | EventType::AgentStopped,
        ) => life.failures = 0,
        _ => {}
    }
}

/// Whatever is heard of one that was not there shows that it is, unless it has just gone.
fn come(life: &mut Life, signal: &Signal<'_>, now_ms: u64) {
    let gone = signal.cue == Cue::Event(EventType::AgentStopped);
    if gone {
        return;
    }
    life.set(Status::Appearing, now_ms);
    life.behind = Some(match lasting(Status::Idle, life, signal) {
        Some(Status::Walking) | None => Status::Idle,
        Some(status) => status,
    });
    remember_wait(life, signal);
}

/// One that is leaving comes back when it starts or does something.
fn come_back(life: &mut Life, signal: &Signal<'_>, now_ms: u64) {
    let does = matches!(
        signal.cue,
        Cue::Event(
            EventType::AgentStarted
                | EventType::AgentBlocked
                | EventType::AgentUnblocked
                | EventType::ToolStarted
        )
    ) || signal.at_work;
    if does {
        come(life, signal, now_ms);
    }
}

/// A state for a moment: what happens meanwhile is seen after it.
fn behind(life: &mut Life, signal: &Signal<'_>, now_ms: u64) {
    if matches!(signal.cue, Cue::AppearDone | Cue::StartledDone) {
        let done = (life.status, signal.cue);
        let fits = matches!(
            done,
            (Status::Appearing, Cue::AppearDone) | (Status::Startled, Cue::StartledDone)
        );
        if fits {
            finish_moment(life, now_ms);
        }
        return;
    }
    let lasting_now = life.lasting();
    match lasting(lasting_now, life, signal) {
        Some(Status::Disappearing) => life.set(Status::Disappearing, now_ms),
        Some(Status::Walking) | None => {}
        Some(to) => {
            life.behind = Some(to);
            remember_wait(life, signal);
        }
    }
}

pub(super) fn finish_moment(life: &mut Life, now_ms: u64) {
    let to = match (life.status, life.behind) {
        (Status::Startled, None | Some(Status::Idle)) if life.has_task => Status::Working,
        (_, behind) => behind.unwrap_or(Status::Idle),
    };
    let wait = life.wait.take();
    life.set(to, now_ms);
    if to == Status::PendingInput {
        life.wait = wait;
    }
}

/// On the way to another and back: any real change ends it.
fn detour(life: &mut Life, signal: &Signal<'_>, now_ms: u64) {
    if life.status == Status::Returning && signal.cue == Cue::ArriveAtHome {
        return finish_moment(life, now_ms);
    }
    let before = life.lasting();
    let to = lasting(before, life, signal);
    let starts = signal.cue == Cue::Event(EventType::ToolStarted);
    match to {
        Some(Status::Walking | Status::Thinking) | None => {}
        Some(to) if to != before || starts => settle(life, to, signal, now_ms),
        Some(_) => {}
    }
}

/// What follows on a state that lasts; `None` when the signal changes nothing.
fn lasting(status: Status, life: &Life, signal: &Signal<'_>) -> Option<Status> {
    use EventType as T;
    use Status as S;
    if let Some(ending) = signal.ending {
        return after_ending(status, ending, signal);
    }
    let Cue::Event(event) = signal.cue else {
        return thoughts(status, signal.cue == Cue::ThinkingUpdated);
    };
    let to = match (event, status) {
        (T::ToolStarted | T::TaskStarted | T::AgentUnblocked, _)
        | (T::ToolSucceeded, S::Working | S::Failed | S::Unknown) => Some(S::Working),
        (T::AgentBlocked, _) => Some(S::PendingInput),
        (T::TaskFailed, _) => Some(S::Failed),
        (T::ToolFailed, S::PendingInput) if waits_on(life, signal) => None,
        (T::ToolFailed, _) => Some(after_failure(life, signal)),
        (T::ToolSucceeded, S::PendingInput) if answers(life, signal) => Some(S::Working),
        (T::AgentStarted, _) if signal.role != Role::Main => Some(S::Working),
        (T::AgentStarted, S::Completed | S::Unknown) | (T::AgentStopped, _) => Some(S::Idle),
        (T::MessageSent, S::Idle | S::Working) => Some(S::Walking),
        (T::MessageSent, S::Resting) => Some(S::Startled),
        _ if signal.at_work => Some(S::Working),
        _ => None,
    };
    thoughts(to.unwrap_or(status), signal.thoughts).or(to)
}

/// Who thinks while it works is thinking; the thoughts of others are kept and change nothing.
fn thoughts(status: Status, new: bool) -> Option<Status> {
    let at_work = matches!(status, Status::Working | Status::Thinking);
    (new && at_work).then_some(Status::Thinking)
}

fn after_ending(status: Status, ending: Ending, signal: &Signal<'_>) -> Option<Status> {
    match ending {
        Ending::Left => Some(Status::Disappearing),
        Ending::Finished => Some(Status::Completed),
        // The end of a turn that failed is told after the failure, and changes nothing about it.
        Ending::Turn if status == Status::Failed && !is_stop(signal) => None,
        Ending::Turn if status == Status::Resting => None,
        Ending::Turn | Ending::Interrupted => Some(Status::Idle),
    }
}

fn is_stop(signal: &Signal<'_>) -> bool {
    signal.cue == Cue::Event(EventType::AgentStopped)
}

/// Where the client says that the agent goes on, it works until it has failed too often. Where nobody
/// says so, an error that will stay is a failure, and any other may need somebody.
fn after_failure(life: &Life, signal: &Signal<'_>) -> Status {
    if life.failures >= TOO_MANY {
        return Status::Failed;
    }
    if signal.after == After::GoesOn {
        return Status::Working;
    }
    let error = signal.error.to_lowercase();
    if FATAL.iter().any(|word| error.contains(word)) {
        Status::Failed
    } else {
        Status::PendingInput
    }
}

/// Whether the end of a tool call shows that the person has answered: another call that ran beside
/// the question does not.
fn answers(life: &Life, signal: &Signal<'_>) -> bool {
    let Some(wait) = &life.wait else { return true };
    let same_tool = wait.tool.is_none() || wait.tool.as_deref() == signal.tool;
    let same_call = match (&wait.about, signal.about) {
        (Some(asked), Some(ended)) => asked.chars().take(TOLD).eq(ended.chars().take(TOLD)),
        _ => true,
    };
    same_tool && same_call
}

/// Whether a question stays open when a tool call fails that ran beside it.
fn waits_on(life: &Life, signal: &Signal<'_>) -> bool {
    let asked = life.wait.as_ref().is_some_and(|wait| wait.tool.is_some());
    asked && !answers(life, signal)
}

fn settle(life: &mut Life, to: Status, signal: &Signal<'_>, now_ms: u64) {
    let from = life.lasting();
    let waits_on = to == Status::PendingInput && from == to;
    let wait = life.wait.take();
    // The same question, told again, is as old as it was.
    let since_ms = if waits_on { life.since_ms } else { now_ms };
    life.set(to, since_ms);
    if matches!(to, Status::Walking | Status::Startled) {
        life.behind = Some(if from == Status::Resting {
            Status::Idle
        } else {
            from
        });
    }
    if waits_on {
        life.wait = wait;
    }
    remember_wait(life, signal);
}

/// The client asks one question at a time, so a newer one takes the place of what was asked before. A reminder says
/// only that there is one.
fn remember_wait(life: &mut Life, signal: &Signal<'_>) {
    if life.lasting() != Status::PendingInput {
        return;
    }
    let asks = signal.cue == Cue::Event(EventType::AgentBlocked) && !signal.confirmed;
    let wait = life.wait.get_or_insert_with(Wait::default);
    wait.confirmed |= signal.confirmed;
    if wait.tool.is_none() || (asks && signal.tool.is_some()) {
        wait.tool = signal.tool.map(str::to_owned);
        // The bare name of the tool tells no call from another.
        let about = signal
            .about
            .filter(|about| asks && Some(*about) != signal.tool);
        wait.about = about.map(str::to_owned);
    }
}
