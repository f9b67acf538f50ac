//! Debug files, where a project's configuration asks for them: a line for every event, one for what its handler
//! decided, and for the end of a turn the event itself and what of the transcript it rests on. Every secret is masked, and the
//! files are for their owner alone.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use bellwether_announce::Outcome;
use bellwether_config::debug_folder;
use bellwether_flock::Row;
use bellwether_protocol::event::{Event, Kind};
use bellwether_spine::journal::Envelope;
use bellwether_spine::{Home, SpineError, place, text};
use bellwether_transcript::Projects;

use crate::fresh::Fresh;

/// As much of a transcript's end is kept.
const TRANSCRIPT_MAX: u64 = 1024 * 1024;
/// The trace is begun anew at this length.
const TRACE_MAX: u64 = 8 * 1024 * 1024;

pub(crate) struct Debug<'a> {
    home: &'a Home,
    projects: Projects,
    folders: Fresh<Option<String>, Option<PathBuf>>,
}

/// What came of an event.
pub(crate) struct Traced<'a> {
    pub at_ms: u64,
    pub event: &'a Event<'a>,
    pub handler: Option<&'a str>,
    pub outcome: &'a Outcome,
}

impl Traced<'_> {
    fn line(&self) -> String {
        let session = self.event.session.as_deref().unwrap_or_default();
        let handler = self.handler.unwrap_or("no handler");
        let decision = match self.outcome {
            Outcome::Said(said) => format!("says {:?}", said.text),
            Outcome::Silent(silence) => format!("silent: {silence}"),
        };
        let name = self.event.shown_name();
        text::shown(
            &format!("{} {session} {name} -> {handler}: {decision}", self.at_ms),
            400,
        )
    }
}

impl<'a> Debug<'a> {
    pub(crate) fn new(home: &'a Home, projects: Projects) -> Self {
        Self {
            home,
            projects,
            folders: Fresh::default(),
        }
    }

    /// Traces one event, if its project wants that. What goes wrong stands in `hook_error.log`.
    pub(crate) fn trace(&mut self, row: &Row) {
        let Some(folder) = self.folder(row.project.as_ref()) else {
            return;
        };
        let Ok(envelope) = Envelope::parse(&row.record) else {
            return;
        };
        let Err(error) = trace(&folder, &envelope, &self.projects) else {
            return;
        };
        if check_folder(&folder).is_ok() {
            let line = format!("{} {error}", row.at_ms);
            let _ = append(&folder.join("hook_error.log"), &line);
        }
    }

    /// Traces what came of an event: which handler it concerned, and what that decided.
    pub(crate) fn trace_decision(&mut self, project: Option<&String>, decision: &Traced<'_>) {
        let Some(folder) = self.folder(project) else {
            return;
        };
        let traced = place::create_private(&folder)
            .and_then(|()| check_folder(&folder))
            .and_then(|()| append(&folder.join("hook_debug.log"), &decision.line()));
        if let Err(error) = traced {
            tracing::warn!("{error}");
        }
    }

    fn folder(&mut self, project: Option<&String>) -> Option<PathBuf> {
        let read = |_| debug_folder(self.home, project.map(Path::new));
        self.folders.get(project.cloned(), read).clone()
    }
}

fn trace(folder: &Path, envelope: &Envelope<'_>, projects: &Projects) -> Result<(), SpineError> {
    place::create_private(folder)?;
    check_folder(folder)?;
    let payload = envelope.payload.get();
    let Ok(event) = envelope.event() else {
        return Ok(());
    };
    append(&folder.join("hook_debug.log"), &line(envelope, &event))?;
    if event.kind == Kind::Stop {
        place::replace_private(
            &folder.join("hook_raw_input.json"),
            text::mask_json(payload).as_bytes(),
        )?;
        if let Some(transcript) = event
            .transcript
            .as_deref()
            .and_then(|path| end_of(projects.open(Path::new(path)).ok()?))
        {
            let masked: String = transcript
                .lines()
                .map(|line| text::mask_json(line) + "\n")
                .collect();
            place::replace_private(&folder.join("transcript_dump.jsonl"), masked.as_bytes())?;
        }
    }
    Ok(())
}

/// No part of the way to the folder may be a link: a project could lead us anywhere by one. What is
/// above the project is the person's own affair, so only the last parts are looked at.
fn check_folder(folder: &Path) -> Result<(), SpineError> {
    let uid = rustix::process::getuid().as_raw();
    for part in folder.ancestors().take(3) {
        let seen = std::fs::symlink_metadata(part)
            .map_err(|source| SpineError::io("look at", part, source))?;
        if !seen.is_dir() {
            return Err(SpineError::Untrusted {
                path: part.to_owned(),
                uid,
            });
        }
    }
    let owner = std::fs::symlink_metadata(folder).map_or(uid, |seen| seen.uid());
    if owner == uid {
        Ok(())
    } else {
        Err(SpineError::Untrusted {
            path: folder.to_owned(),
            uid,
        })
    }
}

fn line(envelope: &Envelope<'_>, event: &Event<'_>) -> String {
    let tool = event
        .tool
        .as_ref()
        .map(|tool| tool.name.as_ref())
        .unwrap_or_default();
    let words = event.message.as_deref().unwrap_or_default();
    let session = event.session.as_deref().unwrap_or_default();
    text::shown(
        &format!(
            "{} {session} {} {tool} {words}",
            envelope.meta.at_ms,
            event.shown_name()
        ),
        400,
    )
}

