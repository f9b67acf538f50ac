//! The second pass: what a session is made of, in order. The answer of a call is fetched from where the first pass saw it,
//! and a subagent's transcript is walked inside the call that started it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io;

use bellwether_protocol::client::Client;
use bellwether_protocol::event::{Tool, ToolKind};
use serde_json::value::RawValue;

use super::survey::{Key, Survey, told};
use super::{Progress, Session};
use crate::Whose;
use crate::call::{Around, Call};
use crate::item::{AgentHead, Item, MessageHead, Note, NoteKind, Prompt, PromptFrom, Turn, Words};
use crate::lines::{self, Lines, Place, Read};
use crate::prompt::Told;
use crate::raw::{RawAnswer, RawBlock, RawLine};
use crate::shown;
use crate::stops::Stop;

/// Agents that start agents are followed so far.
const DEEPEST: usize = 8;
/// What the client says in the model's place when there is nothing to say.
const NO_ANSWER: &str = "No response requested.";

/// Who takes what is told.
pub(crate) type Emit<'e> = &'e mut dyn FnMut(Item) -> io::Result<()>;

impl Session<'_> {
    /// Tells the session from its beginning to its end.
    pub fn walk(&self, progress: Progress<'_>, emit: Emit<'_>) -> io::Result<()> {
        let mut walk = Walk {
            session: self,
            progress,
            emit,
            outline: self.outline().into_iter(),
            agents: HashSet::new(),
            chains: HashSet::new(),
            stops: self.around.stops.others(),
        };
        let whose = Whose::of(&self.path);
        let mut voice = Voice::new(&self.file, &self.survey, whose, 0);
        walk.file(&mut voice)?;
        walk.rest()
    }
}

/// Everything that is told by one walk.
struct Walk<'s, 'a, 'e> {
    session: &'s Session<'a>,
    progress: Progress<'e>,
    emit: Emit<'e>,
    /// The turns that are still to come.
    outline: std::vec::IntoIter<Turn>,
    /// Agents and side chains that were told.
    agents: HashSet<usize>,
    chains: HashSet<usize>,
    /// The guard's stops without a call that are still to come.
    stops: &'s [Stop],
}

/// One transcript that is being told.
struct Voice<'s> {
    file: &'s File,
    survey: &'s Survey,
    whose: Whose,
    depth: usize,
    /// The message whose pieces are being told.
    message: Option<Key>,
    /// How many prompts were told.
    prompts: usize,
}

impl<'s> Voice<'s> {
    fn new(file: &'s File, survey: &'s Survey, whose: Whose, depth: usize) -> Self {
        Self {
            file,
            survey,
            whose,
            depth,
            message: None,
            prompts: 0,
        }
    }

    fn is_main(&self) -> bool {
        self.depth == 0
    }
}

