//! How a transcript ends: the last message, and the last words if that message has none.

use std::fs::File;
use std::io;
use std::path::Path;

use bellwether_protocol::client::Client;
use bellwether_protocol::event::{Asked, ToolKind, asked};

use crate::backward::{Backward, Source};
use crate::line::{self, Line, MessageBlock, Piece};
use crate::{TranscriptError, Whose};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    pub last: Message,
    /// The last words, of that message or of one before it.
    pub words: Option<LastWords>,
    /// What the client said behind that of the API, when the API has failed.
    pub failed: Option<String>,
}

impl Ending {
    /// How a transcript ends; `None` when it is empty.
    pub fn of_file(
        file: &File,
        path: &Path,
        whose: Whose,
    ) -> Result<Option<Self>, TranscriptError> {
        let length = file.metadata().map_err(TranscriptError::io(path))?.len();
        Self::of_file_to(file, length, path, whose)
    }

    /// How it ended when it was only so long.
    pub fn of_file_to(
        file: &File,
        length: u64,
        path: &Path,
        whose: Whose,
    ) -> Result<Option<Self>, TranscriptError> {
        read(file, length, whose).map_err(TranscriptError::io(path))
    }

    /// How a transcript in memory ends.
    pub fn of_text(text: &[u8], whose: Whose) -> Option<Self> {
        // Memory does not fail to be read.
        read(text, text.len() as u64, whose).ok().flatten()
    }
}

/// A message of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    /// Its words, if it has any.
    pub text: Option<String>,
    /// The tools that it calls, in their order.
    pub tools: Vec<String>,
    /// The call of a tool is the last thing in it.
    pub ends_with_tool_use: bool,
    /// What it asks the person.
    pub asks: Option<Asked>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastWords {
    pub text: String,
    /// Whether they were said since the last prompt.
    pub this_turn: bool,
    /// Whether a tool has answered since: what is asked now is another message's affair.
    pub acted_on: bool,
}

/// A message that is being put together, last piece first.
struct Growing {
    id: Option<String>,
    blocks: Vec<MessageBlock>,
}

impl Growing {
    /// Takes a piece that stands before the others; gives it back when it is of another message.
    fn take(&mut self, piece: Piece) -> Option<Piece> {
        if self.id.is_none() || self.id != piece.id {
            return Some(piece);
        }
        self.blocks.splice(0..0, piece.blocks);
        None
    }

    fn has_text(&self) -> bool {
        self.blocks
            .iter()
            .any(|block| matches!(block, MessageBlock::Text(text) if !text.is_empty()))
    }

    fn message(&self) -> Message {
        let texts: Vec<&str> = self
            .blocks
            .iter()
            .filter_map(|block| match block {
                MessageBlock::Text(text) if !text.is_empty() => Some(text.as_str()),
                _ => None,
            })
            .collect();
        let tools = self.blocks.iter().filter_map(|block| match block {
            MessageBlock::Tool { name, input } => Some((name, input)),
            _ => None,
        });
        let asks = |name: &str| Client::default().tool_kind(name) == ToolKind::Question;
        let question = tools.clone().rfind(|(name, _)| asks(name));
        Message {
            text: (!texts.is_empty()).then(|| texts.join(" ")),
            tools: tools.map(|(name, _)| name.clone()).collect(),
            ends_with_tool_use: matches!(self.blocks.last(), Some(MessageBlock::Tool { .. })),
            asks: question.map(|(_, input)| asked(input.as_deref())),
        }
    }
}

impl From<Piece> for Growing {
    fn from(Piece { id, blocks }: Piece) -> Self {
        Self { id, blocks }
    }
}

/// Reads from the end until the last words are known.
fn read<S: Source + ?Sized>(source: &S, length: u64, whose: Whose) -> io::Result<Option<Ending>> {
    let mut lines = Backward::new(source, length);
    let mut last: Option<Message> = None;
    let mut growing: Option<Growing> = None;
    let (mut this_turn, mut acted_on) = (true, false);
    let mut failed = None;
    while let Some(bytes) = lines.next()? {
        let done = match line::parse(&bytes, whose) {
            Some(Line::Said(piece)) => take(&mut growing, piece, &mut last),
            // Words stand before the calls of their message, so what comes before an answer is older.
            Some(Line::Prompt | Line::Result)
                if growing.as_ref().is_some_and(Growing::has_text) =>
            {
                true
            }
            Some(Line::Prompt) => {
                this_turn = false;
                false
            }
            Some(Line::Result) => {
                acted_on = true;
                false
            }
            Some(Line::Failed(words)) => {
                if this_turn && !acted_on && growing.is_none() {
                    failed.get_or_insert(words);
                }
                false
            }
            None => false,
        };
        if done {
            break;
        }
    }
    let Some(found) = growing.map(|growing| growing.message()) else {
        let nothing = failed.map(|words| Ending {
            last: Message::default(),
            words: None,
            failed: Some(words),
        });
        return Ok(nothing);
    };
    let words = found.text.clone().map(|text| LastWords {
        text,
        this_turn,
        acted_on,
    });
    Ok(Some(Ending {
        last: last.unwrap_or(found),
        words,
        failed,
    }))
}

