//! Recorded events, run through the announcer with the times at which they happened.
//!
//! A line is one JSON object: what `bellwether events --json` prints, or just the payload with
//! `at_ms` beside it. `transcript` may hold the last lines of the transcript as they stood then;
//! without it the transcript itself is read, if it is there, up to the moment of the event.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bellwether_announce::{Announcer, Heard, Mutes, Outcome, Settings, Silence, Transcripts};
use bellwether_daemon::Decided;
use bellwether_protocol::client::{Client, Product};
use bellwether_protocol::event::Kind;
use bellwether_protocol::fields::Fields;
use bellwether_spine::Home;
use bellwether_spine::meta::{self, Ruling};
use bellwether_transcript::{Ending, Past, Projects, Whose};
use bellwether_workflow::Moved;

use crate::config;

/// What would have been said, and what not.
pub(crate) fn run(home: &Home, file: &Path) -> anyhow::Result<Vec<Decided>> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut replay = Replay {
        home,
        announcer: Announcer::default(),
        settings: HashMap::new(),
        projects: Projects::of_user(),
        pasts: RefCell::default(),
        at_ms: None,
    };
    let mut decided = Vec::new();
    let lines = (1..).zip(text.lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{}, line {number}", file.display());
        let one = replay.hear(number, line).with_context(place)?;
        decided.extend(one);
    }
    Ok(decided)
}

struct Replay<'a> {
    home: &'a Home,
    announcer: Announcer,
    settings: HashMap<Option<String>, Settings>,
    projects: Projects,
    /// When the lines of each transcript were written.
    pasts: RefCell<HashMap<PathBuf, Past>>,
    /// When the event happened, once a line has said when.
    at_ms: Option<u64>,
}

/// What a line says beside its event.
struct Recorded<'a> {
    client: Client,
    /// The event that the registration named.
    named: Option<Kind>,
    payload: Cow<'a, str>,
    at_ms: Option<u64>,
    attended: bool,
    project: Option<String>,
    transcript: Option<String>,
    refused_by: Option<Vec<String>>,
    workflow: Option<Moved>,
}

impl Replay<'_> {
    fn hear(&mut self, number: u64, line: &str) -> anyhow::Result<Option<Decided>> {
        let recorded = Recorded::read(line)?;
        let event = recorded
            .client
            .parse_as(&recorded.payload, recorded.named)?;
        self.at_ms = recorded.at_ms.or(self.at_ms);
        let at_ms = self.at_ms.unwrap_or_default();
        let project = recorded.project.or(event.cwd.as_deref().map(str::to_owned));
        let home = self.home;
        let settings = self.settings.entry(project.clone()).or_insert_with(|| {
            let project = project.as_deref().map(Path::new);
            config::announce_settings(home, project.filter(|project| project.is_absolute()))
        });
        let heard = Heard {
            event: &event,
            at_ms,
            age_ms: 0,
            attended: recorded.attended,
            project: project.as_deref(),
            refused_by: recorded.refused_by.as_deref(),
            workflow: recorded.workflow.as_ref(),
        };
        let transcripts = RecordedTranscript {
            end: recorded.transcript.as_deref(),
            projects: &self.projects,
            pasts: &self.pasts,
            at_ms: self.at_ms,
        };
        let told = self
            .announcer
            .hear(&heard, settings, &Mutes::default(), &transcripts);
        if told.outcome == Outcome::Silent(Silence::NoHandler) {
            return Ok(None);
        }
        Ok(Some(Decided {
            number,
            at_ms,
            event: event.kind.to_string(),
            session: event.session.as_deref().unwrap_or_default().to_owned(),
            handler: told.handler.map(str::to_owned),
            outcome: told.outcome,
        }))
    }
}

impl<'a> Recorded<'a> {
    fn read(line: &'a str) -> anyhow::Result<Self> {
        let fields = Fields::parse(line)?;
        let meta = fields.get::<Fields<'_>>("meta").unwrap_or_default();
        let env = fields.get::<Fields<'_>>("env").unwrap_or_default();
        let text =
            |fields: &Fields<'a>, name: &str| fields.get::<Cow<'a, str>>(name).map(Cow::into_owned);
        let product = text(&meta, "client").and_then(|name| Product::from_name(&name));
        let client = Client::unknown(product.unwrap_or_default());
        let variables = &client.product.wire().variables;
        let said = |name: &str| text(&env, name);
        let attended = variables.attended.and_then(said).as_deref() != Some("0");
        let payload = fields.get::<&serde_json::value::RawValue>("payload");
        let lines = fields.get::<Vec<Cow<'_, str>>>("transcript");
        let ruling = meta.get::<&serde_json::value::RawValue>("guard");
        let ruling =
            ruling.and_then(|ruling| serde_json::from_str::<Ruling<'_>>(ruling.get()).ok());
        let is_workflow = text(&meta, "from").as_deref() == Some(meta::WORKFLOW);
        let workflow = payload.filter(|_| is_workflow);
        let workflow = workflow.and_then(|payload| Moved::of_payload(payload.get()));
        Ok(Self {
            client,
            workflow,
            named: text(&meta, "event").and_then(|name| meta::kind_named(&name)),
            payload: payload.map_or(Cow::Borrowed(line), |payload| payload.get().into()),
            at_ms: meta
                .get("at_ms")
                .or_else(|| fields.get("at_ms"))
                .or_else(|| fields.get::<u64>("at_us").map(|at| at / 1000)),
            attended: meta
                .get("attended")
                .or_else(|| fields.get("attended"))
                .unwrap_or(attended),
            project: text(&meta, "project_dir").or_else(|| variables.project(&said)),
            transcript: lines.map(|lines| lines.join("\n")),
            refused_by: ruling.filter(Ruling::is_refusal).map(|ruling| ruling.rules),
        })
    }
}

/// The end of a transcript as it was when the event came.
struct RecordedTranscript<'a> {
    end: Option<&'a str>,
    projects: &'a Projects,
    pasts: &'a RefCell<HashMap<PathBuf, Past>>,
    at_ms: Option<u64>,
}

impl RecordedTranscript<'_> {
    /// Reads no further than to what was written at that moment.
    fn ending_at(&self, at_ms: u64, path: &Path, whose: Whose) -> Option<Ending> {
        let file = self.projects.open(path).ok()?;
        let mut pasts = self.pasts.borrow_mut();
        let past = pasts
            .entry(path.to_owned())
            .or_insert_with(|| Past::read(&file).unwrap_or_default());
        let length = past.length_at(at_ms);
        Ending::of_file_to(&file, length, path, whose).ok()?
    }
}

impl Transcripts for RecordedTranscript<'_> {
    fn ending(&self, path: &Path, whose: Whose) -> Option<Ending> {
        match (self.end, self.at_ms) {
            (Some(end), _) => Ending::of_text(end.as_bytes(), whose),
            (None, Some(at_ms)) => self.ending_at(at_ms, path, whose),
            // Nobody says when it happened, so that nothing is known to be later.
            (None, None) => Transcripts::ending(self.projects, path, whose),
        }
    }
}
