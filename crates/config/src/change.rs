//! Changes settings in the person's own file.

use std::path::{Path, PathBuf};

use bellwether_hook::guard;
use bellwether_spine::Home;
use bellwether_spine::config::Problem;
use bellwether_spine::confirmed::Confirmed;
use bellwether_spine::file::{Editing, FileError};
use serde_json::Value;

use crate::confirm::{confirm, guard_of, unconfirmed};
use crate::load::{of_text, problems_of};
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

/// What is done with one setting.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    Set(Value),
    /// What counts without the file counts again.
    Unset,
}

/// Changes settings from the short list of those that harm nobody, all or none.
pub fn change(home: &Home, changes: &[(String, Value)]) -> Result<(), Unchanged> {
    let edits: Vec<(String, Edit)> = changes
        .iter()
        .map(|(key, value)| Ok((key.clone(), Edit::Set(checked(home, key, value)?))))
        .collect::<Result<_, Unchanged>>()?;
    Plan::of(home, &edits)?.apply(home)
}

/// A change of the person's file that has been checked and not been made.
pub struct Plan {
    editing: Editing,
    new: String,
    /// What it would loosen in the guard, a sentence each; the person is asked before.
    pub loosens: Vec<String>,
    /// Somebody else has loosened something before, and the person has not confirmed that.
    waits: bool,
}

impl Plan {
    /// Changes single settings, whatever they are.
    pub fn of(home: &Home, edits: &[(String, Edit)]) -> Result<Self, Unchanged> {
        let path = real(&home.config_file());
        let editing = Editing::begin(&path).map_err(|error| of_file(&error))?;
        let new = edited(&path, editing.text().unwrap_or_default(), edits)?;
        Ok(Self::begin(home, editing, new))
    }

    /// Puts another text in the place of the one that the person has seen.
    pub fn of_text(home: &Home, seen: &str, new: String) -> Result<Self, Unchanged> {
        let path = real(&home.config_file());
        let editing = Editing::begin(&path).map_err(|error| of_file(&error))?;
        if editing.text().unwrap_or_default() != seen {
            let path = path.display();
            return Err(by_hand(format!(
                "somebody else has changed {path} meanwhile"
            )));
        }
        Ok(Self::begin(home, editing, new))
    }

    fn begin(home: &Home, editing: Editing, new: String) -> Self {
        let path = home.config_file();
        let old = of_text(&path, editing.text().unwrap_or_default()).0.guard;
        let confirmed = Confirmed::load(home).map(|confirmed| guard_of(&confirmed));
        let wanted = of_text(&path, &new).0.guard;
        Self {
            loosens: guard::stricter(&wanted, &confirmed.unwrap_or(old)).1,
            waits: !unconfirmed(home).is_empty(),
            editing,
            new,
        }
    }

    /// Whether anything would be written.
    pub fn is_change(&self) -> bool {
        self.editing.text().unwrap_or_default() != self.new
    }

    /// Makes the change; what loosens something counts only if it was nothing that somebody else wrote. What the file said
    /// before is kept beside it.
    pub fn apply(self, home: &Home) -> Result<(), Unchanged> {
        let waits = self.waits;
        self.write()?;
        if waits || Confirmed::load(home).is_none() {
            return Ok(());
        }
        confirmed_now(home)
    }

    /// The same, when the person has been shown all that it loosens and has agreed.
    pub fn apply_agreed(self, home: &Home) -> Result<(), Unchanged> {
        self.write()?;
        confirmed_now(home)
    }

    fn write(self) -> Result<(), Unchanged> {
        if !self.is_change() {
            return Ok(());
        }
        // Where there was no file there is nothing to keep.
        if self.editing.text().is_some() {
            self.editing
                .keep_backup()
                .map_err(|error| of_file(&error))?;
        }
        self.editing
            .replace(&self.new)
            .map_err(|error| of_file(&error))
    }
}

