//! Which session is meant.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bellwether_transcript::{Projects, Transcript};
use clap::Args;

#[derive(Args)]
pub(crate) struct Chosen {
    /// A session's id or the beginning of it, or the path of a transcript.
    #[arg(value_name = "SESSION")]
    session: Option<String>,
    /// The newest session of this project; so it is when none is named.
    #[arg(long, conflicts_with = "session")]
    last: bool,
}

impl Chosen {
    /// One that the daemon names, which must be in a folder of the client's.
    pub(super) fn open_within(&self, projects: &Projects) -> anyhow::Result<Transcript> {
        let path = self.session.as_deref().context("no transcript is named")?;
        Ok(Transcript::of_client(Path::new(path), projects)?)
    }

    pub(super) fn open(&self) -> anyhow::Result<Transcript> {
        let projects = Projects::of_user();
        let Some(named) = &self.session else {
            let newest = of_project(&projects)?.into_iter().next();
            let newest = newest.context("this project has no session")?;
            return Ok(Transcript::of_client(&newest, &projects)?);
        };
        if is_path(named) {
            return Ok(Transcript::named(Path::new(named))?);
        }
        Ok(Transcript::of_client(&projects.find(named)?, &projects)?)
    }
}

/// The transcripts of this project, the newest first.
pub(super) fn of_project(projects: &Projects) -> anyhow::Result<Vec<PathBuf>> {
    let here = std::env::current_dir().context("the current folder")?;
    Ok(projects.of_project(&here)?)
}

fn is_path(named: &str) -> bool {
    let path = Path::new(named);
    named.contains('/') || path.extension().is_some() || path.exists()
}
