//! Our programs for every user of the machine.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use bellwether_spine::{HOOK, Managed, overlay};

/// How people find the program: from the folder of the link.
const TARGET: &str = "../lib/bellwether/bellwether";

/// Our programs, where they are now and where they go. The overlay is one where it was built.
pub(super) fn all(managed: &Managed) -> anyhow::Result<Vec<(PathBuf, PathBuf)>> {
    let main = std::env::current_exe().context("cannot find the running program")?;
    let hook = main.with_file_name(HOOK);
    ensure!(
        hook.is_file(),
        "{} is missing: both programs belong into one folder",
        hook.display()
    );
    let overlay = main.with_file_name(overlay::PROGRAM);
    let mut programs = vec![(hook, managed.hook())];
    if overlay.is_file() {
        programs.push((overlay, managed.overlay()));
    }
    programs.push((main, managed.main_program()));
    Ok(programs)
}

/// Whether a program would be written.
pub(super) fn differs(from: &Path, to: &Path) -> bool {
    let length = |path: &Path| path.metadata().map(|seen| seen.len()).ok();
    length(from) != length(to) || fs::read(from).ok() != fs::read(to).ok()
}

/// Copies a program, whole or not at all, as one that everybody may run and only root may write.
pub(super) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let mut fresh = to.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let copied = || -> io::Result<()> {
        let _ = fs::remove_file(&fresh);
        let mut new = File::options().create_new(true).write(true).open(&fresh)?;
        io::copy(&mut File::open(from)?, &mut new)?;
        new.set_permissions(fs::Permissions::from_mode(0o755))?;
        new.sync_all()?;
        fs::rename(&fresh, to)
    };
    copied().with_context(|| format!("cannot write {}", to.display()))
}

/// Whether the link that people start the program by is ours; `None` when there is nothing.
pub(super) fn is_ours(link: &Path) -> Option<bool> {
    link.symlink_metadata().ok()?;
    Some(fs::read_link(link).is_ok_and(|target| target == Path::new(TARGET)))
}

pub(super) fn link(managed: &Managed) -> anyhow::Result<()> {
    let link = managed.link();
    match is_ours(&link) {
        Some(true) => Ok(()),
        Some(false) => {
            note!(
                "bellwether: {} is somebody else's and stays; the program for all users is {}",
                link.display(),
                managed.main_program().display()
            );
            Ok(())
        }
        None => symlink(TARGET, &link).with_context(|| format!("cannot make {}", link.display())),
    }
}

/// Removes the programs and the link, each if it is there.
pub(super) fn remove(managed: &Managed) -> anyhow::Result<()> {
    if is_ours(&managed.link()) == Some(true) {
        fs::remove_file(managed.link())?;
    }
    for program in [managed.hook(), managed.overlay(), managed.main_program()] {
        match fs::remove_file(&program) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot delete {}", program.display()));
            }
            _ => {}
        }
    }
    Ok(())
}
