//! One call of a tool, and what it does in our own words.
//!
//! A client says by its list of tools what each of them does. A tool that it does not list, or that an
//! MCP server brings, is known by what it is called with: a command is a command, and a path with a new
//! text is a change of a file, whatever the tool's name is.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::question::{Asked, asked};
use crate::fields::{Fields, IdText};

/// One call of a tool.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Tool<'a> {
    /// The tool's name as sent, for people; empty when none was.
    pub name: Cow<'a, str>,
    #[serde(skip)]
    pub does: ToolKind,
    /// What it does to the list of tasks is also told by an event of the client.
    #[serde(skip)]
    pub told_apart: bool,
    /// What it is called with, as sent.
    pub input: Option<&'a RawValue>,
    /// The call's identifier; a permission request has none.
    pub use_id: Option<Cow<'a, str>>,
    /// What it answered: an object, an array or a string, by tool.
    pub response: Option<&'a RawValue>,
    /// It failed. A failure may come without words in `error`.
    pub failed: bool,
    /// How it failed.
    pub error: Option<Cow<'a, str>>,
    /// The exit code of a failed command, where a client says so.
    pub exit_code: Option<i64>,
    /// It failed because the person interrupted it.
    pub interrupted: bool,
    pub duration_ms: Option<u64>,
    /// The MCP server that the tool belongs to.
    pub mcp_server: Option<Cow<'a, str>>,
    /// The fields of a command's input that name its folder, in this client.
    #[serde(skip)]
    pub(crate) folders: &'static [&'static str],
}

/// What a tool does, by its client's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Runs a command.
    Command,
    /// Changes a file.
    Change,
    /// Reads a file.
    Read,
    /// Reads all files of a folder.
    Search,
    /// Lists files, reads a page or searches the web.
    Lookup,
    /// Reads what a command in the background has said.
    Output,
    /// Asks the person.
    Question,
    /// Shows the person a plan, and waits for yes or more.
    Plan,
    /// Puts a task on the agent's list.
    TaskNew,
    /// Moves a task of that list.
    TaskMove,
    /// Writes that list as a whole.
    TaskBoard,
    /// Starts another agent.
    AgentStart,
    /// Writes to another agent.
    Message,
    /// Loads a text that may hold commands, which run as it is loaded.
    Skill,
    /// Comes from an MCP server.
    Mcp,
    /// Something that no part of the program asks about.
    Other,
    /// A tool that the client's list does not have.
    #[default]
    Unknown,
}

/// What one call would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed<'a> {
    Command(ShellCommand<'a>),
    Change(FileChange<'a>),
    /// A file is read.
    Read(Cow<'a, str>),
    /// A folder is searched.
    Search(Cow<'a, str>),
    /// Nothing that a guard asks about.
    Other,
}

/// A command for a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand<'a> {
    pub text: Cow<'a, str>,
    /// The folder it runs in, where that is not the session's.
    pub folder: Option<Cow<'a, str>>,
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange<'a> {
    pub path: Cow<'a, str>,
    pub to: NewText<'a>,
}

/// What a file would hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewText<'a> {
    Whole(Cow<'a, str>),
    /// What it holds, with these parts replaced, one after the other.
    Replaced(Vec<Replacement<'a>>),
    /// That cannot be told.
    Unknown,
}

/// One part of a file that is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement<'a> {
    pub old: Cow<'a, str>,
    pub new: Cow<'a, str>,
    /// Wherever it stands, not only at its first place.
    pub everywhere: bool,
}

/// An agent that a call starts, as far as the call tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedAgent<'a> {
    /// The client's id of it: told once it runs.
    pub id: Option<Cow<'a, str>>,
    /// The name that it was given.
    pub name: Option<Cow<'a, str>>,
    pub kind: Cow<'a, str>,
    /// What it is for, in a few words.
    pub about: Option<Cow<'a, str>>,
    /// What it is told.
    pub prompt: Option<Cow<'a, str>>,
}

/// What a call does to the agent's own list of tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskStep<'a> {
    pub id: Option<Cow<'a, str>>,
    pub subject: Option<Cow<'a, str>>,
    pub description: Option<Cow<'a, str>>,
    pub status: TaskStatus,
    /// The agent that it is for from here on.
    pub owner: Option<Cow<'a, str>>,
    /// The tasks that must be done before it, beside those that were named earlier.
    pub after: Vec<Cow<'a, str>>,
    /// The tasks that must wait for it.
    pub before: Vec<Cow<'a, str>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskStatus {
    New,
    Begun,
    Done,
    /// It is to be done again, or was not begun after all.
    Pending,
    /// It is gone from the list.
    Deleted,
    /// It is changed in another way.
    Changed,
}

