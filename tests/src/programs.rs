//! The programs under test: those that `cargo xtask build` made, as they are shipped.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

/// Where `cargo` and `./test` leave what they build and fetch.
pub fn build_folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
    root.join(target)
}

/// The folder of the programs under test.
#[derive(Debug, Clone)]
pub struct Programs(PathBuf);

impl Programs {
    /// Those in the build folder of this workspace.
    pub fn built() -> Result<Self> {
        Self::in_folder(build_folder().join("dist"))
    }

    pub fn in_folder(folder: PathBuf) -> Result<Self> {
        let programs = Self(folder);
        for program in [programs.hook(), programs.main()] {
            ensure!(
                program.exists(),
                "{} is missing: run `cargo xtask build` first",
                program.display()
            );
        }
        Ok(programs)
    }

    pub fn hook(&self) -> PathBuf {
        self.0.join("bellwether-hook")
    }

    pub fn main(&self) -> PathBuf {
        self.0.join("bellwether")
    }
}
