//! The commits of a command as they are explained: nothing is checked, and git is not asked.

use std::path::PathBuf;

use serde::Serialize;

use super::check::{analysis, gated_by};
use super::drafts::begun;
use super::work_tree::WorkTree;
use crate::handlers::Context;

/// A commit that a command would make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeenCommit {
    /// What it takes: `commit all`.
    pub what: String,
    /// Where, when that is known.
    pub folder: Option<PathBuf>,
    /// The way to it, from the outside.
    pub via: Vec<String>,
    /// Whether it goes through a gate.
    pub checked: bool,
}

/// The commits of an event's command.
pub fn seen(context: Context<'_>) -> Vec<SeenCommit> {
    let Some(analysis) = analysis(context) else {
        return Vec::new();
    };
    let begun = begun(analysis);
    let seen = analysis.commits().map(|(_, step)| {
        let site = step.staged.site.as_ref();
        let tree = site.and_then(|site| WorkTree::around(site, &begun));
        SeenCommit {
            what: step.staged.act.to_string(),
            folder: site.map(|site| site.folder.clone()),
            via: step.via.clone(),
            checked: tree.and_then(|tree| gated_by(context, tree)).is_some(),
        }
    });
    seen.collect()
}
