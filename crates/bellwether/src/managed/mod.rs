//! A managed installation: programs, registration and policy that belong to root and hold for every user of the machine.

mod client;
mod install;
mod policy;
mod programs;
mod receipt;
mod uninstall;

use bellwether_hook::guard;
use bellwether_hook::policy as rules;
use bellwether_protocol::event::Kind;
use bellwether_spine::Managed;

use crate::exit::NeedsRoot;
use crate::registration::newest;
use crate::settings::{Document, file};

pub(crate) use client::installed;
pub(crate) use install::Installation;
pub(crate) use policy::{check as check_policy, compile};
pub(crate) use receipt::Receipt;
pub(crate) use uninstall::{Rest, uninstall};

/// Refuses what only the administrator may do, and says how it is done.
pub(crate) fn require_root(words: &str) -> anyhow::Result<()> {
    if rustix::process::geteuid().is_root() {
        return Ok(());
    }
    Err(NeedsRoot(format!("sudo bellwether {words}")).into())
}

/// Whether the guard is registered for every user of this machine.
pub(crate) fn is_registered(managed: &Managed) -> bool {
    let guarded = newest().entry(Kind::PreToolUse).map(|entry| entry.name);
    let content = file::read(&managed.settings()).ok().flatten();
    let document = content.and_then(|content| Document::parse(content.text).ok());
    document.is_some_and(|document| {
        let mut ours = document.ours().into_iter();
        ours.any(|entry| Some(entry.event) == guarded && entry.matcher().is_none())
    })
}

/// What counts for the guard here: a user's own settings, or those that a policy leaves of them.
pub(crate) fn standing(own: guard::Config) -> guard::Config {
    let managed = Managed::default();
    if is_registered(&managed) {
        rules::load(&managed).0.guard.joined(&own)
    } else {
        own
    }
}
