//! Which of several sentences a recording says, by a speech recogniser (`pocketsphinx`, with the
//! English model that comes with it). `./test` installs it below `target/`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use bellwether_audio::{Clip, wav};

use crate::programs::build_folder;

const SCRIPT: &str = include_str!("recognise.py");

/// A recogniser that is installed.
#[derive(Debug)]
pub struct Recogniser {
    python: PathBuf,
}

impl Recogniser {
    /// The one that `./test` has installed.
    pub fn installed() -> Result<Self> {
        let python = build_folder().join("recogniser/bin/python");
        ensure!(
            python.exists(),
            "no recogniser is installed; `./test` does that"
        );
        Ok(Self { python })
    }

    /// Which of these sentences it hears.
    pub fn hear(&self, clip: &Clip, sentences: &[&str]) -> Result<String> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("heard.wav");
        std::fs::write(&file, wav::encode(clip))?;
        let output = Command::new(&self.python)
            .args(["-c", SCRIPT])
            .arg(&file)
            .args(sentences)
            .output()
            .context("starting the recogniser")?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "the recogniser failed: {complaint}"
        );
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}
