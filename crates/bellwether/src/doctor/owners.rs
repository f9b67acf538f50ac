//! Whose hooks there are: every command that settings and plugins register, with who registers it.

use std::collections::BTreeMap;
use std::path::Path;

use bellwether_transcript::{CommandLine, HookRun};

use super::lint;
use super::plugins::Plugin;
use super::settings_files::SettingsFile;
use super::{Setup, peers};
use crate::settings::{Document, Entry, Runs};

/// So many different commands of transcripts are looked at.
const COMMANDS: usize = 1000;

/// A command that somebody registers.
pub(super) struct Owned<'a> {
    pub owner: Owner<'a>,
    pub event: &'a str,
    pub matcher: Option<&'a str>,
    pub runs: Runs,
    /// The line or the program with the words behind it, as written.
    written: String,
    /// The line or the program, with the folders of a plugin in their places.
    pub command: String,
    /// The words behind a program that is started without a shell.
    pub arguments: Option<Vec<String>>,
}

/// Who registers a hook.
#[derive(Clone, Copy)]
pub(super) enum Owner<'a> {
    Settings(&'a SettingsFile),
    Plugin(&'a Plugin),
}

impl Owner<'_> {
    /// Who it is, for a person.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Settings(file) => format!("{} settings", file.scope.name()),
            Self::Plugin(plugin) => format!("plugin {}", plugin.name),
        }
    }

    /// The file that says so.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Settings(file) => &file.path,
            Self::Plugin(plugin) => plugin
                .files
                .first()
                .map_or(Path::new(""), |file| file.path.as_path()),
        }
    }
}

/// Every command that is registered, in the order of the files.
pub(super) fn all<'a>(setup: &'a Setup<'_>) -> Vec<Owned<'a>> {
    let settings = setup.settings.iter().flat_map(|file| {
        let entries = file.document().map(Document::entries).unwrap_or_default();
        let entries = entries.into_iter().take(lint::MOST);
        entries.filter_map(move |entry| owned(Owner::Settings(file), &entry, str::to_owned))
    });
    let plugins = setup.plugins.with_hooks.iter().flat_map(|plugin| {
        let entries = plugin.entries().take(lint::MOST);
        entries.filter_map(move |(_, entry)| {
            owned(Owner::Plugin(plugin), &entry, |text| plugin.placed(text))
        })
    });
    settings.chain(plugins).collect()
}

fn owned<'a>(
    owner: Owner<'a>,
    entry: &Entry<'a>,
    placed: impl Fn(&str) -> String,
) -> Option<Owned<'a>> {
    let (command, arguments) = (entry.command()?, lint::arguments(entry));
    let words = arguments.iter().flatten().copied();
    Some(Owned {
        owner,
        event: entry.event,
        matcher: entry.matcher(),
        runs: entry.runs(),
        written: [command]
            .into_iter()
            .chain(words)
            .collect::<Vec<_>>()
            .join(" "),
        command: placed(command),
        arguments: arguments.map(|words| words.iter().map(|word| placed(word)).collect()),
    })
}

impl Owned<'_> {
    /// The peer that it starts, or that the plugin is.
    pub(super) fn peer(&self) -> Option<&'static peers::Peer> {
        let arguments = self.arguments.as_ref();
        let words: Option<Vec<&str>> =
            arguments.map(|words| words.iter().map(String::as_str).collect());
        let of_plugin = match self.owner {
            Owner::Plugin(plugin) => peers::plugin(plugin.short_name()),
            Owner::Settings(_) => None,
        };
        of_plugin.or_else(|| peers::started(&self.command, words.as_deref()))
    }

    /// The commands that it starts, word for word, as far as they are known without a shell.
    pub(super) fn words(&self) -> Vec<Vec<Option<String>>> {
        let project = std::env::current_dir().unwrap_or_default();
        let lines = match &self.arguments {
            Some(words) => {
                let words = words.iter().map(|word| Some(word.as_str()));
                vec![CommandLine::of_exec_form(&self.command, words, &project)]
            }
            None => CommandLine::every_of_shell(&self.command, &project),
        };
        let owned = |word: Option<&str>| word.map(str::to_owned);
        lines
            .iter()
            .map(|line| line.words().map(owned).collect())
            .collect()
    }

    /// Whether a run in a transcript is one of it. The client writes a command as it is registered, with its
    /// arguments.
    fn ran(&self, run: &HookRun) -> bool {
        let event = run.event.as_deref();
        self.written == run.command && event.is_none_or(|event| event == self.event)
    }

    /// The file name of what it runs.
    pub(super) fn name(&self) -> Option<String> {
        let project = Path::new("/");
        let line = match &self.arguments {
            Some(words) => {
                let words = words.iter().map(|word| Some(word.as_str()));
                CommandLine::of_exec_form(&self.command, words, project)
            }
            None => CommandLine::of_shell(&self.command, project),
        };
        line.name().map(str::to_owned)
    }
}

/// Runs of one command at one event.
pub(super) struct Ran<'a, 'b> {
    pub runs: Vec<&'b HookRun>,
    /// The registrations that they may belong to: those of the same command, else those that run a file of the same name.
    pub owned: Vec<&'b Owned<'a>>,
}

/// The runs by command, each with who registers it.
pub(super) fn of_runs<'a, 'b>(runs: &'b [HookRun], all: &'b [Owned<'a>]) -> Vec<Ran<'a, 'b>> {
    let mut same: BTreeMap<_, Vec<&HookRun>> = BTreeMap::new();
    for run in runs {
        let key = (run.command.as_str(), run.event.as_deref());
        same.entry(key).or_default().push(run);
    }
    let files: Vec<Option<String>> = all.iter().map(Owned::name).collect();
    let ran = same.into_values().take(COMMANDS).filter_map(|runs| {
        let run = runs.first()?;
        let mut owned: Vec<&Owned<'_>> = all.iter().filter(|owned| owned.ran(run)).collect();
        if owned.is_empty() {
            let name = Some(run.name());
            let alike = all.iter().zip(&files).filter(|(_, file)| **file == name);
            owned = alike.map(|(owned, _)| owned).collect();
        }
        Some(Ran { runs, owned })
    });
    ran.collect()
}
