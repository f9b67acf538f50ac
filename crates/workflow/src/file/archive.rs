//! Features that are over, each in a file of its own beside the status.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::StatusFile;
use super::text::text_of;
use crate::error::WorkflowError;
use crate::flow::Flow;
use crate::papers::file_name;
use crate::status::Status;

const ARCHIVE: &str = "archive";

impl StatusFile {
    /// Moves a feature with its history out of the status, and returns where it is and its last phase. It is there before
    /// it is gone here: whatever happens in between loses nothing.
    pub fn archive(
        &self,
        flow: &Flow,
        patience: Duration,
        feature: &str,
        even_unfinished: bool,
    ) -> Result<(PathBuf, String), WorkflowError> {
        let file = self.free_archive(feature);
        let phase = self.change(flow, patience, None, |status| {
            let archive = status.take_out(feature, even_unfinished)?;
            write(&file, &archive)?;
            Ok(archive.features.into_values().next().map(|it| it.phase))
        })?;
        Ok((file, phase.unwrap_or_default()))
    }

    /// A file that is not there yet: another feature of that name may have been archived.
    fn free_archive(&self, feature: &str) -> PathBuf {
        let (folder, name) = (self.folder.join(ARCHIVE), file_name(feature));
        let first = folder.join(format!("{name}.json"));
        let others = (2..).map(|number| folder.join(format!("{name}-{number}.json")));
        let mut all = std::iter::once(first).chain(others);
        all.find(|file| !file.exists()).unwrap_or_default()
    }
}

fn write(file: &Path, archive: &Status) -> Result<(), WorkflowError> {
    let failed = |source| WorkflowError::io("write", file, source);
    let text = text_of(archive).map_err(|error| failed(std::io::Error::other(error)))?;
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(file, text).map_err(failed)
}
