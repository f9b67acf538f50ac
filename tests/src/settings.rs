//! A `settings.json`: hooks in exec form, as many an event as wanted, and any other setting.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::events::WATCHED_FILES;

/// A hook: a program with its arguments, started without a shell.
#[derive(Clone, Debug)]
pub struct Hook {
    command: String,
    args: Vec<String>,
    timeout: u32,
    matcher: Option<String>,
    blocks: bool,
}

impl Hook {
    /// A program without arguments, given twenty seconds.
    pub fn exec(program: impl AsRef<Path>) -> Self {
        Self {
            command: program.as_ref().display().to_string(),
            args: Vec::new(),
            timeout: 20,
            matcher: None,
            blocks: false,
        }
    }

    #[must_use]
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets the timeout, in seconds.
    #[must_use]
    pub fn timeout(mut self, seconds: u32) -> Self {
        self.timeout = seconds;
        self
    }

    /// Nothing happens where it gives no answer.
    #[must_use]
    pub fn blocking(mut self) -> Self {
        self.blocks = true;
        self
    }

    /// Fires only where the event's matcher says so.
    #[must_use]
    pub fn matching(mut self, matcher: &str) -> Self {
        self.matcher = Some(matcher.into());
        self
    }

    fn group_for(&self, event: &str) -> Value {
        let mut group = json!({"hooks": [{
            "type": "command",
            "command": self.command,
            "args": self.args,
            "timeout": self.timeout,
        }]});
        if self.blocks {
            group["hooks"][0]["onFailure"] = "block".into();
        }
        let watched = (event == "FileChanged").then_some(WATCHED_FILES);
        if let Some(matcher) = self.matcher.as_deref().or(watched) {
            group["matcher"] = matcher.into();
        }
        group
    }
}

/// The settings of a user or a project.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    hooks: BTreeMap<String, Vec<Value>>,
    others: Map<String, Value>,
}

impl Settings {
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a hook for some events, beside those already there.
    #[must_use]
    pub fn on<E: AsRef<str>>(mut self, events: impl IntoIterator<Item = E>, hook: &Hook) -> Self {
        for event in events {
            let event = event.as_ref();
            let groups = self.hooks.entry(event.into()).or_default();
            groups.push(hook.group_for(event));
        }
        self
    }

    /// Registers an address for some events, which the client asks itself.
    #[must_use]
    pub fn on_http<E: AsRef<str>>(
        mut self,
        events: impl IntoIterator<Item = E>,
        url: &str,
    ) -> Self {
        for event in events {
            let groups = self.hooks.entry(event.as_ref().into()).or_default();
            groups.push(json!({"hooks": [{"type": "http", "url": url, "timeout": 20}]}));
        }
        self
    }

    /// Sets anything else: `env`, `permissions`, `disableAllHooks`.
    #[must_use]
    pub fn set(mut self, key: &str, value: Value) -> Self {
        self.others.insert(key.into(), value);
        self
    }

    pub fn to_json(&self) -> Value {
        let mut settings = self.others.clone();
        settings.insert("hooks".into(), json!(self.hooks));
        Value::Object(settings)
    }
}