const COMMAND: &str = "command";
const PATHS: &[&str] = &["file_path", "filePath", "notebook_path", "path"];
const CONTENTS: &[&str] = &["content", "file_text"];
const OLD: &[&str] = &["old_string", "oldString", "oldText", "old_str"];
const NEW: &[&str] = &["new_string", "newString", "newText", "new_str"];
const EVERYWHERE: &[&str] = &["replace_all", "replaceAll"];
/// What tools that nobody lists call a command, a list of commands, a path and a text.
const THEIR_COMMANDS: &[&str] = &[
    COMMAND,
    "cmd",
    "shell_command",
    "command_line",
    "commandLine",
    "cli_command",
];
/// Parts of the names of tools that hand a statement to a database, and what they call it.
const SERVERS: &[&str] = &["sql", "query", "statement", "execute"];
const THEIR_STATEMENTS: &[&str] = &["sql", "query", "statement"];
/// What is kept by a service, and gone for everybody when a tool of it deletes it.
const KEPT_ELSEWHERE: &[&str] = &[
    "repo",
    "branch",
    "database",
    "table",
    "collection",
    "namespace",
    "bucket",
    "project",
    "stack",
    "cluster",
    "instance",
    "volume",
    "deployment",
    "kubectl",
    "server",
    "droplet",
    "schema",
    "topic",
    "queue",
    "release",
    "customer",
    "environment",
    "vm",
];
const THEIR_LISTS: &[&str] = &["commands", "cmds"];
const THEIR_WORDS: &[&str] = &["args", "arguments", "argv"];
const THEIR_SOURCES: &[&str] = &["source", "src", "from", "old_path", "oldPath", "path"];
const THEIR_GOALS: &[&str] = &["destination", "dst", "dest", "to", "new_path", "newPath"];
const THEIR_PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "notebook_path",
    "path",
    "file",
    "filename",
    "filepath",
    "target_file",
];
const THEIR_TEXTS: &[&str] = &[
    "content",
    "file_text",
    "contents",
    "text",
    "data",
    "new_source",
    "new_content",
    "newContent",
];
/// The status of a task that is done.
const DONE: &str = "completed";
const RECIPIENTS: &[&str] = &["to", "recipient"];
/// What the answer of a call that starts an agent calls the agent's id.
const AGENT_IDS: &[&str] = &["agentId", "agent_id"];
/// The type of an agent that is started without one.
const USUAL_AGENT: &str = "general-purpose";

/// What says most about a call, the most telling first.
const TELLING: &[&str] = &[
    COMMAND,
    "file_path",
    "pattern",
    "url",
    "query",
    "description",
    "subject",
    "question",
    "skill",
];

/// What a call is found by.
const SEARCHED: &[&str] = &[
    COMMAND,
    "file_path",
    "notebook_path",
    "path",
    "pattern",
    "url",
    "query",
    "description",
    "prompt",
    "subject",
    "message",
    "question",
    "skill",
    "new_string",
    "content",
];

