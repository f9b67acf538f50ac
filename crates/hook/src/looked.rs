//! What one handler has found out about an event, so that the next need not: a command is analysed once.

use std::cell::OnceCell;

use bellwether_shell::Analysis;

/// What is known of an event beside its payload.
#[derive(Debug, Default)]
pub struct Looked {
    analysis: OnceCell<Option<Analysis>>,
}

impl Looked {
    /// Keeps what was found about the event's command: nothing when it was not worth a look, or could not be told in time.
    pub(crate) fn keep(&self, analysis: Option<Analysis>) {
        // Who comes second has found the same.
        let _ = self.analysis.set(analysis);
    }

    /// Whether somebody has looked at the command.
    pub(crate) fn has_analysed(&self) -> bool {
        self.analysis.get().is_some()
    }

    /// What was found about it.
    pub(crate) fn analysis(&self) -> Option<&Analysis> {
        self.analysis.get()?.as_ref()
    }
}
