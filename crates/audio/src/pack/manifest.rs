//! `openpeon.json`, checked against the specification.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Category, Entry};

/// As many sounds as a category needs at most.
const MOST: usize = 1_000;

/// A manifest in which everything has been checked that can be without looking at other files.
#[derive(Debug)]
pub(super) struct Manifest {
    pub display_name: String,
    sounds: Vec<(Category, Vec<Entry>)>,
}

/// The manifest as it is written; what we have no use for is passed over.
#[derive(Deserialize)]
struct Written {
    cesp_version: String,
    name: String,
    display_name: String,
    #[serde(default)]
    categories: BTreeMap<String, WrittenCategory>,
    #[serde(default)]
    category_aliases: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct WrittenCategory {
    #[serde(default)]
    sounds: Vec<WrittenSound>,
}

#[derive(Deserialize)]
struct WrittenSound {
    file: String,
    #[serde(default)]
    label: String,
    sha256: Option<String>,
}

impl Manifest {
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        let written: Written = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        let version = written.cesp_version.split('.').next();
        if version != Some("1") {
            return Err(format!("it is of CESP {}, not 1", written.cesp_version));
        }
        if !is_name(&written.name) {
            return Err("its name is not of small letters, digits, _ and -".to_owned());
        }
        let mut sounds = Vec::new();
        for (name, category) in written.categories {
            let known = Category::of_name(&name);
            // Names from before the specification stand in a list of aliases.
            let alias = || Category::of_name(written.category_aliases.get(&name)?);
            let Some(known) = known.or_else(alias) else {
                continue;
            };
            let entries = category.sounds.into_iter().take(MOST).map(entry);
            sounds.push((known, entries.collect::<Result<_, _>>()?));
        }
        Ok(Self {
            display_name: written.display_name,
            sounds,
        })
    }

    pub(super) fn sounds(&self, category: Category) -> &[Entry] {
        let mut found = self.sounds.iter().filter(|(one, _)| *one == category);
        found.next().map_or(&[], |(_, entries)| entries)
    }
}

fn entry(sound: WrittenSound) -> Result<Entry, String> {
    let parts = sound.file.split('/');
    let good = parts.clone().all(|part| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        !part.is_empty() && part != "." && part != ".." && part.bytes().all(plain)
    });
    if !good {
        return Err(format!(
            "it names {:?}, which is no file of a pack",
            sound.file
        ));
    }
    Ok(Entry {
        file: sound.file,
        label: sound.label,
        sha256: sound.sha256,
    })
}

fn is_name(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=64).contains(&name.len())
        && name.bytes().next().is_some_and(letter)
        && name
            .bytes()
            .all(|byte| letter(byte) || b"_-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Manifest, String> {
        Manifest::parse(text.as_bytes())
    }

    #[test]
    fn old_names_are_known_by_their_aliases_and_strange_ones_passed_over() {
        let manifest = parsed(
            r#"{"cesp_version":"1.2","name":"old-pack_1","display_name":"Old","version":"0.1.0","tags":[],
            "categories":{"complete":{"sounds":[{"file":"a.wav","label":"A"}]},
                          "party":{"sounds":[{"file":"b.wav","label":"B"}]}, "task.error":{"sounds":[]}},
            "category_aliases":{"complete":"task.complete"}}"#,
        )
        .unwrap();
        assert_eq!(manifest.sounds(Category::TaskComplete).len(), 1);
        assert!(manifest.sounds(Category::TaskError).is_empty());
        assert!(manifest.sounds(Category::SessionEnd).is_empty());
    }

    #[test]
    fn what_is_no_manifest_is_said() {
        for (text, said) in [
            ("{", "EOF"),
            ("{}", "cesp_version"),
            (
                r#"{"cesp_version":"2.0","name":"a","display_name":"A"}"#,
                "CESP 2.0",
            ),
            (
                r#"{"cesp_version":"1.0","name":"A b","display_name":"A"}"#,
                "its name",
            ),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
