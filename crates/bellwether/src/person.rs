//! What only a person may do: an agent must not be able to free itself of us.

use std::io::IsTerminal as _;

use anyhow::ensure;
pub(crate) use bellwether_spine::meta::is_agent;

/// Refuses what is not asked for by a person at a terminal.
pub(crate) fn require(what: &str) -> anyhow::Result<()> {
    ensure!(!is_agent(), "{what} is for a person, not for an agent");
    ensure!(
        std::io::stdin().is_terminal(),
        "{what} is for a person at a terminal, and stdin is none"
    );
    Ok(())
}
