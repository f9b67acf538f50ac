//! Sound packs after the Coding Event Sound Pack Specification (CESP) 1.0: a folder with `openpeon.json`, which
//! says which files may be heard for which kind of event.
//!
//! Invariant: nothing outside of a pack's folder is read, and no link is followed in it.

mod category;
mod manifest;
mod within;

use std::path::{Path, PathBuf};

use bellwether_spine::{digest, meta};

use crate::decode::{self, Decoder, FileKind};
use crate::{AudioError, Clip};
pub use category::Category;
use manifest::Manifest;

/// The manifest of a pack.
const MANIFEST: &str = "openpeon.json";
/// A manifest is a page of text.
const LARGEST_MANIFEST: u64 = 1024 * 1024;
/// What the specification allows a sound.
const LARGEST_SOUND: u64 = 1024 * 1024;

/// A pack whose manifest has been read and found good.
#[derive(Debug)]
pub struct Pack {
    folder: PathBuf,
    manifest: Manifest,
}

/// One sound of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its file, relative to the pack.
    pub file: String,
    /// What it says or sounds like.
    pub label: String,
    sha256: Option<String>,
}

impl Pack {
    /// The pack that the configuration names: a path, or the name of an installed one. An empty name is none.
    pub fn named(name: &str) -> Option<Result<Self, AudioError>> {
        if name.is_empty() {
            return None;
        }
        let home = meta::variable("HOME").map(PathBuf::from);
        let folder = match (name.strip_prefix("~/"), &home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ if Path::new(name).is_absolute() => PathBuf::from(name),
            _ => home.unwrap_or_default().join(".openpeon/packs").join(name),
        };
        Some(Self::load(&folder))
    }

    pub fn load(folder: &Path) -> Result<Self, AudioError> {
        let complain = |reason: String| AudioError::File {
            path: folder.join(MANIFEST),
            reason,
        };
        let file = within::open(folder, MANIFEST).map_err(complain)?;
        let text = decode::contents(&file, LARGEST_MANIFEST).map_err(complain)?;
        Ok(Self {
            folder: folder.to_owned(),
            manifest: Manifest::parse(&text).map_err(complain)?,
        })
    }

    pub fn display_name(&self) -> &str {
        &self.manifest.display_name
    }

    /// The sounds of a category; none is no mistake.
    pub fn sounds(&self, category: Category) -> &[Entry] {
        self.manifest.sounds(category)
    }

    /// One sound of a category. `turn` chooses; two turns that follow each other never choose the same, where
    /// there is a choice.
    pub fn pick(&self, category: Category, turn: u64) -> Option<&Entry> {
        let sounds = self.sounds(category);
        // Round and round, in an order of its own each time: odd steps through the list come by every one.
        let index = usize::try_from(turn.checked_rem(sounds.len() as u64)?).ok()?;
        sounds.get(index)
    }

    /// The samples of a sound.
    pub fn clip(&self, entry: &Entry, decoder: &Decoder) -> Result<Clip, AudioError> {
        self.read(entry, decoder)
            .map_err(|reason| AudioError::File {
                path: self.folder.join(&entry.file),
                reason,
            })
    }

    fn read(&self, entry: &Entry, decoder: &Decoder) -> Result<Clip, String> {
        let file = within::open(&self.folder, &entry.file)?;
        let bytes = decode::contents(&file, LARGEST_SOUND)?;
        if let Some(sum) = &entry.sha256
            && !sum.eq_ignore_ascii_case(&digest::sha256(&bytes))
        {
            return Err("it is not what its manifest was made for (sha256)".to_owned());
        }
        if FileKind::of(&bytes) != FileKind::of_name(&entry.file) {
            return Err("it is not what its name says".to_owned());
        }
        decoder.decode(&bytes).map(Clip::levelled)
    }

    /// What is wrong with the files of a pack, for doctor.
    pub fn faults(&self, decoder: &Decoder) -> Vec<AudioError> {
        let entries = Category::ALL.iter().flat_map(|one| self.sounds(*one));
        entries
            .filter_map(|entry| self.clip(entry, decoder).err())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effect, wav};

    fn pack(folder: &Path, sounds: &str) -> Result<Pack, AudioError> {
        let manifest = format!(
            r#"{{"cesp_version":"1.0","name":"p","display_name":"P","version":"1.0.0",
            "categories":{{"task.complete":{{"sounds":[{sounds}]}}}}}}"#
        );
        std::fs::write(folder.join(MANIFEST), manifest).unwrap();
        Pack::load(folder)
    }

    fn write(path: &Path) -> Vec<u8> {
        let bytes = wav::encode(&Effect::named("blink").unwrap().render());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &bytes).unwrap();
        bytes
    }

    fn clip(pack: &Pack) -> Result<Clip, String> {
        let entry = pack.pick(Category::TaskComplete, 0).unwrap();
        pack.clip(entry, &Decoder::Here)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_sound_is_played_by_its_category() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = write(&folder.path().join("sounds/a.wav"));
        let sum = digest::sha256(&bytes);
        let good = format!(r#"{{"file":"sounds/a.wav","label":"A","sha256":"{sum}"}}"#);
        let pack = pack(folder.path(), &good).unwrap();
        assert!(clip(&pack).is_ok());
        assert!(pack.pick(Category::TaskError, 0).is_none());
        assert!(pack.faults(&Decoder::Here).is_empty());
        write(&folder.path().join("sounds/b.wav"));
    }

    #[test]
    fn two_sounds_take_turns() {
        let folder = tempfile::tempdir().unwrap();
        let two = r#"{"file":"a.wav","label":"A"},{"file":"b.wav","label":"B"}"#;
        let pack = pack(folder.path(), two).unwrap();
        let label = |turn| &pack.pick(Category::TaskComplete, turn).unwrap().label;
        assert_eq!([label(0), label(1), label(2)], ["A", "B", "A"]);
        assert_eq!(pack.faults(&Decoder::Here).len(), 2);
    }

    #[test]
    fn what_is_outside_stays_outside() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("pack");
        write(&folder.path().join("secret.wav"));
        std::fs::create_dir_all(inside.join("sounds")).unwrap();
        std::os::unix::fs::symlink("../../secret.wav", inside.join("sounds/link.wav")).unwrap();
        std::os::unix::fs::symlink("..", inside.join("up")).unwrap();
        for file in [
            "../secret.wav",
            "/etc/passwd",
            "sounds/../../secret.wav",
            "a\\\\b.wav",
            "",
        ] {
            let entry = format!(r#"{{"file":"{file}","label":"x"}}"#);
            assert!(pack(&inside, &entry).is_err(), "{file}");
        }
        for file in ["sounds/link.wav", "up/secret.wav"] {
            let entry = format!(r#"{{"file":"{file}","label":"x"}}"#);
            let said = clip(&pack(&inside, &entry).unwrap()).unwrap_err();
            assert!(said.contains("link"), "{file}: {said}");
        }
    }

    #[test]
    fn a_sound_that_is_not_what_it_says_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("a.mp3"));
        let named = pack(folder.path(), r#"{"file":"a.mp3","label":"x"}"#).unwrap();
        assert!(clip(&named).unwrap_err().contains("name says"));
        write(&folder.path().join("a.wav"));
        let summed = r#"{"file":"a.wav","label":"x","sha256":"00"}"#;
        let summed = pack(folder.path(), summed).unwrap();
        assert!(clip(&summed).unwrap_err().contains("sha256"));
    }
}
