//! What in a status file no program has written so, and where it stands.

use super::Complaint;
use crate::flow::Flow;
use crate::status::{Feature, Status};

/// What does not fit together. Each step is written with the phase that it leads to, so the last one of a feature says where
/// the feature is.
pub(super) fn complaints(status: &Status, text: &str, flow: &Flow) -> Vec<Complaint> {
    if status.flow != flow.name() {
        let (file, wanted) = (&status.flow, flow.name());
        return vec![Complaint {
            line: line_of(text, text.find("\"flow\"")),
            feature: None,
            text: format!("this is the workflow {file:?}, and the configuration has {wanted:?}"),
        }];
    }
    let of_features = status.features.iter().filter_map(|(name, feature)| {
        let key = serde_json::to_string(name).unwrap_or_default();
        Some(Complaint {
            text: of_feature(status, name, feature, flow)?,
            line: line_of(text, text.find(&format!("{key}:"))),
            feature: Some(name.clone()),
        })
    });
    let of_steps = status.history.windows(2).filter_map(|pair| {
        let (before, n) = (pair[0].n, pair[1].n);
        (n <= before).then(|| Complaint {
            text: format!("step {n} comes after step {before}"),
            line: line_of(text, text.rfind(&format!("\"n\":{n},"))),
            feature: None,
        })
    });
    of_features.chain(of_steps).collect()
}

fn of_feature(status: &Status, name: &str, feature: &Feature, flow: &Flow) -> Option<String> {
    let phase = &feature.phase;
    if flow.phase(phase).is_none() {
        return Some(format!("{name:?} is in {phase:?}, which is no phase"));
    }
    let last = status.history_of(name).last();
    let last = last.map_or("nothing", |last| last.phase.as_str());
    (last != phase).then(|| {
        format!(
            "{name:?} is in {phase:?}, but its history ends in {last:?}; if this is right, say so with `bellwether workflow set --force`"
        )
    })
}

fn line_of(text: &str, at: Option<usize>) -> usize {
    let before = &text.as_bytes()[..at.unwrap_or(0)];
    before.split(|byte| *byte == b'\n').count()
}
