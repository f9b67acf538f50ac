//! How a status file is written.

use serde::Serialize;

use crate::status::Status;

/// One line for each feature, step, task and member: what two people change on two branches is merged line by line.
pub(super) fn text_of(status: &Status) -> serde_json::Result<String> {
    let features = status.features.iter().map(|(name, feature)| {
        let name = serde_json::to_string(name)?;
        Ok(format!("{name}: {}", serde_json::to_string(feature)?))
    });
    let parts = [
        ("version", status.version.to_string()),
        ("flow", serde_json::to_string(&status.flow)?),
        ("features", lines('{', features, '}')?),
        ("history", list(&status.history)?),
        ("tasks", list(&status.tasks)?),
        ("team", list(&status.team)?),
        ("messages", list(&status.messages)?),
    ];
    let parts = parts.map(|(key, value)| format!("  \"{key}\": {value}"));
    Ok(format!("{{\n{}\n}}\n", parts.join(",\n")))
}

fn list<T: Serialize>(all: &[T]) -> serde_json::Result<String> {
    lines('[', all.iter().map(serde_json::to_string), ']')
}

fn lines(
    open: char,
    all: impl Iterator<Item = serde_json::Result<String>>,
    close: char,
) -> serde_json::Result<String> {
    let all: Vec<String> = all.collect::<serde_json::Result<_>>()?;
    if all.is_empty() {
        return Ok(format!("{open}{close}"));
    }
    Ok(format!("{open}\n    {}\n  {close}", all.join(",\n    ")))
}
