//! What a sound server leaves in the file system: when that changes it is worth another look.

use std::os::unix::fs::MetadataExt as _;

use super::pulse;
use crate::{Seat, Settings};

/// The sockets of a seat as they were.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Traces(Vec<Option<(u64, i64, i64)>>);

impl Traces {
    /// Looks at every place where a server may listen.
    pub(crate) fn look(seat: &Seat, settings: &Settings) -> Self {
        let folders = seat.runtime_folders().into_iter();
        let pipewire = folders.map(|folder| folder.join("pipewire-0"));
        let sockets = pulse::sockets(seat, settings).into_iter().chain(pipewire);
        let looks = sockets.map(|socket| {
            let found = std::fs::metadata(socket).ok()?;
            Some((found.ino(), found.ctime(), found.ctime_nsec()))
        });
        Self(looks.collect())
    }
}
