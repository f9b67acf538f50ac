//! A workflow as text: where each feature stands, who works on what, and how it came to that.

use bellwether_spine::{clock, text};
use bellwether_workflow::{FeatureView, MeasuredView, MemberState, StepView, View, WaitsFor, What};
use unicode_width::UnicodeWidthStr as _;

use super::Place;
use crate::output;

/// Of a name or a subject so much is shown.
const NAME: usize = 40;

/// What `bellwether workflow status` prints.
pub(crate) fn status(place: &Place<'_>, view: &View) -> String {
    let mut lines = vec![format!(
        "{}  {}, {}",
        place.desk.project.display(),
        view.flow,
        view.automation
    )];
    lines.extend(state_of(place));
    let file = place.desk.file.path().display();
    let complaints = view.complaints.iter();
    lines.extend(complaints.map(|it| output::red(&format!("{file}:{}: {}", it.line, it.text))));
    lines.push(String::new());
    lines.extend(features(view));
    lines.extend(team(view));
    if !view.history.is_empty() {
        lines.push(String::new());
        lines.extend(view.history.iter().map(step));
    }
    let lines: Vec<String> = lines.iter().map(|line| text::shown_block(line)).collect();
    lines.join("\n") + "\n"
}

/// What keeps hooks from following it.
fn state_of(place: &Place<'_>) -> Option<String> {
    let why = match (place.enabled, place.trusted) {
        (true, _) => return None,
        (false, false) => "this project is not trusted: `bellwether config trust`",
        (false, true) => {
            "`workflow.enabled` is false: `bellwether config set workflow.enabled true`"
        }
    };
    Some(format!("hooks do not follow it: {why}"))
}

fn features(view: &View) -> Vec<String> {
    if view.features.is_empty() {
        return vec![
            "no features yet; a task with the tag of the first phase begins one".to_owned(),
        ];
    }
    let names = ["FEATURE", "PHASE", "FOR", "TASKS", "RATE", "ROUNDS", ""].map(str::to_owned);
    let rows = view.features.iter().map(|feature| row(view, feature));
    table(&std::iter::once(names).chain(rows).collect::<Vec<_>>())
}

fn row(view: &View, feature: &FeatureView) -> [String; 7] {
    let since = clock::wall_ms().saturating_sub(feature.since_ms);
    [
        text::shown(&feature.name, NAME),
        feature.phase.clone(),
        output::duration(since),
        format!("{}/{}", feature.progress.done, feature.progress.total),
        rate(feature),
        format!("{}/{}", feature.iterations, view.max_iterations),
        note(feature),
    ]
}

/// The match rate, and what it means here.
pub(crate) fn rate(feature: &FeatureView) -> String {
    let sign = match feature.measured {
        MeasuredView::Passed => " passed",
        MeasuredView::Failed => " failed",
        MeasuredView::Unmeasured => "",
    };
    match feature.rate {
        Some(rate) => format!("{rate} %{sign}"),
        None => "-".to_owned(),
    }
}

/// What a feature waits for, in a few words.
pub(crate) fn note(feature: &FeatureView) -> String {
    if feature.finished_ms.is_some() {
        return "finished".to_owned();
    }
    let Some(waits) = &feature.waits else {
        return String::new();
    };
    let next = waits.to.as_deref().unwrap_or("the next phase");
    match waits.r#for {
        WaitsFor::Checkpoint => format!("needs you: review it, then {next} begins"),
        WaitsFor::Person => format!("needs you: say when {next} begins"),
        WaitsFor::Limit => "needs you: it has failed as often as is allowed".to_owned(),
        WaitsFor::Rate => "its match rate is not measured".to_owned(),
        WaitsFor::Paper => "what the phase must leave behind is not there".to_owned(),
    }
}

pub(crate) fn team(view: &View) -> Vec<String> {
    let progress = view.progress;
    if progress.total == 0 && view.team.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![
        String::new(),
        format!(
            "{}: {} done, {} begun, {} open",
            output::many(progress.total, "task"),
            progress.done,
            progress.begun,
            progress.pending
        ),
    ];
    lines.extend(view.team.iter().map(|member| {
        let state = match member.state {
            MemberState::Working => "works",
            MemberState::Idle => "is idle",
        };
        let task = member
            .task
            .as_deref()
            .map(|task| format!(": {}", text::shown(task, NAME)));
        format!("  {} {state}{}", member.name, task.unwrap_or_default())
    }));
    lines
}

/// One step of the history, in a line.
pub(crate) fn step(step: &StepView) -> String {
    let from = step.from.as_deref().unwrap_or_default();
    let what = match step.what {
        What::Begun => format!("began with {}", step.phase),
        What::Moved => format!("{from} → {}", step.phase),
        What::Finished => "finished".to_owned(),
        What::Waits => format!("{} is done and waits", step.phase),
        What::Measured => "was measured".to_owned(),
        What::Undone => format!("back in {}", step.phase),
        What::Imported => format!("was imported, in {}", step.phase),
    };
    let forced = if step.forced { " by force" } else { "" };
    let reason = match step.reason.as_str() {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    let (at, name) = (output::moment(step.at_ms), text::shown(&step.feature, NAME));
    format!("{:>4}  {at}  {name}  {what}{forced}{reason}", step.n)
}

fn table(rows: &[[String; 7]]) -> Vec<String> {
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].width())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..7).map(width).collect();
    let line = |row: &[String; 7]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| {
            let room = width.saturating_sub(cell.width());
            format!("{cell}{}", " ".repeat(room))
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
