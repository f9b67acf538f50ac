//! A file that its owner alone can read, for as long as it is played.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A file that is gone when this is dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn write(bytes: &[u8]) -> io::Result<Self> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("bellwether-{}-{number}.wav", std::process::id());
        let path = std::env::temp_dir().join(name);
        // What lies there under this name is of a process that died: nobody else may have made it.
        let _ = std::fs::remove_file(&path);
        let mut file = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        let scratch = Self(path);
        file.write_all(bytes)?;
        Ok(scratch)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
