//! Every section there is. A new one is one entry of the list below.

use bellwether_announce::{Global, Hooks, Language, Preset, Quiet};
use bellwether_hook::format;
use bellwether_hook::gate;
use bellwether_hook::guard;
use bellwether_hook::handlers::{page, session, troubles};
use bellwether_hook::workflow;
use bellwether_spine::SpineError;
use bellwether_spine::config::Snapshot;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Daemon, Overlay};

/// What can be said of a section besides its type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// Only the person's own file can have it: one daemon serves all projects, what went wrong is told to the person
    /// whatever a project wishes, keys and sound are sent only where the person says, and who may answer for the person
    /// is theirs to say.
    PersonOnly,
    /// The hook reads it, so the snapshot holds it.
    Hook,
    /// It runs what stands in a project, so its `enabled` counts only where the project is trusted, whichever file says it.
    Trusted,
}

macro_rules! sections {
    ($($(#[doc = $about:literal])+ $name:ident: $section:ty [$($mark:ident)*],)*) => {
        /// Everything that can be set.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct Config {
            $($(#[doc = $about])+ pub $name: $section,)*
        }

        const SECTIONS: &[(&str, &[Mark])] = &[$((stringify!($name), &[$(Mark::$mark),*])),*];

        impl Config {
            /// Adds the sections that the hook reads.
            pub(crate) fn add_to(&self, snapshot: &mut Snapshot) -> Result<(), SpineError> {
                $(if named(Mark::Hook).any(|name| name == stringify!($name)) {
                    snapshot.add(stringify!($name), &self.$name)?;
                })*
                Ok(())
            }
        }
    };
}

sections! {
    /// The settings to begin with: `calm`, `full` or `plain`. What stands below it counts more.
    preset: Preset [],
    /// The language of what bellwether says by itself.
    language: Language [],
    /// When nothing is said.
    quiet: Quiet [],
    /// Settings for everything at once.
    global: Global [],
    /// The announcements, each with its own settings.
    hooks: Hooks [],
    /// How sound reaches you.
    audio: bellwether_audio::Settings [PersonOnly],
    /// Who speaks.
    voice: bellwether_audio::voice::Settings [PersonOnly],
    /// In whose words lines are told.
    character: bellwether_audio::character::Settings [PersonOnly],
    /// The guard: judges what a tool call would do before it is done.
    guard: guard::Config [Hook],
    /// Checks before a commit; only in projects that you trust.
    gate: gate::Config [Hook Trusted],
    /// Formatting of files that an agent has changed; only in projects that you trust.
    format: format::Config [Hook Trusted],
    /// What a session begins with.
    session: session::Config [Hook],
    /// Planned work that moves along as its tasks are completed; only in projects that you trust.
    workflow: workflow::Config [Hook Trusted],
    /// The page.
    page: page::Config [PersonOnly Hook],
    /// Agents on your desktop.
    overlay: Overlay [PersonOnly],
    /// The daemon.
    daemon: Daemon [PersonOnly],
    /// The store: how long events are kept.
    store: bellwether_flock::Retention [PersonOnly],
    /// Sessions as pages.
    transcripts: bellwether_transcript::Settings [PersonOnly],
    /// What models cost.
    prices: bellwether_prices::Settings [PersonOnly],
    /// Being told what went wrong in bellwether itself.
    troubles: troubles::Config [PersonOnly Hook],
}

fn named(mark: Mark) -> impl Iterator<Item = &'static str> {
    let marked = SECTIONS
        .iter()
        .filter(move |(_, marks)| marks.contains(&mark));
    marked.map(|(name, _)| *name)
}

/// The paths of what only the person's own file can say, by their names.
pub(crate) fn person_only() -> Vec<[&'static str; 1]> {
    let mut paths: Vec<_> = named(Mark::PersonOnly).map(|name| [name]).collect();
    paths.sort_unstable();
    paths
}

/// The sections that are switched on in trusted projects only.
pub(crate) fn trusted_only() -> impl Iterator<Item = &'static str> {
    named(Mark::Trusted)
}

/// The paths of what a project's file cannot set before it is trusted.
pub(crate) fn needs_trust() -> Vec<Vec<&'static str>> {
    let told = bellwether_announce::NEEDS_TRUST
        .iter()
        .map(|path| path.to_vec());
    let session = session::NEEDS_TRUST
        .iter()
        .map(|name| vec![session::SECTION, *name]);
    let whole = trusted_only().map(|name| vec![name]);
    told.chain(session).chain(whole).collect()
}

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
        assert!(named(Mark::Hook).all(|name| names.contains(&name)));
        let read = [
            guard::config::SECTION,
            gate::SECTION,
            format::SECTION,
            session::SECTION,
            workflow::SECTION,
            page::SECTION,
            troubles::SECTION,
        ];
        assert_eq!(named(Mark::Hook).collect::<Vec<_>>(), read);
    }
}