fn confirmed_now(home: &Home) -> Result<(), Unchanged> {
    confirm(home).map_err(|error| Unchanged {
        key: None,
        why: error.to_string(),
        fault: UnchangedBy::System,
    })
}

fn by_hand(why: String) -> Unchanged {
    Unchanged {
        key: None,
        why,
        fault: UnchangedBy::File,
    }
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

fn edited(path: &Path, old: &str, edits: &[(String, Edit)]) -> Result<String, Unchanged> {
    yaml::parse(path, old).map_err(|problem| by_hand(format!("{problem}: fix that first")))?;
    let mut text = old.to_owned();
    for (key, edit) in edits {
        let keys: Vec<&str> = key.split('.').collect();
        let new = match edit {
            Edit::Set(value) => edit::set(&text, &keys, value),
            Edit::Unset if !says(path, &text, &keys) => continue,
            Edit::Unset => edit::unset(&text, &keys),
        };
        text = new.ok_or_else(|| {
            by_hand(format!(
                "`{key}` cannot be changed without touching something else in {}; edit it by hand",
                path.display()
            ))
        })?;
    }
    let said = |problem: &Problem| (problem.path.clone(), problem.message.clone());
    let known: Vec<(String, String)> = problems_of(path, old).iter().map(said).collect();
    let new = problems_of(path, &text)
        .into_iter()
        .find(|problem| !known.contains(&said(problem)));
    match new {
        None => Ok(text),
        Some(problem) => Err(Unchanged {
            key: Some(problem.path.clone()).filter(|path| !path.is_empty()),
            why: complaint(&problem),
            fault: UnchangedBy::Wish,
        }),
    }
}

/// Whether a text says anything at a key.
fn says(path: &Path, text: &str, keys: &[&str]) -> bool {
    yaml::parse(path, text).is_ok_and(|tree| tree.at(keys).is_some())
}

/// A problem without its place: the text that it is in has not been written.
fn complaint(problem: &Problem) -> String {
    let near = problem.suggestion.as_ref();
    let near = near.map(|near| format!(" (did you mean `{near}`?)"));
    let path = match problem.path.as_str() {
        "" => String::new(),
        path => format!("`{path}`: "),
    };
    format!("{path}{}{}", problem.message, near.unwrap_or_default())
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
    fn what_loosens_the_guard_is_told_before_it_is_written() {
        let (_folder, home) = home();
        let plan = |key: &str, edit| Plan::of(&home, &[(key.to_owned(), edit)]);
        let off = || plan("guard.enabled", Edit::Set(json!(false))).unwrap();
        assert_eq!(off().loosens, ["guard.enabled is now false"]);
        assert!(!home.config_file().exists(), "nothing is written by a plan");
        let strict = plan("guard.mode", Edit::Set(json!("strict"))).unwrap();
        assert!(strict.loosens.is_empty());
        strict.apply(&home).unwrap();
        let milder = plan("guard.mode", Edit::Unset).unwrap().loosens;
        assert_eq!(milder, ["guard.mode is no longer strict"]);
        std::fs::create_dir_all(home.state()).unwrap();
        crate::confirm_first(&home).unwrap();
        off().apply_agreed(&home).unwrap();
        assert!(!crate::load(&home, None, &|_| None).config.guard.enabled);
        assert!(plan("audio.volume", Edit::Set(json!(11))).is_err());
        assert!(plan("guard.modus", Edit::Set(json!("strict"))).is_err());
        // What is not in the file need not be taken out of it.
        assert!(plan("voice.chain", Edit::Unset).is_ok());
    }

    #[test]
    fn a_text_that_somebody_else_changed_is_not_written_over() {
        let (_folder, home) = home();
        try_to(&home, "preset", json!("calm")).unwrap();
        let plan = Plan::of_text(&home, "preset: calm\n", "preset: full\n".to_owned());
        plan.unwrap().apply(&home).unwrap();
        let late = Plan::of_text(&home, "preset: calm\n", "preset: plain\n".to_owned());
        assert_eq!(late.err().map(|late| late.fault), Some(UnchangedBy::File));
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
