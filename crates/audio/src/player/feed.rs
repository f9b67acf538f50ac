//! A source on a thread of its own, so that whoever plays hears at once of a wish to stop and of the
//! death of a server while the source still waits for its next samples.

use std::io::Write as _;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread::{Builder, Scope};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::gain;
use crate::{AudioError, Source};

/// So many chunks are made ahead.
const AHEAD: usize = 4;

/// The samples of a source at a volume, as they come.
pub(super) struct PlayerFeed {
    chunks: Receiver<Result<Vec<u8>, AudioError>>,
    woken: UnixStream,
}

pub(super) enum Fed {
    /// Samples, as little-endian bytes.
    Bytes(Vec<u8>),
    /// Nothing yet.
    NotYet,
    /// Nothing more comes.
    Over,
}

impl PlayerFeed {
    /// Begins to draw samples. The thread ends with the source, or at its next chunk once this is dropped.
    pub(super) fn begin<'scope>(
        scope: &'scope Scope<'scope, '_>,
        source: &'scope mut dyn Source,
        volume: f32,
    ) -> std::io::Result<Self> {
        let (sender, chunks) = sync_channel(AHEAD);
        let (woken, mut wake) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        Builder::new()
            .name("source".into())
            .spawn_scoped(scope, move || {
                while let Some(chunk) = source.next().transpose() {
                    let last = chunk.is_err();
                    let chunk = chunk.map(|samples| gain::bytes(&samples, volume));
                    if sender.send(chunk).is_err() || last {
                        break;
                    }
                    let _ = wake.write_all(&[1]);
                }
                // Closing `wake` wakes as well.
                drop(sender);
            })?;
        Ok(Self { chunks, woken })
    }

    /// What has come since, without waiting.
    pub(super) fn take(&mut self) -> Result<Fed, AudioError> {
        match self.chunks.try_recv() {
            Ok(chunk) => chunk.map(Fed::Bytes),
            Err(TryRecvError::Empty) => {
                self.forget_wakes();
                // One may have come between the two.
                match self.chunks.try_recv() {
                    Ok(chunk) => chunk.map(Fed::Bytes),
                    Err(TryRecvError::Empty) => Ok(Fed::NotYet),
                    Err(TryRecvError::Disconnected) => Ok(Fed::Over),
                }
            }
            Err(TryRecvError::Disconnected) => Ok(Fed::Over),
        }
    }

    /// Waits until something has come, but no longer than this.
    pub(super) fn wait(&self, at_most: Duration) {
        let mut watched = [PollFd::from_borrowed_fd(self.woken.as_fd(), PollFlags::IN)];
        let _ = poll(&mut watched, Timespec::try_from(at_most).ok().as_ref());
    }

    fn forget_wakes(&mut self) {
        let mut bytes = [0; 64];
        while let Ok(64) = std::io::Read::read(&mut self.woken, &mut bytes) {}
    }
}

impl AsFd for PlayerFeed {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.woken.as_fd()
    }
}
