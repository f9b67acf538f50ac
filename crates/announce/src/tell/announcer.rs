//! The announcer: hears the events of all sessions in their order and says what is told.

use std::collections::HashMap;
use std::path::Path;

use bellwether_protocol::event::{Event, Kind};
use bellwether_workflow::Moved;
use serde::{Deserialize, Serialize};

use super::{Announcement, Moment, Priority, Said, Session, Silence, Transcripts};
use crate::handlers::{Found, stop, stop_failure};
use crate::{Hooks, Language, Mutes, Quiet, quiet, speech};

/// A session of which nothing was heard for so long is forgotten.
const FORGET_AFTER_MS: u64 = 24 * 60 * 60 * 1000;
/// How many sessions are kept before old ones are looked for.
const MANY_SESSIONS: usize = 256;
/// The words of an announcement are at most this long.
const LONGEST: usize = 4_000;
/// How the client's report of a background task begins.
const TASK_REPORT: &str = "<task-notification>";

/// What counts for one project.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// The language of what the program says by itself.
    pub language: Language,
    /// When nothing is said.
    pub quiet: Quiet,
    pub hooks: Hooks,
}

/// One event, as it is heard.
#[derive(Debug, Clone, Copy)]
pub struct Heard<'a> {
    pub event: &'a Event<'a>,
    /// When it happened, in milliseconds since 1970.
    pub at_ms: u64,
    /// How long ago that is.
    pub age_ms: u64,
    /// Whether somebody sits in front of the session.
    pub attended: bool,
    pub project: Option<&'a str>,
    /// The rules by which the guard refused the event's tool call, when it did.
    pub refused_by: Option<&'a [String]>,
    /// What has become of planned work, when the event is our own and tells that.
    pub workflow: Option<&'a Moved>,
}

/// What comes of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Said(Box<Announcement>),
    /// Nothing is said, for this reason.
    Silent(Silence),
}

/// What comes of an event, and which handler it concerned.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The handler, where there is one.
    pub handler: Option<&'static str>,
    pub outcome: Outcome,
}

impl Told {
    fn silent(handler: Option<&'static str>, silence: Silence) -> Self {
        Self {
            handler,
            outcome: Outcome::Silent(silence),
        }
    }
}

#[derive(Debug, Default)]
pub struct Announcer {
    sessions: HashMap<String, Session>,
}

impl Announcer {
    pub fn hear(
        &mut self,
        heard: &Heard<'_>,
        settings: &Settings,
        mutes: &Mutes,
        transcripts: &dyn Transcripts,
    ) -> Told {
        if !heard.attended {
            return Told::silent(None, Silence::Unattended);
        }
        let session = self.session(heard);
        if heard.event.kind == Kind::UserPromptSubmit && !is_task_report(heard.event) {
            session.begin_turn(heard.at_ms, is_typed(heard.event));
        }
        let mut moment = Moment {
            event: heard.event,
            project: heard.project,
            now_ms: heard.at_ms,
            hooks: &settings.hooks,
            words: settings.language.words(),
            session,
            transcripts,
            refused_by: heard.refused_by,
            workflow: heard.workflow,
        };
        let now_ms = heard.at_ms.saturating_add(heard.age_ms);
        let project = heard.project.map(Path::new);
        let quiet = || silenced(&settings.quiet, mutes, project, now_ms).map_or(Ok(()), Err);
        let Some(Found { handler, said }) = settings.hooks.tell(&mut moment, quiet) else {
            return Told::silent(None, Silence::NoHandler);
        };
        let session = moment.session;
        let outcome = match said.and_then(|said| finish(said, handler, heard, settings, session)) {
            Ok(announcement) => Outcome::Said(Box::new(announcement)),
            Err(silence) => Outcome::Silent(silence),
        };
        if heard.event.kind == Kind::SessionEnd {
            self.sessions
                .remove(heard.event.session.as_deref().unwrap_or_default());
        }
        Told {
            handler: Some(handler),
            outcome,
        }
    }

    fn session(&mut self, heard: &Heard<'_>) -> &mut Session {
        if self.sessions.len() > MANY_SESSIONS {
            let old = heard.at_ms.saturating_sub(FORGET_AFTER_MS);
            self.sessions.retain(|_, session| session.touched_ms > old);
        }
        let name = heard.event.session.as_deref().unwrap_or_default();
        let session = self.sessions.entry(name.to_owned()).or_default();
        session.touched_ms = heard.at_ms;
        session
    }
}

