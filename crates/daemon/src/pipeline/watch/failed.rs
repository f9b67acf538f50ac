//! What has failed, where the client has no event for that: it is written down all the same.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bellwether_flock::{Row, stand_in};
use bellwether_protocol::event::{Event, Kind};
use bellwether_protocol::fields::Fields;
use bellwether_spine::journal::Envelope;
use bellwether_transcript::{Projects, Whose, has_run};
use serde_json::value::RawValue;

use super::lines;

/// So many transcripts are followed, and so many calls of one are open.
const TRANSCRIPTS: usize = 64;
const CALLS: usize = 256;
/// The transcripts that are followed, each with how far it was read.
#[derive(Default)]
pub(super) struct FailedCalls(HashMap<PathBuf, Followed>);

#[derive(Default)]
struct Followed {
    read_to: u64,
    /// Calls that have no answer yet, by their ids.
    calls: HashMap<String, Called>,
}

/// A call as it is written down.
struct Called {
    name: String,
    input: Option<Box<RawValue>>,
}

/// A call that has failed.
struct FailedCall {
    id: String,
    call: Called,
    error: String,
}

impl FailedCalls {
    /// The calls that have failed by the time of an event.
    pub(super) fn calls(&mut self, projects: &Projects, row: &Row) -> Vec<Row> {
        let path = row.transcript.as_deref().map(Path::new);
        let calls = path.map(|path| self.follow(projects, path, is_beginning(row)));
        let calls = calls.unwrap_or_default();
        calls.iter().filter_map(|call| of_call(row, call)).collect()
    }

    /// A transcript that is seen for the first time is followed from its end, for what stands in it is old; that of a
    /// session that begins is followed from its beginning.
    fn follow(&mut self, projects: &Projects, path: &Path, begins: bool) -> Vec<FailedCall> {
        let file = projects.open(path);
        if !self.0.contains_key(path) {
            if self.0.len() >= TRANSCRIPTS {
                let some = self.0.keys().next().cloned();
                some.and_then(|path| self.0.remove(&path));
            }
            let length = file
                .ok()
                .filter(|_| !begins)
                .and_then(|file| file.metadata().ok());
            let followed = Followed {
                read_to: length.map_or(0, |metadata| metadata.len()),
                ..Followed::default()
            };
            self.0.insert(path.to_owned(), followed);
            return Vec::new();
        }
        let mut failed = Vec::new();
        if let (Some(followed), Ok(file)) = (self.0.get_mut(path), file) {
            let calls = &mut followed.calls;
            let read = lines::since(file, followed.read_to, |line| {
                take(line, calls, &mut failed);
            });
            followed.read_to = read.unwrap_or(followed.read_to);
        }
        failed
    }
}

/// A line: calls that it begins, and those that it says have failed.
fn take(line: &[u8], calls: &mut HashMap<String, Called>, failed: &mut Vec<FailedCall>) {
    // Most lines are about something else; looking costs less than reading.
    let about = |word: &[u8]| memchr::memmem::find(line, word).is_some();
    if !about(b"\"tool_use\"") && !about(b"\"tool_result\"") {
        return;
    }
    let line = String::from_utf8_lossy(line);
    let message = Fields::parse(line.trim()).ok();
    let message: Option<Fields<'_>> = message.and_then(|fields| fields.get("message"));
    let blocks: Vec<Fields<'_>> = message
        .and_then(|message| message.get("content"))
        .unwrap_or_default();
    for block in &blocks {
        let text = |name: &str| block.get::<Cow<'_, str>>(name).map(Cow::into_owned);
        match text("type").as_deref() {
            Some("tool_use") => {
                if calls.len() >= CALLS {
                    calls.clear();
                }
                let call = Called {
                    name: text("name").unwrap_or_default(),
                    input: block.get::<&RawValue>("input").map(ToOwned::to_owned),
                };
                calls.extend(text("id").map(|id| (id, call)));
            }
            Some("tool_result") => {
                let id = text("tool_use_id").unwrap_or_default();
                let call = calls.remove(&id);
                let is_error = block.get("is_error") == Some(true);
                let error = is_error.then(|| answer(block));
                let error = error.filter(|error| has_run(error));
                failed.extend(
                    call.zip(error)
                        .map(|(call, error)| FailedCall { id, call, error }),
                );
            }
            _ => {}
        }
    }
}

/// What a tool answered, as one text.
fn answer(block: &Fields<'_>) -> String {
    if let Some(text) = block.get::<Cow<'_, str>>("content") {
        return text.into_owned();
    }
    let parts: Vec<Fields<'_>> = block.get("content").unwrap_or_default();
    let texts = parts.iter().filter_map(|part| part.get("text"));
    let texts: Vec<Cow<'_, str>> = texts.collect();
    texts.join("\n")
}

