//! Where words lead: folders, paths and targets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Call, Runner};
use crate::effect::{Effect, How};
use crate::path;
use crate::target::{Place, Target};
use crate::text::Text;

/// The most targets of one effect that are looked at; more are one that cannot be told.
const MOST_TARGETS: usize = 512;

impl Runner<'_> {
    /// The target that a word names from here, when it is written: a link at its end is followed.
    pub(crate) fn written(&mut self, text: &Text) -> Target {
        let mut target = self.target(text);
        target.follows = true;
        if let Place::At(path) = &target.place
            && let Some(led) = self.led(path, true)
        {
            target.shown = led.display().to_string();
            target.place = Place::At(led);
        }
        target
    }

    /// Notes that a file which a word names is written over.
    pub(crate) fn overwrite(&mut self, file: &Text, how: How, call: &Call) {
        let target = self.written(file);
        self.note(Effect::Overwrite { target, how }, call);
    }

    /// The target that a word names from here.
    pub(crate) fn target(&mut self, text: &Text) -> Target {
        let folder = self.folder_for(text);
        let mut target = path::target(text, folder.as_deref());
        if let Place::At(path) = &target.place
            && let Some(led) = self.led(path, target.follows)
        {
            target.shown = led.display().to_string();
            target.place = Place::At(led);
        }
        target
    }

    /// Where a path leads when a link that was made on the way is in it. One at its end is followed only
    /// when that is said.
    fn led(&self, path: &Path, follows: bool) -> Option<PathBuf> {
        let skip = usize::from(!follows);
        path.ancestors().skip(skip).find_map(|above| {
            let to = self.state.links.get(above)?;
            let rest = path.strip_prefix(above).ok()?;
            Some(path::normal(&to.join(rest)))
        })
    }

    pub(crate) fn targets(&mut self, texts: &[Text]) -> Vec<Target> {
        let mut seen = BTreeSet::new();
        let new: Vec<&Text> = match texts.len() {
            ..=MOST_TARGETS => texts.iter().collect(),
            _ => texts.iter().filter(|text| seen.insert(*text)).collect(),
        };
        let mut targets: Vec<Target> = new
            .iter()
            .take(MOST_TARGETS)
            .map(|text| self.target(text))
            .collect();
        if new.len() > MOST_TARGETS {
            targets.push(Target {
                shown: format!("{} more", new.len() - MOST_TARGETS),
                place: Place::Unknown { below: None },
                follows: false,
                given: false,
                end: String::new(),
            });
        }
        targets
    }

    /// The folder that is tried now.
    pub(crate) fn folder(&mut self) -> Option<PathBuf> {
        match self.state.folders.len() {
            0 => None,
            1 => self.state.folders.first().cloned(),
            count => {
                let pick = self.choice.pick(".", count);
                self.state.folders.get(pick).cloned()
            }
        }
    }

    /// The folder that a word is seen from. `..` leads out of where a link leads, not of the link.
    fn folder_for(&mut self, text: &Text) -> Option<PathBuf> {
        let folder = self.folder()?;
        let climbs = text.lead().split('/').any(|part| part == "..");
        Some(if climbs {
            self.world.real(&folder).unwrap_or(folder)
        } else {
            folder
        })
    }

    /// The known path of a word.
    pub(crate) fn path(&mut self, text: &Text) -> Option<PathBuf> {
        let folder = self.folder_for(text);
        path::absolute(text.known()?, folder.as_deref())
    }
}
