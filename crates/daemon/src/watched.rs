//! Files that decide what an agent may do: whether they still hold what the person, through our own program, put there.
//!
//! They are looked at, not read, as long as they look the same. What differs is read one look later, so that our own
//! program can say meanwhile that a person changed it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use bellwether_config::unconfirmed;
use bellwether_hook::guard::registered::Registered;
use bellwether_hook::guard::{self, stricter};
use bellwether_spine::config::Source;
use bellwether_spine::confirmed::Confirmed;
use bellwether_spine::{HOOK, Home, SpineError, meta};
use tracing::warn;

use crate::shared::locked;

/// The files, and how they looked when all was well.
pub(crate) struct Watched {
    home: Home,
    state: Mutex<Standing>,
}

#[derive(Default)]
struct Standing {
    looks: Vec<Source>,
    /// What the person has agreed to, whatever the file says.
    confirmed: Confirmed,
    /// What the person was told and that still is so.
    told: BTreeSet<String>,
    differs: bool,
}

impl Watched {
    /// Takes what is there for what the person wants.
    pub(crate) fn new(home: &Home) -> Self {
        let watched = Self {
            home: home.clone(),
            state: Mutex::default(),
        };
        if let Err(error) = adopt(home) {
            warn!("{error}");
        }
        watched.settle();
        watched
    }

    /// A person has changed something through our own program: what is there now counts.
    pub(crate) fn settle(&self) {
        let mut state = locked(&self.state);
        state.confirmed = Confirmed::load(&self.home).unwrap_or_default();
        state.looks = self.look(&state.confirmed);
        state.differs = false;
        // What is not confirmed yet was told before, or by whoever started us.
        let found = self.found(&state.confirmed).into_iter();
        state.told = found.filter(|what| state.told.contains(what)).collect();
    }

    /// Whether something looks different for the second time, so that it is to be read.
    pub(crate) fn has_changed(&self) -> bool {
        let mut state = locked(&self.state);
        let differs = self.look(&state.confirmed) != state.looks;
        std::mem::replace(&mut state.differs, differs) && differs
    }

    /// Reads what has changed, puts our own record back, and returns what the person has not been told.
    pub(crate) fn examine(&self) -> Vec<String> {
        let mut state = locked(&self.state);
        let mut found = self.keep_record(&mut state.confirmed);
        found.extend(self.found(&state.confirmed));
        state.looks = self.look(&state.confirmed);
        state.differs = false;
        let found: BTreeSet<String> = found.into_iter().collect();
        let new = found.difference(&state.told).cloned().collect();
        state.told = found;
        new
    }

    /// Leaves the record of what was confirmed to the next daemon, where somebody has begun the state folder anew
    /// without one: otherwise whatever the files say would count as confirmed. A folder that is gone stays gone.
    pub(crate) fn hand_over(&self) {
        if !self.home.state().is_dir() || self.home.confirmed().exists() {
            return;
        }
        if let Err(error) = locked(&self.state).confirmed.save(&self.home) {
            warn!("{error}");
        }
    }

    /// Whether what opens the page was changed by somebody else.
    pub(crate) fn keys_differ(&self) -> bool {
        let path = self.home.page_keys();
        differs(&locked(&self.state).confirmed, &path)
    }

    fn look(&self, confirmed: &Confirmed) -> Vec<Source> {
        let own = [
            self.home.config_file(),
            self.home.allowed(),
            self.home.trust(),
            self.home.page_keys(),
            self.home.confirmed(),
        ];
        let all = own.into_iter().chain(confirmed.registered.keys().cloned());
        all.chain(programs()).map(Source::look).collect()
    }

    /// Puts the record of what was confirmed back where somebody else made it milder.
    fn keep_record(&self, kept: &mut Confirmed) -> Vec<String> {
        let now = Confirmed::load(&self.home);
        if now.as_ref().is_some_and(|now| is_as_strict(now, kept)) {
            *kept = now.unwrap_or_default();
            return Vec::new();
        }
        if let Err(error) = kept.save(&self.home) {
            warn!("{error}");
        }
        vec!["the record of what you confirmed was changed; it is put back".to_owned()]
    }

    /// Everything that is not as the person wants it.
    fn found(&self, confirmed: &Confirmed) -> Vec<String> {
        let mut found = unconfirmed(&self.home);
        for (path, what) in [
            (self.home.allowed(), "what is allowed for a while"),
            (self.home.trust(), "which projects are trusted"),
            (self.home.page_keys(), "what opens the page"),
        ] {
            if differs(confirmed, &path) {
                found.push(format!(
                    "{what} was written by another program and is not in effect"
                ));
            }
        }
        let registered = confirmed.registered.iter();
        found.extend(registered.filter_map(|(path, count)| lost(path, *count)));
        let gone = programs().into_iter().filter(|path| !path.exists());
        found.extend(gone.map(|path| format!("{} is gone", path.display())));
        found
    }
}

/// Remembers the entries of ours that the person's own settings hold, if there are more than were known.
fn adopt(home: &Home) -> Result<(), SpineError> {
    let mut confirmed = Confirmed::load(home).unwrap_or_default();
    let before = confirmed.clone();
    for path in settings_of_user() {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let count = Registered::read(&text).map_or(0, |ours| ours.running());
        if count > confirmed.registered.get(&path).copied().unwrap_or(0) {
            confirmed.registered.insert(path, count);
        }
    }
    if confirmed == before {
        return Ok(());
    }
    confirmed.save(home)
}

