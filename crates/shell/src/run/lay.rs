//! What comes to stand somewhere with all that is in it.

use std::path::{Path, PathBuf};

use super::{Call, Runner};
use crate::effect::{Effect, How, Laid};
use crate::target::{Place, Target};
use crate::text::Text;
use crate::world::Entry;

/// The most files made on the way that are followed to where they are put.
const MOST: usize = 64;

impl Runner<'_> {
    /// Notes that what a word names comes to stand at a place.
    pub(crate) fn lay(&mut self, from: &Text, to: &Target, call: &Call) {
        let Some(source) = self.path(from) else {
            return self.fill(to.clone(), &from.shown(), call);
        };
        let made = self.made_below(&source);
        for path in &made {
            self.lay_made(path, &source, to, call);
        }
        let is_filled = self
            .state
            .filled
            .iter()
            .any(|folder| source.starts_with(folder) || folder.starts_with(&source));
        let is_there = self.world.look(&source) != Entry::Missing;
        if is_filled || (!is_there && made.is_empty()) {
            return self.fill(to.clone(), &from.shown(), call);
        }
        if is_there {
            let (from, to) = (Laid::Tree(source), to.clone());
            self.note(Effect::Lay { from, to }, call);
        }
    }

    /// Notes that a folder is filled with something whose names are not known.
    pub(crate) fn fill(&mut self, to: Target, from: &str, call: &Call) {
        if let Place::At(folder) = &to.place
            && !self.state.filled.contains(folder)
        {
            self.state.filled.push(folder.clone());
        }
        let from = Laid::Unknown(from.to_owned());
        self.note(Effect::Lay { from, to }, call);
    }

    /// The same of a folder that a word names; the folder of the command when there is none.
    pub(crate) fn fill_folder(&mut self, folder: Option<&Text>, from: &str, call: &Call) {
        let here = Text::plain(".");
        let to = self.written(folder.unwrap_or(&here));
        self.fill(to, from, call);
    }

    /// Notes that places become something else.
    pub(crate) fn displace(&mut self, operands: &[Text], how: &'static str, call: &Call) {
        let targets = self.targets(operands);
        if !targets.is_empty() {
            self.note(Effect::Displace { targets, how }, call);
        }
    }

    /// What was made on the way at a place and below it.
    fn made_below(&self, source: &Path) -> Vec<PathBuf> {
        let state = &self.state;
        let made = state.files.keys().chain(state.links.keys());
        made.chain(&state.made)
            .filter(|path| path.starts_with(source) && *path != source)
            .take(MOST)
            .cloned()
            .collect()
    }

    fn lay_made(&mut self, path: &Path, source: &Path, to: &Target, call: &Call) {
        if let (Place::At(to), Ok(below)) = (&to.place, path.strip_prefix(source)) {
            let to = to.join(below);
            let target = Target {
                shown: to.display().to_string(),
                place: Place::At(to),
                follows: true,
                given: false,
                end: String::new(),
            };
            let how = How::Written;
            self.note(Effect::Overwrite { target, how }, call);
        }
    }
}
