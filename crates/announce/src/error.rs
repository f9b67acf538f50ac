//! The one error type of this crate.

use bellwether_spine::SpineError;

/// What can keep a mute from being kept.
#[derive(Debug, thiserror::Error)]
pub enum AnnounceError {
    /// A file of ours could not be written.
    #[error(transparent)]
    Ours(#[from] SpineError),
}
