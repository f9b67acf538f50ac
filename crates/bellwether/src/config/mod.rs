//! The configuration: every section there is, and how files, presets and the environment become
//! one. Each section's struct stands next to the code that reads it; this is only the list.

mod change;
mod edit;
mod layers;
mod load;
mod schema;
mod yaml;

use bellwether_announce::{Global, Hooks, Language, Preset, Quiet, Settings};
use bellwether_hook::guard;
use bellwether_hook::handlers::{page, troubles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use change::change;
pub(crate) use load::{
    Ignored, Loaded, Why, announce_settings, debug_folder, load, shown_settings, sound_settings,
};
pub(crate) use schema::{reference, schema};

/// Everything that can be set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    /// The settings to begin with: `calm`, `full` or `plain`. What stands below it counts more.
    pub preset: Preset,
    /// The language of what bellwether says by itself.
    pub language: Language,
    /// When nothing is said.
    pub quiet: Quiet,
    /// Settings for everything at once.
    pub global: Global,
    /// The announcements, each with its own settings.
    pub hooks: Hooks,
    /// How sound reaches you.
    pub audio: bellwether_audio::Settings,
    /// Who speaks.
    pub voice: bellwether_audio::voice::Settings,
    /// In whose words lines are told.
    pub character: bellwether_audio::character::Settings,
    /// The guard: judges what a tool call would do before it is done.
    pub guard: guard::Config,
    /// The page.
    pub page: page::Config,
    /// The daemon.
    pub daemon: bellwether_daemon::Config,
    /// The store: how long events are kept.
    pub store: bellwether_flock::Retention,
    /// Being told what went wrong in bellwether itself.
    pub troubles: troubles::Config,
}

impl Config {
    /// What the announcer needs of it.
    pub(crate) fn announcements(self) -> Settings {
        Settings {
            language: self.language,
            quiet: self.quiet,
            hooks: self.hooks,
        }
    }
}

/// Sections that only the person's own file can have: one daemon serves all projects, what went
/// wrong is told to the person whatever a project wishes, keys and sound are sent only where the
/// person says, and who may answer for the person is theirs to say.
const PERSON_ONLY: &[&[&str]] = &[
    &["audio"],
    &["daemon"],
    &["page"],
    &["store"],
    &["troubles"],
    &["voice"],
    &["character"],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The snapshot has a section for each handler of the hook that has settings.
    #[test]
    fn every_section_of_the_hook_is_a_handler() {
        let names: Vec<&str> = bellwether_hook::handlers::ALL
            .iter()
            .map(|handler| handler.name)
            .collect();
        assert!(names.contains(&troubles::SECTION));
        assert!(names.contains(&guard::config::SECTION));
        assert!(names.contains(&page::SECTION));
    }
}
