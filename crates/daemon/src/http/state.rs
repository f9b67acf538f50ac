//! What every request may use.

use std::sync::Arc;

use bellwether_spine::Home;

use super::access::Keys;
use crate::pipeline::Asker;
use crate::shared::Shared;

/// What every request may use.
pub(crate) struct State {
    pub home: Home,
    pub shared: Arc<Shared>,
    pub asker: Asker,
    pub keys: Arc<Keys>,
    /// The port that is served.
    pub port: u16,
    /// When the daemon began, on the boot clock.
    pub started_ms: u64,
}
