//! The rules: which effects are stopped.
//!
//! A rule is one file here and one `mod` line below. The file says what the rule is about
//! (`ABOUT`), how bad it would be (`SEVERITY`), what it says by loss and in strict mode (`BY_LOSS`,
//! `STRICT`), and judges (`judge`). `guard rules`, the docs and the configuration derive from the list.
//! The identifier of a rule is the name of its file with dashes.

use bellwether_shell::Act;

use super::scene::Scene;
use super::verdict::{Severity, Verdict};

/// One rule, as its file describes it.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its name in Rust: `delete_home`.
    pub name: &'static str,
    /// What it is about, in a few words.
    pub about: &'static str,
    /// How bad it would be.
    pub severity: Severity,
    /// What it says by loss, in a sentence.
    pub by_loss: &'static str,
    /// What it says in strict mode.
    pub strict: Verdict,
    judge: fn(&Act, &Scene<'_>) -> Option<Hit>,
}

/// What a rule says about an act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The verdict, in the scene's mode.
    pub verdict: Verdict,
    /// Why, in one sentence for the agent: what would be hit, never the way around.
    pub reason: String,
    /// What would be lost, when that could be told.
    pub lost: Option<String>,
    /// What does the job safely.
    pub instead: Option<String>,
}

impl Rule {
    /// Its identifier: `delete-home`.
    pub fn id(&self) -> String {
        self.name.replace('_', "-")
    }

    /// What it says about an act.
    pub fn judge(&self, act: &Act, scene: &Scene<'_>) -> Option<Hit> {
        (self.judge)(act, scene).filter(|hit| hit.verdict > Verdict::Silent)
    }
}

macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        /// Every rule, in the order in which they are asked.
        pub const ALL: &[Rule] = &[$(Rule {
            name: stringify!($name),
            about: $name::ABOUT,
            severity: $name::SEVERITY,
            by_loss: $name::BY_LOSS,
            strict: $name::STRICT,
            judge: $name::judge,
        }),*];
    };
}

mod bomb;
mod delete;
mod delete_elsewhere;
mod delete_unknown;
mod delete_work;
mod device;
mod download;
mod git_branch;
mod git_clean;
mod git_discard;
mod git_history;
mod git_push;
mod git_reset;
mod git_skip_hooks;
mod git_stash;
mod git_unknown;
mod git_worktree;
mod move_away;
mod own;
mod permission;
mod publish;
mod remote;
mod system;
mod unseen;
mod wipe;

bellwether_listed::modules!(rules, "src/guard/rules/mod.rs");
