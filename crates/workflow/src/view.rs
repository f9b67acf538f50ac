//! A status as people and other programs are shown it.

use serde::Serialize;

use crate::engine::Engine;
use crate::file::{Complaint, Opened};
use crate::rate::Measured;
use crate::status::{By, Entry, Feature, Status, WaitsFor, What};
use crate::subject::{known, tagged};
use crate::tasks::{Progress, Task, TaskState};
use crate::team::MemberState;

/// The whole of it. Times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "WorkflowStatus"))]
pub struct View {
    /// The name of the flow: `pdca`, `kanban` or `own`.
    pub flow: String,
    /// Its phases, in order.
    pub phases: Vec<String>,
    /// How much happens by itself: `manual`, `semi-auto` or `full-auto`.
    pub automation: String,
    /// The match rate from which on a check has passed, in percent.
    pub threshold: f64,
    pub max_iterations: u32,
    pub features: Vec<FeatureView>,
    /// How far all tasks have come.
    pub progress: Progress,
    /// The tasks that are not done.
    pub tasks: Vec<TaskView>,
    pub team: Vec<MemberView>,
    /// What the team was told, the oldest first.
    pub messages: Vec<MessageView>,
    /// The last steps, the newest first.
    pub history: Vec<StepView>,
    /// What somebody has changed by hand and does not fit together. Nothing is written before it is mended.
    pub complaints: Vec<ComplaintView>,
}

/// One feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeatureView {
    pub name: String,
    pub phase: String,
    /// When that phase began.
    pub since_ms: u64,
    /// The match rate that was measured last, in percent.
    pub rate: Option<f64>,
    /// Whether it counts in this phase, and how.
    pub measured: MeasuredView,
    pub iterations: u32,
    pub waits: Option<WaitsView>,
    pub finished_ms: Option<u64>,
    /// The phases that it may go to.
    pub targets: Vec<String>,
    /// How far the tasks of its phase have come.
    pub progress: Progress,
}

/// What a rate comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MeasuredView {
    Unmeasured,
    Failed,
    Passed,
}

/// What a feature waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WaitsView {
    pub r#for: WaitsFor,
    /// Whether a person lets it go on.
    pub is_person: bool,
    /// The phase that comes next, where that is known.
    pub to: Option<String>,
    pub since_ms: u64,
}

/// A task that is not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskView {
    /// The session whose list it is on.
    pub session_id: String,
    pub id: String,
    pub subject: String,
    /// Whether somebody has begun it.
    pub begun: bool,
    /// Who works on it, or whom it was given to.
    pub owner: Option<String>,
    /// The feature that it is about.
    pub feature: Option<String>,
    /// The phase that it belongs to.
    pub phase: Option<String>,
}

/// A member of the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberView {
    pub session_id: String,
    pub name: String,
    pub state: MemberState,
    pub since_ms: u64,
    /// The task that it works on.
    pub task: Option<String>,
}

/// What the team was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MessageView {
    pub at_ms: u64,
    /// A member, or `all`.
    pub to: String,
    pub text: String,
}

/// One step of the history.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepView {
    pub n: u64,
    pub at_ms: u64,
    pub feature: String,
    pub what: What,
    /// The phase before it.
    pub from: Option<String>,
    /// The phase after it.
    pub phase: String,
    pub by: By,
    pub reason: String,
    pub forced: bool,
}

/// Something that does not fit together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComplaintView {
    /// The line of the file.
    pub line: usize,
    pub text: String,
}

impl View {
    /// The view of a file, with so many steps of its history.
    pub fn of(engine: &Engine<'_>, opened: &Opened, steps: usize) -> Self {
        let status = &opened.status;
        let open = status
            .tasks
            .iter()
            .filter(|task| task.state != TaskState::Done);
        Self {
            flow: engine.flow.name().to_owned(),
            phases: engine
                .flow
                .phases()
                .iter()
                .map(|phase| phase.name.clone())
                .collect(),
            automation: engine.policy.automation.name().to_owned(),
            threshold: engine.policy.threshold,
            max_iterations: engine.policy.max_iterations,
            features: status
                .features
                .iter()
                .map(|(name, feature)| feature_view(engine, status, name, feature))
                .collect(),
            progress: status.progress(None),
            tasks: open.map(|task| task_view(engine, status, task)).collect(),
            team: team_view(status),
            messages: status.messages.iter().map(message_view).collect(),
            history: status
                .history
                .iter()
                .rev()
                .take(steps)
                .map(step_view)
                .collect(),
            complaints: opened.complaints.iter().map(complaint_view).collect(),
        }
    }
}

