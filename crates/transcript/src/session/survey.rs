//! The first pass over a transcript: where the turns begin, where each call's answer stands, and what each message has
//! used. It keeps a few dozen bytes for a call or a message, and nothing of their texts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;

use bellwether_prices::{Cost, Prices, Tokens};

use super::chains::Chains;
use super::lineage::Lineage;
use crate::Whose;
use crate::lines::{Lines, Place, Read};
use crate::prompt::Told;
use crate::raw::{RawBlock, RawLine, RawUsage};
use crate::shown;

/// A title is no longer than this.
const TITLE: usize = 140;

/// What is known of a transcript after the first pass.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub facts: Facts,
    pub turns: Vec<TurnMark>,
    pub calls: HashMap<Key, CallMark>,
    pub chains: Chains,
    /// The agents that answers name, with the calls that started them.
    pub started: Vec<(Key, String)>,
    pub counts: Counts,
    messages: HashMap<Key, Used>,
    models: Vec<String>,
    lineage: Lineage,
}

/// What a transcript says of its session.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub session: Option<String>,
    pub folder: Option<String>,
    pub branch: Option<String>,
    pub version: Option<String>,
    /// By the person, else by the model, else by an older client.
    titles: [Option<String>; 3],
    pub first_ms: Option<u64>,
    pub last_ms: Option<u64>,
    /// What the client itself counts, in US dollars.
    pub client_cost_usd: Option<f64>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    pub lines: usize,
    /// Lines that are torn or foreign.
    pub unreadable: usize,
    /// Lines that are too long to be looked at.
    pub too_long: usize,
}

/// The beginning of a turn, and what came of it.
#[derive(Debug, Default)]
pub(crate) struct TurnMark {
    /// Where its prompt stands.
    pub from: u64,
    pub title: String,
    pub at_ms: Option<u64>,
    pub last_ms: Option<u64>,
    pub calls: usize,
    pub failures: usize,
    pub tokens: Tokens,
    pub cost: Cost,
    /// The person went back to before it, and the conversation went on without it.
    pub is_rewound: bool,
    /// A command that the client did itself: no agent worked on it.
    is_local: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct CallMark {
    /// The turn that it is in; `None` before the first.
    pub turn: Option<usize>,
    pub answer: Option<Place>,
}

/// What a message has used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Used {
    pub tokens: Tokens,
    pub cost_usd: Option<f64>,
    turn: Option<usize>,
    model: usize,
}

/// Stands for an id, which would be longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

impl Key {
    pub(crate) fn of(id: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// What one model has used.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ModelSum {
    pub messages: usize,
    pub tokens: Tokens,
    pub cost: Cost,
}

impl Survey {
    /// Reads a whole transcript. `progress` is told how many bytes were read.
    pub(crate) fn read(
        file: &File,
        whose: Whose,
        prices: &Prices,
        progress: &mut dyn FnMut(u64),
    ) -> io::Result<Self> {
        let mut survey = Self::default();
        let mut lines = Lines::new(file)?;
        let mut before = 0;
        while let Some(read) = lines.next()? {
            survey.counts.lines += 1;
            match read {
                Read::TooLong(_) => survey.counts.too_long += 1,
                Read::Line(_, []) => survey.counts.lines -= 1,
                Read::Line(place, line) => match RawLine::parse(line) {
                    Some(line) => survey.take(place, &line, whose, prices),
                    None => survey.counts.unreadable += 1,
                },
            }
            progress(lines.at() - before);
            before = lines.at();
        }
        survey.finish();
        Ok(survey)
    }

    /// What a message has used, if its transcript says so.
    pub(crate) fn used(&self, message: &str) -> Option<&Used> {
        self.messages.get(&Key::of(message))
    }

    pub(crate) fn model(&self, used: &Used) -> &str {
        &self.models[used.model]
    }

    /// What each model has used, by its name.
    pub(crate) fn by_model(&self) -> HashMap<&str, ModelSum> {
        let mut sums: HashMap<&str, ModelSum> = HashMap::new();
        for used in self.messages.values() {
            let sum = sums.entry(self.model(used)).or_default();
            sum.messages += 1;
            sum.tokens += used.tokens;
            sum.cost.add(used.cost_usd);
        }
        sums
    }

    fn take(&mut self, place: Place, line: &RawLine<'_>, whose: Whose, prices: &Prices) {
        self.note_facts(line);
        let is_aside = whose == Whose::Main && line.is_sidechain();
        let turns = self.turns.len();
        match line.kind.as_ref() {
            "user" | "assistant" if is_aside => self.chains.take(place, line),
            "user" => self.note_prompt(place, line),
            _ => {}
        }
        if !is_aside {
            self.lineage.take(line, self.turns.len() > turns);
        }
        if !line.is_said() {
            return;
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.last_ms = turn.last_ms.max(line.at_ms());
        }
        self.note_blocks(place, line);
        if let Some(usage) = line.usage() {
            self.note_usage(&usage, prices);
        }
    }

