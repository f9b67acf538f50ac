//! Brings the terminal of a session to the front, or says why it cannot.
//!
//! The window is found by who runs in whom: the parents of the client's process are walked until one has a window. What tmux
//! and screen keep running has no terminal among its parents; there the newest terminal that shows it counts.
//!
//! Invariant: what a process says of itself (its variables) is believed only where the processes above it agree, no command
//! goes through a shell, and a socket that is spoken to belongs to the same user.

mod hyprland;
mod line;
mod screen;
mod seat;
mod sway;
mod tmux;
mod x11;

pub use seat::Seat;

use crate::words::{Language, Words};

/// Why a terminal was not brought to the front.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.said(Language::English.words()))]
pub enum NotRaised {
    /// The process has ended.
    Gone,
    /// It is another user's.
    Foreign,
    /// It is in tmux or screen, and no terminal shows that now.
    Detached,
    /// It was started over SSH.
    Remote,
    NoWindow,
    /// The compositor lets no program do this.
    NoWay,
    NoDisplay,
    Wsl,
    Mac,
    /// The desktop was asked and did not do it.
    Failed,
}

impl NotRaised {
    pub const ALL: [Self; 10] = [
        Self::Gone,
        Self::Foreign,
        Self::Detached,
        Self::Remote,
        Self::NoWindow,
        Self::NoWay,
        Self::NoDisplay,
        Self::Wsl,
        Self::Mac,
        Self::Failed,
    ];

    /// The reason in a person's words.
    pub const fn said(&self, words: &Words) -> &'static str {
        match self {
            Self::Gone => words.terminal_gone,
            Self::Foreign => words.terminal_foreign,
            Self::Detached => words.terminal_detached,
            Self::Remote => words.terminal_remote,
            Self::NoWindow => words.terminal_no_window,
            Self::NoWay => words.terminal_no_way,
            Self::NoDisplay => words.terminal_no_display,
            Self::Wsl => words.terminal_wsl,
            Self::Mac => words.terminal_mac,
            Self::Failed => words.terminal_failed,
        }
    }
}

/// Brings the terminal to the front that a process runs in, on the desktop that this program runs on.
pub fn raise(pid: u32) -> Result<(), NotRaised> {
    Seat::of_environment().raise(pid)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_reason_has_words_of_its_own() {
        for language in Language::ALL {
            let said = NotRaised::ALL.map(|reason| reason.said(language.words()));
            assert_eq!(BTreeSet::from(said).len(), said.len());
        }
        assert_eq!(NotRaised::Gone.to_string(), "The session has ended");
    }
}
