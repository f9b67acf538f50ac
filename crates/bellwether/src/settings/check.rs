//! What the client would reject in a file with hooks, by its version: a settings file, a plugin's `hooks.json`, or the
//! hooks in a plugin's own description.
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

/// Which file it is that has the hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Settings,
    /// A plugin's `hooks.json`, or another file of the same form.
    Plugin,
    /// A plugin's `plugin.json` with hooks in it.
    Manifest,
}

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
    /// The whole plugin: its commands and agents too.
    Plugin,
    /// The whole file: no setting in it counts.
    File,
    /// Only the event or the entry itself.
    Entry,
}

/// Everything that this version of the client would reject in a settings file, in the order of the file.
pub(crate) fn rejections(document: &Document, client: Client) -> Vec<Rejection> {
    rejections_in(document, FileKind::Settings, client)
}

/// The same in a file of that kind.
pub(crate) fn rejections_in(document: &Document, kind: FileKind, client: Client) -> Vec<Rejection> {
    let mut check = Checking {
        document,
        kind,
        client,
        found: Vec::new(),
    };
    check.root();
    check.found.sort_by_key(|rejection| rejection.place);
    check.found
}

struct Checking<'a> {
    document: &'a Document,
    kind: FileKind,
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
            let what = match self.kind {
                FileKind::Settings => "the settings are",
                FileKind::Plugin | FileKind::Manifest => "the file is",
            };
            let what = format!("{what} {}, not an object", root.kind());
            return self.found(root, self.whole(), what);
        }
        match self.kind {
            FileKind::Settings => {
                if let Some(schema) = root.get("$schema") {
                    self.schema(schema);
                }
            }
            FileKind::Plugin => self.wrapper(root),
            FileKind::Manifest => self.name(root),
        }
        let Some(hooks) = root.get("hooks").filter(|hooks| !self.is_absent(hooks)) else {
            return;
        };
        if self.kind == FileKind::Manifest && !matches!(hooks.value, Value::Object(_)) {
            return self.named(hooks);
        }
        if !matches!(hooks.value, Value::Object(_)) {
            let what = format!("`hooks` is {}, not an object", hooks.kind());
            return self.found(hooks, self.unreadable(), what);
        }
        for event in hooks.members() {
            self.event(&event.name, &event.value);
        }
    }

    fn name(&mut self, manifest: &Node) {
        if manifest.get("name").and_then(Node::as_str).is_none() {
            self.found(manifest, Cost::Plugin, "the plugin has no `name`");
        }
    }

    /// Files that a manifest names.
    fn named(&mut self, hooks: &Node) {
        let items = match &hooks.value {
            Value::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(hooks),
        };
        for item in items {
            match item.as_str() {
                Some(path) if path.starts_with("./") && !path.contains("..") => {}
                Some(path) => {
                    let what = format!("`{path}` is not a path that begins with ./");
                    self.found(item, Cost::Plugin, what);
                }
                None if matches!(item.value, Value::Object(_)) => {}
                None => {
                    let what = format!("`hooks` is {}, not a path or an object", item.kind());
                    self.found(item, Cost::Plugin, what);
                }
            }
        }
    }

    /// Hooks that stand outside of `hooks`, and a file that has none.
    fn wrapper(&mut self, root: &Node) {
        let guards = root
            .members()
            .iter()
            .find(|member| is_guard(&member.name) && !is_empty(&member.value));
        if let Some(guard) = guards {
            let what = format!("`{}` stands outside of `hooks`", guard.name);
            return self.found(&guard.value, self.unreadable(), what);
        }
        let has_modules = root
            .get("modules")
            .is_some_and(|modules| !modules.items().is_empty());
        let has_hooks = root
            .get("hooks")
            .is_some_and(|hooks| hooks.value != Value::Null);
        let is_code = has_modules && self.client.has(Feature::HookModules);
        if !has_hooks && !is_code {
            self.found(
                root,
                Cost::File,
                "it has no `hooks`, in which the events must stand",
            );
        }
    }

    /// A plugin may say that it has none.
    fn is_absent(&self, hooks: &Node) -> bool {
        self.kind != FileKind::Settings && hooks.value == Value::Null
    }

    /// What a file costs that cannot be read at all.
    fn whole(&self) -> Cost {
        match self.kind {
            FileKind::Settings | FileKind::Plugin => Cost::File,
            FileKind::Manifest => Cost::Plugin,
        }
    }

    /// What it costs where the client cannot tell whether a guard was meant.
    fn unreadable(&self) -> Cost {
        match self.kind {
            FileKind::Settings => Cost::File,
            FileKind::Plugin if !self.client.has(Feature::LoneWrongEntryInPlugin) => Cost::File,
            FileKind::Plugin | FileKind::Manifest => Cost::Plugin,
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

    /// A misspelt place for a guard is not dropped alone: the client rather refuses the file, or the plugin.
    fn unknown_event(&mut self, name: &str, groups: &Node) {
        let alone = match self.kind {
            FileKind::Settings => Feature::UnknownEventInSettings,
            FileKind::Plugin | FileKind::Manifest => Feature::UnknownEventInPlugin,
        };
        let costs = if self.client.has(alone) && !holds_guard(groups) {
            Cost::Entry
        } else {
            self.unreadable()
        };
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

    /// What a mistake costs where versions that know `alone` drop only the part that is wrong; in a plugin they all
    /// came at once. For an event that guards something they refuse the file all the same, on purpose.
    fn cost(&self, event: &str, alone: Feature) -> Cost {
        let alone = match self.kind {
            FileKind::Settings => alone,
            FileKind::Plugin | FileKind::Manifest => Feature::LoneWrongEntryInPlugin,
        };
        if is_guard(event) || !self.client.has(alone) {
            self.unreadable()
        } else {
            Cost::Entry
        }
    }
}

/// The events with which others guard something.
const GUARDS: [Kind; 2] = [Kind::PreToolUse, Kind::PermissionRequest];

fn is_guard(name: &str) -> bool {
    GUARDS.iter().any(|guard| guard.as_str() == name)
}

fn is_empty(node: &Node) -> bool {
    matches!(&node.value, Value::Array(items) if items.is_empty())
}

/// Whether one of those events stands somewhere below, with anything registered for it.
fn holds_guard(node: &Node) -> bool {
    node.items().iter().any(holds_guard)
        || node.members().iter().any(|member| {
            (is_guard(&member.name) && !is_empty(&member.value)) || holds_guard(&member.value)
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
    #[test]
    fn names_what_the_client_rejects_in_a_plugin() {
        const OLD: Version = Version(2, 1, 252);
        let late = r#"{"type": "command", "command": "x", "timeout": "5"}"#;
        let (guard, stop) = (
            format!(r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{late}]}}]}}}}"#),
            format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{late}]}}]}}}}"#),
        );
        let costs = |text: &str, kind, version| {
            let document = Document::parse(text).unwrap();
            let found = rejections_in(&document, kind, Client::new(Product::Claude, version));
            found.first().map(|rejection| rejection.costs)
        };
        for (text, new, old) in [
            (r#"{"hooks": {}}"#, None, None),
            (
                r#"{"description": "d", "$schema": 5, "hooks": {}}"#,
                None,
                None,
            ),
            ("{}", Some(Cost::File), Some(Cost::File)),
            (r#"{"hooks": null}"#, Some(Cost::File), Some(Cost::File)),
            (r#"{"Stop": []}"#, Some(Cost::File), Some(Cost::File)),
            (
                r#"{"PreToolUse": [1]}"#,
                Some(Cost::Plugin),
                Some(Cost::File),
            ),
            ("[]", Some(Cost::File), Some(Cost::File)),
            (r#"{"modules": ["./a.ts"]}"#, None, None),
            (r#"{"hooks": []}"#, Some(Cost::Plugin), Some(Cost::File)),
            (
                r#"{"hooks": {"Halt": []}}"#,
                Some(Cost::Entry),
                Some(Cost::File),
            ),
            (
                r#"{"hooks": {"Halt": [{"PreToolUse": {}}]}}"#,
                Some(Cost::Plugin),
                Some(Cost::File),
            ),
            (
                r#"{"hooks": {"Stop": 5}}"#,
                Some(Cost::Entry),
                Some(Cost::File),
            ),
            (
                r#"{"hooks": {"PreToolUse": 5}}"#,
                Some(Cost::Plugin),
                Some(Cost::File),
            ),
            (&guard, Some(Cost::Plugin), Some(Cost::File)),
            (&stop, Some(Cost::Entry), Some(Cost::File)),
        ] {
            assert_eq!(costs(text, FileKind::Plugin, NOW), new, "{text}");
            assert_eq!(costs(text, FileKind::Plugin, OLD), old, "{text} in {OLD}");
        }
        assert_eq!(
            costs(
                r#"{"modules": ["./a.ts"]}"#,
                FileKind::Plugin,
                Version(2, 1, 241)
            ),
            Some(Cost::File)
        );
        for (text, new) in [
            (r#"{"name": "p"}"#, None),
            (r#"{"version": "1"}"#, Some(Cost::Plugin)),
            (r#"{"name": "p", "hooks": "./more.json"}"#, None),
            (
                r#"{"name": "p", "hooks": ["./more.json", "more.json"]}"#,
                Some(Cost::Plugin),
            ),
            (r#"{"name": "p", "hooks": 5}"#, Some(Cost::Plugin)),
            (r#"{"name": "p", "hooks": {"Halt": []}}"#, Some(Cost::Entry)),
            (
                r#"{"name": "p", "hooks": {"hooks": {"PreToolUse": [1]}}}"#,
                Some(Cost::Plugin),
            ),
            (
                r#"{"name": "p", "hooks": {"PreToolUse": 5}}"#,
                Some(Cost::Plugin),
            ),
        ] {
            assert_eq!(costs(text, FileKind::Manifest, NOW), new, "{text}");
        }
    }
}