    fn note_facts(&mut self, line: &RawLine<'_>) {
        let facts = &mut self.facts;
        let at_ms = line.at_ms();
        facts.first_ms = facts.first_ms.or(at_ms);
        facts.last_ms = facts.last_ms.max(at_ms);
        let owned = |name: &str| line.text(name).map(|text| shown::line(&text, 400));
        facts.session = facts.session.take().or_else(|| owned("sessionId"));
        facts.folder = facts.folder.take().or_else(|| owned("cwd"));
        facts.branch = owned("gitBranch").or(facts.branch.take());
        facts.version = owned("version").or(facts.version.take());
        let titled = match line.kind.as_ref() {
            "custom-title" => Some((0, "customTitle")),
            "ai-title" => Some((1, "aiTitle")),
            "summary" => Some((2, "summary")),
            "cost-state" => {
                facts.client_cost_usd = line.number("totalCostUSD");
                None
            }
            _ => None,
        };
        if let Some((rank, name)) = titled {
            let title = line.text(name).map(|text| shown::line(&text, TITLE));
            facts.titles[rank] = title.or(facts.titles[rank].take());
        }
    }

    fn note_prompt(&mut self, place: Place, line: &RawLine<'_>) {
        let Some(told) = told(line) else { return };
        match &told {
            // What the client printed itself stands right behind its command.
            Told::Output(_) => {
                if let Some(turn) = self.turns.last_mut().filter(|turn| turn.is_empty()) {
                    turn.is_local = turn.title.starts_with('/');
                }
            }
            told if told.begins_turn() => {
                let (Told::Person(text) | Told::Command(text) | Told::Notification(text)) = told
                else {
                    return;
                };
                self.turns.push(TurnMark {
                    from: place.from,
                    title: shown::line(text, TITLE),
                    at_ms: line.at_ms(),
                    ..TurnMark::default()
                });
            }
            _ => {}
        }
    }

    fn note_blocks(&mut self, place: Place, line: &RawLine<'_>) {
        let turn = self.turns.len().checked_sub(1);
        for block in line.blocks() {
            match block {
                RawBlock::Call { id, .. } => {
                    self.calls
                        .entry(Key::of(&id))
                        .or_insert(CallMark { turn, answer: None });
                    if let Some(turn) = self.turns.last_mut() {
                        turn.calls += 1;
                    }
                }
                RawBlock::Answer(answer) => {
                    let key = Key::of(&answer.id);
                    if let Some(call) = self.calls.get_mut(&key) {
                        call.answer = Some(place);
                        if let Some(turn) = call.turn.and_then(|turn| self.turns.get_mut(turn)) {
                            turn.failures += usize::from(answer.is_error);
                        }
                    }
                    let told = line.object("toolUseResult");
                    let agent = told.and_then(|told| told.get::<Cow<'_, str>>("agentId"));
                    self.started
                        .extend(agent.map(|agent| (key, agent.into_owned())));
                }
                _ => {}
            }
        }
    }

    /// The client writes a line for each block of a message, each with what was used so far: the last one counts.
    fn note_usage(&mut self, usage: &RawUsage<'_>, prices: &Prices) {
        if usage.model == "<synthetic>" {
            return;
        }
        let known = self.models.iter().position(|model| *model == usage.model);
        let model = known.unwrap_or_else(|| {
            self.models.push(shown::line(&usage.model, 80));
            self.models.len() - 1
        });
        let key = Key::of(&usage.message);
        let turn = self.turns.len().checked_sub(1);
        let turn = self.messages.get(&key).map_or(turn, |known| known.turn);
        let estimate = prices.cost(&usage.model, usage.speed, &usage.tokens);
        let used = Used {
            tokens: usage.tokens,
            cost_usd: usage.cost_usd.or(estimate),
            turn,
            model,
        };
        self.messages.insert(key, used);
    }

    fn finish(&mut self) {
        // It is needed no longer, and has something of every line.
        let lineage = std::mem::take(&mut self.lineage);
        for (turn, is_rewound) in self.turns.iter_mut().zip(lineage.rewound()) {
            turn.is_rewound = is_rewound;
        }
        for used in self.messages.values() {
            if let Some(turn) = used.turn.and_then(|turn| self.turns.get_mut(turn)) {
                turn.tokens += used.tokens;
                turn.cost.add(used.cost_usd);
            }
        }
    }
}

impl Facts {
    pub(crate) fn title(&self) -> Option<&str> {
        let mut titles = self.titles.iter().flatten();
        titles.find(|title| !title.is_empty()).map(String::as_str)
    }
}

impl TurnMark {
    fn is_empty(&self) -> bool {
        self.calls == 0 && self.last_ms <= self.at_ms
    }

    /// Whether an agent worked on it.
    pub(crate) fn is_real(&self) -> bool {
        !self.is_local
    }
}

/// What a line of the person's says; `None` when it holds answers of tools, or what the client tells the model alone.
pub(crate) fn told(line: &RawLine<'_>) -> Option<Told> {
    let blocks = line.blocks();
    if blocks
        .iter()
        .any(|block| matches!(block, RawBlock::Answer(_)))
    {
        return None;
    }
    if line.flag("isCompactSummary") || line.flag("isVisibleInTranscriptOnly") {
        return None;
    }
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| match block {
            RawBlock::Text(text) => Some(text.as_ref()),
            _ => None,
        })
        .collect();
    let text = texts.join("\n\n");
    if line.flag("isMeta") {
        return Some(Told::read_meta(&text));
    }
    let has_image = blocks
        .iter()
        .any(|block| matches!(block, RawBlock::Image { .. }));
    Some(match Told::read(&text) {
        Told::Nothing if has_image => Told::Person(String::new()),
        told => told,
    })
}
