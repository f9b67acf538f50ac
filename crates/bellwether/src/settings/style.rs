//! How a file is written, so that what is added looks like the rest of it.
//!
//! Objects whose members stand on lines of their own get new members on lines of their own, spread
//! out as the client itself writes its settings; what stands on one line stays on one line.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use super::document::Document;
use super::json::Node;

/// The habits of a whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Style {
    newline: &'static str,
    step: String,
    /// Whether `: ` and `, ` have their space where things stand on one line.
    spaced: bool,
    /// Whether the outermost object is written on one line.
    one_line: bool,
}

/// How the members of one object or the items of one array are set apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Layout {
    /// Each on a line of its own, behind this indentation.
    Lines(String),
    OneLine,
}

impl Style {
    pub(super) fn of(document: &Document) -> Self {
        let text = document.text();
        let root = document.root();
        let first = root.members().first();
        let layout = first.map(|first| gap_layout(text, root.span.start + 1, first.start));
        let after_name = first.map_or("", |first| {
            let gap = document.text_at(first.start..first.value.span.start);
            gap.rsplit(':').next().unwrap_or_default()
        });
        Self {
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            one_line: layout == Some(Layout::OneLine),
            step: match layout {
                Some(Layout::Lines(indent)) => indent,
                _ => "  ".to_owned(),
            },
            spaced: first.is_none() || !after_name.is_empty(),
        }
    }

    /// How something is to be added to an object or array, whose own line begins with `indent`.
    pub(super) fn layout(&self, text: &str, container: &Node, indent: &str) -> Layout {
        let spans: Vec<_> = match container.items() {
            [] => container
                .members()
                .iter()
                .map(super::json::Member::span)
                .collect(),
            items => items.iter().map(|item| item.span.clone()).collect(),
        };
        match spans.as_slice() {
            [] if self.one_line => Layout::OneLine,
            [] => Layout::Lines(format!("{indent}{}", self.step)),
            [only] => gap_layout(text, container.span.start + 1, only.start),
            [.., before, last] => gap_layout(text, before.end, last.start),
        }
    }

    /// What stands between two neighbours.
    pub(super) fn separator(&self, layout: &Layout) -> String {
        match layout {
            Layout::Lines(_) => format!(",{}", self.opening(layout)),
            Layout::OneLine if self.spaced => ", ".to_owned(),
            Layout::OneLine => ",".to_owned(),
        }
    }

    /// What stands between an opening bracket and the first thing in it.
    pub(super) fn opening(&self, layout: &Layout) -> String {
        match layout {
            Layout::Lines(indent) => format!("{}{indent}", self.newline),
            Layout::OneLine => String::new(),
        }
    }

    /// What stands before the closing bracket, if the bracket's line begins with `indent`.
    pub(super) fn closing(&self, layout: &Layout, indent: &str) -> String {
        match layout {
            Layout::Lines(_) => format!("{}{indent}", self.newline),
            Layout::OneLine => String::new(),
        }
    }

    /// A member of an object.
    pub(super) fn member(&self, layout: &Layout, name: &str, value: &impl Serialize) -> String {
        let spaced = self.spaced || matches!(layout, Layout::Lines(_));
        let colon = if spaced { ": " } else { ":" };
        format!("{}{colon}{}", json_string(name), self.value(layout, value))
    }

    /// A value, as it is written where `layout` rules.
    pub(super) fn value(&self, layout: &Layout, value: &impl Serialize) -> String {
        match layout {
            Layout::Lines(indent) => {
                let text = written(value, PrettyFormatter::with_indent(self.step.as_bytes()));
                // A line break inside a string is always escaped, so these are all between tokens.
                text.replace('\n', &format!("{}{indent}", self.newline))
            }
            Layout::OneLine if self.spaced => written(value, Spaced),
            Layout::OneLine => written(value, CompactFormatter),
        }
    }
}

/// How two neighbours are set apart, by what stands between them.
fn gap_layout(text: &str, from: usize, to: usize) -> Layout {
    let gap = text.get(from..to).unwrap_or_default();
    match gap.rfind('\n') {
        Some(newline) => Layout::Lines(gap[newline + 1..].to_owned()),
        None => Layout::OneLine,
    }
}

/// The white space with which the line of this byte begins.
pub(super) fn indent_at(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or_default();
    let line = &text[before.rfind('\n').map_or(0, |newline| newline + 1)..];
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    &line[..end]
}

/// A string with its quotes.
pub(super) fn json_string(text: &str) -> String {
    written(&text, CompactFormatter)
}

fn written(value: &impl Serialize, formatter: impl Formatter) -> String {
    let mut bytes = Vec::new();
    // Neither can fail: a vector takes every byte, and what we write has no maps with odd keys.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
    String::from_utf8(bytes).unwrap_or_default()
}

/// One line with a space behind every colon and comma, as Python's `json.dumps` writes.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}
