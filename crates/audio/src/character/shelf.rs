//! Where profiles are: two inside the program, and the person's own in a folder. One's own wins.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::Profile;
use super::profile::named;
use crate::AudioError;

/// The profiles inside the program.
const SHIPPED: &[(&str, &str)] = &[
    ("shepherd", include_str!("profiles/shepherd.json")),
    ("toad", include_str!("profiles/toad.json")),
];
/// A larger file is no profile.
const LARGEST: u64 = 64 * 1024;

/// A profile, or what is wrong with it.
#[derive(Debug)]
pub struct FoundProfile {
    pub name: String,
    pub origin: Origin,
    pub profile: Result<Profile, AudioError>,
}

/// Where a profile comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It is part of the program.
    Shipped,
    /// It is the person's own.
    Own(PathBuf),
}

/// Every profile, by name.
pub fn list(folder: &Path) -> Vec<FoundProfile> {
    let shipped = SHIPPED.iter().map(|(name, text)| FoundProfile {
        name: (*name).to_owned(),
        origin: Origin::Shipped,
        profile: Profile::parse(name, text),
    });
    let own = own_files(folder)
        .into_iter()
        .map(|(name, path)| FoundProfile {
            profile: read(&name, &path),
            name,
            origin: Origin::Own(path),
        });
    let all = shipped.chain(own).map(|found| (found.name.clone(), found));
    all.collect::<BTreeMap<_, _>>().into_values().collect()
}

/// The profile of that name.
pub fn find(folder: &Path, name: &str) -> Result<Profile, AudioError> {
    let all = list(folder);
    let names: Vec<String> = all.iter().map(|found| found.name.clone()).collect();
    let found = all.into_iter().find(|found| found.name == name);
    found.map_or_else(
        || {
            Err(AudioError::Profile {
                name: name.to_owned(),
                reason: format!(
                    "there is none of that name; known are {}, and yours go into {}",
                    names.join(", "),
                    folder.display()
                ),
            })
        },
        |found| found.profile,
    )
}

fn own_files(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| {
        let path = entry.path();
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        let name = path.file_stem()?.to_str()?.to_owned();
        is_json.then_some((name, path))
    });
    files.collect()
}

fn read(name: &str, path: &Path) -> Result<Profile, AudioError> {
    let wrong = |reason: String| AudioError::Profile {
        name: name.to_owned(),
        reason: format!("{}: {reason}", path.display()),
    };
    named(name).map_err(wrong)?;
    // A pipe or a device would be waited for.
    let seen = path.metadata().map_err(|error| wrong(error.to_string()))?;
    if !seen.is_file() || seen.len() > LARGEST {
        return Err(wrong("it is no file of a profile's size".to_owned()));
    }
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| wrong(error.to_string()))?;
    file.take(LARGEST)
        .read_to_string(&mut text)
        .map_err(|error| wrong(error.to_string()))?;
    let profile = Profile::parse(name, &text).map_err(|error| wrong(error.to_string()))?;
    if profile.name != name {
        return Err(wrong(format!("it says that its name is {}", profile.name)));
    }
    Ok(profile)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_ones_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let found = list(folder.path());
        assert_eq!(found.len(), SHIPPED.len());
        for found in found {
            let profile = found.profile.unwrap();
            assert_eq!(profile.name, found.name);
            assert_eq!(found.origin, Origin::Shipped);
        }
    }

    #[test]
    fn one_s_own_are_found_and_win_and_their_faults_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let own = SHIPPED[1]
            .1
            .replace("\"display_name\": \"", "\"display_name\": \"My ");
        std::fs::write(folder.path().join("toad.json"), own).unwrap();
        std::fs::write(folder.path().join("broken.json"), "{").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "x").unwrap();
        std::fs::write(folder.path().join("newt.json"), SHIPPED[1].1).unwrap();
        assert!(
            find(folder.path(), "toad")
                .unwrap()
                .display_name
                .starts_with("My ")
        );
        let error = |name| find(folder.path(), name).unwrap_err().to_string();
        assert!(error("broken").contains("broken.json"));
        assert!(error("newt").contains("its name is toad"));
        let unknown = error("../x");
        assert!(
            unknown.contains("known are broken, newt, shepherd, toad"),
            "{unknown}"
        );
        assert_eq!(list(folder.path()).len(), 4);
    }
}
