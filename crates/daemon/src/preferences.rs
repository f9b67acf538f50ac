//! Tells whoever listens that the person's settings have changed, or what is muted.
//!
//! Our own routes say so at once; what others write into the files is seen at the next look.

use std::sync::Mutex;

use bellwether_spine::Home;
use bellwether_spine::config::Source;
use tokio::sync::watch;

use crate::shared::locked;

pub(crate) struct Preferences {
    /// How the files looked.
    looks: Mutex<Vec<Source>>,
    moved: watch::Sender<()>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            looks: Mutex::default(),
            moved: watch::Sender::new(()),
        }
    }
}

impl Preferences {
    /// Takes the files as they are for known.
    pub(crate) fn begin(&self, home: &Home) {
        *locked(&self.looks) = look(home);
    }

    /// Looks at the files, and tells if they differ.
    pub(crate) fn look(&self, home: &Home) {
        let new = look(home);
        let old = std::mem::replace(&mut *locked(&self.looks), new.clone());
        if new != old {
            self.moved.send_replace(());
        }
    }

    /// Tells that something else counts now, though no file of the person's differs.
    pub(crate) fn tell(&self) {
        self.moved.send_replace(());
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<()> {
        self.moved.subscribe()
    }
}

fn look(home: &Home) -> Vec<Source> {
    let files = [home.config_file(), home.mutes()];
    files.into_iter().map(Source::look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        std::fs::create_dir_all(home.config()).unwrap();
        let preferences = Preferences::default();
        preferences.begin(&home);
        let mut told = preferences.subscribe();
        preferences.look(&home);
        assert!(!told.has_changed().unwrap());
        std::fs::write(home.config_file(), "language: ko\n").unwrap();
        preferences.look(&home);
        assert!(told.has_changed().unwrap());
        told.mark_unchanged();
        preferences.look(&home);
        assert!(!told.has_changed().unwrap());
    }
}
