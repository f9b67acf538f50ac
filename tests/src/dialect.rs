//! How a version of the client is driven: what the older ones want otherwise than the newest, and nothing else.

use anyhow::{Context as _, Result};
use bellwether_protocol::client::{Client, Product, Version};

use crate::events;

/// From here on a package holds a program; before, a script for node.
const PROGRAM: Version = Version(2, 1, 113);
/// The option that adds the client's own view of each hook to its account. Version 2.1.67 does not know it.
const HOOK_EVENTS: Version = Version(2, 1, 100);
/// The subagents' tool has the name that scenarios use; before, `Task`.
const AGENT: Version = Version(2, 1, 63);
/// A hook may be a program with arguments; before, it is a line for a shell.
const EXEC_FORM: Version = Version(2, 1, 139);
/// The prompt begins with `❯`; in 2.0.30 with `>`.
const PROMPT: Version = Version(2, 0, 77);

/// How one version is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dialect(Version);

/// What a package of the client holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    Script,
    Program,
}

impl Dialect {
    pub fn of(version: &str) -> Result<Self> {
        let parsed = Version::parse(version);
        let parsed = parsed.with_context(|| format!("{version} is no version such as 2.1.325"))?;
        Ok(Self(parsed))
    }

    /// That of the version the rig is proven with.
    pub fn newest() -> Self {
        Self(Client::newest(Product::Claude).version)
    }

    pub fn published(self) -> Published {
        if self.0 < PROGRAM {
            Published::Script
        } else {
            Published::Program
        }
    }

    pub fn reports_hooks(self) -> bool {
        self.0 >= HOOK_EVENTS
    }

    pub fn has_exec_form(self) -> bool {
        self.0 >= EXEC_FORM
    }

    /// What this version calls a tool of a scenario.
    pub fn tool(self, name: &str) -> &str {
        if name == "Agent" && self.0 < AGENT {
            "Task"
        } else {
            name
        }
    }

    /// What the line one types into begins with.
    pub fn prompt(self) -> char {
        if self.0 < PROMPT { '>' } else { '❯' }
    }

    /// The events that a hook which only observes can register.
    pub fn registrable(self) -> impl Iterator<Item = &'static str> {
        let client = Client::new(Product::Claude, self.0);
        events::registrable().filter(move |event| client.entry(client.kind_of(event)).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_knows_every_event_and_an_old_one_few() -> Result<()> {
        let count = |dialect: Dialect| dialect.registrable().count();
        assert_eq!(count(Dialect::newest()), events::registrable().count());
        assert_eq!(count(Dialect::of("2.0.30")?), 9);
        assert!(Dialect::of("newest").is_err());
        Ok(())
    }
}
