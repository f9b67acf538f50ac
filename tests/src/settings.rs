//! A `settings.json`: hooks, as many an event as wanted, and any other setting.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::events::WATCHED_FILES;
use crate::typing;

/// A hook: a program with its arguments, started without a shell unless it is to be.
#[derive(Clone, Debug)]
pub struct Hook {
    command: String,
    args: Vec<String>,
    timeout: u32,
    matcher: Option<String>,
    blocks: bool,
    form: Form,
}

/// How the client is told what to start.
#[derive(Clone, Copy, Debug)]
enum Form {
    Exec,
    Shell,
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
            form: Form::Exec,
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

    /// As a line for a shell, which is all that older clients take.
    #[must_use]
    pub fn in_shell(mut self) -> Self {
        self.form = Form::Shell;
        self
    }

    /// Fires only where the event's matcher says so.
    #[must_use]
    pub fn matching(mut self, matcher: &str) -> Self {
        self.matcher = Some(matcher.into());
        self
    }

    fn group_for(&self, event: &str) -> Value {
        let mut handler = json!({"type": "command", "timeout": self.timeout});
        match self.form {
            Form::Exec => {
                handler["command"] = self.command.as_str().into();
                handler["args"] = json!(self.args);
            }
            Form::Shell => handler["command"] = self.line().into(),
        }
        if self.blocks {
            handler["onFailure"] = "block".into();
        }
        let mut group = json!({"hooks": [handler]});
        let watched = (event == "FileChanged").then_some(WATCHED_FILES);
        if let Some(matcher) = self.matcher.as_deref().or(watched) {
            group["matcher"] = matcher.into();
        }
        group
    }

    fn line(&self) -> String {
        let words = [&self.command].into_iter().chain(&self.args);
        let quoted = words.map(|word| typing::quoted(word));
        quoted.collect::<Vec<_>>().join(" ")
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