fn append(path: &Path, line: &str) -> Result<(), SpineError> {
    let failed = |source| SpineError::io("write", path, source);
    let mut file = File::options()
        .create(true)
        .append(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)
        .map_err(failed)?;
    let seen = file.metadata().map_err(failed)?;
    if !seen.is_file() || seen.nlink() > 1 {
        return Err(failed(std::io::ErrorKind::InvalidInput.into()));
    }
    if seen.len() > TRACE_MAX {
        file.set_len(0).map_err(failed)?;
    }
    writeln!(file, "{line}").map_err(failed)
}

/// The end of a transcript, in whole lines.
fn end_of(mut file: File) -> Option<String> {
    use std::io::{Seek as _, SeekFrom};
    let seen = file.metadata().ok()?;
    let skipped = seen.len().saturating_sub(TRANSCRIPT_MAX);
    file.seek(SeekFrom::Start(skipped)).ok()?;
    let mut bytes = Vec::new();
    file.take(TRANSCRIPT_MAX).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match skipped {
        0 => Some(text),
        _ => text.split_once('\n').map(|(_, whole)| whole.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use bellwether_announce::Silence;

    use super::*;

    fn ask_for_files(home: &Home) {
        std::fs::create_dir_all(home.config()).unwrap();
        std::fs::write(
            home.config_file(),
            "global: {debug: true, debug_dir: Temp}\n",
        )
        .unwrap();
    }

    fn row(project: &Path, payload: &str) -> Row {
        let project = project.display();
        let record = format!(
            r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":7,"project_dir":"{project}"}},"payload":{payload}}}"#
        );
        Row::from_record(record.as_bytes()).unwrap()
    }

    #[test]
    fn a_project_that_wants_it_gets_masked_files() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("home"))).unwrap();
        let projects = folder.path().join("projects");
        std::fs::create_dir(&projects).unwrap();
        let transcript = projects.join("s.jsonl");
        std::fs::write(
            &transcript,
            "{\"type\":\"user\",\"text\":\"password: hunter2\"}\n",
        )
        .unwrap();
        ask_for_files(&home);
        let mut debug = Debug::new(&home, Projects::at(folder.path().join("projects")));
        let stop = format!(
            r#"{{"hook_event_name":"Stop","session_id":"s","transcript_path":"{}","last_assistant_message":"token=abc done"}}"#,
            transcript.display()
        );
        debug.trace(&row(folder.path(), &stop));
        let wanted = folder.path().join("Temp");
        let read = |name: &str| std::fs::read_to_string(wanted.join(name)).unwrap();
        assert_eq!(read("hook_debug.log"), "7 s Stop token=[masked] done\n");
        assert!(read("hook_raw_input.json").contains("token=[masked]"));
        assert_eq!(
            read("transcript_dump.jsonl"),
            "{\"type\":\"user\",\"text\":\"password: [masked]\"}\n"
        );
        assert_eq!(
            wanted.join("hook_debug.log").metadata().unwrap().mode() & 0o777,
            0o600
        );
        assert!(!wanted.join("hook_error.log").exists());
    }

    #[test]
    fn handler_and_decision_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("home"))).unwrap();
        ask_for_files(&home);
        let mut debug = Debug::new(&home, Projects::at(folder.path()));
        let payload = r#"{"hook_event_name":"Stop","session_id":"s"}"#;
        let event = bellwether_protocol::client::Client::default()
            .parse(payload)
            .unwrap();
        let project = folder.path().display().to_string();
        for (handler, silence) in [(Some("stop"), Silence::TooLate), (None, Silence::NoHandler)] {
            let traced = Traced {
                at_ms: 7,
                event: &event,
                handler,
                outcome: &Outcome::Silent(silence),
            };
            debug.trace_decision(Some(&project), &traced);
        }
        let text = std::fs::read_to_string(folder.path().join("Temp/hook_debug.log")).unwrap();
        let (late, none) = (Silence::TooLate, Silence::NoHandler);
        assert_eq!(
            text,
            format!("7 s Stop -> stop: silent: {late}\n7 s Stop -> no handler: silent: {none}\n")
        );
    }

    #[test]
    fn a_project_that_does_not_want_it_gets_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("home"))).unwrap();
        Debug::new(&home, Projects::of_user())
            .trace(&row(folder.path(), r#"{"hook_event_name":"Stop"}"#));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn links_and_pipes_of_a_project_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("home"))).unwrap();
        let (project, elsewhere) = (
            folder.path().join("project"),
            folder.path().join("elsewhere"),
        );
        std::fs::create_dir_all(&project).unwrap();
        std::fs::create_dir_all(&elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, project.join("Temp")).unwrap();
        ask_for_files(&home);
        let mut debug = Debug::new(&home, Projects::at(folder.path().join("projects")));
        debug.trace(&row(&project, r#"{"hook_event_name":"Stop"}"#));
        assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
        std::fs::remove_file(project.join("Temp")).unwrap();
        std::fs::create_dir(project.join("Temp")).unwrap();
        let pipe = project.join("Temp/hook_debug.log");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        debug.trace(&row(&project, r#"{"hook_event_name":"Stop"}"#));
        let error = std::fs::read_to_string(project.join("Temp/hook_error.log")).unwrap();
        assert!(error.contains("hook_debug.log"), "{error}");
    }
}
