//! Code that stands in files: which file it is, whether it is surely run, and how much of it is followed.
//!
//! A file may be long and may do anything, and whoever judges may trust it. So it gets only a part of the steps, the
//! effects and the time: what the command itself does is followed in any case.

use std::path::Path;

use super::{MOST_ACTS, MOST_STEPS, Runner};
use crate::effect::CodeFile;
use crate::state::Held;
use crate::text::Text;

/// What of a file was left before its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Left {
    #[default]
    No,
    /// `continue`.
    Round,
    /// `break`.
    Loop,
    /// `return`.
    Function,
    /// `exit`.
    Shell,
}

impl Runner<'_> {
    /// A file as it is on the disk, or as the command has left it.
    pub(crate) fn code_file(&self, path: &Path, part: Option<&str>) -> CodeFile {
        let state = &self.state;
        let is_written = state.files.contains_key(path) || state.links.contains_key(path);
        let is_filled = state.filled.iter().any(|folder| path.starts_with(folder));
        let is_copied = state.copies.contains_key(path);
        CodeFile {
            path: path.to_owned(),
            part: part.map(str::to_owned),
            is_new: is_written || is_filled || is_copied,
        }
    }

    /// Runs what is in a file.
    pub(crate) fn in_file<T>(&mut self, file: CodeFile, run: impl FnOnce(&mut Self) -> T) -> T {
        // What code in a file has written itself is that code's doing.
        if !self.files.is_empty() && self.state.by_files.contains(&file.path) {
            return run(self);
        }
        if !self.files.is_empty() {
            self.files.push(file);
            let out = run(self);
            self.files.pop();
            return out;
        }
        let (maybe, was_done) = (std::mem::take(&mut self.maybe), self.is_done);
        let given = if self.marked == 0 {
            self.mark_given()
        } else {
            Vec::new()
        };
        self.last_step = self.steps + (MOST_STEPS.saturating_sub(self.steps)) / 2;
        self.files.push(file);
        let out = run(self);
        self.files.pop();
        (self.maybe, self.is_done, self.left) = (maybe, was_done, Left::No);
        self.last_step = MOST_STEPS;
        for (name, value) in given {
            self.state.variables.entry(name).and_modify(|held| {
                if held.is_given() {
                    *held = value;
                }
            });
        }
        out
    }

    /// Runs a tool in a shell of its own that sets the variables of its file before it runs parts of it: those are the
    /// file's, and only what was there before comes from outside.
    pub(crate) fn with_marked<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.apart(|runner| {
            runner.mark_given();
            runner.marked += 1;
            let out = run(runner);
            runner.marked -= 1;
            out
        })
    }

    /// What variables hold that is not known comes from outside of the file. What they held before.
    fn mark_given(&mut self) -> Vec<(String, Held)> {
        let open = self.state.variables.iter_mut();
        let open = open.filter(|(_, held)| held.has_hole());
        open.map(|(name, held)| (name.clone(), std::mem::replace(held, held.given())))
            .collect()
    }

    /// The arguments of a file: those of the agent's command are not the file's own doing.
    pub(crate) fn given_words(&self, words: &[Text]) -> Vec<Text> {
        match self.files.len() {
            0 | 1 => words.iter().map(Text::given).collect(),
            _ => words.to_vec(),
        }
    }

    /// The most effects that are noted here.
    pub(super) fn most_acts(&self) -> usize {
        if self.files.is_empty() {
            MOST_ACTS
        } else {
            MOST_ACTS / 2
        }
    }

    /// Whether there is no time left for what is followed here.
    pub(crate) fn is_late(&self) -> bool {
        if self.files.is_empty() {
            self.world.is_late()
        } else {
            self.world.is_half_gone()
        }
    }

    /// Runs something that may not be run at all.
    pub(crate) fn perhaps<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.maybe += 1;
        let out = run(self);
        self.maybe -= 1;
        out
    }

    /// `exit`, `return`, `break`: what stands behind it is not run, where that is sure.
    pub(super) fn leave(&mut self, left: Left) {
        if !self.files.is_empty() && self.maybe == 0 {
            self.left = left;
        }
    }

    /// One round of a loop is over: whether there may be another.
    pub(super) fn goes_on(&mut self) -> bool {
        let goes_on = matches!(self.left, Left::No | Left::Round) && !self.is_done;
        if matches!(self.left, Left::Round | Left::Loop) {
            self.left = Left::No;
        }
        goes_on
    }
}
