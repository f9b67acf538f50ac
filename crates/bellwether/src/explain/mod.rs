//! What each part of bellwether would do with an event, as JSON.
//!
//! Architecture Invariant: nothing here writes, starts or tells anything. Handlers are asked and
//! their deeds left undone.

mod parts;

use std::path::Path;

use bellwether_announce::{Announcer, Heard, Mutes, Told};
use bellwether_hook::handlers::{self, Handler};
use bellwether_hook::settings::Settings;
use bellwether_hook::{Answer, Looked};
use bellwether_protocol::client::{Client, Rendered};
use bellwether_protocol::event::Event;
use bellwether_protocol::reply::Reply;
use bellwether_spine::meta::Ruling;
use bellwether_spine::{Home, Managed, clock, text};
use bellwether_transcript::Projects;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::{config, managed};

/// What a part may look at.
pub(crate) struct Context<'a> {
    event: &'a Event<'a>,
    /// The text that it was read from.
    text: &'a str,
    client: Client,
    /// What handlers may look at.
    asked: handlers::Context<'a>,
    /// Every handler, with the answer of those that want the event.
    answers: Vec<(&'static Handler, Option<Answer<'a>>)>,
    /// What all answers come to.
    reply: Reply,
    /// What the guard said.
    ruling: Option<Ruling<'static>>,
    /// How that is written for this client.
    rendered: Rendered,
    /// What the announcer makes of it.
    told: Told,
}

impl<'a> Context<'a> {
    fn new(
        text: &'a str,
        asked: handlers::Context<'a>,
        tell: impl FnOnce(Option<&Ruling<'_>>) -> Told,
    ) -> Self {
        let handlers::Context { event, client, .. } = asked;
        let answers: Vec<_> = handlers::ALL
            .iter()
            .map(|handler| (handler, handler.ask(asked).map(Answer::foreseen)))
            .collect();
        let reply = answers
            .iter()
            .filter_map(|(_, answer)| answer.as_ref())
            .fold(Reply::default(), |reply, answer| {
                reply.merge(answer.reply.clone())
            });
        let ruling = answers
            .iter()
            .find_map(|(_, answer)| answer.as_ref()?.ruling.clone());
        Self {
            told: tell(ruling.as_ref()),
            event,
            text,
            client,
            asked,
            answers,
            rendered: client.render(event.kind, &reply),
            reply,
            ruling,
        }
    }
}

/// The explanation of one event: what each part says, in the order of their list.
pub(crate) struct Explanation(Vec<(&'static str, Value)>);

impl Explanation {
    /// Explains an event. Texts are sanitised; masking is for the whole, by [`Explanation::shown`].
    pub(crate) fn of(home: &Home, client: Client, text: &str, event: &Event<'_>) -> Self {
        // What the hook would find once a changed file has been compiled.
        let project = bellwether_hook::project_of(event, client);
        let loaded = config::load(home, project.as_deref(), &|_| None);
        let settings = Settings::known(home, loaded.snapshot().unwrap_or_default());
        let managed = Managed::default();
        let settings = settings.under(managed::is_registered(&managed).then_some(&managed));
        let looked = Looked::default();
        let asked = handlers::Context {
            event,
            home,
            client,
            registered: client,
            settings: &settings,
            looked: &looked,
        };
        let settings = loaded.config.announcements();
        let tell =
            |ruling: Option<&Ruling<'_>>| told(home, event, project.as_deref(), ruling, &settings);
        let context = Context::new(text, asked, tell);
        let said = parts::ALL
            .iter()
            .map(|part| (part.name, text::shown_json(&(part.explain)(&context))));
        Self(said.collect())
    }
}

/// What would be told of an event that comes now, as the first of its session.
fn told(
    home: &Home,
    event: &Event<'_>,
    project: Option<&Path>,
    ruling: Option<&Ruling<'_>>,
    settings: &bellwether_announce::Settings,
) -> Told {
    let project = project.map(|project| project.display().to_string());
    let heard = Heard {
        event,
        at_ms: clock::wall_ms(),
        age_ms: 0,
        attended: true,
        project: project.as_deref(),
        workflow: None,
        refused_by: ruling
            .filter(|ruling| ruling.is_refusal())
            .map(|ruling| ruling.rules.as_slice()),
    };
    let transcripts = Projects::of_user();
    Announcer::default().hear(&heard, settings, &Mutes::load(home), &transcripts)
}

impl Explanation {
    /// The JSON of it, masked.
    pub(crate) fn shown(&self) -> serde_json::Result<String> {
        let masked = text::mask_json(&serde_json::to_string_pretty(self)?);
        Ok(text::escaped_json(&masked).into_owned())
    }
}

impl Serialize for Explanation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
