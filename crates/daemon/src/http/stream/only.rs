//! What a listener wants to hear of.

/// What there is, as it is asked for.
pub(crate) const WORDS: &[&str] = &[
    AGENTS,
    EVENTS,
    ANNOUNCEMENTS,
    PERMISSIONS,
    WORKFLOW,
    SETTINGS,
];
const AGENTS: &str = "agents";
const EVENTS: &str = "events";
const ANNOUNCEMENTS: &str = "announcements";
const PERMISSIONS: &str = "permissions";
const WORKFLOW: &str = "workflow";
const SETTINGS: &str = "settings";

/// What a listener wants to hear of: everything, unless it says otherwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct Only(Option<Vec<&'static str>>);

impl Only {
    /// From words that were checked.
    pub(crate) fn of(words: Option<&str>) -> Self {
        let wanted = words.map(|said| {
            let is_said = |word: &&&str| said.split(',').any(|one| one == **word);
            WORDS.iter().filter(is_said).copied().collect()
        });
        Self(wanted)
    }

    fn has(&self, word: &str) -> bool {
        self.0.as_ref().is_none_or(|wanted| wanted.contains(&word))
    }

    pub(super) fn agents(&self) -> bool {
        self.has(AGENTS)
    }

    pub(super) fn events(&self) -> bool {
        self.has(EVENTS)
    }

    pub(super) fn announcements(&self) -> bool {
        self.has(ANNOUNCEMENTS)
    }

    pub(super) fn permissions(&self) -> bool {
        self.has(PERMISSIONS)
    }

    pub(super) fn workflow(&self) -> bool {
        self.has(WORKFLOW)
    }

    pub(super) fn settings(&self) -> bool {
        self.has(SETTINGS)
    }

    /// Whether anything of it is read from the store.
    pub(super) fn stored(&self) -> bool {
        self.events() || self.workflow()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_nothing_hears_everything() {
        let all = Only::of(None);
        assert!(all.agents() && all.settings() && all.stored());
        let some = Only::of(Some("settings,agents"));
        assert!(some.agents() && some.settings());
        assert!(!some.stored() && !some.announcements() && !some.permissions());
        assert!(Only::of(Some("workflow")).stored());
    }
}
