//! Finds programs on the search path of a run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::environment::Environment;

/// Where programs are looked for.
#[derive(Debug, Clone)]
pub(crate) struct Tools(Vec<PathBuf>);

impl Tools {
    pub(crate) fn of(environment: &Environment) -> Self {
        let path = environment
            .get("PATH")
            .unwrap_or(OsStr::new("/usr/bin:/bin"));
        // A relative folder would mean another one in every folder that a check runs in.
        let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
        Self(folders.collect())
    }

    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let mut places = self.0.iter().map(|folder| folder.join(name));
        places.find(|place| is_program(place))
    }
}

/// Whether a file can be run.
pub(crate) fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}