/// Whether a session begins with an event, and its transcript with it.
fn is_beginning(row: &Row) -> bool {
    let envelope = Envelope::parse(&row.record).ok();
    let event = envelope
        .as_ref()
        .filter(|_| row.moment == Kind::SessionStart)
        .and_then(|envelope| envelope.event().ok());
    event.is_some_and(|event| matches!(event.detail.as_deref(), Some("startup" | "clear")))
}

fn of_call(row: &Row, failed: &FailedCall) -> Option<Row> {
    let call = &failed.call;
    let mut tool = row.client.tool(&call.name, call.input.as_deref());
    tool.use_id = Some(Cow::Borrowed(&failed.id));
    tool.error = Some(Cow::Borrowed(&failed.error));
    tool.failed = true;
    stand_in(row, Kind::PostToolUseFailure, |event| Event {
        tool: Some(tool),
        ..event
    })
}

/// The turn that has ended, if it did so in an error of the API.
pub(super) fn turn(projects: &Projects, row: &Row) -> Option<Row> {
    let path = row.transcript.as_deref().map(Path::new)?;
    let ending = projects.ending(path, Whose::Main).ok()??;
    let words = ending.failed?;
    stand_in(row, Kind::StopFailure, |event| Event {
        detail: Some(Cow::Borrowed(sort(&words))),
        message: Some(Cow::Borrowed(&words)),
        ..event
    })
}

/// The sort of an error, in the word that newer clients have for it.
fn sort(words: &str) -> &'static str {
    let code = words
        .split(|letter: char| !letter.is_ascii_digit())
        .find_map(|digits| {
            digits
                .parse::<u16>()
                .ok()
                .filter(|code| (400..600).contains(code))
        });
    match code {
        Some(401 | 403) => "authentication_failed",
        Some(429) => "rate_limit",
        Some(400..500) => "invalid_request",
        Some(_) => "server_error",
        None => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: &str = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"exit 3"}}]}}"#;

    fn result(id: &str, is_error: bool, content: &str) -> String {
        format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","is_error":{is_error},"content":{content}}}]}}}}"#
        )
    }

    fn failed(lines: &[&str]) -> Vec<(String, String)> {
        let (mut calls, mut failed) = (HashMap::new(), Vec::new());
        for line in lines {
            take(line.as_bytes(), &mut calls, &mut failed);
        }
        let shown = failed.into_iter().map(|one| (one.call.name, one.error));
        shown.collect()
    }

    #[test]
    fn a_call_that_failed_is_told_with_its_error() {
        let said = |text: &str| vec![("Bash".to_owned(), text.to_owned())];
        for (line, expected) in [
            (
                result("t1", true, r#""Exit code 3\noops""#),
                said("Exit code 3\noops"),
            ),
            (
                result(
                    "t1",
                    true,
                    r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#,
                ),
                said("a\nb"),
            ),
            (result("t1", false, r#""fine""#), Vec::new()),
            (result("t2", true, r#""of an older call""#), Vec::new()),
            (
                result(
                    "t1",
                    true,
                    r#""The user doesn't want to proceed with this tool use.""#,
                ),
                Vec::new(),
            ),
            (
                result("t1", true, r#""Hook PreToolUse:Bash denied this tool""#),
                Vec::new(),
            ),
            (
                result("t1", true, r#""Bash operation blocked by hook:\n- no""#),
                Vec::new(),
            ),
            (
                result("t1", true, r#""Permission to use Bash has been denied.""#),
                Vec::new(),
            ),
            (
                result(
                    "t1",
                    true,
                    r#""Claude requested permissions to use Bash, but you haven't granted it yet.""#,
                ),
                Vec::new(),
            ),
            (
                result(
                    "t1",
                    true,
                    r#""<tool_use_error>Error: No such tool available: X</tool_use_error>""#,
                ),
                Vec::new(),
            ),
            ("half a line \"tool_result\"".to_owned(), Vec::new()),
        ] {
            assert_eq!(failed(&[CALL, &line]), expected, "{line}");
            let twice = failed(&[CALL, &line, &line]);
            assert_eq!(twice, expected, "an answer counts once: {line}");
        }
    }

    #[test]
    fn the_sort_of_an_error_is_its_code() {
        for (words, expected) in [
            ("API Error: 500 {\"type\":\"error\"}", "server_error"),
            ("API Error: 529 overloaded", "server_error"),
            ("API Error: 429 slow down", "rate_limit"),
            ("API Error: 401 no", "authentication_failed"),
            ("API Error: 400 {}", "invalid_request"),
            ("API Error: Connection error.", "unknown"),
            ("in 20000 ms", "unknown"),
        ] {
            assert_eq!(sort(words), expected, "{words}");
        }
    }
}
