//! Markdown, parsed, as blocks of words.

use std::ops::Range;

use bellwether_spine::text;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{Sentence, sentences, without_mask, words};

/// A paragraph, an item of a list or a heading.
#[derive(Debug, Default)]
pub(super) struct Block {
    text: String,
    /// Where inline code stands in it: a stop in there ends no sentence.
    code: Vec<Range<usize>>,
    is_heading: bool,
}

impl Block {
    /// The sentences of a block.
    pub(super) fn sentences(self) -> Vec<Sentence> {
        let is_heading = self.is_heading;
        let spoken = |text: String| {
            // Secrets that only parsing has put together.
            let text = tidy(&without_mask(&text::mask(&text)));
            (!text.is_empty()).then_some(Sentence { text, is_heading })
        };
        sentences::split(&self.text, &self.code)
            .into_iter()
            .filter_map(|range| {
                spoken(words::spoken(
                    &self.text[range.clone()],
                    &inside(&self.code, &range),
                ))
            })
            .collect()
    }
}

/// The parts of ranges that lie in another, counted from its beginning.
fn inside(ranges: &[Range<usize>], within: &Range<usize>) -> Vec<Range<usize>> {
    let overlap = |range: &Range<usize>| {
        let (start, end) = (range.start.max(within.start), range.end.min(within.end));
        (start < end).then(|| start - within.start..end - within.start)
    };
    ranges.iter().filter_map(overlap).collect()
}

/// What was left out leaves spaces before stops, and sentences of nothing but stops.
fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for char in text.chars() {
        if matches!(char, '.' | ',' | '!' | '?' | ';' | ':' | ')') && tidy.ends_with(' ') {
            tidy.pop();
        }
        tidy.push(char);
    }
    if tidy.chars().any(char::is_alphanumeric) || tidy == "..." {
        tidy.trim().to_owned()
    } else {
        String::new()
    }
}

/// The blocks of a markdown text that can be spoken.
pub(super) fn blocks(markdown: &str) -> Vec<Block> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut gathered = Gathered::default();
    for event in Parser::new_ext(markdown, options) {
        gathered.take(event);
    }
    gathered.end_block();
    gathered.blocks
}

#[derive(Default)]
struct Gathered {
    blocks: Vec<Block>,
    block: Block,
    /// How deep we are in what is not spoken.
    unspoken: usize,
}

impl Gathered {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Table(_) | Tag::HtmlBlock) => {
                self.end_block();
                self.unspoken += 1;
            }
            Event::End(TagEnd::CodeBlock | TagEnd::Table | TagEnd::HtmlBlock) => {
                self.unspoken = self.unspoken.saturating_sub(1);
            }
            _ if self.unspoken > 0 => {}
            Event::Start(Tag::Heading { .. }) => {
                self.end_block();
                self.block.is_heading = true;
            }
            Event::Start(Tag::Paragraph | Tag::Item | Tag::List(_) | Tag::BlockQuote(_))
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::Heading(_) | TagEnd::List(_))
            | Event::Rule => self.end_block(),
            Event::Text(text) => self.block.text.push_str(&text),
            Event::Code(code) => self.code(&code),
            Event::SoftBreak | Event::HardBreak => self.block.text.push(' '),
            _ => {}
        }
    }

    fn code(&mut self, code: &str) {
        let start = self.block.text.len();
        self.block.text.push_str(code);
        self.block.code.push(start..self.block.text.len());
    }

    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        if !block.text.trim().is_empty() {
            self.blocks.push(block);
        }
    }
}
