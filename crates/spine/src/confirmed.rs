//! What a person has agreed to: the guard's settings, what our own files hold, and where our hooks are registered.
//!
//! Files that loosen something count only as long as they hold what our own program last wrote into them. So a file
//! that somebody lays in its place allows nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::sha256;
use crate::{Home, SpineError, place};

/// What a person has agreed to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Confirmed {
    /// The guard's section, as the person's own file came to.
    pub guard: Option<Value>,
    /// The hash of what each file of ours holds, by its name.
    pub files: BTreeMap<String, String>,
    /// How many entries of ours each settings file of a client holds.
    pub registered: BTreeMap<PathBuf, usize>,
}

impl Confirmed {
    /// `None` before anything was confirmed: then everything counts as it stands.
    pub fn load(home: &Home) -> Option<Self> {
        let text = std::fs::read(home.confirmed()).ok()?;
        // One that cannot be read confirms nothing.
        Some(serde_json::from_slice(&text).unwrap_or_default())
    }

    /// Keeps it, whole or not at all.
    pub fn save(&self, home: &Home) -> Result<(), SpineError> {
        let path = home.confirmed();
        let text = serde_json::to_vec_pretty(self)
            .map_err(|error| SpineError::io("write", &path, std::io::Error::from(error)))?;
        place::replace_private(&path, &text)
    }

    /// Agrees to what a file holds.
    pub fn cover(&mut self, path: &Path, content: &[u8]) {
        self.files.insert(name(path), sha256(content));
    }

    /// Whether this is what our own program wrote into a file.
    pub fn covers(&self, path: &Path, content: &[u8]) -> bool {
        self.files
            .get(&name(path))
            .is_some_and(|hash| *hash == sha256(content))
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Whether a file of ours holds what our own program wrote. Before anything was confirmed it does.
pub fn is_vouched_for(home: &Home, path: &Path, content: &[u8]) -> bool {
    Confirmed::load(home).is_none_or(|confirmed| confirmed.covers(path, content))
}

/// Says that our own program has written this. Before anything was confirmed that need not be said.
pub fn vouch(home: &Home, path: &Path, content: &[u8]) -> Result<(), SpineError> {
    match Confirmed::load(home) {
        Some(mut confirmed) => {
            confirmed.cover(path, content);
            confirmed.save(home)
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_we_wrote_counts_once_something_is_confirmed() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let path = home.allowed();
        assert!(is_vouched_for(&home, &path, b"planted"));
        vouch(&home, &path, b"ours").unwrap();
        assert_eq!(Confirmed::load(&home), None);
        Confirmed::default().save(&home).unwrap();
        assert!(!is_vouched_for(&home, &path, b"planted"));
        vouch(&home, &path, b"ours").unwrap();
        assert!(is_vouched_for(&home, &path, b"ours") && !is_vouched_for(&home, &path, b"ours "));
        assert!(
            !is_vouched_for(&home, &home.trust(), b"ours"),
            "another file's"
        );
        std::fs::write(home.confirmed(), "broken").unwrap();
        assert!(!is_vouched_for(&home, &path, b"ours"));
    }
}