impl<'a> Tool<'a> {
    /// What the call would do.
    pub fn deed(&self) -> Deed<'a> {
        let wanted = match self.does {
            ToolKind::Command => command,
            ToolKind::Change => change,
            ToolKind::Read => read,
            ToolKind::Search => search,
            ToolKind::Mcp | ToolKind::Unknown => by_input,
            _ => return Deed::Other,
        };
        let fields = self.fields();
        if matches!(self.does, ToolKind::Mcp | ToolKind::Unknown)
            && let Some(deed) = fields
                .as_ref()
                .and_then(|fields| by_name(&self.name, fields))
        {
            return deed;
        }
        let deed = fields.and_then(|fields| wanted(&fields, self.folders));
        deed.unwrap_or(Deed::Other)
    }

    /// What the person is asked; `None` when it is not a tool that asks.
    pub fn asked(&self) -> Option<Asked> {
        let asks = self.does == ToolKind::Question;
        asks.then(|| asked(self.input.map(RawValue::get)))
    }

    /// What becomes of the agent's list of tasks.
    pub fn task(&self) -> Option<TaskStep<'a>> {
        let moved = match self.does {
            ToolKind::TaskNew => false,
            ToolKind::TaskMove => true,
            _ => return None,
        };
        let fields = self.fields().unwrap_or_default();
        let status: Option<Cow<'_, str>> = fields.get("status").filter(|_| moved);
        Some(TaskStep {
            id: fields.first(&["taskId", "task_id"]).map(|IdText(id)| id),
            subject: fields.get("subject"),
            description: fields.get("description"),
            status: match status.as_deref() {
                _ if !moved => TaskStatus::New,
                Some(DONE) => TaskStatus::Done,
                Some("in_progress") => TaskStatus::Begun,
                Some("pending") => TaskStatus::Pending,
                Some("deleted") => TaskStatus::Deleted,
                _ => TaskStatus::Changed,
            },
            owner: fields.get("owner"),
            after: ids(&fields, "addBlockedBy"),
            before: ids(&fields, "addBlocks"),
        })
    }

    /// What a call that has run did to the agent's list of tasks.
    pub fn task_steps(&self) -> Vec<TaskStep<'a>> {
        let answer = self.response.map(RawValue::get);
        let answer = answer.and_then(|answer| Fields::parse(answer).ok());
        let answer = answer.unwrap_or_default();
        match self.does {
            ToolKind::TaskBoard => board_steps(&answer),
            ToolKind::TaskNew => {
                let step = self.task().map(|step| created(step, &answer));
                step.into_iter().collect()
            }
            ToolKind::TaskMove => {
                let step = self.task().filter(|step| was_moved(step.status, &answer));
                step.into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The text that is loaded, by its name, and what it is given.
    pub fn skill(&self) -> Option<(Cow<'a, str>, Cow<'a, str>)> {
        (self.does == ToolKind::Skill).then_some(())?;
        let fields = self.fields()?;
        let name = fields.first(&["skill", "name", COMMAND])?;
        Some((name, fields.get("args").unwrap_or_default()))
    }

    /// The agent that is written to.
    pub fn recipient(&self) -> Option<Cow<'a, str>> {
        (self.does == ToolKind::Message).then_some(())?;
        self.fields()?.first(RECIPIENTS)
    }

    /// The page of the net that the call is about.
    pub fn address(&self) -> Option<Cow<'a, str>> {
        self.fields()?.get("url")
    }

    /// The agent that is started.
    pub fn started_agent(&self) -> Option<StartedAgent<'a>> {
        (self.does == ToolKind::AgentStart).then_some(())?;
        let fields = self.fields().unwrap_or_default();
        let answer = self
            .response
            .and_then(|answer| Fields::parse(answer.get()).ok());
        let kind = fields.get("subagent_type");
        Some(StartedAgent {
            id: answer.and_then(|answer| answer.first(AGENT_IDS)),
            name: fields.get("name"),
            kind: kind.unwrap_or(Cow::Borrowed(USUAL_AGENT)),
            about: fields.get("description"),
            prompt: fields.get("prompt"),
        })
    }

    /// What an agent said last, when the call that started it has ended.
    pub fn last_words(&self) -> Option<Cow<'a, str>> {
        (self.does == ToolKind::AgentStart).then_some(())?;
        let answer = Fields::parse(self.response?.get()).ok()?;
        let said: Vec<Fields<'a>> = answer.get("content")?;
        said.iter().rev().find_map(|part| part.get("text"))
    }

    /// The word of the input that says most about the call.
    pub fn telling(&self) -> Option<Cow<'a, str>> {
        self.fields()?.first(TELLING)
    }

    /// The texts of the input that the call is found by.
    pub fn searched(&self) -> Vec<Cow<'a, str>> {
        let fields = self.fields().unwrap_or_default();
        SEARCHED
            .iter()
            .filter_map(|name| fields.get(name))
            .collect()
    }

    fn fields(&self) -> Option<Fields<'a>> {
        Fields::parse(self.input?.get()).ok()
    }
}

