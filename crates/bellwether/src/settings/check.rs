//! What the client would reject in a settings file, by its version.
//!
//! A rejected file is silent in headless sessions, and up to 2.1.256 one wrong entry costs the whole
//! file; so what we write is checked before, and what others wrote is told.

use bellwether_protocol::client::Client;
use bellwether_protocol::client::feature::{Feature, FieldRule, FieldType};
use bellwether_protocol::event::Kind;

use super::document::Document;
use super::json::{Node, Place, Value};

/// The schema that versions which compare it want to see.
const SCHEMA: &str = "https://json.schemastore.org/claude-code-settings.json";

/// Something that the client does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rejection {
    pub(crate) place: Place,
    /// What is wrong, for a person.
    pub(crate) what: String,
    /// What the client then ignores.
    pub(crate) costs: Cost,
}

/// How much the client ignores because of one mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    /// The whole file: no setting in it counts.
    File,
    /// Only the event or the entry itself.
    Entry,
}

/// Everything that this version of the client would reject, in the order of the file.
pub(crate) fn rejections(document: &Document, client: Client) -> Vec<Rejection> {
    let mut check = Checking {
        document,
        client,
        found: Vec::new(),
    };
    check.root();
    check.found.sort_by_key(|rejection| rejection.place);
    check.found
}

struct Checking<'a> {
    document: &'a Document,
    client: Client,
    found: Vec<Rejection>,
}

impl Checking<'_> {
    fn found(&mut self, node: &Node, costs: Cost, what: impl Into<String>) {
        self.found.push(Rejection {
            place: self.document.place(node),
            what: what.into(),
            costs,
        });
    }

    fn root(&mut self) {
        let root = self.document.root();
        if !matches!(root.value, Value::Object(_)) {
            return self.found(
                root,
                Cost::File,
                format!("the settings are {}, not an object", root.kind()),
            );
        }
        if let Some(schema) = root.get("$schema") {
            self.schema(schema);
        }
        let Some(hooks) = root.get("hooks") else {
            return;
        };
        if !matches!(hooks.value, Value::Object(_)) {
            let what = format!("`hooks` is {}, not an object", hooks.kind());
            return self.found(hooks, Cost::File, what);
        }
        for event in hooks.members() {
            self.event(&event.name, &event.value);
        }
    }

    fn schema(&mut self, schema: &Node) {
        match schema.as_str() {
            None => self.found(schema, Cost::File, "`$schema` is not a string"),
            Some(SCHEMA) => {}
            Some(_) if self.client.has(Feature::AnySchemaInSettings) => {}
            Some(_) => self.found(schema, Cost::File, format!("`$schema` is not {SCHEMA}")),
        }
    }

    fn event(&mut self, name: &str, groups: &Node) {
        if self.client.entry(self.client.kind_of(name)).is_none() {
            return self.unknown_event(name, groups);
        }
        let Value::Array(items) = &groups.value else {
            let costs = self.cost(name, Feature::LoneWrongEvent);
            let what = format!("`{name}` is {}, not an array", groups.kind());
            return self.found(groups, costs, what);
        };
        for group in items {
            self.group(name, group);
        }
    }

    /// A misspelt place for a guard is not dropped alone: the client rather refuses the file.
    fn unknown_event(&mut self, name: &str, groups: &Node) {
        let alone = self.client.has(Feature::UnknownEventInSettings) && !holds_guard(groups);
        let costs = if alone { Cost::Entry } else { Cost::File };
        let what = format!("{} does not know the event `{name}`", self.client);
        self.found(groups, costs, what);
    }

    fn group(&mut self, event: &str, group: &Node) {
        let costs = self.cost(event, Feature::LoneWrongEntry);
        if !matches!(group.value, Value::Object(_)) {
            let what = format!("a group of `{event}` is {}, not an object", group.kind());
            return self.found(group, costs, what);
        }
        if let Some(matcher) = group
            .get("matcher")
            .filter(|matcher| matcher.as_str().is_none())
        {
            self.found(
                matcher,
                costs,
                format!("`matcher` is {}, not a string", matcher.kind()),
            );
        }
        let Some(hooks) = group.get("hooks") else {
            return self.found(group, costs, format!("a group of `{event}` has no `hooks`"));
        };
        let Value::Array(handlers) = &hooks.value else {
            let what = format!(
                "`hooks` in a group of `{event}` is {}, not an array",
                hooks.kind()
            );
            return self.found(hooks, costs, what);
        };
        for handler in handlers {
            self.handler(event, handler, costs);
        }
    }

    fn handler(&mut self, event: &str, handler: &Node, costs: Cost) {
        let Some(name) = handler.get("type").and_then(Node::as_str) else {
            let what = format!("a hook of `{event}` has no `type`");
            return self.found(handler, costs, what);
        };
        let (wire, version) = (self.client.product.wire(), self.client.version);
        let known = wire.handlers.iter().find(|known| known.name == name);
        let Some(known) = known.filter(|known| known.support.has(version)) else {
            let what = format!("{} does not know hooks of type `{name}`", self.client);
            return self.found(handler, costs, what);
        };
        for required in known.required {
            if handler.get(required).is_none() {
                self.found(
                    handler,
                    costs,
                    format!("a hook of `{event}` has no `{required}`"),
                );
            }
        }
        let checked = |field: &&FieldRule| field.support.has(version);
        for field in wire.fields.iter().filter(checked) {
            if let Some(value) = handler
                .get(field.name)
                .filter(|value| !is(value, field.value))
            {
                let what = format!(
                    "`{}` is {}, not {}",
                    field.name,
                    self.document
                        .text_at(value.span.clone())
                        .lines()
                        .next()
                        .unwrap_or_default(),
                    field.value.name()
                );
                self.found(value, costs, what);
            }
        }
    }

    /// What a mistake costs where versions that know `alone` drop only the part that is wrong. For
    /// an event that guards something they refuse the file all the same, on purpose.
    fn cost(&self, event: &str, alone: Feature) -> Cost {
        let guards = GUARDS.iter().any(|guard| guard.as_str() == event);
        if guards || !self.client.has(alone) {
            Cost::File
        } else {
            Cost::Entry
        }
    }
}

