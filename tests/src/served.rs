//! An installation whose daemon serves HTTP.

use anyhow::Result;

use crate::installation::{Daemon, Installation, PROJECT};
use crate::web::Web;

/// An event as a forwarder sends it: somebody has come.
pub const STARTED: &str = r#"{"hook_type":"SubagentStart","session_id":"s1","agent_name":"worker-01","team_name":"my-project","_meta":{"workspace_id":"my-project","terminal_session_id":"t1","collected_at":"2026-02-20T15:00:00Z"}}"#;

/// An installation whose daemon serves.
pub struct Served {
    /// For whoever has the token.
    pub web: Web,
    pub bare: Web,
    pub daemon: Daemon,
    pub place: Installation,
}

impl Served {
    pub fn start(options: &[&str]) -> Result<Self> {
        Self::in_place(Installation::fresh()?, options)
    }

    /// A fresh one with a configuration, which its hooks know.
    pub fn configured(config: &str) -> Result<Self> {
        let place = Installation::fresh_with(config)?;
        let compiled = place
            .cli(["config", "compile", "--project", PROJECT])
            .status()?;
        anyhow::ensure!(compiled.success(), "the configuration is not compiled");
        Self::in_place(place, &[])
    }

    fn in_place(place: Installation, options: &[&str]) -> Result<Self> {
        let (daemon, port) = place.start_serving(options)?;
        Ok(Self {
            web: Web::of(&place, port)?,
            bare: Web::on(port),
            daemon,
            place,
        })
    }
}
