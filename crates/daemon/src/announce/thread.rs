//! The announcer's thread.

use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use bellwether_announce::{
    Announcement, Announcer, Heard, Mutes, Outcome, Pushed, Settings, Silence, Told, goes_on,
    is_typed,
};
use bellwether_config::announce_settings;
use bellwether_flock::{Filter, Reader, Row, StoreReader as _};
use bellwether_protocol::event::{Event, Kind};
use bellwether_spine::journal::Envelope;
use bellwether_spine::meta::{Meta, Seat, WORKFLOW};
use bellwether_spine::{Home, clock};
use bellwether_transcript::Projects;
use bellwether_workflow::Moved;

use super::Decided;
use super::wanted::TOO_OLD_MS;
use crate::debug::{Debug, Traced};
use crate::fresh::Fresh;
use crate::shared::Shared;
use crate::sound::SoundQueue;

/// How many stored events are looked at for what has been told already.
const REMEMBERED: usize = 500;
/// A question that is older than this when it is heard comes from a backlog, in which the answer may
/// stand as well.
const BACKLOG_MS: u64 = 3_000;
/// How long the rest of a backlog is waited for.
const REST_OF_BACKLOG: Duration = Duration::from_millis(300);

/// Runs until nobody stores any more. `known` is the place of the last event before this daemon.
pub(super) fn run(
    home: &Home,
    shared: &Shared,
    waiting: &SoundQueue,
    batches: &Receiver<Vec<Row>>,
    known: i64,
) {
    let mut listener = Listener::new(home, shared, waiting);
    listener.remember(known);
    while let Ok(batch) = batches.recv() {
        waiting.hold();
        listener.hear(&batch);
        while listener.waits_for_more()
            && let Ok(batch) = batches.recv_timeout(REST_OF_BACKLOG)
        {
            listener.hear(&batch);
        }
        listener.oldest_question_ms = 0;
        waiting.release();
    }
}

/// Hears rows and hands on what is to be told.
struct Listener<'a> {
    home: &'a Home,
    shared: &'a Shared,
    settings: Fresh<Option<String>, Settings>,
    projects: Projects,
    announcer: Announcer,
    waiting: &'a SoundQueue,
    boot_id: Option<String>,
    /// The oldest question of this round, by its age.
    oldest_question_ms: u64,
    /// Where the person of the event sits that is being heard.
    seat: Option<Seat<'static>>,
    /// The project of that event.
    project: Option<String>,
    debug: Debug<'a>,
}

impl<'a> Listener<'a> {
    fn new(home: &'a Home, shared: &'a Shared, waiting: &'a SoundQueue) -> Self {
        Self {
            home,
            shared,
            settings: Fresh::default(),
            projects: Projects::of_user(),
            announcer: Announcer::default(),
            waiting,
            boot_id: clock::boot_id(),
            oldest_question_ms: 0,
            seat: None,
            project: None,
            debug: Debug::new(home, Projects::of_user()),
        }
    }

    /// Hears again what a daemon before this one has heard, without saying anything: so nothing is
    /// told twice.
    fn remember(&mut self, known: i64) {
        let reader = Reader::open(&self.home.database()).ok().flatten();
        let stored = reader.and_then(|reader| reader.last(&Filter::default(), REMEMBERED).ok());
        for event in stored
            .into_iter()
            .flatten()
            .filter(|event| event.seq <= known)
        {
            self.decide(&event.record, |_, heard, told| {
                let _ = (heard, told);
            });
        }
    }

    fn hear(&mut self, rows: &[Row]) {
        for row in rows {
            self.decide(&row.record, Self::take);
        }
    }

    /// Whether more of a backlog is to be heard before anything is said.
    fn waits_for_more(&self) -> bool {
        self.waiting.has_question() && self.oldest_question_ms > BACKLOG_MS
    }

