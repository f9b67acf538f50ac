//! A whole session: its transcript, those of its subagents, and what the guard stopped in it. It is surveyed first and
//! walked then; only one line of each transcript is in memory at a time.

mod agents;
mod chains;
mod lineage;
mod overview;
mod survey;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use bellwether_prices::Prices;

use crate::image::Room;
use crate::shown::{self, Limits};
use crate::stops::Stops;
use crate::{Projects, TranscriptError, Whose};

pub use overview::{ModelUse, Overview};

use agents::Agents;
use survey::{Key, Survey};

/// What is known beside the transcript, and how much of it is shown.
pub struct Surroundings<'a> {
    pub prices: &'a Prices,
    pub stops: &'a Stops,
    pub limits: Limits,
}

/// Told how far reading is.
pub(crate) type Progress<'a> = &'a mut dyn FnMut(u64);

pub struct Session<'a> {
    path: PathBuf,
    file: File,
    /// Where the transcripts of its agents may be.
    shelf: Projects,
    around: Surroundings<'a>,
    room: Room,
    survey: Survey,
    agents: Agents,
    /// The calls that the guard stopped.
    stopped: HashSet<Key>,
}

impl<'a> Session<'a> {
    /// Surveys a session by its open transcript.
    pub fn survey(
        transcript: Transcript,
        around: Surroundings<'a>,
        progress: Progress<'_>,
    ) -> Result<Self, TranscriptError> {
        let Transcript { path, file, shelf } = transcript;
        let survey = Survey::read(&file, Whose::of(&path), around.prices, progress)
            .map_err(TranscriptError::io(&path))?;
        let mut agents = Agents::find(&path, &shelf, &survey);
        agents.survey(&shelf, around.prices, progress)?;
        Ok(Self {
            stopped: around.stops.calls().map(Key::of).collect(),
            room: Room::new(&around.limits),
            path,
            file,
            shelf,
            around,
            survey,
            agents,
        })
    }

    pub fn overview(&self) -> Overview {
        Overview::of(self)
    }

    /// The session's id: as its lines say, else by the name of the file.
    fn id(&self) -> String {
        let named = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let said = self.survey.facts.session.clone();
        said.unwrap_or_else(|| shown::line(&named, 80))
    }
}

/// A transcript that was opened.
#[derive(Debug)]
pub struct Transcript {
    pub path: PathBuf,
    pub file: File,
    /// Where the transcripts of its agents may be.
    pub shelf: Projects,
}

impl Transcript {
    /// One that the person has named: it may stand anywhere, but must be a regular file.
    pub fn named(path: &Path) -> Result<Self, TranscriptError> {
        let path = std::path::absolute(path).map_err(TranscriptError::io(path))?;
        let file = crate::projects::open_regular(&path)?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        Ok(Self {
            shelf: Projects::at(folder),
            file,
            path,
        })
    }

    /// One in the client's own folder.
    pub fn of_client(path: &Path, projects: &Projects) -> Result<Self, TranscriptError> {
        Ok(Self {
            file: projects.open(path)?,
            path: path.to_owned(),
            shelf: projects.clone(),
        })
    }

    /// The session's id, by the name of the file.
    pub fn session(&self) -> String {
        self.path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    /// How long it is with those of its agents, in bytes.
    pub fn length(&self) -> u64 {
        let length = |file: &File| file.metadata().map_or(0, |seen| seen.len());
        let folder = self.path.with_extension("").join("subagents");
        let agents = self.shelf.names_in(&folder).into_iter();
        let agents = agents.filter_map(|name| self.shelf.open(&folder.join(name)).ok());
        length(&self.file) + agents.map(|agent| length(&agent)).sum::<u64>()
    }
}
