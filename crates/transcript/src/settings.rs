//! Where sessions are kept as pages.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where sessions are kept as pages when they end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Export every session into this folder when it ends, and keep an index there. Absolute or with `~/`; nothing is
    /// exported while it is empty. A session that `/clear` ends is not exported, nor one whose environment has
    /// `SKIP_SESSION_END_HOOK=1`.
    pub folder: String,
}

impl Settings {
    /// The folder, if one is named; what is wrong with it, if it cannot be meant.
    pub fn folder(&self, home: Option<&Path>) -> Option<Result<PathBuf, String>> {
        let named = Some(self.folder.trim()).filter(|named| !named.is_empty())?;
        let folder = match (named.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(named),
        };
        if folder.is_absolute() {
            return Some(Ok(folder));
        }
        Some(Err(format!(
            "transcripts.folder must be an absolute path or begin with ~/, and is {named:?}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_in_full() {
        let of = |folder: &str| {
            let folder = folder.to_owned();
            Settings { folder }.folder(Some(Path::new("/home/ann")))
        };
        assert_eq!(of(""), None);
        assert_eq!(of("~/kept"), Some(Ok("/home/ann/kept".into())));
        assert_eq!(of(" /kept "), Some(Ok("/kept".into())));
        assert!(of("kept").unwrap().unwrap_err().contains("\"kept\""));
    }
}
