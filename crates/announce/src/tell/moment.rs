//! What a handler may look at, and what it answers.

use std::path::Path;

use bellwether_protocol::event::{Asked, Event, Tool};
use bellwether_workflow::Moved;

use super::{Priority, Session, Silence, call};
use crate::language::Words;
use crate::template::{SHARED, fill};
use crate::{Hooks, Sound, Voice, speech};
use bellwether_transcript::{Ending, Projects, Whose};

/// No word of a payload is said at greater length.
pub(super) const LONGEST: usize = 500;
/// The name of a project or an agent is cut here.
const LONGEST_NAME: usize = 24;

/// Where the end of a transcript can be had.
pub trait Transcripts {
    /// How a transcript ends, if it can be read.
    fn ending(&self, path: &Path, whose: Whose) -> Option<Ending>;
}

impl Transcripts for Projects {
    fn ending(&self, path: &Path, whose: Whose) -> Option<Ending> {
        Projects::ending(self, path, whose).ok().flatten()
    }
}

/// One event, with all that a handler may look at.
pub(crate) struct Moment<'a> {
    pub event: &'a Event<'a>,
    /// The project's folder.
    pub project: Option<&'a str>,
    pub now_ms: u64,
    pub hooks: &'a Hooks,
    pub words: &'static Words,
    pub session: &'a mut Session,
    pub transcripts: &'a dyn Transcripts,
    /// The rules by which the guard refused the event's tool call.
    pub refused_by: Option<&'a [String]>,
    /// What the event says of planned work: one of our own.
    pub workflow: Option<&'a Moved>,
}

/// A handler, by its settings.
pub(crate) trait Tell {
    /// Whether an event of its kind is for it.
    fn concerns(&self, _moment: &Moment<'_>) -> bool {
        true
    }

    /// What it says of an event that is for it.
    fn tell(&self, moment: &mut Moment<'_>) -> Result<Said, Silence>;
}

/// What a handler wants to be said.
#[derive(Debug)]
pub(crate) struct Said {
    pub text: String,
    pub sound: Sound,
    pub voice: Voice,
    pub priority: Priority,
}

impl Said {
    pub(crate) fn new(
        text: impl Into<String>,
        sound: &Sound,
        voice: &Voice,
        priority: Priority,
    ) -> Self {
        Self {
            text: text.into(),
            sound: sound.clone(),
            voice: voice.clone(),
            priority,
        }
    }
}

impl Moment<'_> {
    pub(crate) fn tool(&self) -> Option<&Tool<'_>> {
        self.event.tool.as_ref()
    }

    /// The tool's name as it is spoken.
    pub(crate) fn tool_name(&self) -> Option<String> {
        call::tool_name(&self.tool()?.name)
    }

    /// The subagent or teammate whose event this is, as it is spoken.
    pub(crate) fn agent_name(&self) -> Option<String> {
        let agent = self.event.agent.as_ref()?;
        let known = agent.name.as_deref().filter(|name| !name.trim().is_empty());
        let kind = || agent.kind.as_deref().filter(|_| agent.id.is_some());
        let name = speech::line(known.or_else(kind)?, LONGEST_NAME);
        (!name.is_empty()).then_some(name)
    }

    /// A message with its placeholders filled in: those of its own, and those that every message may have.
    pub(crate) fn fill(&self, message: &str, own: &[(&str, &str)]) -> String {
        let mut values: Vec<(&str, String)> = own
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect();
        let wanted = SHARED.into_iter().filter(|name| message.contains(name));
        values.extend(wanted.map(|name| (name, self.shared(name))));
        fill(message, &values)
    }

    fn shared(&self, name: &str) -> String {
        let nobody = || self.words.client.to_owned();
        match name {
            "project" => self
                .project
                .and_then(|folder| speech::file_name(folder, LONGEST_NAME))
                .unwrap_or_else(nobody),
            "agent" => self.agent_name().unwrap_or_else(nobody),
            _ => call::in_words(self.tool(), self.words),
        }
    }

    /// What a call of a tool would do of which only the name is known.
    pub(crate) fn call_of(&self, tool: &str) -> String {
        let call = call::of_name(tool, self.words);
        call.unwrap_or_else(|| self.words.some_call.to_owned())
    }

    /// What the event's tool asks the person; `None` when it is not the tool that asks.
    pub(crate) fn asked(&self) -> Option<Asked> {
        self.tool()?.asked()
    }

    /// How the transcript of the agent whose event this is ends.
    pub(crate) fn transcript(&self) -> Option<Ending> {
        let session = Path::new(self.event.transcript.as_deref()?);
        let agent = self.event.agent.as_ref();
        if let Some(own) = agent.and_then(|agent| agent.transcript.as_deref()) {
            return self.transcripts.ending(Path::new(own), Whose::Subagent);
        }
        let Some(id) = agent.and_then(|agent| agent.id.as_deref()) else {
            return self.transcripts.ending(session, Whose::Main);
        };
        // The client keeps a subagent's transcript beside that of its session.
        let own = session
            .with_extension("")
            .join("subagents")
            .join(format!("agent-{id}.jsonl"));
        self.transcripts.ending(&own, Whose::Subagent)
    }

    /// A field of the payload as it is spoken, if there is something in it.
    pub(crate) fn spoken(field: Option<&str>) -> Option<String> {
        field
            .map(|field| speech::line(field, LONGEST))
            .filter(|field| !field.is_empty())
    }
}
