//! Which session is meant: by its id or the beginning of it, or the newest of a project.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::{Projects, TranscriptError, Whose};

/// The client cuts longer names of folders, and puts a hash behind them.
const LONGEST_NAME: usize = 200;
/// So many sessions are named when several fit.
const NAMED: usize = 5;

impl Projects {
    /// The transcript of the session whose id begins so.
    pub fn find(&self, id: &str) -> Result<PathBuf, TranscriptError> {
        let mut found: Vec<PathBuf> = self
            .project_folders()
            .flat_map(|folder| self.sessions_in(&folder))
            .filter(|path| !id.is_empty() && stem(path).starts_with(id))
            .collect();
        if let Some(exact) = found.iter().find(|path| stem(path) == id) {
            return Ok(exact.clone());
        }
        match found.as_slice() {
            [] => Err(TranscriptError::NoSession(id.to_owned())),
            [_] => Ok(found.remove(0)),
            several => Err(TranscriptError::Ambiguous {
                id: id.to_owned(),
                found: several.iter().take(NAMED).map(|path| stem(path)).collect(),
            }),
        }
    }

    /// The transcripts of a project's sessions, the newest first. The project is the folder, or the first one above it
    /// that has sessions, up to the root of its repository.
    pub fn of_project(&self, folder: &Path) -> Result<Vec<PathBuf>, TranscriptError> {
        let mut folders = Vec::new();
        for above in folder.ancestors() {
            folders.push(above);
            if above.join(".git").exists() {
                break;
            }
        }
        if !folders
            .last()
            .is_some_and(|root| root.join(".git").exists())
        {
            folders.truncate(1);
        }
        let sessions = folders.iter().map(|folder| self.of_folder(folder));
        let found = sessions.into_iter().find(|sessions| !sessions.is_empty());
        found.ok_or_else(|| TranscriptError::NoneHere {
            folder: folder.to_owned(),
        })
    }

    fn of_folder(&self, folder: &Path) -> Vec<PathBuf> {
        let name = client_name(folder);
        let is_it = |path: &PathBuf| {
            let found = path.file_name().unwrap_or_default().to_string_lossy();
            let cut = name
                .get(..LONGEST_NAME)
                .filter(|_| name.len() > LONGEST_NAME);
            found == name || cut.is_some_and(|cut| found.starts_with(cut))
        };
        let folders = self.project_folders().filter(is_it);
        let mut sessions: Vec<(SystemTime, PathBuf)> = folders
            .flat_map(|folder| self.sessions_in(&folder))
            .filter_map(|path| {
                Some((
                    self.open(&path).ok()?.metadata().ok()?.modified().ok()?,
                    path,
                ))
            })
            .collect();
        sessions.sort_by(|one, other| other.cmp(one));
        sessions.into_iter().map(|(_, path)| path).collect()
    }

    fn sessions_in(&self, folder: &Path) -> Vec<PathBuf> {
        let paths = self
            .names_in(folder)
            .into_iter()
            .map(|name| folder.join(name));
        let is_session = |path: &PathBuf| {
            path.extension().is_some_and(|end| end == "jsonl") && Whose::of(path) == Whose::Main
        };
        paths.filter(is_session).collect()
    }
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// What the client calls the folder of a project's transcripts: all but letters and digits become a dash, each as often as
/// it has units of UTF-16.
fn client_name(folder: &Path) -> String {
    let text = String::from_utf8_lossy(folder.as_os_str().as_bytes()).into_owned();
    let mut name = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_ascii_alphanumeric() {
            name.push(char);
        } else {
            name.extend(std::iter::repeat_n('-', char.len_utf16()));
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage() -> (tempfile::TempDir, Projects) {
        let folder = tempfile::tempdir().unwrap();
        for (name, age) in [
            ("-home-ann-app/abc1.jsonl", 60),
            ("-home-ann-app/abd2.jsonl", 5),
            ("-home-ann-app/agent-1.jsonl", 1),
            ("-home-ann-app/notes.txt", 1),
            ("-home-ann-other/abc.jsonl", 9),
        ] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "{}\n").unwrap();
            let at = SystemTime::now() - std::time::Duration::from_secs(age);
            std::fs::File::options()
                .append(true)
                .open(&path)
                .unwrap()
                .set_modified(at)
                .unwrap();
        }
        let projects = Projects::at(folder.path());
        (folder, projects)
    }

    #[test]
    fn a_session_is_found_by_the_beginning_of_its_id() {
        let (_folder, projects) = stage();
        let find = |id: &str| {
            projects
                .find(id)
                .map(|path| stem(&path))
                .map_err(|why| why.to_string())
        };
        assert_eq!(find("abd"), Ok("abd2".to_owned()));
        assert_eq!(find("abc"), Ok("abc".to_owned()), "a whole id counts more");
        assert!(
            find("ab")
                .unwrap_err()
                .starts_with("several sessions begin with ab: ")
        );
        assert_eq!(find("x").unwrap_err(), "no session's id begins with x");
        assert!(find("").is_err() && find("agent").is_err());
    }

    #[test]
    fn the_sessions_of_a_project_come_newest_first() {
        let (_folder, projects) = stage();
        let of = |folder: &str| {
            projects
                .of_project(Path::new(folder))
                .map(|paths| paths.iter().map(|path| stem(path)).collect::<Vec<_>>())
        };
        assert_eq!(of("/home/ann/app").unwrap(), ["abd2", "abc1"]);
        assert!(of("/home/ann/app/src").is_err(), "no repository leads up");
        assert_eq!(
            client_name(Path::new("/home/ann/한.b😀")),
            "-home-ann----b--".replace("----b", "---b")
        );
    }

    #[test]
    fn a_folder_in_a_repository_belongs_to_the_one_above_that_has_sessions() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("app");
        std::fs::create_dir_all(root.join("src/deep")).unwrap();
        std::fs::create_dir(root.join(".git")).unwrap();
        let kept = folder.path().join("projects").join(client_name(&root));
        std::fs::create_dir_all(&kept).unwrap();
        std::fs::write(kept.join("s1.jsonl"), "{}\n").unwrap();
        let projects = Projects::at(folder.path().join("projects"));
        let found = projects.of_project(&root.join("src/deep")).unwrap();
        assert_eq!(stem(&found[0]), "s1");
    }
}