impl<'a> Deed<'a> {
    /// A command as it would be typed.
    pub fn command(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Command(ShellCommand {
            text: text.into(),
            folder: None,
        })
    }

    /// Some change of a file.
    pub fn change(path: impl Into<Cow<'a, str>>) -> Self {
        Self::Change(FileChange {
            path: path.into(),
            to: NewText::Unknown,
        })
    }
}

impl NewText<'_> {
    /// What the file would hold; `None` when that cannot be told. What is not there cannot be
    /// replaced, and the client refuses the call.
    pub fn after(&self, before: impl FnOnce() -> String) -> Option<String> {
        match self {
            Self::Whole(text) => Some(text.clone().into_owned()),
            Self::Replaced(parts) => parts
                .iter()
                .try_fold(before(), |text, part| part.apply(&text)),
            Self::Unknown => None,
        }
    }
}

impl Replacement<'_> {
    fn apply(&self, text: &str) -> Option<String> {
        let (old, new) = (self.old.as_ref(), self.new.as_ref());
        if old.is_empty() {
            return text.is_empty().then(|| new.to_owned());
        }
        let most = if self.everywhere { usize::MAX } else { 1 };
        text.contains(old).then(|| text.replacen(old, new, most))
    }
}

fn ids<'a>(fields: &Fields<'a>, name: &str) -> Vec<Cow<'a, str>> {
    let ids: Vec<IdText<'a>> = fields.get(name).unwrap_or_default();
    ids.into_iter().map(|IdText(id)| id).collect()
}

/// A new task gets its id from the client, which answers with it.
fn created<'a>(step: TaskStep<'a>, answer: &Fields<'a>) -> TaskStep<'a> {
    let task = answer.get::<Fields<'a>>("task").unwrap_or_default();
    let id = task.get("id").map(|IdText(id)| id);
    TaskStep {
        id: id.or(step.id),
        ..step
    }
}

/// A task that was done before is not done again, and a move may be refused.
fn was_moved(status: TaskStatus, answer: &Fields<'_>) -> bool {
    let change = answer.get::<Fields<'_>>("statusChange");
    let before: Option<Cow<'_, str>> = change.as_ref().and_then(|change| change.get("from"));
    let refused = answer.get("success") == Some(false);
    let was_done = status == TaskStatus::Done && before.as_deref() == Some(DONE);
    !refused && !was_done
}

/// A list that is written as a whole: the tasks that are new on it, and those that are done since the one before. A task
/// is known by its words, and its id is its place.
fn board_steps<'a>(answer: &Fields<'a>) -> Vec<TaskStep<'a>> {
    let tasks = |name: &str| -> Vec<Fields<'a>> { answer.get(name).unwrap_or_default() };
    let (before, now) = (tasks("oldTodos"), tasks("newTodos"));
    let subject = |task: &Fields<'a>| task.get::<Cow<'a, str>>("content");
    let is_done = |task: &Fields<'a>| task.get::<Cow<'a, str>>("status").as_deref() == Some(DONE);
    let known = |task: &Fields<'a>| {
        let words = subject(task);
        before.iter().find(|old| subject(old) == words)
    };
    let step = |place: usize, task: &Fields<'a>, status| TaskStep {
        id: Some((place + 1).to_string().into()),
        subject: subject(task),
        description: None,
        status,
        owner: None,
        after: Vec::new(),
        before: Vec::new(),
    };
    let mut steps = Vec::new();
    for (place, task) in now.iter().enumerate() {
        let old = known(task);
        if old.is_none() {
            steps.push(step(place, task, TaskStatus::New));
        }
        if is_done(task) && !old.is_some_and(is_done) {
            steps.push(step(place, task, TaskStatus::Done));
        }
    }
    steps
}

