//! `git mv`, which changes the work tree too: in the index alone it is entries under other names.

use std::path::{Path, PathBuf};

use bellwether_shell::Text;
use bellwether_shell::git::Site;

use super::super::changes::within;
use super::super::git::{Asking, Stop};
use super::super::words;
use super::{Draft, literal};

/// A file or a folder that will have another name by then; relative to the root.
#[derive(Debug, Clone)]
pub(super) struct Renamed {
    pub from: PathBuf,
    pub to: PathBuf,
}

impl Draft<'_> {
    pub(super) fn rename(&mut self, from: &[Text], to: &Text, site: &Site) -> Result<(), Stop> {
        let folder = &site.folder;
        let to = words::known(to)?;
        let into = folder.join(to).is_dir() || from.len() > 1 || to.ends_with('/');
        for from in words::paths(from, folder)? {
            let renamed = self.renamed(folder, &from, to, into)?;
            self.relocate(&renamed.from, &renamed.to)?;
            self.renamed.push(renamed);
        }
        Ok(())
    }

    fn renamed(&self, folder: &Path, from: &str, to: &str, into: bool) -> Result<Renamed, Stop> {
        let root = &self.tree.root;
        let outside = || Stop::Doubt(format!("`git mv {from}` would fail as things are now"));
        let from = within(root, &folder.join(from)).ok_or_else(outside)?;
        let mut to = within(root, &folder.join(to)).ok_or_else(outside)?;
        if into {
            to.push(from.file_name().ok_or_else(outside)?);
        }
        Ok(Renamed { from, to })
    }

    /// Gives entries of the index other names.
    pub(super) fn relocate(&mut self, from: &Path, to: &Path) -> Result<(), Stop> {
        let site = self.tree.site();
        let asking = self.asking(&site);
        let words = ["ls-files", "-s", "-z", "--full-name", "--", &literal(from)];
        let listed = self.git.must(&asking, &words)?;
        let input = moved(&listed.out, from, to);
        if input.is_empty() {
            let from = from.display();
            return Err(Stop::Doubt(format!("git does not know `{from}` yet")));
        }
        let file = self.scratch.file("entries");
        std::fs::write(&file, input).map_err(|error| Stop::Failed(error.to_string()))?;
        let asking = Asking {
            input: Some(&file),
            ..self.asking(&site)
        };
        let words = ["update-index", "-z", "--index-info"];
        self.git.must(&asking, &words).map(drop)
    }

    /// Paths as they are called now, before what the command renames has other names.
    pub(super) fn before_renames(&self, paths: Vec<String>, folder: &Path) -> Vec<String> {
        let below: Vec<String> = paths
            .iter()
            .filter_map(|path| within(&self.tree.root, &folder.join(path)))
            .flat_map(|path| self.coming_below(&path))
            .collect();
        let named = |path: String| self.named_now(&path, folder).unwrap_or(path);
        paths.into_iter().map(named).chain(below).collect()
    }

    /// What will stand below a path that is elsewhere now.
    fn coming_below(&self, path: &Path) -> Vec<String> {
        let coming = |one: &&Renamed| one.to.starts_with(path) && one.to != path;
        let coming = self.renamed.iter().filter(coming);
        coming.map(|one| literal(&one.from)).collect()
    }

    fn named_now(&self, path: &str, folder: &Path) -> Option<String> {
        let mut now = within(&self.tree.root, &folder.join(path))?;
        let mut is_other = false;
        for one in self.renamed.iter().rev() {
            if let Ok(rest) = now.strip_prefix(&one.to) {
                now = if rest.as_os_str().is_empty() {
                    one.from.clone()
                } else {
                    one.from.join(rest)
                };
                is_other = true;
            }
        }
        is_other.then(|| literal(&now))
    }
}

/// What `update-index --index-info` reads, from what `ls-files -s` says: each entry is taken out and put in again.
fn moved(listed: &[u8], from: &Path, to: &Path) -> Vec<u8> {
    let (mut out, mut into) = (Vec::new(), Vec::new());
    let from = from.as_os_str().as_encoded_bytes();
    let to = to.as_os_str().as_encoded_bytes();
    for entry in listed.split(|byte| *byte == 0) {
        let Some(at) = entry.iter().position(|byte| *byte == b'\t') else {
            continue;
        };
        let (what, path) = (&entry[..at], &entry[at + 1..]);
        let Some(rest) = path.strip_prefix(from) else {
            continue;
        };
        let id = what.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
        out.extend_from_slice(b"0 ");
        out.resize(out.len() + id.len(), b'0');
        out.push(b'\t');
        out.extend_from_slice(path);
        out.push(0);
        for part in [what, b"\t", to, rest, b"\0"] {
            into.extend_from_slice(part);
        }
    }
    out.extend(into);
    out
}
