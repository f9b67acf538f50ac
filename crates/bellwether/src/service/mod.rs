//! What is started with the person's session: the daemon as a service, for those who want it to run always, and the overlay
//! by the desktop. Each is one file for whoever starts it.
//!
//! A file of ours names the hash of the rest of it. One that does not fit was changed by a person, and is left alone.

mod desktop;
mod launchd;
mod systemd;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bellwether_spine::digest::sha256;
use bellwether_spine::{Home, place};

/// What stands before the hash, in a comment.
const MARK: &str = "made by bellwether, and unchanged while this is the hash of the other lines: ";

/// Whoever starts something with the session.
pub(crate) struct Manager {
    /// What it runs, as words of this program.
    words: &'static [&'static str],
    /// Where its file for us is.
    pub(crate) file: fn(&Folders) -> PathBuf,
    /// What enabling leaves behind, which goes with the file.
    link: fn(&Folders) -> Option<PathBuf>,
    /// The file's text without its mark; the line with this text in it gets the mark.
    text: fn(&[String]) -> anyhow::Result<String>,
    /// What a person does next, once the file is there, and once it is gone.
    pub(crate) enable: &'static str,
    pub(crate) disabled: &'static str,
}

/// The person's own folders.
#[derive(Debug)]
pub(crate) struct Folders {
    home: PathBuf,
    config: PathBuf,
}

impl Folders {
    pub(crate) fn of_person() -> anyhow::Result<Self> {
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let home = home.context("no home folder: HOME is not set")?;
        let named = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
        let named = named.filter(|named| named.is_absolute());
        Ok(Self {
            config: named.unwrap_or_else(|| home.join(".config")),
            home,
        })
    }
}

pub(crate) static SYSTEMD: Manager = systemd::MANAGER;
pub(crate) static LAUNCHD: Manager = launchd::MANAGER;
pub(crate) static DESKTOP: Manager = desktop::MANAGER;

/// A daemon that does not end when it is idle.
const DAEMON: &[&str] = &["daemon", "run", "--idle-exit", "never"];

/// What became of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Written,
    /// It was as it should be.
    Right,
    Removed,
    /// There was none.
    Absent,
}

impl Manager {
    /// The text of the file: it runs this program.
    pub(crate) fn text(&self, home: &Home) -> anyhow::Result<String> {
        let program = std::env::current_exe().context("cannot find the running program")?;
        let mut words = vec![said(&program)?];
        if let Some(root) = home.root() {
            words.extend(["--home".to_owned(), said(root)?]);
        }
        words.extend(self.words.iter().map(|word| (*word).to_owned()));
        Ok(marked(&(self.text)(&words)?))
    }

    /// Whether the file is there and says something else.
    pub(crate) fn differs(&self, home: &Home, path: &Path) -> anyhow::Result<bool> {
        let text = self.text(home)?;
        Ok(std::fs::read_to_string(path).is_ok_and(|there| there != text))
    }

    pub(crate) fn install(&self, home: &Home, path: &Path) -> anyhow::Result<Outcome> {
        let text = self.text(home)?;
        match there(path)? {
            Some(there) if there == text => return Ok(Outcome::Right),
            Some(there) => ensure_ours(path, &there)?,
            None => {}
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        place::replace_private(path, text.as_bytes())?;
        Ok(Outcome::Written)
    }

    pub(crate) fn remove(&self, folders: &Folders) -> anyhow::Result<Outcome> {
        let path = &(self.file)(folders);
        let Some(there) = there(path)? else {
            return Ok(Outcome::Absent);
        };
        ensure_ours(path, &there)?;
        std::fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
        let link = (self.link)(folders);
        // Only what leads to the file that is gone.
        let leads_there = |link: &PathBuf| std::fs::read_link(link).is_ok_and(|to| to == *path);
        if let Some(link) = link.filter(leads_there) {
            let _ = std::fs::remove_file(link);
        }
        Ok(Outcome::Removed)
    }
}

fn said(path: &Path) -> anyhow::Result<String> {
    let text = path
        .to_str()
        .with_context(|| format!("{} is not UTF-8", path.display()))?;
    if text.chars().any(char::is_control) {
        bail!("{text:?} has a control character in its name, which no such file can hold");
    }
    Ok(text.to_owned())
}

/// The file as it is, if it is a plain file.
fn there(path: &Path) -> anyhow::Result<Option<String>> {
    match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot look at {}", path.display())),
        Ok(found) if !found.is_file() => {
            bail!("{} is no plain file; it is left as it is", path.display())
        }
        Ok(_) => {
            let text = std::fs::read_to_string(path);
            Ok(Some(text.with_context(|| {
                format!("cannot read {}", path.display())
            })?))
        }
    }
}

fn ensure_ours(path: &Path, text: &str) -> anyhow::Result<()> {
    if is_unchanged(text) {
        return Ok(());
    }
    bail!(
        "{} was written or changed by somebody else; it is left as it is. Move it away to have ours",
        path.display()
    )
}

/// The text with the hash of all its other lines behind the mark.
fn marked(text: &str) -> String {
    text.replace(MARK, &format!("{MARK}{}", hash_of_rest(text)))
}

fn is_unchanged(text: &str) -> bool {
    let said = text.lines().find_map(|line| line.split_once(MARK));
    said.is_some_and(|(_, said)| said.split_whitespace().next() == Some(&hash_of_rest(text)))
}

fn hash_of_rest(text: &str) -> String {
    let rest: Vec<&str> = text.lines().filter(|line| !line.contains(MARK)).collect();
    sha256(rest.join("\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(folder: &Path) -> Folders {
        Folders {
            home: folder.to_owned(),
            config: folder.join("config"),
        }
    }

    #[test]
    fn what_a_person_changed_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("h"))).unwrap();
        for manager in [&SYSTEMD, &LAUNCHD, &DESKTOP] {
            let folders = folders(folder.path());
            let path = (manager.file)(&folders);
            assert_eq!(manager.remove(&folders).unwrap(), Outcome::Absent);
            assert_eq!(manager.install(&home, &path).unwrap(), Outcome::Written);
            assert_eq!(manager.install(&home, &path).unwrap(), Outcome::Right);
            // Another home: the file is ours and is brought up to date.
            let other = Home::find(Some(folder.path().join("other"))).unwrap();
            assert!(manager.differs(&other, &path).unwrap());
            assert_eq!(manager.install(&other, &path).unwrap(), Outcome::Written);
            let text = std::fs::read_to_string(&path).unwrap();
            for changed in [
                text.replace("bellwether", "other"),
                String::new(),
                "mine".to_owned(),
            ] {
                std::fs::write(&path, &changed).unwrap();
                manager.install(&home, &path).unwrap_err();
                manager.remove(&folders).unwrap_err();
                assert_eq!(std::fs::read_to_string(&path).unwrap(), changed);
            }
            std::fs::write(&path, text).unwrap();
            assert_eq!(manager.remove(&folders).unwrap(), Outcome::Removed);
            std::os::unix::fs::symlink("/dev/null", &path).unwrap();
            manager.install(&home, &path).unwrap_err();
        }
    }

    #[test]
    fn the_link_of_an_enabled_service_goes_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("h"))).unwrap();
        let folders = folders(folder.path());
        let path = (SYSTEMD.file)(&folders);
        let link = (SYSTEMD.link)(&folders).unwrap();
        SYSTEMD.install(&home, &path).unwrap();
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        SYSTEMD.remove(&folders).unwrap();
        assert!(link.symlink_metadata().is_err());
    }
}