/// Whether a prompt was typed by the person: the client also sends what agents and tasks report.
pub fn is_typed(event: &Event<'_>) -> bool {
    let prompt = event.message.as_deref().unwrap_or_default().trim_start();
    let reports = [TASK_REPORT, "<agent-message>", "<agent-message "];
    !reports.iter().any(|start| prompt.starts_with(start))
}

/// Whether the client reports what came of a background task. That belongs to the turn of whoever
/// began it: the person has waited since then.
fn is_task_report(event: &Event<'_>) -> bool {
    let prompt = event.message.as_deref().unwrap_or_default().trim_start();
    prompt.starts_with(TASK_REPORT)
}

/// Whether an event shows that its agent goes on, so that whatever it asked has been answered.
pub fn goes_on(event: &Event<'_>) -> bool {
    !matches!(
        event.kind,
        Kind::Notification | Kind::PermissionRequest | Kind::Elicitation | Kind::SubagentStart
    )
}

/// Why nothing is to be said in a project at the moment, whatever it is.
pub fn silenced(
    quiet: &Quiet,
    mutes: &Mutes,
    project: Option<&Path>,
    now_ms: u64,
) -> Option<Silence> {
    let asked_for = mutes.of(project, now_ms).map(Silence::Muted);
    let in_hours = || quiet::minute_of_day(now_ms).is_some_and(|minute| quiet.at(minute));
    asked_for.or_else(|| (!quiet.hours.is_empty() && in_hours()).then_some(Silence::QuietHours))
}

/// What a handler wants to be said becomes an announcement, unless something is against it.
fn finish(
    said: Said,
    handler: &'static str,
    heard: &Heard<'_>,
    settings: &Settings,
    session: &mut Session,
) -> Result<Announcement, Silence> {
    let waits = said.priority == Priority::Question;
    if !waits {
        about_others(heard.event, &settings.quiet)?;
    }
    let ends_turn = matches!(heard.event.kind, Kind::Stop | Kind::StopFailure);
    let least_ms = u64::from(settings.quiet.min_turn_seconds) * 1000;
    if ends_turn
        && session
            .turn_ms(heard.at_ms)
            .is_some_and(|turn| turn < least_ms)
    {
        return Err(Silence::ShortTurn);
    }
    if heard.age_ms > said.priority.time_to_live_ms() {
        return Err(Silence::TooLate);
    }
    let announcement = announcement(said, handler, heard)?;
    let ends = [stop::NAME, stop_failure::NAME].contains(&handler);
    if ends && announcement.voice.is_some() {
        session.stop_spoken(heard.at_ms);
    }
    Ok(announcement)
}

/// Subagents and teammates may not be worth a word.
fn about_others(event: &Event<'_>, quiet: &Quiet) -> Result<(), Silence> {
    let Some(agent) = &event.agent else {
        return Ok(());
    };
    let is_teammate =
        agent.team.is_some() || agent.name.is_some() || event.kind == Kind::TeammateIdle;
    match is_teammate {
        true if quiet.teammates => Err(Silence::Teammates),
        false if quiet.subagents && agent.id.is_some() => Err(Silence::Subagents),
        _ => Ok(()),
    }
}

fn announcement(
    said: Said,
    handler: &'static str,
    heard: &Heard<'_>,
) -> Result<Announcement, Silence> {
    // The last gate: whatever a template or a payload has brought along ends here.
    let text = speech::line(&said.text, LONGEST);
    let sound = said
        .sound
        .enabled
        .then_some(said.sound)
        .filter(|sound| !sound.file.is_empty());
    let voice = said
        .voice
        .enabled
        .then_some(said.voice)
        .filter(|_| !text.is_empty());
    if sound.is_none() && voice.is_none() {
        return Err(Silence::NothingToSay);
    }
    let event = heard.event;
    Ok(Announcement {
        event: event.shown_name().to_owned(),
        handler: handler.to_owned(),
        text,
        sound,
        voice,
        priority: said.priority,
        at_ms: heard.at_ms,
        time_to_live_ms: said.priority.time_to_live_ms(),
        session: event.session.as_deref().unwrap_or_default().to_owned(),
        agent: event
            .agent
            .as_ref()
            .and_then(|agent| agent.id.as_deref().map(str::to_owned)),
        project: heard.project.map(str::to_owned),
        count: 1,
        seat: None,
    })
}
