//! What the person is told besides the result.

use bellwether_spine::text;

use crate::report::{State, StepReport};

/// A note is one line.
const NOTE: usize = 400;

/// Notes as they may be shown, one a line.
pub(crate) fn joined(notes: &[String]) -> String {
    let shown = notes.iter().map(|note| text::shown(note, NOTE));
    shown.collect::<Vec<_>>().join("\n")
}

/// What could not run, one line for each cause.
pub(crate) fn missing(steps: &[StepReport]) -> Vec<String> {
    let mut causes: Vec<(&str, Vec<&str>)> = Vec::new();
    for step in steps.iter().filter(|step| step.state == State::Missing) {
        let cause = step.lines.first().map(String::as_str).unwrap_or_default();
        match causes.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, names)) => names.push(&step.name),
            None => causes.push((cause, vec![&step.name])),
        }
    }
    let told = causes
        .into_iter()
        .map(|(cause, names)| format!("{} did not run: {cause}", names.join(", ")));
    told.collect()
}