fn feature_view(
    engine: &Engine<'_>,
    status: &Status,
    name: &str,
    feature: &Feature,
) -> FeatureView {
    let targets = engine.flow.phase(&feature.phase).map(crate::Phase::targets);
    let targets = targets.filter(|_| feature.finished_ms.is_none());
    FeatureView {
        name: name.to_owned(),
        phase: feature.phase.clone(),
        since_ms: feature.since_ms,
        rate: feature.rate.map(|rate| rate.percent),
        measured: match engine.measured(feature) {
            Measured::Unmeasured => MeasuredView::Unmeasured,
            Measured::Failed => MeasuredView::Failed,
            Measured::Passed => MeasuredView::Passed,
        },
        iterations: feature.iterations,
        waits: feature.waits.as_ref().map(|waits| WaitsView {
            r#for: waits.r#for,
            is_person: waits.r#for.is_person(),
            to: waits.to.clone(),
            since_ms: waits.since_ms,
        }),
        finished_ms: feature.finished_ms,
        targets: targets
            .unwrap_or_default()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        progress: progress_of(engine, status, name, &feature.phase),
    }
}

fn progress_of(engine: &Engine<'_>, status: &Status, name: &str, phase: &str) -> Progress {
    let mut progress = Progress::default();
    for task in &status.tasks {
        let (about, of_phase) = about(engine, status, task);
        if about.as_deref() == Some(name) && of_phase.as_deref() == Some(phase) {
            progress.count(task.state);
        }
    }
    progress
}

/// The feature and the phase that a task speaks of.
fn about(engine: &Engine<'_>, status: &Status, task: &Task) -> (Option<String>, Option<String>) {
    let Some(says) = tagged(&task.subject, engine.flow) else {
        return (None, None);
    };
    let feature = known(&says.rest, status.features.keys());
    (feature.cloned(), Some(says.phase.name.clone()))
}

fn task_view(engine: &Engine<'_>, status: &Status, task: &Task) -> TaskView {
    let (feature, phase) = about(engine, status, task);
    TaskView {
        session_id: task.session.clone(),
        id: task.id.clone(),
        subject: task.subject.clone(),
        begun: task.state == TaskState::Begun,
        owner: task.owner.clone().or_else(|| task.given_to.clone()),
        feature,
        phase,
    }
}

fn team_view(status: &Status) -> Vec<MemberView> {
    let view = |member: &crate::Member| {
        let is_its = |task: &&Task| {
            let own = task.owner.as_ref() == Some(&member.name) && task.state == TaskState::Begun;
            task.is_on(&member.session) && (own || task.given_to.as_ref() == Some(&member.name))
        };
        let task = status.tasks.iter().find(is_its);
        MemberView {
            session_id: member.session.clone(),
            name: member.name.clone(),
            state: member.state,
            since_ms: member.since_ms,
            task: task.map(|task| task.subject.clone()),
        }
    };
    status.team.iter().map(view).collect()
}

fn message_view(message: &crate::Message) -> MessageView {
    MessageView {
        at_ms: message.at_ms,
        to: message.to.clone(),
        text: message.text.clone(),
    }
}

fn step_view(entry: &Entry) -> StepView {
    StepView {
        n: entry.n,
        at_ms: entry.at_ms,
        feature: entry.feature.clone(),
        what: entry.what,
        from: entry.before.as_ref().map(|before| before.phase.clone()),
        phase: entry.phase.clone(),
        by: entry.by,
        reason: entry.reason.clone(),
        forced: entry.forced,
    }
}

fn complaint_view(complaint: &Complaint) -> ComplaintView {
    ComplaintView {
        line: complaint.line,
        text: complaint.text.clone(),
    }
}
