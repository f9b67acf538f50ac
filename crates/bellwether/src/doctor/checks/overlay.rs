//! What shows agents on the desktop.

use std::path::Path;

use bellwether_config::load;
use bellwether_spine::overlay::{self, Display, PROGRAM};
use bellwether_spine::{VERSION, meta};

use super::{Finding, Setup};
use crate::doctor::file;
use crate::doctor::finding::or_good;
use crate::limited;
use crate::service::{DESKTOP, Folders};

pub(super) const ABOUT: &str =
    "the overlay is there where it is wanted, has this version, and the desktop starts this one";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let auto = load(setup.home, None, &meta::variable).config.overlay.auto;
    let entry = Folders::of_person().map(|folders| (DESKTOP.file)(&folders));
    let entry = entry.ok().filter(|path| path.exists());
    let program = setup.programs.join(PROGRAM);
    if !program.exists() && !auto && entry.is_none() {
        return vec![Finding::good("not installed, and nothing starts it")];
    }
    let mut findings: Vec<Finding> = wrong_program(&program).into_iter().collect();
    findings.extend(entry.and_then(|path| wrong_entry(setup, &path)));
    findings.extend(auto.then(|| unseen(setup)).flatten());
    let running = overlay::running(setup.home);
    let displays: Vec<&str> = running.iter().map(|one| one.display.as_str()).collect();
    let standing = match displays.as_slice() {
        [] => "not running; `bellwether overlay` starts it".to_owned(),
        some => format!("running on {}", some.join(", ")),
    };
    or_good(findings, format!("version {VERSION}, {standing}"))
}

fn wrong_program(program: &Path) -> Option<Finding> {
    let shown = program.display();
    let finding = match file::runnable(program) {
        Err(why) => Finding::problem(format!("{shown} {why}")),
        Ok(()) => match limited::version_of(program, limited::PATIENCE) {
            Err(why) => Finding::problem(format!("{shown} {why}")),
            Ok(said) => {
                let version = said.split_whitespace().nth(1).unwrap_or("unknown");
                (version != VERSION).then_some(())?;
                Finding::warning(format!(
                    "the overlay is version {version} and this program {VERSION}"
                ))
            }
        },
    };
    Some(finding.advise("install the programs together: run ./install again"))
}

/// What the desktop starts at login, if that is not this program with this home.
fn wrong_entry(setup: &Setup<'_>, path: &Path) -> Option<Finding> {
    let differs = DESKTOP.differs(setup.home, path).unwrap_or(true);
    let (home, to) = (setup.home.clone(), path.to_owned());
    differs.then(|| {
        Finding::warning(format!(
            "{} starts something else at login than this program's overlay",
            path.display()
        ))
        .advise("bellwether overlay --at-login on")
        .fix("write the entry again", move || {
            DESKTOP.install(&home, &to).map(|_| ())
        })
    })
}

/// The first event of a session on a display is to start it, and none has come.
fn unseen(setup: &Setup<'_>) -> Option<Finding> {
    let ever_started = setup.home.overlays().exists();
    (!ever_started && Display::here().is_none()).then(|| {
        Finding::note(
            "overlay.auto is on, and no session on a display of this machine was seen yet",
        )
        .advise("start a session in a terminal of your desktop")
    })
}
