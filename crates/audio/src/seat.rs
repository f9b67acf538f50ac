//! Where somebody sits: which sound server reaches their ears.

use std::borrow::Cow;
use std::path::PathBuf;

use bellwether_spine::meta;
use serde::{Deserialize, Serialize};

/// What is known of the place at which something is to be heard.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Seat {
    /// Where that person's sockets are.
    pub runtime_folder: Option<String>,
    /// A sound server named by hand.
    pub pulse_server: Option<String>,
    /// Whether the person is at the other end of SSH.
    pub is_remote: bool,
}

impl Seat {
    /// The seat of an event.
    pub fn of(seat: &meta::Seat<'_>) -> Self {
        let owned = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
        Self {
            runtime_folder: owned(&seat.xdg_runtime_dir),
            pulse_server: owned(&seat.pulse_server),
            is_remote: seat.ssh_connection.is_some(),
        }
    }

    /// The seat of this process.
    pub fn of_process() -> Self {
        Self {
            runtime_folder: meta::variable("XDG_RUNTIME_DIR"),
            pulse_server: meta::variable("PULSE_SERVER"),
            is_remote: meta::variable("SSH_CONNECTION").is_some(),
        }
    }

    /// Where the sockets of this person may be: the folder that is named, and the usual one.
    pub(crate) fn runtime_folders(&self) -> Vec<PathBuf> {
        let user = rustix::process::getuid().as_raw();
        let usual = PathBuf::from(format!("/run/user/{user}"));
        let named = self.runtime_folder.as_ref().map(PathBuf::from);
        let named = named.filter(|folder| folder.is_absolute() && *folder != usual);
        named.into_iter().chain([usual]).collect()
    }
}
