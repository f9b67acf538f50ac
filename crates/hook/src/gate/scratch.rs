//! A folder of our own for the time of one visit. What a killed hook left is removed by a later one.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bellwether_spine::{Home, place};

/// No visit lasts so long.
const OLD: Duration = Duration::from_hours(1);

pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn make(home: &Home) -> Result<Self, String> {
        let all = home.gate_drafts();
        place::create_private(&all).map_err(|error| error.to_string())?;
        remove_old(&all);
        let folder = all.join(std::process::id().to_string());
        // One that had our number before us.
        let _ = std::fs::remove_dir_all(&folder);
        place::create_private(&folder).map_err(|error| error.to_string())?;
        Ok(Self(folder))
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays is removed later.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn remove_old(folder: &Path) {
    let now = SystemTime::now();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let made = entry.metadata().and_then(|entry| entry.modified());
        if made.is_ok_and(|made| now.duration_since(made).is_ok_and(|age| age > OLD)) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
