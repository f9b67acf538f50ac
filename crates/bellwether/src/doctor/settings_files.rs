//! The client's settings files that count here, with every hook in them as checks look at it.

use std::path::{Path, PathBuf};

use super::lint::Looked;
use crate::registration::Scope;
use crate::settings::check::FileKind;
use crate::settings::document::Entry as Written;
use crate::settings::json::Node;
use crate::settings::{Document, Runs, file};
use bellwether_transcript::CommandLine;

pub(crate) struct SettingsFile {
    pub scope: Scope,
    pub path: PathBuf,
    pub content: Content,
    project: PathBuf,
}

/// What is in a settings file.
pub(crate) enum Content {
    /// There is no such file, which is fine.
    Missing,
    /// It cannot be read, by us or by the client: why, in a sentence that names it.
    Unreadable(String),
    /// We do not read it, and the client may: why, in a sentence that names it.
    Unchecked(String),
    /// What it says.
    Said(Document),
}

/// One hook in a settings file.
pub(crate) struct HookEntry<'a> {
    /// The file that it is in.
    pub file: &'a SettingsFile,
    pub event: &'a str,
    /// Which of the event's occasions it is for; `None` for all.
    pub matcher: Option<&'a str>,
    /// Whether it runs our hook.
    pub runs: Runs,
    /// Whether it speaks and waits, and so hears nothing for us.
    pub waits: bool,
    /// How many seconds the client waits for it, where it says so.
    pub timeout: Option<f64>,
    /// Whether nothing happens where it gives no answer.
    pub blocks: bool,
    /// What it starts, if it starts a command.
    pub command: Option<CommandLine>,
}

/// The settings files that count in the current folder. One file that plays two parts is named
/// once: a project in the person's own folder has the person's settings.
pub(super) fn look(project: &Path) -> Vec<SettingsFile> {
    let mut seen = Vec::new();
    let files = Scope::ALL.into_iter().filter_map(|scope| {
        let path = scope.settings().ok()?;
        // The client reads through links; it is only writing that stops at them.
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        (!seen.contains(&real)).then(|| seen.push(real.clone()))?;
        Some(SettingsFile {
            scope,
            path,
            content: read(&real),
            project: project.to_owned(),
        })
    });
    files.collect()
}

#[cfg(test)]
pub(super) fn said(scope: Scope, text: &str) -> SettingsFile {
    let document = Document::parse(text).map(Content::Said);
    SettingsFile {
        scope,
        path: PathBuf::new(),
        content: document.unwrap_or(Content::Missing),
        project: PathBuf::new(),
    }
}

pub(super) fn read(path: &Path) -> Content {
    match file::read(path) {
        Ok(None) => Content::Missing,
        Ok(Some(content)) => match Document::parse(content.text) {
            Ok(document) => Content::Said(document),
            Err(error) => Content::Unreadable(format!("{}, {error}", path.display())),
        },
        Err(error) => Content::Unreadable(error.to_string()),
    }
}

impl SettingsFile {
    /// What the file says, if it can be read.
    pub(crate) fn document(&self) -> Option<&Document> {
        match &self.content {
            Content::Said(document) => Some(document),
            Content::Missing | Content::Unreadable(_) | Content::Unchecked(_) => None,
        }
    }

    /// Every hook in it that has the right shape.
    pub(crate) fn entries(&self) -> Vec<HookEntry<'_>> {
        let written = self.document().map(Document::entries).unwrap_or_default();
        written.iter().map(|entry| self.entry(entry)).collect()
    }

    /// The hooks in it that are ours.
    pub(crate) fn ours(&self) -> Vec<HookEntry<'_>> {
        let mut entries = self.entries();
        entries.retain(|entry| entry.runs == Runs::Us);
        entries
    }

    /// The hooks in it that are not ours, to be looked at.
    pub(super) fn others(&self) -> Vec<Looked<'_>> {
        let written = self.document().map(Document::entries).unwrap_or_default();
        let others = written
            .into_iter()
            .filter(|entry| entry.runs() == Runs::Other);
        let looked = others.map(|entry| Looked {
            place: format!("{}, {}", self.path.display(), entry.place),
            kind: FileKind::Settings,
            command: self.command(&entry),
            entry,
        });
        looked.collect()
    }

    /// What a hook in it starts, if it starts a command.
    fn command(&self, written: &Written<'_>) -> Option<CommandLine> {
        let command = written.command()?;
        let arguments = written.handler().get("args").map(Node::items);
        Some(match arguments {
            Some(words) => {
                let words = words.iter().map(Node::as_str);
                CommandLine::of_exec_form(command, words, &self.project)
            }
            None => CommandLine::of_shell(command, &self.project),
        })
    }

    fn entry<'a>(&'a self, written: &Written<'a>) -> HookEntry<'a> {
        HookEntry {
            file: self,
            event: written.event,
            matcher: written.matcher(),
            runs: written.runs(),
            waits: written.waits(),
            timeout: written.handler().get("timeout").and_then(Node::as_number),
            blocks: written.handler().get("onFailure").and_then(Node::as_str) == Some("block"),
            command: self.command(written),
        }
    }
}
