//! What follows on what.
//!
//! Nothing is a dead end: whoever starts a tool or is given a prompt works, whatever it did before. A
//! state that lasts only for a moment hides the one behind it and never loses what happens meanwhile.

use super::{Cue, Life, Signal, Status, Wait};
use crate::normal::{After, Ending, EventType, Role, Settles};

/// So many failures in a row are one.
const TOO_MANY: u32 = 3;
/// So many open questions of one agent are known; a client runs a handful of tools at a time.
const OPEN: usize = 32;
/// Two calls are told apart by so many characters: more of one is kept when it is asked for than when it ends.
const TOLD: usize = 100;
/// An error with one of these words will not go away by itself.
const FATAL: [&str; 4] = ["permission denied", "not found", "enoent", "eacces"];

/// The state after a signal.
#[must_use]
pub fn next(life: &Life, signal: &Signal<'_>, now_ms: u64) -> Life {
    let mut next = life.clone();
    count(&mut next, signal);
    settle_waits(&mut next, signal);
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
    remember_wait(life, signal, now_ms);
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
            if to != Status::PendingInput {
                life.waits.clear();
            }
            remember_wait(life, signal, now_ms);
        }
    }
}

pub(super) fn finish_moment(life: &mut Life, now_ms: u64) {
    let to = match (life.status, life.behind) {
        (Status::Startled, None | Some(Status::Idle)) if life.has_task => Status::Working,
        (_, behind) => behind.unwrap_or(Status::Idle),
    };
    let waits = std::mem::take(&mut life.waits);
    life.set(to, now_ms);
    if to == Status::PendingInput {
        life.waits = waits;
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
    // Whatever else happens beside it, an open dialog needs the person.
    let stays = status == S::PendingInput && life.has_dialog();
    if stays && !matches!(event, T::AgentBlocked | T::AgentStopped | T::TaskFailed) {
        return None;
    }
    let to = match (event, status) {
        (T::ToolStarted | T::TaskStarted | T::AgentUnblocked, _)
        | (T::ToolSucceeded, S::Working | S::Failed | S::Unknown) => Some(S::Working),
        (T::AgentBlocked, _) => Some(S::PendingInput),
        (T::TaskFailed, _) => Some(S::Failed),
        (T::ToolFailed, S::PendingInput) if !life.waits.is_empty() => None,
        (T::ToolFailed, _) => Some(after_failure(life, signal)),
        (T::ToolSucceeded, S::PendingInput) if life.waits.is_empty() => Some(S::Working),
        (T::AgentStarted, _) if signal.role != Role::Main => Some(S::Working),
        (T::AgentStarted, S::Completed | S::Unknown | S::PendingInput) | (T::AgentStopped, _) => {
            Some(S::Idle)
        }
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

/// Takes away what the person is waited for no longer.
fn settle_waits(life: &mut Life, signal: &Signal<'_>) {
    match signal.settles {
        Settles::Nothing => {}
        Settles::All => life.waits.clear(),
        // What ends is one call: others that look the same are still open.
        Settles::Call => {
            if let Some(place) = life.waits.iter().position(|wait| is_about(wait, signal)) {
                life.waits.remove(place);
            }
        }
    }
    let oldest = life.waits.iter().map(|wait| wait.since_ms).min();
    if life.status == Status::PendingInput {
        life.since_ms = oldest.unwrap_or(life.since_ms).max(life.since_ms);
    }
}

/// Whether the person was asked about the call of a signal: another that ran beside it says nothing.
fn is_about(wait: &Wait, signal: &Signal<'_>) -> bool {
    let Some(tool) = wait.tool.as_deref() else {
        return true;
    };
    let same_call = match (&wait.about, signal.about) {
        // The bare name of the tool tells no call from another.
        (Some(asked), Some(ended)) if asked != tool => {
            asked.chars().take(TOLD).eq(ended.chars().take(TOLD))
        }
        _ => true,
    };
    Some(tool) == signal.tool && same_call
}

fn settle(life: &mut Life, to: Status, signal: &Signal<'_>, now_ms: u64) {
    let from = life.lasting();
    let waits_on = to == Status::PendingInput && from == to;
    let waits = std::mem::take(&mut life.waits);
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
        life.waits = waits;
    }
    remember_wait(life, signal, now_ms);
}

/// A reminder says only that somebody is waited for.
fn remember_wait(life: &mut Life, signal: &Signal<'_>, now_ms: u64) {
    if life.lasting() != Status::PendingInput {
        return;
    }
    let asks = signal.cue == Cue::Event(EventType::AgentBlocked);
    let is_dialog = asks && !signal.confirmed;
    if is_dialog {
        // What was only thought to be waited for is this.
        life.waits.retain(|wait| wait.dialog.is_some());
    }
    if is_dialog || life.waits.is_empty() {
        if life.waits.len() >= OPEN {
            life.waits.remove(0);
        }
        life.waits.push(Wait {
            tool: signal.tool.map(str::to_owned),
            about: signal.about.filter(|_| asks).map(str::to_owned),
            since_ms: now_ms,
            dialog: is_dialog.then(|| signal.dialog.cloned().unwrap_or_default()),
            confirmed: false,
        });
    }
    for wait in &mut life.waits {
        wait.confirmed |= signal.confirmed;
    }
}
