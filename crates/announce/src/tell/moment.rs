//! What a handler may look at, and what it answers.

use std::path::Path;

use bellwether_protocol::event::{Asked, Event, Tool};

use super::{Priority, Session, Silence};
use crate::language::Words;
use crate::transcript::{Ending, Projects, Whose};
use crate::{Hooks, Sound, Voice, speech};

/// No word of a payload is said at greater length.
const LONGEST: usize = 500;

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
    pub now_ms: u64,
    pub hooks: &'a Hooks,
    pub words: &'static Words,
    pub session: &'a mut Session,
    pub transcripts: &'a dyn Transcripts,
    /// The rules by which the guard refused the event's tool call.
    pub refused_by: Option<&'a [String]>,
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

    /// The tool's name as it is spoken; `mcp__server__do_it` is "server do it".
    pub(crate) fn tool_name(&self) -> Option<String> {
        let name = self.tool().map(|tool| speech::line(&tool.name, LONGEST))?;
        let spoken = name
            .strip_prefix("mcp__")
            .map(|rest| rest.replace(['_'], " "));
        let spoken = spoken.map(|words| words.split_whitespace().collect::<Vec<_>>().join(" "));
        Some(spoken.unwrap_or(name)).filter(|name| !name.is_empty())
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

/// A template with its placeholders filled in, all at once: what is filled in is not looked at again.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let value = values.iter().find_map(|(name, value)| {
            let end = rest
                .strip_prefix('{')?
                .strip_prefix(name)?
                .strip_prefix('}')?;
            Some((value, end))
        });
        if let Some((value, end)) = value {
            filled.push_str(value);
            rest = end;
        } else {
            filled.push('{');
            rest = &rest[1..];
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_once() {
        let values = [("a", "{b}"), ("b", "x")];
        assert_eq!(fill("{a} and {b}{c} {", &values), "{b} and x{c} {");
    }
}
