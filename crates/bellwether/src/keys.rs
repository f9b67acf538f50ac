//! Keys for services, in a file that only its owner can read.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;

use anyhow::Context as _;
use bellwether_audio::{Secret, voice};
use bellwether_spine::{Home, meta, place};

use crate::person;

/// The keys that something of ours can use.
const KNOWN: [&str; 3] = ["ELEVENLABS_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"];

/// Whose environment this process has. A project can set variables for a hook and for what an agent
/// starts: keys there would send what is said to somebody else's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Environment {
    /// A person started this process.
    Persons,
    /// A client did, or we do not know.
    Foreign,
}

impl Environment {
    pub(crate) fn of_command() -> Self {
        if person::is_agent() {
            Self::Foreign
        } else {
            Self::Persons
        }
    }
}

/// The keys that are kept.
pub(crate) struct Keys(BTreeMap<String, String>);

impl Keys {
    /// Reads them. A file that others can read is refused: what is in it is no secret any more.
    pub(crate) fn load(home: &Home) -> anyhow::Result<Self> {
        let path = home.keys();
        let Ok(seen) = path.metadata() else {
            return Ok(Self(BTreeMap::new()));
        };
        anyhow::ensure!(
            seen.mode() & 0o077 == 0,
            "{} can be read by others: change the keys, then `chmod 600` it",
            path.display()
        );
        let text =
            std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let keys = serde_json::from_slice(&text);
        // The error would show what stands there.
        Ok(Self(keys.map_err(|_| {
            anyhow::anyhow!(
                "{} is damaged: remove it and set the keys again",
                path.display()
            )
        })?))
    }

    /// Keeps them, whole or not at all.
    pub(crate) fn save(&self, home: &Home) -> anyhow::Result<()> {
        Ok(place::replace_private(
            &home.keys(),
            &serde_json::to_vec_pretty(&self.0)?,
        )?)
    }

    /// The keys as voices and characters use them. Those in the environment win, if it is the person's.
    pub(crate) fn secrets(&self, environment: Environment) -> voice::Keys {
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

    pub(crate) fn set(&mut self, name: &str, key: &str) -> anyhow::Result<()> {
        anyhow::ensure!(
            KNOWN.contains(&name),
            "{name} is no key of ours; known are {}",
            KNOWN.join(", ")
        );
        self.0.insert(name.to_owned(), key.to_owned());
        Ok(())
    }

    pub(crate) fn remove(&mut self, name: &str) -> bool {
        self.0.remove(name).is_some()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
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
