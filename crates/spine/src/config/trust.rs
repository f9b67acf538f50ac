//! Which project files the person has read and agreed to: by content, so that a change asks again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::confirmed::{is_vouched_for, vouch};
use crate::digest::sha256;
use crate::{Home, SpineError, place};

/// The files that are trusted, each with the hash of the content that is.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Trust {
    files: BTreeMap<PathBuf, String>,
}

impl Trust {
    /// What the person has agreed to so far. A file that cannot be read, or that is not of our making, grants nothing.
    pub fn load(home: &Home) -> Self {
        let Ok(text) = std::fs::read(home.trust()) else {
            return Self::default();
        };
        if !is_vouched_for(home, &home.trust(), &text) {
            return Self::default();
        }
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Whether exactly this content of the file is trusted.
    pub fn covers(&self, file: &Path, content: &[u8]) -> bool {
        self.files
            .get(file)
            .is_some_and(|hash| *hash == sha256(content))
    }

    /// Whether some content of the file was trusted once.
    pub fn knows(&self, file: &Path) -> bool {
        self.files.contains_key(file)
    }

    /// Trusts this content of the file.
    pub fn grant(&mut self, file: PathBuf, content: &[u8]) {
        self.files.insert(file, sha256(content));
    }

    /// Trusts the file no longer; false when it was not trusted.
    pub fn revoke(&mut self, file: &Path) -> bool {
        self.files.remove(file).is_some()
    }

    /// Keeps it, whole or not at all.
    pub fn save(&self, home: &Home) -> Result<(), SpineError> {
        let path = home.trust();
        let text = serde_json::to_vec_pretty(self)
            .map_err(|error| SpineError::io("write", &path, std::io::Error::from(error)))?;
        place::replace_private(&path, &text)?;
        vouch(home, &path, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_ends_the_trust() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let file = Path::new("/p/.claude/bellwether.yaml");
        let mut trust = Trust::load(&home);
        assert!(!trust.covers(file, b"a: 1"));
        trust.grant(file.to_owned(), b"a: 1");
        trust.save(&home).unwrap();
        let trust = Trust::load(&home);
        assert!(trust.covers(file, b"a: 1"));
        assert!(!trust.covers(file, b"a: 2") && trust.knows(file));
        std::fs::write(home.trust(), "broken").unwrap();
        assert!(!Trust::load(&home).knows(file));
    }
}
