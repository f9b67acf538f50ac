//! A settings file as text and tree, and the hooks in it with the places where they stand.

use std::ops::Range;

use super::json::{self, Node, Place, Places, SyntaxError, Value};
use super::ours::{self, Runs};

/// The content of a settings file.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    text: String,
    root: Node,
    places: Places,
}

impl Document {
    pub(crate) fn parse(text: impl Into<String>) -> Result<Self, SyntaxError> {
        let text = text.into();
        let root = json::parse(&text)?;
        let places = Places::of(&text);
        Ok(Self { text, root, places })
    }

    /// The text, byte for byte.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn root(&self) -> &Node {
        &self.root
    }

    /// The value of `hooks`.
    pub(crate) fn hooks(&self) -> Option<&Node> {
        self.root.get("hooks")
    }

    /// Whether the file turns all hooks off.
    pub(crate) fn disables_all_hooks(&self) -> bool {
        let setting = self.root.get("disableAllHooks");
        setting.is_some_and(|setting| setting.value == Value::Bool(true))
    }

    /// The text of a part.
    pub(crate) fn text_at(&self, span: Range<usize>) -> &str {
        self.text.get(span).unwrap_or_default()
    }

    pub(crate) fn place(&self, node: &Node) -> Place {
        self.places.at(&self.text, node.span.start)
    }

    /// Every handler of every event, in the order of the file. What has the wrong type is left out
    /// here and named by [`super::check::rejections`].
    pub(crate) fn entries(&self) -> Vec<Entry<'_>> {
        let events = self.hooks().map(Node::members).unwrap_or_default();
        let entries = events.iter().flat_map(|event| {
            event.value.items().iter().flat_map(|group| {
                let handlers = group.get("hooks").map(Node::items).unwrap_or_default();
                handlers.iter().map(|handler| Entry {
                    event: &event.name,
                    group,
                    handler,
                    place: self.place(handler),
                })
            })
        });
        entries.collect()
    }

    /// The entries that run our hook and nothing else.
    pub(crate) fn ours(&self) -> Vec<Entry<'_>> {
        let mut entries = self.entries();
        entries.retain(|entry| entry.runs() == Runs::Us);
        entries
    }
}

/// One handler of one event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    /// The event it is registered for.
    pub(crate) event: &'a str,
    pub(crate) place: Place,
    group: &'a Node,
    handler: &'a Node,
}

impl<'a> Entry<'a> {
    /// Which of the event's occurrences it is for; `None` for all.
    pub(crate) fn matcher(&self) -> Option<&'a str> {
        let matcher = self.group.get("matcher").and_then(Node::as_str);
        matcher.filter(|matcher| !matcher.is_empty() && *matcher != "*")
    }

    /// The program, or the line for the shell.
    pub(crate) fn command(&self) -> Option<&'a str> {
        self.handler.get("command").and_then(Node::as_str)
    }

    pub(crate) fn runs(&self) -> Runs {
        ours::runs(self.handler)
    }

    /// Whether it speaks and waits, and so is no entry by which events come.
    pub(crate) fn waits(&self) -> bool {
        ours::waits(self.handler)
    }

    /// The words that it runs.
    pub(crate) fn words(&self) -> Vec<String> {
        let command = self.command().unwrap_or_default();
        ours::words(self.handler, command).unwrap_or_default()
    }

    pub(crate) fn handler(&self) -> &'a Node {
        self.handler
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_every_handler_with_its_place() {
        let document = Document::parse(
            r#"{
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]},
      {"hooks": [{"type": "command", "command": "/b/bellwether-hook", "args": ["--from", "user"]}]}
    ],
    "Stop": [{"matcher": "*", "hooks": [{"type": "prompt", "prompt": "done?"}]}, "odd"],
    "Odd": 7
  }
}"#,
        )
        .unwrap();
        let shown: Vec<String> = document
            .entries()
            .iter()
            .map(|entry| {
                format!(
                    "{} {:?} {:?} {:?} {}",
                    entry.event,
                    entry.matcher(),
                    entry.command(),
                    entry.runs(),
                    entry.place
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                r#"PreToolUse Some("Bash") Some("lint") Other line 4, column 37"#,
                r#"PreToolUse None Some("/b/bellwether-hook") Us line 5, column 18"#,
                "Stop None None Other line 7, column 41",
            ]
        );
    }
}
