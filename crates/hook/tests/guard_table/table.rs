//! The rows of the table: a tool call, the world it is judged in, and what the guard must say.

use std::fs;
use std::path::Path;

use bellwether_hook::guard::{Mode, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Result;
use crate::world::Setting;

/// One row, as its file has it. It holds one of `command`, `generate` and `input`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    /// The command of a Bash call.
    command: Option<String>,
    /// The command of a Bash call that would be too long to be written out.
    generate: Option<Generated>,
    /// The input of a call of another tool.
    input: Option<Value>,
    #[serde(default = "bash")]
    pub(crate) tool: String,
    /// What the guard must say.
    pub(crate) expect: Expected,
    pub(crate) setting: Setting,
    /// How strictly it is judged.
    #[serde(default)]
    pub(crate) mode: Mode,
    /// Where in the project the agent is.
    #[serde(default)]
    pub(crate) cwd: String,
    /// What the row is about.
    pub(crate) why: String,
    /// The file and the line that it is from.
    #[serde(skip)]
    pub(crate) place: String,
}

/// `before`, `repeat` as often as `times` says, `middle`, `close` as often, `after`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Generated {
    before: String,
    repeat: String,
    times: usize,
    middle: String,
    close: String,
    after: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Expected {
    /// It is denied.
    Deny,
    /// The person is asked.
    Ask,
    /// It is denied or the person is asked: either is right.
    Stop,
    /// Nothing is said.
    Silent,
}

impl Expected {
    /// Whether a verdict is as expected.
    pub(crate) fn fits(self, verdict: Verdict) -> bool {
        match self {
            Self::Deny => verdict == Verdict::Deny,
            Self::Ask => verdict == Verdict::Ask,
            Self::Stop => verdict != Verdict::Silent,
            Self::Silent => verdict == Verdict::Silent,
        }
    }
}

impl Row {
    /// The tool's input, as JSON with its places still to be filled in.
    pub(crate) fn input(&self) -> Value {
        match (&self.input, &self.generate) {
            (Some(input), _) => input.clone(),
            (None, Some(generated)) => json!({ "command": generated.text() }),
            (None, None) => json!({ "command": self.command.as_deref().unwrap_or_default() }),
        }
    }

    /// What makes it another row than the others.
    pub(crate) fn identity(&self) -> String {
        let Self { tool, cwd, .. } = self;
        let input = self.input();
        format!("{tool} {:?} {:?} {cwd} {input}", self.setting, self.mode)
    }

    /// The call in one line of bearable length.
    pub(crate) fn shown(&self) -> String {
        const MOST: usize = 160;
        let input = self.input();
        let text = match input.get("command").and_then(Value::as_str) {
            Some(command) => command.replace('\n', "⏎"),
            None => format!("{} {input}", self.tool),
        };
        match text.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
            None => text,
        }
    }
}

impl Generated {
    fn text(&self) -> String {
        let Self {
            before,
            middle,
            after,
            ..
        } = self;
        let repeated = self.repeat.repeat(self.times);
        let closed = self.close.repeat(self.times);
        format!("{before}{repeated}{middle}{closed}{after}")
    }
}

/// One file of the table.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
}

/// Every file of the table, in the order of their names.
pub(crate) fn read() -> Result<Vec<File>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/guard");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            files.push(read_file(&path)?);
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

fn read_file(path: &Path) -> Result<File> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(fs::read_to_string(path)?.lines()) {
        let place = format!("{name}:{number}");
        let mut row: Row =
            serde_json::from_str(line).map_err(|error| format!("{place}: {error}"))?;
        row.place = place;
        rows.push(row);
    }
    Ok(File { name, rows })
}

fn bash() -> String {
    "Bash".to_owned()
}