/// Takes one more piece; true when the last words are known and the piece is older than they.
fn take(growing: &mut Option<Growing>, piece: Piece, last: &mut Option<Message>) -> bool {
    let Some(message) = growing else {
        *growing = Some(piece.into());
        return false;
    };
    let Some(other) = message.take(piece) else {
        return false;
    };
    if message.has_text() {
        return true;
    }
    last.get_or_insert_with(|| message.message());
    *growing = Some(other.into());
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(id: &str, block: &str) -> String {
        format!(r#"{{"type":"assistant","message":{{"id":"{id}","content":[{block}]}}}}"#)
    }

    fn text(words: &str) -> String {
        format!(r#"{{"type":"text","text":"{words}"}}"#)
    }

    const TOOL: &str = r#"{"type":"tool_use","name":"Bash","input":{"command":"ls"}}"#;
    const PROMPT: &str = r#"{"type":"user","message":{"content":"go"}}"#;
    const RESULT: &str = r#"{"type":"user","message":{"content":[{"type":"tool_result"}]}}"#;

    fn ending(lines: &[&str]) -> Ending {
        Ending::of_text(lines.join("\n").as_bytes(), Whose::Main).unwrap()
    }

    #[test]
    fn the_pieces_of_a_message_are_put_together() {
        let (first, second) = (said("m1", &text("Hello.")), said("m1", TOOL));
        let before = said("m0", &text("Before."));
        let end = ending(&[
            PROMPT,
            &before,
            &first,
            r#"{"type":"progress"}"#,
            &second,
            "",
        ]);
        assert_eq!(end.last.text.as_deref(), Some("Hello."));
        assert_eq!(end.last.tools, ["Bash"]);
        assert!(end.last.ends_with_tool_use);
        let words = end.words.unwrap();
        assert_eq!((words.text.as_str(), words.this_turn), ("Hello.", true));
    }

    #[test]
    fn words_may_stand_in_an_earlier_message_or_turn() {
        let (spoke, acts) = (said("m1", &text("Fixed it.")), said("m2", TOOL));
        let words = |lines: &[&str]| {
            ending(lines)
                .words
                .map(|words| (words.text, words.this_turn))
        };
        assert_eq!(
            words(&[&spoke, RESULT, &acts]),
            Some(("Fixed it.".into(), true))
        );
        assert_eq!(
            words(&[&spoke, PROMPT, &acts]),
            Some(("Fixed it.".into(), false))
        );
        assert_eq!(words(&[PROMPT, &acts]), None);
        assert!(ending(&[&spoke, RESULT, &acts]).last.text.is_none());
        let acted_on = |lines: &[&str]| ending(lines).words.unwrap().acted_on;
        assert!(acted_on(&[&spoke, RESULT, &acts]) && acted_on(&[&spoke, RESULT]));
        assert!(!acted_on(&[&spoke, &acts]));
    }

    #[test]
    fn a_torn_last_line_costs_only_itself() {
        let whole = said("m1", &text("Whole."));
        let torn = &said("m2", &text("Torn."))[..40];
        assert_eq!(ending(&[&whole, torn]).last.text.as_deref(), Some("Whole."));
        let windows = format!("{whole}\r\n{PROMPT}\r\n");
        let end = Ending::of_text(windows.as_bytes(), Whose::Main).unwrap();
        assert_eq!(end.last.text.as_deref(), Some("Whole."));
        assert_eq!(Ending::of_text(b"", Whose::Main), None);
        assert_eq!(Ending::of_text(PROMPT.as_bytes(), Whose::Main), None);
    }

    #[test]
    fn a_question_and_blocks_without_words() {
        let asks = r#"{"type":"tool_use","name":"AskUserQuestion","input":{"questions":[{"question":"Which?"}]}}"#;
        let line = said("m", &format!("{},{asks}", text("Hm.")));
        assert_eq!(
            ending(&[&line]).last.asks,
            Some(Asked::Question("Which?".into()))
        );
        let thinking = said("m", &format!("{},{}", text("t"), r#"{"type":"thinking"}"#));
        assert!(!ending(&[&thinking]).last.ends_with_tool_use);
        let two = said("m", &format!("{},{}", text("One."), text("Two.")));
        assert_eq!(ending(&[&two]).last.text.as_deref(), Some("One. Two."));
    }

    #[test]
    fn an_error_of_the_api_counts_only_at_the_end() {
        const FAILED: &str = r#"{"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error: 500"}]}}"#;
        let words = said("m1", &text("First a command."));
        let failed = |lines: &[&str]| {
            let ending = Ending::of_text(lines.join("\n").as_bytes(), Whose::Main);
            ending.and_then(|ending| ending.failed)
        };
        let error = Some("API Error: 500".to_owned());
        assert_eq!(failed(&[PROMPT, FAILED]), error);
        assert_eq!(failed(&[PROMPT, &words, RESULT, FAILED]), error);
        assert_eq!(failed(&[PROMPT, FAILED, PROMPT]), None, "a new turn");
        assert_eq!(failed(&[PROMPT, FAILED, &words]), None, "it went on");
        assert_eq!(failed(&[PROMPT, &words]), None);
        assert_eq!(
            ending(&[PROMPT, &words, FAILED]).last.text.as_deref(),
            Some("First a command.")
        );
    }
}
