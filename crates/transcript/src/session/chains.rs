//! Side chains: what older clients write of subagents, in the middle of the session's own lines.

use std::collections::HashMap;

use super::survey::Key;
use crate::lines::Place;
use crate::raw::{RawBlock, RawLine};

/// The side chains of a transcript, each with the lines that it is made of.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    all: Vec<Chain>,
    /// The chain of each line, by the line's id.
    of_line: HashMap<Key, usize>,
}

#[derive(Debug, Default)]
pub(crate) struct Chain {
    pub places: Vec<Place>,
    pub first_ms: Option<u64>,
    pub last_ms: Option<u64>,
    pub calls: usize,
    /// What it begins with: the prompt that the agent was given.
    prompt: Option<Key>,
}

impl Chains {
    /// Takes a line of a side chain.
    pub(super) fn take(&mut self, place: Place, line: &RawLine<'_>) {
        let parent = line.text("parentUuid").map(|id| Key::of(&id));
        let known = parent.and_then(|parent| self.of_line.get(&parent).copied());
        let number = known.unwrap_or_else(|| {
            self.all.push(Chain {
                prompt: first_words(line),
                first_ms: line.at_ms(),
                ..Chain::default()
            });
            self.all.len() - 1
        });
        if let Some(id) = line.text("uuid") {
            self.of_line.insert(Key::of(&id), number);
        }
        let chain = &mut self.all[number];
        chain.places.push(place);
        chain.last_ms = chain.last_ms.max(line.at_ms());
        let is_call = |block: &RawBlock<'_>| matches!(block, RawBlock::Call { .. });
        chain.calls += line.blocks().iter().filter(|block| is_call(block)).count();
    }

    pub(crate) fn get(&self, number: usize) -> Option<&Chain> {
        self.all.get(number)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The chains that begin with a prompt.
    pub(crate) fn with_prompt(&self, prompt: &str) -> impl Iterator<Item = usize> {
        let wanted = Key::of(prompt.trim());
        let numbered = self.all.iter().enumerate();
        numbered.filter_map(move |(number, chain)| (chain.prompt == Some(wanted)).then_some(number))
    }

    /// The chain that begins at a place.
    pub(crate) fn beginning_at(&self, from: u64) -> Option<usize> {
        let begins = |chain: &Chain| chain.places.first().is_some_and(|first| first.from == from);
        self.all.iter().position(begins)
    }
}

fn first_words(line: &RawLine<'_>) -> Option<Key> {
    line.blocks().iter().find_map(|block| match block {
        RawBlock::Text(text) => Some(Key::of(text.trim())),
        _ => None,
    })
}
