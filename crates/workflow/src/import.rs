//! Takes over what another program wrote: the status file of the project that this workflow comes from, or an archive of ours.

use serde::Deserialize;
use serde_json::Value;

use crate::error::WorkflowError;
use crate::flow::Flow;
use crate::history::Step;
use crate::rate::Measured;
use crate::status::{By, Entry, Feature, Rate, RateFrom, Status, What};

/// The phases by which the original says that a feature is over.
const OVER: [&str; 2] = ["completed", "archived"];

/// What was taken over, and what was not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Imported {
    pub features: Vec<String>,
    /// A name, and why it was left out.
    pub left_out: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Original {
    features: serde_json::Map<String, Value>,
    #[serde(default)]
    history: Vec<OriginalStep>,
}

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[derive(Default)]
struct OriginalFeature {
    phase: String,
    match_rate: Option<f64>,
    iteration_count: u32,
    timestamps: serde_json::Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct OriginalStep {
    timestamp: String,
    feature: String,
    phase: String,
}

/// Takes the features of a text over into a status. A feature that is there already is left as it is. `moment` reads a time
/// as the original writes it.
pub fn import(
    status: &mut Status,
    flow: &Flow,
    text: &str,
    now_ms: u64,
    moment: &dyn Fn(&str) -> Option<u64>,
) -> Result<Imported, WorkflowError> {
    if let Ok(archive) = serde_json::from_str::<Status>(text) {
        return Ok(restore(status, flow, archive));
    }
    let original: Original = serde_json::from_str(text).map_err(|error| {
        WorkflowError::Import(format!("this is no status file that is known: {error}"))
    })?;
    let mut imported = Imported::default();
    for (name, said) in &original.features {
        let said = OriginalFeature::deserialize(said).unwrap_or_default();
        match take_over(status, flow, name, &said, &original.history, now_ms, moment) {
            Ok(()) => imported.features.push(name.clone()),
            Err(why) => imported.left_out.push((name.clone(), why)),
        }
    }
    Ok(imported)
}

fn take_over(
    status: &mut Status,
    flow: &Flow,
    name: &str,
    said: &OriginalFeature,
    history: &[OriginalStep],
    now_ms: u64,
    moment: &dyn Fn(&str) -> Option<u64>,
) -> Result<(), String> {
    check_new(status, name)?;
    let over = OVER.contains(&said.phase.as_str());
    let last = flow.phases().iter().rev().find(|phase| phase.is_last());
    let phase = match last.filter(|_| over) {
        Some(last) => last.name.as_str(),
        None => said.phase.as_str(),
    };
    if flow.phase(phase).is_none() {
        return Err(format!("{:?} is no phase here", said.phase));
    }
    let at = |text: &str| moment(text).unwrap_or(now_ms);
    for step in history.iter().filter(|step| step.feature == name) {
        if flow.phase(&step.phase).is_some() {
            let at_ms = at(&step.timestamp);
            let earlier = Feature::new(&step.phase, at_ms);
            status.put(&Step::new(name, What::Imported, By::Import, at_ms), earlier);
        }
    }
    let changed = ["lastUpdated", "started"];
    let changed = changed.iter().find_map(|key| said.timestamps.get(*key));
    let since_ms = changed.and_then(Value::as_str).map_or(now_ms, at);
    let measured = Measured::of(said.match_rate, 0.0) != Measured::Unmeasured;
    let feature = Feature {
        iterations: said.iteration_count,
        rate: said.match_rate.filter(|_| measured).map(|percent| Rate {
            percent,
            at_ms: since_ms,
            from: RateFrom::Import,
        }),
        finished_ms: over.then_some(since_ms),
        ..Feature::new(phase, since_ms)
    };
    status.put(
        &Step::new(name, What::Imported, By::Import, now_ms),
        feature,
    );
    Ok(())
}

/// Brings back what was archived. Its steps get numbers behind those that are there.
fn restore(status: &mut Status, flow: &Flow, archive: Status) -> Imported {
    let mut imported = Imported::default();
    for (name, feature) in archive.features {
        let fits = check_new(status, &name).and_then(|()| {
            let known = flow.phase(&feature.phase).is_some();
            known
                .then_some(())
                .ok_or_else(|| format!("{:?} is no phase here", feature.phase))
        });
        if let Err(why) = fits {
            imported.left_out.push((name, why));
            continue;
        }
        let shift = status.history.last().map_or(0, |last| last.n);
        let first = archive.history.iter().find(|entry| entry.feature == name);
        let shift = shift.saturating_sub(first.map_or(0, |first| first.n.saturating_sub(1)));
        let steps = archive.history.iter().filter(|entry| entry.feature == name);
        status.history.extend(steps.map(|entry| Entry {
            n: entry.n + shift,
            undoes: entry.undoes.map(|n| n + shift),
            ..entry.clone()
        }));
        status.features.insert(name.clone(), feature);
        imported.features.push(name);
    }
    imported
}

fn check_new(status: &Status, name: &str) -> Result<(), String> {
    if status.features.contains_key(name) {
        return Err("there is one of that name".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Shipped;

    #[test]
    fn the_original_s_status_is_taken_over_with_its_history() {
        let flow = Flow::of(Shipped::Pdca, &[]).unwrap();
        let mut status = Status::new(&flow);
        let text = r#"{"version":"2.0","activeFeatures":["shop"],"primaryFeature":"shop","pipeline":{},
            "features":{
              "shop":{"phase":"check","phaseNumber":4,"matchRate":71,"iterationCount":2,"documents":{},
                "timestamps":{"started":"t1","lastUpdated":"t3"},"previousPhase":"do","autoAdvanced":true},
              "old":{"phase":"archived"},"odd":{"phase":"pm"},"bad":7},
            "history":[{"timestamp":"t1","feature":"shop","phase":"plan","action":"updated"},
              {"timestamp":"t2","feature":"shop","phase":"do","action":"updated"},
              {"timestamp":"t2","feature":"shop","phase":"pm","action":"updated"}]}"#;
        let moment = |text: &str| text.strip_prefix('t')?.parse().ok();
        let done = import(&mut status, &flow, text, 9, &moment).unwrap();
        assert_eq!(done.features, ["old", "shop"]);
        let left: Vec<&str> = done
            .left_out
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(left, ["bad", "odd"]);
        let shop = &status.features["shop"];
        assert_eq!(
            (
                shop.phase.as_str(),
                shop.iterations,
                shop.since_ms,
                shop.current_rate()
            ),
            ("check", 2, 3, Some(71.0))
        );
        assert!(status.features["old"].finished_ms.is_some());
        let phases: Vec<&str> = status
            .history_of("shop")
            .map(|it| it.phase.as_str())
            .collect();
        assert_eq!(phases, ["plan", "do", "check"]);
        assert!(import(&mut status, &flow, "[]", 9, &moment).is_err());
        let again = import(&mut status, &flow, text, 9, &moment).unwrap();
        assert_eq!(again.features, [""; 0], "nothing is written over");
    }
}
