//! Phases of a workflow that do not fit together, and checkpoints that are none of them.

use bellwether_hook::workflow::{self, SECTION};
use bellwether_spine::config::{Node, Problem};

/// What is wrong with the workflow of a tree.
pub(crate) fn problem(tree: &Node, config: &workflow::Config) -> Option<Problem> {
    let at = |key: &str, message: String| {
        let node = tree.at(&[SECTION, key])?;
        Some(Problem {
            place: node.place.clone(),
            path: format!("{SECTION}.{key}"),
            message,
            suggestion: None,
        })
    };
    let flow = match config.flow() {
        Ok(flow) => flow,
        Err(error) => return at("phases", error.to_string()),
    };
    // Those of the defaults belong to a flow that may not be the one that counts.
    let is_chosen = config.checkpoints != workflow::Config::default().checkpoints;
    let mut chosen = config.checkpoints.iter().filter(|_| is_chosen);
    let unknown = chosen.find(|name| flow.phase(name).is_none())?;
    let all: Vec<&str> = flow
        .phases()
        .iter()
        .map(|phase| phase.name.as_str())
        .collect();
    at(
        "checkpoints",
        format!(
            "there is no phase {unknown:?}; there are {}",
            all.join(", ")
        ),
    )
}