/// Where the client keeps the person's own settings.
fn settings_of_user() -> impl Iterator<Item = PathBuf> {
    let named = meta::variable("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let usual = meta::variable("HOME").map(|home| PathBuf::from(home).join(".claude"));
    let folders = named.or(usual).into_iter();
    folders.map(|folder| folder.join("settings.json"))
}

/// Whether a file that is there holds something else than our own program wrote.
fn differs(confirmed: &Confirmed, path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|content| !confirmed.covers(path, &content))
}

/// What is missing of our entries in a client's settings.
fn lost(path: &Path, count: usize) -> Option<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let left = Registered::read(&text).map_or(0, |registered| registered.running());
    (left < count).then(|| {
        format!(
            "bellwether hooks are missing in {}: {left} left of {count}; `bellwether install` puts them back",
            path.display()
        )
    })
}

/// Whether a record that somebody wrote loosens nothing.
fn is_as_strict(now: &Confirmed, kept: &Confirmed) -> bool {
    let section = |confirmed: &Confirmed| -> guard::Config {
        let section = confirmed.guard.clone().unwrap_or_default();
        serde_json::from_value(section).unwrap_or_default()
    };
    let (_, loose) = stricter(&section(now), &section(kept));
    let stays = |(path, count): (&PathBuf, &usize)| now.registered.get(path) >= Some(count);
    // One that cannot be read says nothing of the guard.
    let readable = now.guard.is_some() || kept.guard.is_none();
    readable && loose.is_empty() && now.files == kept.files && kept.registered.iter().all(stays)
}

/// Both programs, if they stand side by side as they were installed.
fn programs() -> Vec<PathBuf> {
    let ours = bellwether_spine::launch::program().ok();
    let hook = ours.as_ref().map(|ours| ours.with_file_name(HOOK));
    // A build folder may have one of them; then there is nothing to miss.
    let known = hook.filter(|hook| hook.exists());
    ours.into_iter().chain(known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched() -> (tempfile::TempDir, Home, Watched) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        std::fs::create_dir_all(home.config()).unwrap();
        bellwether_config::confirm_first(&home).unwrap();
        let watched = Watched::new(&home);
        (folder, home, watched)
    }

    #[test]
    fn what_somebody_else_changes_is_found_one_look_later_and_told_once() {
        let (_folder, home, watched) = watched();
        assert!(!watched.has_changed() && !watched.has_changed());
        std::fs::write(home.config_file(), "guard: {enabled: false}\n").unwrap();
        assert!(!watched.has_changed() && watched.has_changed());
        assert_eq!(watched.examine(), ["guard.enabled is now false"]);
        assert!(!watched.has_changed() && watched.examine().is_empty());
        // What a person changes is not told.
        bellwether_config::confirm(&home).unwrap();
        watched.settle();
        assert!(!watched.has_changed() && watched.examine().is_empty());
        std::fs::write(home.allowed(), "{\"grants\": []}").unwrap();
        let told = watched.examine();
        assert!(told[0].contains("not in effect"), "{told:?}");
    }

    #[test]
    fn a_milder_record_is_put_back() {
        let (_folder, home, watched) = watched();
        let good = std::fs::read(home.confirmed()).unwrap();
        let mut planted = Confirmed::load(&home).unwrap();
        planted.guard = Some(serde_json::json!({"enabled": false}));
        for text in [serde_json::to_vec(&planted).unwrap(), b"{".to_vec()] {
            std::fs::write(home.confirmed(), text).unwrap();
            let told = watched.examine();
            assert!(told[0].contains("put back"), "{told:?}");
            assert_eq!(std::fs::read(home.confirmed()).unwrap(), good);
            assert!(watched.examine().is_empty());
        }
        std::fs::remove_file(home.confirmed()).unwrap();
        assert!(!watched.examine().is_empty() && home.confirmed().exists());
    }

    #[test]
    fn a_folder_that_was_begun_anew_gets_the_record_and_one_that_is_gone_stays_gone() {
        let (_folder, home, watched) = watched();
        let good = std::fs::read(home.confirmed()).unwrap();
        std::fs::remove_dir_all(home.state()).unwrap();
        watched.hand_over();
        assert!(!home.state().exists());
        home.create().unwrap();
        watched.hand_over();
        assert_eq!(std::fs::read(home.confirmed()).unwrap(), good);
        std::fs::write(home.confirmed(), "another's").unwrap();
        watched.hand_over();
        assert_eq!(std::fs::read(home.confirmed()).unwrap(), b"another's");
    }

    #[test]
    fn hooks_that_vanish_are_told() {
        let (folder, home, watched) = watched();
        let settings = folder.path().join("settings.json");
        let entry =
            r#"{"hooks":{"X":[{"hooks":[{"type":"command","command":"/b/bellwether-hook"}]}]}}"#;
        std::fs::write(&settings, entry).unwrap();
        let mut confirmed = Confirmed::load(&home).unwrap();
        confirmed.registered.insert(settings.clone(), 1);
        confirmed.save(&home).unwrap();
        watched.settle();
        assert!(watched.examine().is_empty());
        for text in [
            "{}",
            "",
            &entry.replace(
                "{\"hooks\":{\"X",
                "{\"disableAllHooks\":true,\"hooks\":{\"X",
            ),
        ] {
            std::fs::write(&settings, text).unwrap();
            let told = watched.examine();
            assert!(told[0].contains("`bellwether install`"), "{told:?}");
            std::fs::write(&settings, entry).unwrap();
            assert!(watched.examine().is_empty());
        }
    }
}
