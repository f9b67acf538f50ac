//! Changes settings in the person's own file.

use std::path::{Path, PathBuf};

use bellwether_spine::Home;
use bellwether_spine::confirmed::Confirmed;
use bellwether_spine::file::{Editing, FileError};
use serde_json::Value;

use crate::confirm::{confirm, unconfirmed};
use crate::load::problems_of;
use crate::{edit, settable, yaml};

/// Why settings were not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchanged {
    /// The key that is wrong, if it is one.
    pub key: Option<String>,
    /// What is wrong, and what to do.
    pub why: String,
    /// Whether the wish is wrong, or the file in the way.
    pub fault: UnchangedBy,
}

/// What keeps settings from being changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnchangedBy {
    /// The wish is wrong.
    Wish,
    /// The file cannot be changed by us as it is: the person can.
    File,
    /// The system refused.
    System,
}

/// Changes settings, all or none. What the file said before is kept beside it.
pub fn change(home: &Home, changes: &[(String, Value)]) -> Result<(), Unchanged> {
    let changes: Vec<(String, Value)> = changes
        .iter()
        .map(|(key, value)| Ok((key.clone(), checked(home, key, value)?)))
        .collect::<Result<_, Unchanged>>()?;
    // What somebody else has changed before is not confirmed by this.
    let waits = !unconfirmed(home).is_empty();
    let path = real(&home.config_file());
    let editing = Editing::begin(&path).map_err(|error| of_file(&error))?;
    let old = editing.text().unwrap_or_default().to_owned();
    let new = edited(&path, &old, &changes)?;
    if new == old {
        return Ok(());
    }
    // Where there was no file there is nothing to keep.
    if editing.text().is_some() {
        editing.keep_backup().map_err(|error| of_file(&error))?;
    }
    editing.replace(&new).map_err(|error| of_file(&error))?;
    if waits || Confirmed::load(home).is_none() {
        return Ok(());
    }
    confirm(home).map_err(|error| Unchanged {
        key: None,
        why: error.to_string(),
        fault: UnchangedBy::System,
    })
}

/// A link leads to where the person keeps the file: that one is changed.
fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The value as it is to be written, if it may stand there.
fn checked(home: &Home, key: &str, value: &Value) -> Result<Value, Unchanged> {
    let wrong = |why: String| Unchanged {
        key: Some(key.to_owned()),
        why,
        fault: UnchangedBy::Wish,
    };
    let file = home.config_file();
    let kind = settable::find(key).ok_or_else(|| {
        wrong(format!(
            "`{key}` is not among what can be changed here; edit {}",
            file.display()
        ))
    })?;
    kind.check(value)
        .map_err(|what| wrong(format!("`{key}` must be {what}")))?;
    Ok(kind.settled(value.clone()))
}

fn edited(path: &Path, old: &str, changes: &[(String, Value)]) -> Result<String, Unchanged> {
    let by_hand = |why: String| Unchanged {
        key: None,
        why,
        fault: UnchangedBy::File,
    };
    yaml::parse(path, old).map_err(|problem| {
        by_hand(format!(
            "{problem}: mend that first, then it can be changed here"
        ))
    })?;
    let mut text = old.to_owned();
    for (key, value) in changes {
        let keys: Vec<&str> = key.split('.').collect();
        text = edit::set(&text, &keys, value).ok_or_else(|| {
            by_hand(format!(
                "`{key}` cannot be changed without touching something else in {}; edit it by hand",
                path.display()
            ))
        })?;
    }
    let before = problems_of(path, old);
    let said = |problem: &bellwether_spine::config::Problem| {
        (problem.path.clone(), problem.message.clone())
    };
    let known: Vec<(String, String)> = before.iter().map(said).collect();
    let new = problems_of(path, &text)
        .into_iter()
        .find(|problem| !known.contains(&said(problem)));
    match new {
        None => Ok(text),
        Some(problem) => Err(Unchanged {
            key: Some(problem.path.clone()).filter(|path| !path.is_empty()),
            why: problem.message,
            fault: UnchangedBy::Wish,
        }),
    }
}

