//! Runs the formatters of a file.
//!
//! What a formatter that reads a stream says takes the file's place at once, if nobody has changed the file meanwhile. One that
//! writes in place is trusted with the file while it runs; when it is stopped, or dies, the file is put back as it was.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bellwether_protocol::reply::Reply;
use bellwether_spine::Home;
use bellwether_spine::file::{self, Editing};
use bellwether_spine::signals::{self, Held};
use bellwether_spine::trouble::Troubles;
use rustix::fs::OFlags;

use super::formatters::Way;
use super::plan::{ChosenBy, Plan, Step};
use super::told;
use crate::child::{self, ChildOutput, Cut, Limits};

/// A formatter makes of a text at most this much more of it.
const GROWTH: usize = 4;
const ROOM: usize = 64 * 1024;

/// Variables that keep version managers and package managers from downloading what is missing.
const OFFLINE: &[(&str, &str)] = &[
    ("RUSTUP_AUTO_INSTALL", "0"),
    // For those before 1.28, which know nothing of the above.
    ("RUSTUP_DIST_SERVER", "file:///nowhere"),
    ("COREPACK_ENABLE_NETWORK", "0"),
    ("MISE_OFFLINE", "1"),
    ("UV_OFFLINE", "1"),
    ("npm_config_offline", "true"),
];

/// Runs what is planned, and returns what the agent is told.
pub(crate) fn run(plan: &Plan, home: &Home) -> Reply {
    // Ended in the middle, we would leave a formatter alone with the file.
    let held = signals::hold();
    let Some(mut work) = Work::begin(plan, &held) else {
        return Reply::default();
    };
    let before = work.text.clone();
    let mut by = Vec::new();
    for step in &plan.steps {
        match work.step(step) {
            Ok(Changed::Yes) => by.push(step.name.as_str()),
            Ok(Changed::No) | Err(Stop::Failed) => {}
            Err(Stop::Late) => {
                note_late(home, &step.name, plan.timeout_s);
                break;
            }
            Err(Stop::Foreign) => break,
        }
    }
    if work.save().is_err() || by.is_empty() {
        return Reply::default();
    }
    Reply {
        context: told::context(&plan.target.shown(), &by, &before, &work.text),
        ..Reply::default()
    }
}

fn note_late(home: &Home, name: &str, timeout_s: u32) {
    let text = format!(
        "{name} was stopped after {timeout_s} s, so a file was not formatted; see `format.timeout` and `format.skip`"
    );
    let _ = Troubles(home).note("format_late", &text);
}

enum Changed {
    Yes,
    No,
}

/// Why a step came to nothing.
enum Stop {
    /// It failed, as formatters do with what they cannot read.
    Failed,
    /// The time is up.
    Late,
    /// Somebody else has changed the file, or we are to end.
    Foreign,
}

struct Work<'a> {
    file: &'a Path,
    held: &'a Held,
    end: Instant,
    mode: u32,
    /// What stands in the file.
    stored: String,
    /// What is to stand in it.
    text: String,
}

impl<'a> Work<'a> {
    fn begin(plan: &'a Plan, held: &'a Held) -> Option<Self> {
        let file = plan.target.file();
        let text = read(file)?;
        Some(Self {
            file,
            held,
            mode: file.metadata().ok()?.mode() & 0o777,
            end: Instant::now() + Duration::from_secs(plan.timeout_s.into()),
            stored: text.clone(),
            text,
        })
    }

    fn step(&mut self, step: &Step) -> Result<Changed, Stop> {
        let after = match step.way {
            Way::Stream => self.stream(step)?,
            Way::InPlace => self.in_place(step)?,
        };
        // What empties a file has gone wrong, whatever it says.
        if after.trim().is_empty() && !self.text.trim().is_empty() {
            return Err(Stop::Failed);
        }
        let changed = if after == self.text {
            Changed::No
        } else {
            Changed::Yes
        };
        self.text = after;
        Ok(changed)
    }

    fn stream(&self, step: &Step) -> Result<String, Stop> {
        let mut command = command(step);
        command.stdout(Stdio::piped());
        let said = self.start(&mut command, self.text.as_bytes())?;
        match said.code {
            Some(0) => String::from_utf8(said.out).map_err(|_| Stop::Failed),
            _ => Err(Stop::Failed),
        }
    }

    fn in_place(&mut self, step: &Step) -> Result<String, Stop> {
        self.save()?;
        let mut command = command(step);
        command.stdout(Stdio::null());
        let ran = self.start(&mut command, &[]);
        let found = read(self.file);
        // Whatever its exit code: it may have mended some and complain about the rest.
        let whole = |text: &String| ran.is_ok() && !text.trim().is_empty();
        match found {
            Some(text) if whole(&text) || text == self.text => {
                self.stored.clone_from(&text);
                ran.map(|_| text)
            }
            _ => {
                self.put_back();
                ran.and(Err(Stop::Failed))
            }
        }
    }

    fn start(&self, command: &mut Command, input: &[u8]) -> Result<ChildOutput, Stop> {
        let limits = Limits {
            end: self.end,
            most: input.len() * GROWTH + ROOM,
            called_off: &|| self.held.has_come(),
        };
        child::run(command, input, limits).map_err(|cut| match cut {
            Cut::Late => Stop::Late,
            Cut::CalledOff => Stop::Foreign,
            Cut::NotStarted(_) | Cut::Killed | Cut::Failed(_) => Stop::Failed,
        })
    }

    /// Writes the text as it is now, unless somebody else has written meanwhile.
    fn save(&mut self) -> Result<(), Stop> {
        if self.text == self.stored {
            return Ok(());
        }
        self.check_place()?;
        let editing = Editing::begin(self.file).map_err(|_| Stop::Foreign)?;
        if editing.text() != Some(&self.stored) {
            return Err(Stop::Foreign);
        }
        editing.replace(&self.text).map_err(|_| Stop::Foreign)?;
        self.stored.clone_from(&self.text);
        Ok(())
    }

    /// Undoes what a formatter did that was stopped: nobody can say whether it was done. What is there may be no text.
    fn put_back(&self) {
        let write = || {
            let no_follow = OFlags::NOFOLLOW.bits().cast_signed();
            let mut options = OpenOptions::new();
            let options = options.write(true).create(true).truncate(true);
            let mut file = options
                .mode(self.mode)
                .custom_flags(no_follow)
                .open(self.file)?;
            file.write_all(self.text.as_bytes())
        };
        // What cannot be put back cannot be helped.
        let _ = self.check_place().map(|()| write());
    }

    /// Whether the path still leads where it led: nobody may send us elsewhere by a link.
    fn check_place(&self) -> Result<(), Stop> {
        let folder = self.file.parent().unwrap_or(self.file);
        let leads = folder.canonicalize().map_err(|_| Stop::Foreign)?;
        (leads == folder).then_some(()).ok_or(Stop::Foreign)
    }
}

fn read(file: &Path) -> Option<String> {
    let content = file::read(file).ok().flatten()?;
    Some(content.text)
}

fn command(step: &Step) -> Command {
    let mut command = Command::new(&step.program);
    command
        .args(&step.words)
        .current_dir(&step.folder)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    if step.chosen_by == ChosenBy::Project {
        command.envs(OFFLINE.iter().copied());
    }
    command
}

#[cfg(test)]
mod tests;