/// The events with which others guard something.
const GUARDS: [Kind; 2] = [Kind::PreToolUse, Kind::PermissionRequest];

/// Whether one of those events stands somewhere below, with anything registered for it.
fn holds_guard(node: &Node) -> bool {
    let guards = |name: &str| GUARDS.iter().any(|guard| guard.as_str() == name);
    let is_empty = |node: &Node| matches!(&node.value, Value::Array(items) if items.is_empty());
    node.items().iter().any(holds_guard)
        || node.members().iter().any(|member| {
            (guards(&member.name) && !is_empty(&member.value)) || holds_guard(&member.value)
        })
}

fn is(node: &Node, wanted: FieldType) -> bool {
    match (wanted, &node.value) {
        (FieldType::Text, Value::String(_)) | (FieldType::Flag, Value::Bool(_)) => true,
        (FieldType::Seconds, Value::Number(seconds)) => *seconds > 0.0,
        (FieldType::Failure, Value::String(word)) => wanted.words().contains(&word.as_str()),
        (FieldType::Texts, Value::Array(items)) => items.iter().all(|item| item.as_str().is_some()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::{Product, Version};

    use super::*;

    fn rejected(text: &str, version: Version) -> Vec<String> {
        let document = Document::parse(text).unwrap();
        let found = rejections(&document, Client::new(Product::Claude, version));
        let shown = found.iter().map(|rejection| {
            format!(
                "{}: {} ({:?})",
                rejection.place, rejection.what, rejection.costs
            )
        });
        shown.collect()
    }

    const NOW: Version = Version(2, 1, 325);

    #[test]
    fn names_what_the_client_rejects() {
        let handler = r#"{"type": "command", "command": "x"}"#;
        for (text, version, expected) in [
            ("{}".to_owned(), NOW, ""),
            ("[]".to_owned(), NOW, "line 1, column 1: the settings are an array, not an object (File)"),
            (r#"{"hooks": []}"#.to_owned(), NOW, "line 1, column 11: `hooks` is an array, not an object (File)"),
            (format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{handler}]}}]}}}}"#), NOW, ""),
            (r#"{"hooks": {"Stop": {}}}"#.to_owned(), NOW, "line 1, column 20: `Stop` is an object, not an array (Entry)"),
            (r#"{"hooks": {"Stop": {}}}"#.to_owned(), Version(2, 1, 121), "line 1, column 20: `Stop` is an object, not an array (File)"),
            (r#"{"hooks": {"PreToolUse": 1}}"#.to_owned(), NOW, "line 1, column 26: `PreToolUse` is a number, not an array (File)"),
            (r#"{"hooks": {"Halt": []}}"#.to_owned(), NOW, "line 1, column 20: Claude Code 2.1.325 does not know the event `Halt` (Entry)"),
            (r#"{"hooks": {"Halt": []}}"#.to_owned(), Version(2, 1, 100), "line 1, column 20: Claude Code 2.1.100 does not know the event `Halt` (File)"),
            (r#"{"hooks": {"Halt": [{"PreToolUse": {}}]}}"#.to_owned(), NOW, "line 1, column 20: Claude Code 2.1.325 does not know the event `Halt` (File)"),
            (r#"{"hooks": {"InstructionsLoaded": []}}"#.to_owned(), Version(2, 1, 67), "line 1, column 34: Claude Code 2.1.67 does not know the event `InstructionsLoaded` (File)"),
            (r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": "5"}]}]}}"#.to_owned(), NOW, "line 1, column 85: `timeout` is \"5\", not a number of seconds above 0 (File)"),
            (r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": 0}]}]}}"#.to_owned(), NOW, "line 1, column 79: `timeout` is 0, not a number of seconds above 0 (Entry)"),
            (r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "args": "a"}]}]}}"#.to_owned(), Version(2, 1, 138), ""),
            (r#"{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}"#.to_owned(), NOW, "line 1, column 32: a hook of `Stop` has no `command` (Entry)"),
            (r#"{"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "u"}]}]}}"#.to_owned(), Version(2, 1, 20), "line 1, column 32: Claude Code 2.1.20 does not know hooks of type `http` (File)"),
            (r#"{"hooks": {"Stop": [{"matcher": 1, "hooks": {}}, {}, 7]}}"#.to_owned(), NOW, "line 1, column 33: `matcher` is a number, not a string (Entry)\nline 1, column 45: `hooks` in a group of `Stop` is an object, not an array (Entry)\nline 1, column 50: a group of `Stop` has no `hooks` (Entry)\nline 1, column 54: a group of `Stop` is a number, not an object (Entry)"),
            (r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "onFailure": "block"}]}]}}"#.to_owned(), NOW, ""),
            (r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "onFailure": "stop"}]}]}}"#.to_owned(), NOW, "line 1, column 87: `onFailure` is \"stop\", not `continue` or `block` (File)"),
            (r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "onFailure": "stop"}]}]}}"#.to_owned(), Version(2, 1, 294), ""),
            (r#"{"$schema": "x"}"#.to_owned(), Version(2, 1, 173), "line 1, column 13: `$schema` is not https://json.schemastore.org/claude-code-settings.json (File)"),
            (r#"{"$schema": "x"}"#.to_owned(), NOW, ""),
            (r#"{"$schema": 1}"#.to_owned(), NOW, "line 1, column 13: `$schema` is not a string (File)"),
        ] {
            assert_eq!(rejected(&text, version).join("\n"), expected, "{text}");
        }
    }
}
