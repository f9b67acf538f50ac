//! Logs of JSON lines, written by many processes at once and read while they grow.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Appends in one write, so that lines of parallel writers do not mix.
pub(crate) fn append(log: &Path, line: &impl Serialize) -> Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .with_context(|| format!("opening {}", log.display()))?;
    file.write_all(&bytes)
        .with_context(|| format!("writing {}", log.display()))
}

/// All whole lines, in the order they were written; none if there is no log yet.
pub(crate) fn read<T: DeserializeOwned>(log: &Path) -> Result<Vec<T>> {
    if !log.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(log).with_context(|| format!("reading {}", log.display()))?;
    // What follows the last newline is a line still being written.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).with_context(|| format!("in {}", log.display())))
        .collect()
}
