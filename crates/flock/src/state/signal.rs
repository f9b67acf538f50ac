//! What moves a state.

use crate::normal::{After, Dialog, Ending, EventType, Meaning, Role, Settles};

/// What happened, as the states see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cue {
    Event(EventType),
    /// New thoughts were heard.
    ThinkingUpdated,
    /// Whoever draws it has finished showing how it comes.
    AppearDone,
    /// The same, of its being startled.
    StartledDone,
    /// The same, of its way home.
    ArriveAtHome,
}

/// What happened, and what of it matters.
#[derive(Debug, Clone, Copy)]
pub struct Signal<'a> {
    pub cue: Cue,
    /// What the agent is to its session.
    pub role: Role,
    pub ending: Option<Ending>,
    /// What comes after a failure.
    pub after: After,
    pub error: &'a str,
    /// The tool it is about.
    pub tool: Option<&'a str>,
    /// What that tool does, as it is told.
    pub about: Option<&'a str>,
    /// The client confirms that the person is waited for.
    pub confirmed: bool,
    /// What it puts before the person.
    pub dialog: Option<&'a Dialog>,
    /// Which of the agent's dialogs it settles.
    pub settles: Settles,
    /// It shows that the agent is at work.
    pub at_work: bool,
    /// New thoughts came with it.
    pub thoughts: bool,
}

impl<'a> Signal<'a> {
    pub fn bare(cue: Cue) -> Self {
        Self {
            cue,
            role: Role::Main,
            ending: None,
            after: After::Unsaid,
            error: "",
            tool: None,
            about: None,
            confirmed: false,
            dialog: None,
            settles: Settles::Nothing,
            at_work: false,
            thoughts: false,
        }
    }

    pub fn of(meaning: &'a Meaning, tool: Option<&'a str>) -> Self {
        Self {
            cue: Cue::Event(meaning.kind),
            role: meaning.role,
            ending: meaning.ending,
            after: meaning.after,
            error: meaning.error.as_deref().unwrap_or_default(),
            tool,
            about: meaning.label.as_deref(),
            confirmed: meaning.confirmed,
            dialog: meaning.dialog.as_deref(),
            settles: meaning.settles,
            at_work: meaning.at_work,
            thoughts: meaning.thinking.is_some(),
        }
    }
}
