//! Lines of JSON: what our commands print, and logs that are written by many processes at once and read while they grow.

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

/// A value a line.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<Vec<T>> {
    let parsed = text.lines().map(serde_json::from_str);
    Ok(parsed.collect::<Result<_, _>>()?)
}

/// All whole lines, in the order they were written; none if there is no log yet.
pub fn read<T: DeserializeOwned>(log: &Path) -> Result<Vec<T>> {
    if !log.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(log).with_context(|| format!("reading {}", log.display()))?;
    // What follows the last newline is a line still being written.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    parse(whole).with_context(|| format!("in {}", log.display()))
}
