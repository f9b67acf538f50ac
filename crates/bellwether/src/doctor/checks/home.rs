//! The folder of our files: where it really is, who may look into it, and how much room there is.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use bellwether_spine::{Home, place};
use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::{Finding, Setup};
use crate::doctor::finding::or_good;
use crate::output;

pub(super) const ABOUT: &str =
    "bellwether's files are on a local disk with free space, and only you can read them";

/// Less room than this is soon none.
const ROOM: u64 = 100_000_000;

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let home = setup.home;
    if let Some(finding) = read_only(home) {
        return vec![finding];
    }
    let found = [
        open_to_others(home),
        little_room(home),
        moved(home),
        short_sockets(home),
    ];
    let state = home.state().display();
    or_good(
        found.into_iter().flatten().collect(),
        format!("{state} is private and has free space"),
    )
}

/// Where nothing can be written no event is kept, however much room there is.
fn read_only(home: &Home) -> Option<Finding> {
    let folder = home.state().ancestors().find(|folder| folder.exists())?;
    let wish = Access::WRITE_OK | Access::EXEC_OK;
    let error = accessat(CWD, folder, wish, AtFlags::EACCESS).err()?;
    let text = format!(
        "{} cannot be written: {}; no event is kept",
        folder.display(),
        std::io::Error::from(error)
    );
    let advice = "make it writable, or name another folder with BELLWETHER_HOME";
    Some(Finding::problem(text).advise(advice))
}

fn open_to_others(home: &Home) -> Option<Finding> {
    let open: Vec<(PathBuf, u32)> = ours(home)
        .into_iter()
        .filter(|(_, mode)| mode & 0o077 != 0)
        .collect();
    let (first, mode) = open.first()?;
    let others = match open.len() {
        1 => String::new(),
        count => format!(", and {} more", count - 1),
    };
    let text = format!(
        "other users can read {} ({:03o}){others}",
        first.display(),
        mode & 0o777
    );
    // Nobody reaches a file in a folder that is closed to them.
    let reachable = place::check_private(home.state()).is_err();
    let finding = if reachable {
        Finding::warning(text)
    } else {
        Finding::note(text)
    };
    let step = format!("chmod -R go-rwx '{}'", home.state().display());
    Some(finding.advise(step).fix("remove that access", move || {
        for (path, mode) in &open {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & 0o700))?;
        }
        Ok(())
    }))
}

/// The state folder and what is in it and in its folders, with permissions; only what is this
/// user's, and no links.
fn ours(home: &Home) -> Vec<(PathBuf, u32)> {
    let mut found = Vec::new();
    let mut folders = vec![home.state().to_owned()];
    found.extend(seen(home.state()));
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path.clone());
            }
            found.extend(seen(&path));
        }
    }
    found
}

fn seen(path: &Path) -> Option<(PathBuf, u32)> {
    let seen = path.symlink_metadata().ok()?;
    let ours = seen.uid() == rustix::process::getuid().as_raw();
    ((seen.is_file() || seen.is_dir()) && ours).then(|| (path.to_owned(), seen.mode()))
}

fn little_room(home: &Home) -> Option<Finding> {
    let room = home
        .state()
        .ancestors()
        .find_map(|folder| rustix::fs::statvfs(folder).ok())?;
    let free = room.f_bavail.saturating_mul(room.f_frsize);
    (free < ROOM).then(|| {
        let text = format!(
            "only {} are free on the disk of bellwether's files",
            output::bytes(free)
        );
        Finding::warning(text).advise("make room on that disk: events are lost when it is full")
    })
}

/// A shared file system keeps none of the promises that a journal needs.
fn moved(home: &Home) -> Option<Finding> {
    place::is_stand_in(home.state()).then(|| {
        let state = home.state().display();
        Finding::note(format!(
            "the usual folder is on a shared file system: files are in {state}"
        ))
    })
}

fn short_sockets(home: &Home) -> Option<Finding> {
    let socket = home.wake_socket();
    let folder = socket.parent().filter(|folder| *folder != home.state())?;
    Some(Finding::note(format!(
        "the path of our folder is too long for sockets: they are in {}",
        folder.display()
    )))
}
