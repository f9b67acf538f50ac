//! Keys for services, in a file that only its owner can read.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use bellwether_audio::{Secret, voice};
use bellwether_spine::{Home, SpineError, meta, place};

/// The keys that something of ours can use.
const KNOWN: [&str; 3] = ["ELEVENLABS_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"];

/// Whose environment this process has. A project can set variables for a hook and for what an agent
/// starts: keys there would send what is said to somebody else's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// A person started this process.
    Persons,
    /// A client did, or we do not know.
    Foreign,
}

impl Environment {
    pub fn of_command() -> Self {
        if meta::is_agent() {
            Self::Foreign
        } else {
            Self::Persons
        }
    }
}

/// Why keys cannot be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    #[error("{} can be read by others: change the keys, then `chmod 600` it", path.display())]
    ReadByOthers { path: PathBuf },
    #[error("cannot read {}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    /// Where it is damaged would show what stands there.
    #[error("{} is damaged: remove it and set the keys again", path.display())]
    Damaged { path: PathBuf },
    #[error("{name} is not a known key; known are {}", KNOWN.join(", "))]
    Unknown { name: String },
    #[error(transparent)]
    Spine(#[from] SpineError),
}

/// The keys that are kept.
pub struct Keys(BTreeMap<String, String>);

impl Keys {
    /// Reads them. A file that others can read is refused: what is in it is no secret any more.
    pub fn load(home: &Home) -> Result<Self, KeysError> {
        let path = home.keys();
        let Ok(seen) = path.metadata() else {
            return Ok(Self(BTreeMap::new()));
        };
        if seen.mode() & 0o077 != 0 {
            return Err(KeysError::ReadByOthers { path });
        }
        match std::fs::read(&path).map(|text| serde_json::from_slice(&text)) {
            Ok(Ok(keys)) => Ok(Self(keys)),
            Ok(Err(_)) => Err(KeysError::Damaged { path }),
            Err(source) => Err(KeysError::Io { path, source }),
        }
    }

    /// Keeps them, whole or not at all.
    pub fn save(&self, home: &Home) -> Result<(), KeysError> {
        let text = serde_json::to_vec_pretty(&self.0).unwrap_or_default();
        Ok(place::replace_private(&home.keys(), &text)?)
    }

    /// The keys as voices and characters use them. Those in the environment win, if it is the person's.
    pub fn secrets(&self, environment: Environment) -> voice::Keys {
        let secret = |name: &str| {
            let said = match environment {
                Environment::Persons => meta::variable(name),
                Environment::Foreign => None,
            };
            let key = said.or_else(|| self.0.get(name).cloned())?;
            Secret::new(&key)
        };
        let [elevenlabs, openai, anthropic] = KNOWN.map(secret);
        voice::Keys {
            elevenlabs,
            openai,
            anthropic,
        }
    }

    pub fn set(&mut self, name: &str, key: &str) -> Result<(), KeysError> {
        if !KNOWN.contains(&name) {
            return Err(KeysError::Unknown { name: name.into() });
        }
        self.0.insert(name.to_owned(), key.to_owned());
        Ok(())
    }

    pub fn remove(&mut self, name: &str) -> bool {
        self.0.remove(name).is_some()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn keys_are_kept_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let mut keys = Keys::load(&home).unwrap();
        assert!(keys.set("PATH", "x").is_err());
        keys.set("OPENAI_API_KEY", "sk-secret").unwrap();
        keys.save(&home).unwrap();
        assert_eq!(home.keys().metadata().unwrap().mode() & 0o777, 0o600);
        assert_eq!(
            Keys::load(&home).unwrap().names().collect::<Vec<_>>(),
            ["OPENAI_API_KEY"]
        );
        std::fs::set_permissions(home.keys(), std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(
            Keys::load(&home)
                .err()
                .unwrap()
                .to_string()
                .contains("chmod 600")
        );
        std::fs::write(home.keys(), "sk-secret").unwrap();
        std::fs::set_permissions(home.keys(), std::fs::Permissions::from_mode(0o600)).unwrap();
        let damaged = Keys::load(&home).err().unwrap().to_string();
        assert!(damaged.contains("damaged") && !damaged.contains("sk-secret"));
    }
}
