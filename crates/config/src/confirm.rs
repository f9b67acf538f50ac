//! What the person has confirmed of the guard's settings. Somebody who writes into the person's file can tighten the
//! guard; what loosens it counts once the person has said so.

use bellwether_hook::guard;
use bellwether_spine::confirmed::Confirmed;
use bellwether_spine::{Home, SpineError};

use crate::load::load_as_written;

/// The guard's section that was confirmed last. Of one that cannot be read nothing is known, and the defaults count:
/// they protect.
pub(crate) fn guard_of(confirmed: &Confirmed) -> guard::Config {
    let section = confirmed.guard.clone();
    section
        .and_then(|section| serde_json::from_value(section).ok())
        .unwrap_or_default()
}

/// Takes what stands now as what the person wants, if nothing was ever confirmed; false when something was.
pub fn confirm_first(home: &Home) -> Result<bool, SpineError> {
    if Confirmed::load(home).is_some() {
        return Ok(false);
    }
    let mut first = Confirmed::default();
    for path in [home.allowed(), home.trust(), home.page_keys()] {
        if let Ok(content) = std::fs::read(&path) {
            first.cover(&path, &content);
        }
    }
    write(home, first)?;
    Ok(true)
}

/// Takes what the person's file says now as what the person wants.
pub fn confirm(home: &Home) -> Result<(), SpineError> {
    write(home, Confirmed::load(home).unwrap_or_default())
}

fn write(home: &Home, mut confirmed: Confirmed) -> Result<(), SpineError> {
    let guard = load_as_written(home).config.guard;
    confirmed.guard = serde_json::to_value(guard).ok();
    confirmed.save(home)
}

/// What the person's file would loosen, a sentence each.
pub fn unconfirmed(home: &Home) -> Vec<String> {
    let Some(confirmed) = Confirmed::load(home) else {
        return Vec::new();
    };
    let new = load_as_written(home).config.guard;
    guard::stricter(&new, &guard_of(&confirmed)).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        std::fs::create_dir_all(home.config()).unwrap();
        (folder, home)
    }

    fn guard_now(home: &Home) -> guard::Config {
        load(home, None, &|_| None).config.guard
    }

    fn write_config(home: &Home, text: &str) {
        std::fs::write(home.config_file(), text).unwrap();
    }

    #[test]
    fn what_loosens_counts_once_it_is_confirmed() {
        let (_folder, home) = home();
        write_config(&home, "guard: {mode: strict}\n");
        assert!(confirm_first(&home).unwrap());
        write_config(
            &home,
            "guard: {enabled: false, protected_files: ['*.pem']}\n",
        );
        assert!(!confirm_first(&home).unwrap(), "only once");
        let stands = guard_now(&home);
        assert!(stands.enabled && stands.mode == guard::Mode::Strict);
        assert_eq!(
            stands.protected_files,
            ["*.pem"],
            "what tightens counts at once"
        );
        let loose = [
            "guard.enabled is now false",
            "guard.mode is no longer strict",
        ];
        assert_eq!(unconfirmed(&home), loose);
        let loaded = load(&home, None, &|_| None);
        assert_eq!(loaded.unconfirmed, loose);
        confirm(&home).unwrap();
        assert!(!guard_now(&home).enabled && unconfirmed(&home).is_empty());
        // Without the file the guard is on again, at once.
        std::fs::remove_file(home.config_file()).unwrap();
        assert!(guard_now(&home).enabled);
        assert_eq!(
            unconfirmed(&home),
            ["guard.protected_files no longer has *.pem"]
        );
    }

    #[test]
    fn a_file_that_goes_loosens_nothing() {
        let (_folder, home) = home();
        write_config(&home, "guard: {mode: strict}\n");
        confirm_first(&home).unwrap();
        std::fs::remove_file(home.config_file()).unwrap();
        assert_eq!(guard_now(&home).mode, guard::Mode::Strict);
        assert_eq!(unconfirmed(&home), ["guard.mode is no longer strict"]);
    }

    #[test]
    fn before_anything_was_confirmed_the_file_counts() {
        let (_folder, home) = home();
        write_config(&home, "guard: {enabled: false}\n");
        assert!(!guard_now(&home).enabled && unconfirmed(&home).is_empty());
        // A record that cannot be read confirms nothing.
        std::fs::write(home.confirmed(), "broken").unwrap_or_else(|_| {
            std::fs::create_dir_all(home.state()).unwrap();
            std::fs::write(home.confirmed(), "broken").unwrap();
        });
        assert!(guard_now(&home).enabled);
    }
}
