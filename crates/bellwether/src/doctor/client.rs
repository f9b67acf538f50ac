//! The client: which one a person would start, and which version it is.

use std::path::{Path, PathBuf};

use bellwether_protocol::claude::version::Version;

use super::{context, file, limited};

/// The client that was found.
pub(crate) enum Client {
    /// None is where clients usually are.
    Missing,
    /// One that does not say its version.
    Silent {
        /// The program.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// One that does.
    Found {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: Version,
    },
}

impl Client {
    /// Looks on `PATH`, then where the client's own installers put it.
    pub(super) fn find(claude: &Path) -> Self {
        let usual = [
            claude.join("local/claude"),
            context::user_folder().join(".local/bin/claude"),
        ];
        let found = file::on_path("claude")
            .or_else(|| usual.into_iter().find(|path| file::runnable(path).is_ok()));
        let Some(path) = found else {
            return Self::Missing;
        };
        match limited::version_of(&path, limited::PATIENCE) {
            Ok(said) => match Version::parse(&said) {
                Some(version) => Self::Found { path, version },
                None => Self::Silent {
                    why: format!("says {said:?} when it is asked for its version"),
                    path,
                },
            },
            Err(why) => Self::Silent { path, why },
        }
    }

    /// Its version; one that is not known is taken for the newest.
    pub(crate) fn version(&self) -> Version {
        match self {
            Self::Found { version, .. } => *version,
            Self::Missing | Self::Silent { .. } => Version::UNKNOWN,
        }
    }
}