    fn decide(&mut self, record: &str, then: impl FnOnce(&mut Self, &Heard<'_>, Told)) {
        let Ok(envelope) = Envelope::parse(record) else {
            return;
        };
        let Ok(event) = envelope.event() else {
            return;
        };
        let meta = &envelope.meta;
        let is_workflow = meta.from.as_deref() == Some(WORKFLOW);
        let workflow = is_workflow.then(|| Moved::of_payload(envelope.payload.get()));
        let workflow = workflow.flatten();
        let heard = Heard {
            event: &event,
            at_ms: meta.at_ms,
            age_ms: self.age_ms(meta),
            attended: meta.attended,
            project: meta.project_dir.as_deref().or(event.cwd.as_deref()),
            refused_by: meta.refused_by(),
            workflow: workflow.as_ref(),
        };
        if heard.age_ms > TOO_OLD_MS {
            return;
        }
        let settings = self.settings(meta.project_dir.as_deref());
        let mutes = Mutes::load(self.home);
        let told = self
            .announcer
            .hear(&heard, &settings, &mutes, &self.projects);
        self.seat = Some(meta.seat.to_static());
        self.project = meta.project_dir.as_deref().map(str::to_owned);
        then(self, &heard, told);
    }

    /// How long ago an event happened. The boot clock goes on through a suspend and is never set.
    fn age_ms(&self, meta: &Meta<'_>) -> u64 {
        let same_boot =
            meta.boot_id.is_some() && meta.boot_id.as_deref() == self.boot_id.as_deref();
        if same_boot {
            clock::boot_ms().saturating_sub(meta.boot_ms)
        } else {
            clock::wall_ms().saturating_sub(meta.at_ms)
        }
    }

    fn settings(&mut self, project: Option<&str>) -> Settings {
        let read = |_| announce_settings(self.home, project.map(Path::new));
        let settings = self.settings.get(project.map(str::to_owned), read);
        settings.clone()
    }

    /// Puts what is told into the queue, and takes out what has settled itself.
    fn take(&mut self, heard: &Heard<'_>, told: Told) {
        let traced = Traced {
            at_ms: heard.at_ms,
            event: heard.event,
            handler: told.handler,
            outcome: &told.outcome,
        };
        self.debug.trace_decision(self.project.as_ref(), &traced);
        let session = heard.event.session.as_deref().unwrap_or_default();
        if heard.event.kind == Kind::UserPromptSubmit && is_typed(heard.event) {
            self.waiting.cancel(session);
        }
        // What a workflow has come to says nothing of who waits for an answer.
        if heard.workflow.is_none() && goes_on(heard.event) {
            let agent = heard.event.agent.as_ref();
            self.waiting
                .answered(session, agent.and_then(|agent| agent.id.as_deref()));
        }
        match told.outcome {
            Outcome::Said(announcement) => self.push(*announcement, heard),
            Outcome::Silent(Silence::NoHandler) => {}
            Outcome::Silent(silence) => {
                self.keep(heard.event, heard.at_ms, told.handler, silence);
            }
        }
    }

    fn push(&mut self, announcement: Announcement, heard: &Heard<'_>) {
        if heard.age_ms > self.oldest_question_ms {
            self.oldest_question_ms = heard.age_ms;
        }
        let words = self.settings(heard.project).language.words();
        let handler = announcement.handler.clone();
        let announcement = Announcement {
            seat: self.seat.take(),
            ..announcement
        };
        match self.waiting.push(announcement, words) {
            Pushed::Queued => {}
            Pushed::Merged => self.keep(heard.event, heard.at_ms, Some(&handler), Silence::Merged),
            Pushed::InPlaceOf(replaced) => {
                for announcement in replaced {
                    let silence = Outcome::Silent(Silence::Replaced);
                    self.shared
                        .announcements
                        .keep(decided(&announcement, silence));
                }
            }
        }
    }

    fn keep(&self, event: &Event<'_>, at_ms: u64, handler: Option<&str>, silence: Silence) {
        self.shared.announcements.keep(Decided {
            number: 0,
            at_ms,
            event: event.shown_name().to_owned(),
            session: event.session.as_deref().unwrap_or_default().to_owned(),
            handler: handler.map(str::to_owned),
            outcome: Outcome::Silent(silence),
        });
    }
}

/// What came of an announcement.
pub(crate) fn decided(announcement: &Announcement, outcome: Outcome) -> Decided {
    Decided {
        number: 0,
        at_ms: announcement.at_ms,
        event: announcement.event.clone(),
        session: announcement.session.clone(),
        handler: Some(announcement.handler.clone()),
        outcome,
    }
}