fn command<'a>(fields: &Fields<'a>, folders: &[&str]) -> Option<Deed<'a>> {
    Some(Deed::Command(ShellCommand {
        text: fields.get(COMMAND)?,
        folder: fields.first(folders),
    }))
}

fn change<'a>(fields: &Fields<'a>, _: &[&str]) -> Option<Deed<'a>> {
    Some(Deed::Change(FileChange {
        path: fields.first(PATHS)?,
        to: new_text(fields).unwrap_or(NewText::Unknown),
    }))
}

fn read<'a>(fields: &Fields<'a>, _: &[&str]) -> Option<Deed<'a>> {
    fields.first(PATHS).map(Deed::Read)
}

fn search<'a>(fields: &Fields<'a>, _: &[&str]) -> Option<Deed<'a>> {
    fields.first(PATHS).map(Deed::Search)
}

/// A tool that moves or deletes says so in its name alone: its input is that of one that copies or reads.
fn by_name<'a>(name: &str, fields: &Fields<'a>) -> Option<Deed<'a>> {
    let verb = name.rsplit("__").next().unwrap_or(name);
    let says = |words: [&str; 2]| words.iter().any(|word| verb.contains(word));
    if says(["move", "rename"]) {
        let from: Cow<'a, str> = fields.first(THEIR_SOURCES)?;
        let to: Cow<'a, str> = fields.first(THEIR_GOALS)?;
        return Some(Deed::command(format!(
            "mv {} {}",
            quoted(&from),
            quoted(&to)
        )));
    }
    if says(["delete", "remove"])
        && let Some(path) = fields.first::<Cow<'a, str>>(THEIR_PATHS)
    {
        return Some(Deed::command(format!("rm -r {}", quoted(&path))));
    }
    if SERVERS.iter().any(|word| verb.contains(word))
        && let Some(text) = fields.first::<Cow<'a, str>>(THEIR_STATEMENTS)
    {
        return Some(Deed::command(format!("psql -c {}", quoted(&text))));
    }
    let empties = ["flushall", "flushdb", "flush_all", "flush_db"].contains(&verb);
    let destroys = ["delete", "destroy", "drop", "remove"]
        .iter()
        .any(|word| verb.contains(word));
    let all = destroys
        && verb.contains("many")
        && fields
            .get::<Fields<'a>>("filter")
            .is_some_and(|filter| filter.is_empty());
    if empties || all || (destroys && KEPT_ELSEWHERE.iter().any(|word| verb.contains(word))) {
        return Some(Deed::command(format!(
            "remote-tool delete {}",
            quoted(name)
        )));
    }
    let is_terminal = ["terminal", "shell", "bash"]
        .iter()
        .any(|word| name.contains(word));
    let script: Cow<'a, str> = fields.get("script").filter(|_| is_terminal)?;
    Some(Deed::command(script.into_owned()))
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Names say nothing about these: their input does.
fn by_input<'a>(fields: &Fields<'a>, folders: &[&str]) -> Option<Deed<'a>> {
    if let Some(text) = their_command(fields) {
        let folder = fields.first(folders);
        return Some(Deed::Command(ShellCommand { text, folder }));
    }
    let path = fields.first(THEIR_PATHS)?;
    let to = new_text(fields).or_else(|| fields.first(THEIR_TEXTS).map(NewText::Whole));
    Some(match to {
        Some(to) => Deed::Change(FileChange { path, to }),
        None => Deed::Read(path),
    })
}

/// A command, as a text or as its words, or several commands.
fn their_command<'a>(fields: &Fields<'a>) -> Option<Cow<'a, str>> {
    let joined = |words: &[Cow<'a, str>]| {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        words.join(" ")
    };
    if let Some(text) = fields.first::<Cow<'a, str>>(THEIR_COMMANDS) {
        // A program, and its words beside it.
        let words = fields.first::<Vec<Cow<'a, str>>>(THEIR_WORDS);
        return Some(match words {
            Some(words) if !text.contains(' ') => format!("{text} {}", joined(&words)).into(),
            _ => text,
        });
    }
    if let Some(words) = fields.first::<Vec<Cow<'a, str>>>(THEIR_COMMANDS) {
        return Some(joined(&words).into());
    }
    let lines = fields.first::<Vec<Cow<'a, str>>>(THEIR_LISTS)?;
    Some(lines.join("\n").into())
}