impl Walk<'_, '_, '_> {
    fn file(&mut self, voice: &mut Voice<'_>) -> io::Result<()> {
        let mut lines = Lines::new(voice.file)?;
        let mut before = 0;
        while let Some(read) = lines.next()? {
            match read {
                Read::Line(place, line) => {
                    if let Some(line) = RawLine::parse(line) {
                        self.line(voice, place, &line)?;
                    }
                }
                Read::TooLong(bytes) => self.left_out(bytes)?,
            }
            (self.progress)(lines.at() - before);
            before = lines.at();
        }
        Ok(())
    }

    fn left_out(&mut self, bytes: u64) -> io::Result<()> {
        let text = format!("A line of {bytes} bytes is left out");
        self.note(None, NoteKind::LeftOut, &text, None)
    }

    fn line(&mut self, voice: &mut Voice<'_>, place: Place, line: &RawLine<'_>) -> io::Result<()> {
        let is_aside = voice.whose == Whose::Main && line.is_sidechain() && line.is_said();
        if is_aside && voice.is_main() {
            return self.chain_beginning_at(voice, place);
        }
        if voice.is_main() {
            self.stops_before(line.at_ms())?;
        }
        match line.kind.as_ref() {
            "user" => self.heard(voice, place, line),
            "assistant" => self.said(voice, line),
            "system" => self.system(line),
            _ => Ok(()),
        }
    }

    fn heard(&mut self, voice: &mut Voice<'_>, place: Place, line: &RawLine<'_>) -> io::Result<()> {
        let at_ms = line.at_ms();
        if line.flag("isCompactSummary") {
            let text = first_text(line);
            let title = "What the conversation was compacted to";
            return self.note(at_ms, NoteKind::Compacted, title, Some(&text));
        }
        let Some(told) = told(line) else {
            return Ok(());
        };
        let (kind, text, detail) = match &told {
            Told::Person(_) | Told::Command(_) | Told::Notification(_) => {
                return self.prompt(voice, place, line, told);
            }
            Told::Output(text) | Told::ShellOutput(text) if text.is_empty() => return Ok(()),
            Told::Output(text) => (NoteKind::Client, text.as_str(), None),
            Told::Shell(text) => (NoteKind::Shell, text.as_str(), None),
            Told::ShellOutput(text) => (NoteKind::Shell, "Output", Some(text.as_str())),
            Told::Hook(text) => (NoteKind::Hook, text.as_str(), None),
            Told::Interrupted => (NoteKind::Interrupted, "Interrupted", None),
            Told::Nothing => return Ok(()),
        };
        self.note(at_ms, kind, text, detail)
    }

    fn prompt(
        &mut self,
        voice: &mut Voice<'_>,
        place: Place,
        line: &RawLine<'_>,
        told: Told,
    ) -> io::Result<()> {
        voice.prompts += 1;
        let (from, text) = match told {
            Told::Command(text) => (PromptFrom::Command, text),
            Told::Notification(text) => (PromptFrom::Task, text),
            Told::Person(text) if voice.whose == Whose::Main => (PromptFrom::Person, text),
            Told::Person(text) => (PromptFrom::Agent, text),
            _ => return Ok(()),
        };
        let at_ms = line.at_ms();
        if voice.is_main() {
            let turns = &voice.survey.turns;
            let begun = turns.iter().find(|turn| turn.from == place.from);
            if begun.is_some_and(|turn| !turn.is_real()) {
                return self.note(at_ms, NoteKind::Command, &text, None);
            }
            if let Some(turn) = self.outline.next() {
                (self.emit)(Item::Turn(turn))?;
            }
        }
        // The call that started an agent shows what the agent was told first.
        if !voice.is_main() && voice.prompts == 1 {
            return Ok(());
        }
        let prompt = Prompt {
            at_ms,
            from,
            text: shown::beginning(&text, self.session.around.limits.words),
            images: self.images(line),
        };
        (self.emit)(Item::Prompt(prompt))
    }

    fn images(&self, line: &RawLine<'_>) -> Vec<crate::image::Image> {
        let blocks = line.blocks();
        let images = blocks.iter().filter_map(|block| match block {
            RawBlock::Image { media, data } => Some(self.session.room.image(media, data)),
            _ => None,
        });
        images.collect()
    }

    fn said(&mut self, voice: &mut Voice<'_>, line: &RawLine<'_>) -> io::Result<()> {
        let at_ms = line.at_ms();
        if line.flag("isApiErrorMessage") {
            let text = first_text(line);
            return self.note(at_ms, NoteKind::Failed, &text, None);
        }
        let blocks = line.blocks();
        if let [RawBlock::Text(text)] = blocks.as_slice()
            && text == NO_ANSWER
        {
            return Ok(());
        }
        self.head(voice, line)?;
        let most = self.session.around.limits.words;
        for block in blocks {
            let text = |text: &str| shown::beginning(text, most);
            let item = match block {
                RawBlock::Text(said) if !said.trim().is_empty() => {
                    Item::Words(Words { text: text(&said) })
                }
                RawBlock::Thinking(said) if !said.trim().is_empty() => {
                    Item::Thinking(Words { text: text(&said) })
                }
                RawBlock::Image { media, data } => {
                    Item::Image(self.session.room.image(&media, &data))
                }
                RawBlock::Call { id, name, input } => {
                    self.call(voice, &id, &Client::default().tool(&name, input), at_ms)?;
                    continue;
                }
                _ => continue,
            };
            (self.emit)(item)?;
        }
        Ok(())
    }

    /// Begins a message, unless the line is another piece of the one before.
    fn head(&mut self, voice: &mut Voice<'_>, line: &RawLine<'_>) -> io::Result<()> {
        let id = line.message_id();
        let key = id.as_deref().map(Key::of);
        if key.is_some() && key == voice.message {
            return Ok(());
        }
        voice.message = key;
        let used = id.as_deref().and_then(|id| voice.survey.used(id));
        (self.emit)(Item::Message(MessageHead {
            at_ms: line.at_ms(),
            model: used.map_or(String::new(), |used| voice.survey.model(used).to_owned()),
            tokens: used.map_or_else(Default::default, |used| used.tokens),
            cost_usd: used.and_then(|used| used.cost_usd),
        }))
    }

    fn call(
        &mut self,
        voice: &mut Voice<'_>,
        id: &str,
        tool: &Tool<'_>,
        at_ms: Option<u64>,
    ) -> io::Result<()> {
        let key = Key::of(id);
        let place = voice.survey.calls.get(&key).and_then(|mark| mark.answer);
        let bytes = place.map(|place| lines::again(voice.file, place));
        let bytes = bytes.transpose()?.unwrap_or_default();
        let line = RawLine::parse(bytes.trim_ascii());
        let answer = line.as_ref().and_then(|line| answer_to(line, id));
        let told: Option<&RawValue> = line.as_ref().and_then(|line| line.raw("toolUseResult"));
        let mut tool = tool.clone();
        tool.response = told;
        let around = Around {
            limits: &self.session.around.limits,
            room: &self.session.room,
            folder: self
                .session
                .survey
                .facts
                .folder
                .as_deref()
                .unwrap_or_default(),
            stop: self.session.around.stops.of_call(id),
        };
        let ended = line.as_ref().and_then(RawLine::at_ms).zip(at_ms);
        let call = Call {
            at_ms,
            duration_ms: ended.map(|(end, begin)| end.saturating_sub(begin)),
            ..Call::new(id, &tool, answer.as_ref(), &around)
        };
        (self.emit)(Item::Call(Box::new(call)))?;
        if voice.depth < DEEPEST {
            self.agents_of(voice, key, &tool)?;
        }
        (self.emit)(Item::CallEnd)
    }

    /// The agents that a call has started.
    fn agents_of(&mut self, voice: &Voice<'_>, call: Key, tool: &Tool<'_>) -> io::Result<()> {
        for number in self.session.agents.started_by(call) {
            self.agent(number, voice.depth + 1)?;
        }
        let prompt = (tool.does == ToolKind::AgentStart && voice.is_main())
            .then(|| tool.started_agent()?.prompt)
            .flatten();
        let Some(prompt) = prompt else { return Ok(()) };
        let chain = voice.survey.chains.with_prompt(&prompt);
        let chain: Vec<usize> = chain
            .filter(|one| !self.chains.contains(one))
            .take(1)
            .collect();
        for number in chain {
            let kind = tool
                .started_agent()
                .map(|agent| agent.kind)
                .unwrap_or_default();
            self.chain(voice, number, &kind, &tool.about().unwrap_or_default())?;
        }
        Ok(())
    }

    fn agent(&mut self, number: usize, depth: usize) -> io::Result<()> {
        let session = self.session;
        let Some(agent) = session
            .agents
            .get(number)
            .filter(|_| self.agents.insert(number))
        else {
            return Ok(());
        };
        (self.emit)(Item::Agent(AgentHead {
            id: agent.id.clone(),
            kind: agent.kind.clone(),
            about: agent.about.clone(),
            at_ms: agent.first_ms,
            duration_ms: agent
                .last_ms
                .zip(agent.first_ms)
                .map(|(last, first)| last.saturating_sub(first)),
            calls: agent.calls,
            tokens: agent.tokens,
            cost: agent.cost,
        }))?;
        if let Ok(file) = session.shelf.open(&agent.path) {
            let survey = Survey::read(&file, Whose::Subagent, session.around.prices, &mut |_| {})?;
            self.file(&mut Voice::new(&file, &survey, Whose::Subagent, depth))?;
        }
        (self.emit)(Item::AgentEnd)
    }

    fn chain_beginning_at(&mut self, voice: &Voice<'_>, place: Place) -> io::Result<()> {
        match voice.survey.chains.beginning_at(place.from) {
            Some(number) if !self.chains.contains(&number) => self.chain(voice, number, "", ""),
            _ => Ok(()),
        }
    }

    /// A subagent whose lines stand among those of the session.
    fn chain(
        &mut self,
        voice: &Voice<'_>,
        number: usize,
        kind: &str,
        about: &str,
    ) -> io::Result<()> {
        self.chains.insert(number);
        let Some(chain) = voice.survey.chains.get(number) else {
            return Ok(());
        };
        (self.emit)(Item::Agent(AgentHead {
            kind: shown::line(kind, 80),
            about: shown::line(about, 200),
            at_ms: chain.first_ms,
            duration_ms: chain
                .last_ms
                .zip(chain.first_ms)
                .map(|(last, first)| last.saturating_sub(first)),
            calls: chain.calls,
            ..AgentHead::default()
        }))?;
        let mut inner = Voice::new(voice.file, voice.survey, Whose::Subagent, voice.depth + 1);
        inner.prompts = usize::from(kind.is_empty());
        for place in &chain.places {
            let bytes = lines::again(voice.file, *place)?;
            if let Some(line) = RawLine::parse(bytes.trim_ascii()) {
                self.line(&mut inner, *place, &line)?;
            }
        }
        (self.emit)(Item::AgentEnd)
    }

    fn system(&mut self, line: &RawLine<'_>) -> io::Result<()> {
        let text = line.text("content").unwrap_or_default();
        let kind = match line.text("subtype").as_deref() {
            Some("compact_boundary") => NoteKind::Compacted,
            Some("informational") => NoteKind::Client,
            Some("api_error") => NoteKind::Failed,
            _ => return Ok(()),
        };
        let text = if text.is_empty() {
            Cow::Borrowed("The API has failed")
        } else {
            text
        };
        self.note(line.at_ms(), kind, &text, None)
    }

    /// What the guard stopped by a moment, and what no call of the transcript has.
    fn stops_before(&mut self, at_ms: Option<u64>) -> io::Result<()> {
        while let Some((stop, rest)) = self.stops.split_first() {
            if at_ms.is_none_or(|at| stop.at_ms > at) {
                break;
            }
            self.stops = rest;
            self.stop(stop)?;
        }
        Ok(())
    }

    fn stop(&mut self, stop: &Stop) -> io::Result<()> {
        let text = format!("{}: {}", stop.rules.join(", "), stop.reason);
        self.note(
            Some(stop.at_ms),
            NoteKind::Guard,
            &text,
            Some(&stop.subject),
        )
    }

    /// What belongs nowhere: stops at the end, and agents that no call has started.
    fn rest(&mut self) -> io::Result<()> {
        while let Some((stop, rest)) = self.stops.split_first() {
            self.stops = rest;
            self.stop(stop)?;
        }
        for number in 0..self.session.agents.all().len() {
            self.agent(number, 1)?;
        }
        Ok(())
    }

    fn note(
        &mut self,
        at_ms: Option<u64>,
        kind: NoteKind,
        text: &str,
        detail: Option<&str>,
    ) -> io::Result<()> {
        let most = self.session.around.limits.tool;
        let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
        let whole = (!rest.trim().is_empty()).then_some(text);
        (self.emit)(Item::Note(Note {
            at_ms,
            kind,
            text: shown::line(line, 400),
            detail: detail
                .or(whole)
                .map(|detail| shown::beginning(detail, most)),
        }))
    }
}

fn first_text(line: &RawLine<'_>) -> String {
    let blocks = line.blocks();
    let text = blocks.iter().find_map(|block| match block {
        RawBlock::Text(text) => Some(text.clone().into_owned()),
        _ => None,
    });
    text.unwrap_or_default()
}

/// The answer to a call in a line.
fn answer_to<'a>(line: &RawLine<'a>, id: &str) -> Option<RawAnswer<'a>> {
    line.blocks().into_iter().find_map(|block| match block {
        RawBlock::Answer(answer) if answer.id == id => Some(answer),
        _ => None,
    })
}