fn of_file(error: &FileError) -> Unchanged {
    let fault = match error {
        FileError::Io { .. } => UnchangedBy::System,
        _ => UnchangedBy::File,
    };
    let why = match (error, std::error::Error::source(error)) {
        (FileError::Io { .. }, Some(source)) => format!("{error}: {source}"),
        _ => error.to_string(),
    };
    Unchanged {
        key: None,
        why,
        fault,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn home() -> (tempfile::TempDir, Home) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        (folder, home)
    }

    fn try_to(home: &Home, key: &str, value: Value) -> Result<(), Unchanged> {
        change(home, &[(key.to_owned(), value)])
    }

    #[test]
    fn a_file_is_made_changed_and_kept() {
        let (_folder, home) = home();
        try_to(&home, "audio.volume", json!(0.5)).unwrap();
        let file = home.config_file();
        assert_eq!(
            std::fs::read_to_string(&file).unwrap(),
            "audio:\n  volume: 0.5\n"
        );
        try_to(&home, "hooks.stop.voice.rate", json!(250)).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            text.ends_with("hooks:\n  stop:\n    voice:\n      rate: 250\n"),
            "{text}"
        );
        let kept = bellwether_spine::file::read_backup(&file).unwrap();
        assert_eq!(kept, "audio:\n  volume: 0.5\n");
        let loaded = crate::load(&home, None, &|_| None);
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
        assert_eq!(loaded.config.hooks.stop.voice.rate, 250);
    }

    #[test]
    fn every_setting_of_the_list_is_one() {
        let (_folder, home) = home();
        let shown = serde_json::to_value(crate::load(&home, None, &|_| None).config);
        let shown = shown.unwrap();
        // The section of the page comes with answering from it.
        let has_page = shown.get("page").is_some();
        let known = settable::all().into_iter().map(|(key, _)| key);
        let changes: Vec<(String, Value)> = known
            .filter(|key| has_page || !key.starts_with("page."))
            .map(|key| {
                let value = shown.pointer(&format!("/{}", key.replace('.', "/")));
                let value = value.unwrap_or_else(|| panic!("{key} is no setting"));
                (key, value.clone())
            })
            .collect();
        assert_eq!(change(&home, &changes), Ok(()));
        let loaded = crate::load(&home, None, &|_| None);
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    }

    #[test]
    fn what_is_wrong_changes_nothing() {
        let (_folder, home) = home();
        let file = home.config_file();
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "preset: calm\nqiet: 1\n").unwrap();
        let fault = |key: &str, value| try_to(&home, key, value).map_err(|refused| refused.fault);
        assert_eq!(fault("guard.enabled", json!(false)), Err(UnchangedBy::Wish));
        assert_eq!(fault("audio.volume", json!(2)), Err(UnchangedBy::Wish));
        let both = [
            ("preset".to_owned(), json!("full")),
            ("audio.volume".to_owned(), json!("loud")),
        ];
        assert!(change(&home, &both).is_err());
        assert_eq!(
            std::fs::read_to_string(&file).unwrap(),
            "preset: calm\nqiet: 1\n"
        );
        // What was wrong before is not in the way.
        assert_eq!(fault("preset", json!("full")), Ok(()));
        std::fs::write(&file, "preset: [\n").unwrap();
        assert_eq!(fault("preset", json!("full")), Err(UnchangedBy::File));
    }

    #[test]
    fn a_link_stays_one() {
        let (folder, home) = home();
        let (file, real) = (home.config_file(), folder.path().join("dotfiles.yaml"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&real, "preset: calm\n").unwrap();
        std::os::unix::fs::symlink(&real, &file).unwrap();
        try_to(&home, "preset", json!("plain")).unwrap();
        assert!(file.is_symlink());
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "preset: plain\n");
    }
}
