//! The tool calls of a transcript, one after the other, each with where it was made.

use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};

use bellwether_protocol::client::Client;
use bellwether_protocol::event::Tool;

use crate::lines::{Lines, Read};
use crate::projects::open_regular;
use crate::raw::{RawBlock, RawLine};
use crate::{Projects, TranscriptError};

/// A call that an agent made.
pub struct PastCall<'a> {
    /// The client's own name for it. A session that goes on elsewhere has the same call again.
    pub id: &'a str,
    pub at_ms: Option<u64>,
    /// The folder that the agent worked in.
    pub cwd: Option<Cow<'a, str>>,
    pub tool: Tool<'a>,
}

/// Reads all calls of a transcript that the person has named; `read` is told how many bytes were read.
pub fn past_calls(
    path: &Path,
    mut each: impl FnMut(&PastCall<'_>),
    mut read: impl FnMut(u64),
) -> Result<(), TranscriptError> {
    let file: File = open_regular(path)?;
    let failed = TranscriptError::io(path);
    let mut lines = Lines::new(&file).map_err(&failed)?;
    let mut before = 0;
    while let Some(found) = lines.next().map_err(&failed)? {
        if let Read::Line(_, line) = found {
            calls_of(line, &mut each);
        }
        read(lines.at() - before);
        before = lines.at();
    }
    Ok(())
}

fn calls_of(line: &[u8], each: &mut impl FnMut(&PastCall<'_>)) {
    let Some(line) = RawLine::parse(line).filter(|line| line.kind == "assistant") else {
        return;
    };
    for block in line.blocks() {
        let RawBlock::Call { id, name, input } = block else {
            continue;
        };
        each(&PastCall {
            id: &id,
            at_ms: line.at_ms(),
            cwd: line.text("cwd"),
            tool: Client::default().tool(&name, input),
        });
    }
}

impl Projects {
    /// Every transcript of the sessions of a project and of their subagents.
    pub fn transcripts_of(&self, folder: &Path) -> Result<Vec<PathBuf>, TranscriptError> {
        let sessions = self.of_project(folder)?;
        let mut folders: Vec<&Path> = sessions.iter().filter_map(|path| path.parent()).collect();
        folders.dedup();
        Ok(folders
            .iter()
            .flat_map(|folder| self.in_folder(folder))
            .collect())
    }

    /// Every transcript that the client keeps.
    pub fn transcripts(&self) -> Vec<PathBuf> {
        let folders = self.project_folders();
        folders.flat_map(|folder| self.in_folder(&folder)).collect()
    }

    fn in_folder(&self, folder: &Path) -> Vec<PathBuf> {
        let is_transcript = |path: &PathBuf| path.extension().is_some_and(|end| end == "jsonl");
        let mut all = Vec::new();
        for name in self.names_in(folder) {
            let path = folder.join(name);
            if is_transcript(&path) {
                all.push(path);
                continue;
            }
            let agents = path.join("subagents");
            let names = self.names_in(&agents).into_iter();
            all.extend(names.map(|name| agents.join(name)).filter(is_transcript));
        }
        all.sort();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: &str = r#"{"type":"assistant","cwd":"/p","timestamp":"2026-01-02T03:04:05.000Z","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}"#;

    #[test]
    fn calls_come_with_their_place_and_torn_lines_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let mention = r#"{"type":"user","message":{"content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"rm"}}]}}"#;
        std::fs::write(
            &path,
            format!("{CALL}\n{{\"type\":\"assist\n{mention}\n{CALL}\n"),
        )
        .unwrap();
        let (mut seen, mut bytes) = (Vec::new(), 0);
        past_calls(
            &path,
            |call| {
                let cwd = call.cwd.as_deref().unwrap_or_default().to_owned();
                seen.push((call.id.to_owned(), cwd, call.at_ms.is_some()));
            },
            |read| bytes += read,
        )
        .unwrap();
        let call = ("t1".to_owned(), "/p".to_owned(), true);
        assert_eq!(seen, [call.clone(), call]);
        assert_eq!(bytes, path.metadata().unwrap().len());
    }

    #[test]
    fn sessions_are_found_with_their_subagents() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("projects");
        std::fs::create_dir_all(root.join("-p/s/subagents")).unwrap();
        for name in ["-p/s.jsonl", "-p/s/subagents/agent-1.jsonl", "-p/notes.md"] {
            std::fs::write(root.join(name), "").unwrap();
        }
        let found = [
            root.join("-p/s/subagents/agent-1.jsonl"),
            root.join("-p/s.jsonl"),
        ];
        let mut all = Projects::at(&root).transcripts();
        all.sort();
        let mut found = found.to_vec();
        found.sort();
        assert_eq!(all, found);
        assert_eq!(
            Projects::at(&root)
                .transcripts_of(Path::new("/p"))
                .unwrap()
                .len(),
            2
        );
        assert!(Projects::at(&root).transcripts_of(Path::new("/q")).is_err());
    }
}
