//! What an installation did beside putting its own files in place, so that exactly that is taken back.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bellwether_spine::Managed;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Receipt {
    /// We wrote the setting that lets no other hooks run.
    pub(crate) managed_hooks_only: bool,
    /// Folders that were not there before, each before those below it.
    pub(crate) folders: Vec<PathBuf>,
}

impl Receipt {
    pub(crate) fn load(managed: &Managed) -> anyhow::Result<Self> {
        let content = managed.read(&managed.receipt())?;
        Ok(content
            .and_then(|content| serde_json::from_slice(&content).ok())
            .unwrap_or_default())
    }

    pub(crate) fn save(&self, managed: &Managed) -> anyhow::Result<()> {
        let text = serde_json::to_vec_pretty(self)?;
        Ok(managed.replace(&managed.receipt(), &text)?)
    }

    /// Makes a folder that everybody may look into, and remembers which ones were missing.
    pub(crate) fn make_folder(&mut self, folder: &Path) -> anyhow::Result<()> {
        use std::os::unix::fs::PermissionsExt as _;
        let missing = folder.ancestors().take_while(|folder| !folder.exists());
        let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        for folder in missing.into_iter().rev() {
            let failed = || format!("cannot make {}", folder.display());
            std::fs::create_dir(&folder).with_context(failed)?;
            let open = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&folder, open).with_context(failed)?;
            self.folders.push(folder);
        }
        Ok(())
    }

    /// Removes the folders that we made and that are empty again.
    pub(crate) fn remove_folders(&self) {
        for folder in self.folders.iter().rev() {
            // A folder that holds something stays.
            let _ = std::fs::remove_dir(folder);
        }
    }
}
