//! Reads the store for requests, off the runtime's thread.
//!
//! A few readers are kept open between requests, once the daemon has stored something: before that the
//! store may still become one of a newer version. One whose file was set aside or replaced is not.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bellwether_flock::{Reader, StoreError};
use tokio::sync::Semaphore;

use super::answer::Fault;
use crate::shared::{Shared, locked};

/// So many requests read at a time.
const READING: usize = 4;
/// So many readers are kept open.
const KEPT: usize = 2;

#[derive(Clone)]
pub(crate) struct Library(Arc<Inner>);

struct Inner {
    path: PathBuf,
    kept: Mutex<Vec<(u64, Reader)>>,
    places: Semaphore,
    shared: Arc<Shared>,
}

impl Library {
    pub(crate) fn new(path: PathBuf, shared: Arc<Shared>) -> Self {
        Self(Arc::new(Inner {
            path,
            kept: Mutex::default(),
            places: Semaphore::new(READING),
            shared,
        }))
    }

    /// What a question to the store gives; what there is by default when there is no store yet.
    pub(crate) async fn read<T: Default + Send + 'static>(
        &self,
        question: impl FnOnce(&Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Fault> {
        let inner = Arc::clone(&self.0);
        let place = self.0.places.acquire().await.map_err(Fault::ours)?;
        let read = tokio::task::spawn_blocking(move || inner.read(question));
        let answer = read.await.map_err(Fault::ours)?;
        drop(place);
        answer.map_err(Fault::ours)
    }
}

impl Inner {
    fn read<T: Default>(
        &self,
        question: impl FnOnce(&Reader) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let settled = *self.shared.stored.borrow() > 0;
        let now = inode(&self.path).filter(|_| settled);
        let known = locked(&self.kept).pop();
        let reader = match known {
            Some((inode, reader)) if now == Some(inode) => Some(reader),
            _ => Reader::open(&self.path)?,
        };
        let Some(reader) = reader else {
            return Ok(T::default());
        };
        // A reader that failed is not asked again.
        let answer = question(&reader)?;
        let mut kept = locked(&self.kept);
        if let Some(inode) = now.filter(|_| kept.len() < KEPT) {
            kept.push((inode, reader));
        }
        Ok(answer)
    }
}

fn inode(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|seen| seen.ino())
}
