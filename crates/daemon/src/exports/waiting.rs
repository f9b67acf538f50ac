//! Sessions that wait to be exported: one small file each, which goes once the export is made. So a daemon that ends, however
//! it ends, leaves them to the next.

use std::path::{Path, PathBuf};

use bellwether_spine::{Home, SpineError, place};

/// Sessions that wait, in one home.
pub(super) struct Waiting<'a>(pub &'a Home);

/// One transcript that is to be exported, and the files that say so: its session may have ended more than once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ended {
    pub transcript: PathBuf,
    files: Vec<PathBuf>,
}

impl Waiting<'_> {
    /// Notes that a session has ended. The event's id is the name: ids sort by time, and a session that ends again while it is
    /// being exported is not forgotten.
    pub(super) fn add(&self, event: [u8; 16], transcript: &str) -> Result<(), SpineError> {
        let file = self.0.exports().join(place::hex(&event));
        place::replace_private(&file, transcript.as_bytes())
    }

    /// Removes what was being written when its writer died: the event is in the journal still. For whoever does not write yet.
    pub(super) fn forget_torn(&self) {
        for file in self.all().filter(|file| !is_whole(file)) {
            // Nobody reads it.
            let _ = std::fs::remove_file(file);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.all().any(|file| is_whole(&file))
    }

    /// All that wait, the oldest first.
    pub(super) fn list(&self) -> Vec<Ended> {
        let mut all: Vec<Ended> = Vec::new();
        let mut files: Vec<PathBuf> = self.all().filter(|file| is_whole(file)).collect();
        files.sort();
        for file in files {
            let Ok(transcript) = std::fs::read_to_string(&file) else {
                // Nobody can read it the next time either.
                let _ = std::fs::remove_file(&file);
                continue;
            };
            let transcript = PathBuf::from(transcript);
            match all.iter_mut().find(|one| one.transcript == transcript) {
                Some(known) => known.files.push(file),
                None => all.push(Ended {
                    transcript,
                    files: vec![file],
                }),
            }
        }
        all
    }

    fn all(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let entries = std::fs::read_dir(self.0.exports()).into_iter().flatten();
        entries.flatten().map(|entry| entry.path())
    }
}

/// A file that was being written when its writer died has more behind its name.
fn is_whole(file: &Path) -> bool {
    file.extension().is_none()
}

impl Ended {
    /// Forgets it: there is a page, or the person was told why there is none.
    pub(super) fn settle(self) {
        for file in self.files {
            // What stays is exported once more, into the same page.
            let _ = std::fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_wait_in_order_until_they_are_settled() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let waiting = Waiting(&home);
        assert!(waiting.is_empty());
        for (event, transcript) in [(2, "/b.jsonl"), (1, "/a.jsonl"), (3, "/a.jsonl")] {
            waiting.add([event; 16], transcript).unwrap();
        }
        let torn = home.exports().join("04040404040404040404040404040404.f00d");
        std::fs::write(&torn, "/to").unwrap();
        let mut all = waiting.list().into_iter();
        let first = all.next().unwrap();
        assert_eq!(first.transcript, Path::new("/a.jsonl"));
        assert_eq!(first.files.len(), 2, "it has ended twice");
        assert_eq!(all.next().unwrap().transcript, Path::new("/b.jsonl"));
        assert_eq!(all.next(), None);
        waiting.forget_torn();
        assert!(!torn.exists());

        waiting.add([5; 16], "/a.jsonl").unwrap();
        first.settle();
        let left: Vec<PathBuf> = waiting
            .list()
            .into_iter()
            .map(|one| one.transcript)
            .collect();
        assert_eq!(left, [Path::new("/b.jsonl"), Path::new("/a.jsonl")]);
    }

    #[test]
    fn what_is_no_path_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        std::fs::create_dir_all(home.exports()).unwrap();
        std::fs::write(home.exports().join("01"), b"\xff\xfe").unwrap();
        assert_eq!(Waiting(&home).list(), []);
        assert!(Waiting(&home).is_empty());
    }
}