fn new_text<'a>(fields: &Fields<'a>) -> Option<NewText<'a>> {
    if let Some(part) = replacement(fields) {
        return Some(NewText::Replaced(vec![part]));
    }
    if let Some(edits) = fields.get::<Vec<Fields<'a>>>("edits") {
        let parts: Option<Vec<_>> = edits.iter().map(replacement).collect();
        return Some(parts.map_or(NewText::Unknown, NewText::Replaced));
    }
    fields.first(CONTENTS).map(NewText::Whole)
}

fn replacement<'a>(edit: &Fields<'a>) -> Option<Replacement<'a>> {
    Some(Replacement {
        old: edit.first(OLD)?,
        new: edit.first(NEW)?,
        everywhere: edit.first(EVERYWHERE).unwrap_or(false),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deed(does: ToolKind, input: &str) -> String {
        let input = RawValue::from_string(input.to_owned()).unwrap();
        let tool = Tool {
            does,
            input: Some(&input),
            folders: &["dir_path"],
            ..Tool::default()
        };
        match tool.deed() {
            Deed::Command(command) => {
                let folder = command.folder.map(|folder| format!(" in {folder}"));
                format!("run {}{}", command.text, folder.unwrap_or_default())
            }
            Deed::Change(change) => {
                let after = change.to.after(|| "one one".to_owned());
                format!("{} = {}", change.path, after.unwrap_or("?".to_owned()))
            }
            Deed::Read(path) => format!("read {path}"),
            Deed::Search(path) => format!("search {path}"),
            Deed::Other => "other".to_owned(),
        }
    }

    #[test]
    fn a_move_says_who_a_task_is_for_and_what_comes_before_it() {
        let moved = |input: &str| {
            let input = serde_json::from_str::<&RawValue>(input).unwrap();
            let tool = Tool {
                does: ToolKind::TaskMove,
                input: Some(input),
                ..Tool::default()
            };
            let step = tool.task().unwrap();
            let ids = [step.after.join(" "), step.before.join(" ")];
            (
                step.status,
                step.owner.unwrap_or_default().into_owned(),
                ids,
            )
        };
        let none = || [String::new(), String::new()];
        assert_eq!(
            moved(r#"{"taskId":"3","owner":"ann","addBlockedBy":["1",2],"addBlocks":["4"]}"#),
            (
                TaskStatus::Changed,
                "ann".into(),
                ["1 2".into(), "4".into()]
            )
        );
        assert_eq!(
            moved(r#"{"taskId":"3","status":"pending","owner":7}"#),
            (TaskStatus::Pending, String::new(), none())
        );
        let deleted = moved(r#"{"taskId":"3","status":"deleted","addBlocks":"4"}"#);
        assert_eq!(deleted, (TaskStatus::Deleted, String::new(), none()));
    }

    #[test]
    fn a_tool_that_nobody_lists_says_in_its_name_that_it_moves_or_deletes() {
        for (name, input, expected) in [
            (
                "mcp__fs__move_file",
                r#"{"source":"a","destination":"b"}"#,
                Some("mv 'a' 'b'"),
            ),
            (
                "rename",
                r#"{"old_path":"a b","new_path":"c"}"#,
                Some("mv 'a b' 'c'"),
            ),
            (
                "mcp__fs__delete_file",
                r#"{"path":"it's"}"#,
                Some(r"rm -r 'it'\''s'"),
            ),
            (
                "mcp__fs__copy_file",
                r#"{"source":"a","destination":"b"}"#,
                None,
            ),
            ("mcp__delete__read_file", r#"{"path":"a"}"#, None),
            (
                "mcp__shell__run",
                r#"{"command":"rm","args":["-rf","a b"]}"#,
                Some("rm '-rf' 'a b'"),
            ),
            (
                "mcp__shell__run",
                r#"{"command":"ls -l","args":["a"]}"#,
                Some("ls -l"),
            ),
        ] {
            let input = RawValue::from_string(input.to_owned()).unwrap();
            let tool = Tool {
                name: name.into(),
                does: ToolKind::Mcp,
                input: Some(&input),
                ..Tool::default()
            };
            let command = match tool.deed() {
                Deed::Command(command) => Some(command.text.into_owned()),
                _ => None,
            };
            assert_eq!(command.as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_listed_tool_does_what_the_list_says() {
        for (does, input, expected) in [
            (ToolKind::Command, r#"{"command":"ls"}"#, "run ls"),
            (
                ToolKind::Command,
                r#"{"command":"ls","dir_path":"a"}"#,
                "run ls in a",
            ),
            (ToolKind::Command, r#"{"command":["ls"]}"#, "other"),
            (
                ToolKind::Change,
                r#"{"file_path":"f","content":"x"}"#,
                "f = x",
            ),
            (ToolKind::Change, r#"{"filePath":"f"}"#, "f = ?"),
            (
                ToolKind::Change,
                r#"{"notebook_path":"f","new_source":"x"}"#,
                "f = ?",
            ),
            (ToolKind::Change, r#"{"content":"x"}"#, "other"),
            (
                ToolKind::Change,
                r#"{"path":"f","old_string":"one","new_string":"two"}"#,
                "f = two one",
            ),
            (
                ToolKind::Change,
                r#"{"path":"f","old_string":"one","new_string":"two","replace_all":true}"#,
                "f = two two",
            ),
            (
                ToolKind::Change,
                r#"{"path":"f","old_string":"none","new_string":"x"}"#,
                "f = ?",
            ),
            (
                ToolKind::Change,
                r#"{"path":"f","edits":[{"oldText":"one","newText":"2"},{"oldText":"one","newText":"3"}]}"#,
                "f = 2 3",
            ),
            (ToolKind::Read, r#"{"file_path":"f"}"#, "read f"),
            (
                ToolKind::Search,
                r#"{"pattern":"x","path":"d"}"#,
                "search d",
            ),
            (ToolKind::Other, r#"{"command":"ls"}"#, "other"),
        ] {
            assert_eq!(deed(does, input), expected, "{does:?} {input}");
        }
    }

    #[test]
    fn a_started_agent_is_told_by_the_call_and_named_by_its_answer() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let (input, answer) = (
            raw(r#"{"description":"Count","prompt":"count them","name":"counter"}"#),
            raw(r#"{"status":"async_launched","agentId":"a1"}"#),
        );
        let call = Tool {
            does: ToolKind::AgentStart,
            input: Some(&input),
            ..Tool::default()
        };
        let started = call.started_agent().unwrap();
        assert_eq!((started.id, started.kind.as_ref()), (None, USUAL_AGENT));
        assert_eq!(started.name.as_deref(), Some("counter"));
        assert_eq!(started.about.as_deref(), Some("Count"));
        let ended = Tool {
            response: Some(&answer),
            ..call.clone()
        };
        assert_eq!(ended.started_agent().unwrap().id.as_deref(), Some("a1"));
        let other = Tool {
            does: ToolKind::Command,
            ..call
        };
        assert_eq!(other.started_agent(), None);
    }

    #[test]
    fn a_tool_that_nobody_lists_is_known_by_its_input() {
        for (input, expected) in [
            (r#"{"command":"rm -rf x","timeout":5}"#, "run rm -rf x"),
            (r#"{"path":"f","content":"x"}"#, "f = x"),
            (
                r#"{"command":["sh","-c","it's"]}"#,
                r"run 'sh' '-c' 'it'\''s'",
            ),
            (r#"{"cmd":"ls","cwd":"a"}"#, "run ls"),
            (r#"{"commands":["ls","pwd"]}"#, "run ls\npwd"),
            (r#"{"path":"f"}"#, "read f"),
            (r#"{"filename":"f","text":"x"}"#, "f = x"),
            (r#"{"content":"x"}"#, "other"),
            (r#"{"command":7}"#, "other"),
            ("7", "other"),
        ] {
            for does in [ToolKind::Mcp, ToolKind::Unknown] {
                assert_eq!(deed(does, input), expected, "{input}");
            }
        }
    }
}
