//! Adding and replacing handlers as insertions in the text.
//!
//! Architecture Invariant: no byte is touched that is not ours, or a comma or white space beside
//! ours. What is added goes behind what is there, so that [`super::remove`] can take exactly that
//! out again.

use std::ops::Range;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::document::{Document, Entry};
use super::json::{Member, Node};
use super::style::{Layout, Style, indent_at};

/// A range of the text and what shall stand there instead.
#[derive(Debug)]
pub(super) struct Splice {
    pub(super) at: Range<usize>,
    pub(super) text: String,
}

/// The text with splices, none of which overlap.
pub(super) fn spliced(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| splice.at.start);
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for splice in splices {
        result.push_str(&text[done..splice.at.start]);
        result.push_str(&splice.text);
        done = splice.at.end;
    }
    result.push_str(&text[done..]);
    result
}

/// Writes these handlers in place of what stands there now.
pub(super) fn replace<H: Serialize>(document: &Document, entries: &[(Entry<'_>, H)]) -> String {
    let style = Style::of(document);
    let splices = entries.iter().map(|(entry, handler)| {
        let at = entry.handler().span.clone();
        let indent = indent_at(document.text(), at.start);
        let layout = if document.text_at(at.clone()).contains('\n') {
            Layout::Lines(indent.to_owned())
        } else {
            Layout::OneLine
        };
        let text = style.value(&layout, handler);
        Splice { at, text }
    });
    spliced(document.text(), splices.collect())
}

/// Adds a handler to each of these events, in a group of its own behind all others.
pub(super) fn add<H: Serialize>(document: &Document, wanted: &[(&str, H)]) -> String {
    let style = Style::of(document);
    let inside = |node| Container::new(document, &style, node);
    let groups = wanted.iter().map(|(event, handler)| {
        let hooks = [handler];
        (*event, [Group { hooks }])
    });
    let Some(hooks) = document.hooks() else {
        let hooks = [("hooks", InOrder(groups.collect()))];
        return spliced(
            document.text(),
            inside(document.root()).with_members(&hooks),
        );
    };
    let (present, absent): (Vec<_>, Vec<_>) =
        groups.partition(|(event, _)| hooks.get(event).is_some());
    let mut splices = inside(hooks).with_members(&absent);
    for (event, [group]) in &present {
        splices.extend(
            hooks
                .get(event)
                .map(|groups| inside(groups).with_item(group)),
        );
    }
    spliced(document.text(), splices)
}

/// Adds a member to the settings, behind all others.
pub(super) fn add_member(document: &Document, name: &str, value: &impl Serialize) -> String {
    let style = Style::of(document);
    let root = Container::new(document, &style, document.root());
    spliced(document.text(), root.with_members(&[(name, value)]))
}

/// A group of handlers, as the client has it: here always of one.
#[derive(serde::Serialize)]
struct Group<'a, H> {
    hooks: [&'a H; 1],
}

/// An object whose members keep their order.
struct InOrder<'a, V>(Vec<(&'a str, V)>);

impl<V: Serialize> Serialize for InOrder<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// An object or array that something is added to.
struct Container<'a> {
    style: &'a Style,
    node: &'a Node,
    /// How the line begins on which it opens.
    indent: &'a str,
    layout: Layout,
}

impl<'a> Container<'a> {
    fn new(document: &'a Document, style: &'a Style, node: &'a Node) -> Self {
        let indent = indent_at(document.text(), node.span.start);
        Self {
            style,
            node,
            indent,
            layout: style.layout(document.text(), node, indent),
        }
    }

    fn with_members<V: Serialize>(&self, members: &[(&str, V)]) -> Vec<Splice> {
        let written = members
            .iter()
            .map(|(name, value)| self.style.member(&self.layout, name, value));
        let written: Vec<String> = written.collect();
        if written.is_empty() {
            return Vec::new();
        }
        let last = self.node.members().last().map(Member::span);
        vec![self.behind(last, &written)]
    }

    fn with_item(&self, item: &impl Serialize) -> Splice {
        let written = self.style.value(&self.layout, item);
        let last = self.node.items().last().map(|last| last.span.clone());
        self.behind(last, &[written])
    }

    /// Puts texts behind the last thing in it, or between the brackets when there is nothing.
    fn behind(&self, last: Option<Range<usize>>, written: &[String]) -> Splice {
        let separator = self.style.separator(&self.layout);
        let written = written.join(&separator);
        let Some(last) = last else {
            let opening = self.style.opening(&self.layout);
            let closing = self.style.closing(&self.layout, self.indent);
            return Splice {
                at: self.node.span.start + 1..self.node.span.end - 1,
                text: format!("{opening}{written}{closing}"),
            };
        };
        Splice {
            at: last.end..last.end,
            text: format!("{separator}{written}"),
        }
    }
}
