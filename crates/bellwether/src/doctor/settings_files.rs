//! The client's settings files, to be looked at and never to be changed.
//!
//! Which files there are, what is in them or why that cannot be read, and every hook in them. All
//! that checks know about settings comes from here.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::command_line::CommandLine;
use super::file;

/// Settings are some kilobytes; whoever has more than this has no settings there.
const LIMIT: u64 = 16 << 20;

/// Whose settings a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    /// The person's, for every project.
    User,
    /// A project's, for everyone who works on it.
    Project,
    /// A project's, for this person.
    Local,
}

impl Layer {
    /// The word by which `install` knows it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} settings", self.word())
    }
}

/// One settings file.
pub(crate) struct SettingsFile {
    /// Whose settings it holds.
    pub layer: Layer,
    /// Where it is.
    pub path: PathBuf,
    /// What is in it.
    pub content: Content,
    project: PathBuf,
}

/// What is in a settings file.
pub(crate) enum Content {
    /// There is no such file, which is fine.
    Missing,
    /// It cannot be read, for this reason.
    Unreadable(String),
    /// What it says.
    Said(Value),
}

/// One hook in a settings file.
pub(crate) struct Entry<'a> {
    /// The file that it is in.
    pub file: &'a SettingsFile,
    /// The event's name.
    pub event: &'a str,
    /// Where it is in the file, for a person.
    pub place: String,
    /// Which of the event's occasions it is for; `None` for all.
    pub matcher: Option<&'a str>,
    /// What it starts, if it starts a command.
    pub command: Option<CommandLine>,
}

/// The settings files that count for a project. One file that plays two parts is named once: a
/// project in the person's own folder has the person's settings.
pub(crate) fn look(claude: &Path, project: &Path) -> Vec<SettingsFile> {
    let places = [
        (Layer::User, claude.join("settings.json")),
        (Layer::Project, project.join(".claude/settings.json")),
        (Layer::Local, project.join(".claude/settings.local.json")),
    ];
    let mut seen = Vec::new();
    let files = places.into_iter().filter_map(|(layer, path)| {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        (!seen.contains(&real)).then_some(())?;
        seen.push(real);
        Some(SettingsFile {
            layer,
            content: read(&path),
            path,
            project: project.to_owned(),
        })
    });
    files.collect()
}

fn read(path: &Path) -> Content {
    let bytes = match file::read_bounded(path, LIMIT) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Content::Missing,
        Err(error) => return Content::Unreadable(error.to_string()),
    };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match serde_json::from_slice(text) {
        Ok(value) => Content::Said(value),
        Err(error) => Content::Unreadable(format!("no JSON: {error}")),
    }
}

impl SettingsFile {
    /// What the file says under a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        match &self.content {
            Content::Said(value) => value.get(name),
            Content::Missing | Content::Unreadable(_) => None,
        }
    }

    /// Every hook in it that has the right shape.
    pub(crate) fn entries(&self) -> Vec<Entry<'_>> {
        let events = self.get("hooks").and_then(Value::as_object);
        let groups = events.into_iter().flatten().flat_map(|(event, groups)| {
            let groups = groups.as_array().into_iter().flatten().enumerate();
            groups.map(move |(index, group)| (event.as_str(), index, group))
        });
        groups
            .flat_map(|(event, group_index, group)| {
                let handlers = group.get("hooks").and_then(Value::as_array);
                let handlers = handlers.into_iter().flatten().enumerate();
                handlers.map(move |(index, handler)| Entry {
                    file: self,
                    event,
                    place: format!("hooks.{event}[{group_index}].hooks[{index}]"),
                    matcher: group
                        .get("matcher")
                        .and_then(Value::as_str)
                        .filter(|matcher| !matches!(*matcher, "" | "*")),
                    command: CommandLine::of_handler(handler, &self.project),
                })
            })
            .collect()
    }

    /// The hooks in it that are ours.
    pub(crate) fn ours(&self) -> Vec<Entry<'_>> {
        let mut entries = self.entries();
        entries.retain(Entry::is_ours);
        entries
    }
}

impl Entry<'_> {
    /// Whether it is our hook.
    pub(crate) fn is_ours(&self) -> bool {
        self.command.as_ref().is_some_and(CommandLine::is_ours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_listed_with_their_places() {
        let folder = tempfile::tempdir().unwrap();
        let settings = r#"{"hooks": {
            "PreToolUse": [
                {"matcher": "*", "hooks": [{"type": "command", "command": "/x/other"}]},
                {"matcher": "Bash", "hooks": [{"type": "prompt"}, {"type": "command", "command": "/o/bellwether-hook", "args": []}]}
            ],
            "Stop": 5, "Setup": [1, {"hooks": 2}]}}"#;
        std::fs::write(
            folder.path().join("settings.json"),
            format!("\u{feff}{settings}"),
        )
        .unwrap();
        let files = look(folder.path(), &folder.path().join("project"));
        let entries = files[0].entries();
        let listed: Vec<_> = entries
            .iter()
            .map(|entry| (entry.place.as_str(), entry.matcher, entry.is_ours()))
            .collect();
        assert_eq!(
            listed,
            [
                ("hooks.PreToolUse[0].hooks[0]", None, false),
                ("hooks.PreToolUse[1].hooks[0]", Some("Bash"), false),
                ("hooks.PreToolUse[1].hooks[1]", Some("Bash"), true),
            ]
        );
        assert!(matches!(files[1].content, Content::Missing));
    }

    #[test]
    fn one_file_with_two_parts_is_named_once() {
        let folder = tempfile::tempdir().unwrap();
        let claude = folder.path().join(".claude");
        std::fs::create_dir(&claude).unwrap();
        std::fs::write(claude.join("settings.json"), "{").unwrap();
        let files = look(&claude, folder.path());
        let layers: Vec<Layer> = files.iter().map(|file| file.layer).collect();
        assert_eq!(layers, [Layer::User, Layer::Local]);
        assert!(
            matches!(&files[0].content, Content::Unreadable(why) if why.contains("line 1 column 1"))
        );
    }
}
