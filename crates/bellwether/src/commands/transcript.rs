//! `bellwether transcript`: what stands in a transcript of the client.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use bellwether_announce::{Language, Mode, Start, Summary, speech, summarise};
use bellwether_spine::Home;
use bellwether_transcript::{Ending, LastWords, Message, Whose};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use crate::output;
use crate::transcript::{ExportArguments, ShowArguments, export, show};

/// No text on stdin is longer.
const LONGEST: u64 = 64 << 20;

#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// Show a session in the terminal: turns, tool calls, changes, subagents, what the guard stopped.
    Show(ShowArguments),
    /// Write a session as one page for a browser, or as Markdown. Secrets are masked.
    Export(ExportArguments),
    /// Print what would be said of the agent's last message.
    Summary(SummaryArguments),
}

#[derive(Args)]
pub(crate) struct SummaryArguments {
    /// A transcript of the client, or a message as plain text; `-` or nothing for stdin.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Which limit counts.
    #[arg(long, value_enum, default_value = "sentences")]
    mode: ModeWord,
    /// How many sentences at the most.
    #[arg(long, value_name = "N", default_value_t = Summary::default().max_sentences)]
    max_sentences: u32,
    /// How many characters at the most, with `--mode characters` and `full`.
    #[arg(long, value_name = "N", default_value_t = Summary::default().max_characters)]
    max_characters: u32,
    /// Where to begin.
    #[arg(long, value_enum, default_value = "action")]
    start: StartWord,
    /// Print JSON, with what else is known of the message.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModeWord {
    Sentences,
    Characters,
    Full,
}

#[derive(Clone, Copy, ValueEnum)]
enum StartWord {
    Action,
    Beginning,
}

impl SummaryArguments {
    fn settings(&self) -> Summary {
        Summary {
            mode: match self.mode {
                ModeWord::Sentences => Mode::Sentences,
                ModeWord::Characters => Mode::Characters,
                ModeWord::Full => Mode::Full,
            },
            max_sentences: self.max_sentences,
            max_characters: self.max_characters,
            start: match self.start {
                StartWord::Action => Start::Action,
                StartWord::Beginning => Start::Beginning,
            },
        }
    }
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments {
        Arguments::Show(arguments) => show(home, arguments),
        Arguments::Export(arguments) => export(home, arguments),
        Arguments::Summary(arguments) => print_summary(arguments),
    }
}

fn print_summary(wanted: &SummaryArguments) -> anyhow::Result<()> {
    let ending = ending(wanted)?.context("the transcript is empty")?;
    let text = ending
        .words
        .as_ref()
        .map_or("", |words| words.text.as_str());
    let nothing = Language::default().words().nothing_said;
    let summary = summarise::summary(text, &wanted.settings(), nothing);
    if !wanted.json {
        return Ok(writeln!(output::stdout(), "{summary}")?);
    }
    let said = json!({
        "summary": summary,
        "text": speech::whole(text),
        "question": summarise::last_question(text),
        "ends_with_question": summarise::ends_with_question(text),
        "this_turn": ending.words.is_some_and(|words| words.this_turn),
        "tools": ending.last.tools,
        "ends_with_tool_use": ending.last.ends_with_tool_use,
    });
    output::show_json(&said)
}

fn ending(wanted: &SummaryArguments) -> anyhow::Result<Option<Ending>> {
    let named = wanted.file.as_ref().filter(|path| path.as_os_str() != "-");
    let Some(path) = named else {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .take(LONGEST)
            .read_to_end(&mut bytes)
            .context("stdin")?;
        return Ok(of_text(&bytes));
    };
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let found = Ending::of_file(&file, path, Whose::of(path))?;
    if found.is_some() || path.extension().is_some_and(|end| end == "jsonl") {
        return Ok(found);
    }
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(of_text(&bytes))
}

/// The end of a transcript, or a message itself: what has no line of JSON is no transcript.
fn of_text(bytes: &[u8]) -> Option<Ending> {
    let is_json = |line: &[u8]| {
        serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(line).is_ok()
    };
    if bytes.split(|byte| *byte == b'\n').any(is_json) {
        return Ending::of_text(bytes, Whose::Main);
    }
    let text = String::from_utf8_lossy(bytes).into_owned();
    Some(Ending {
        failed: None,
        last: Message {
            text: Some(text.clone()),
            ..Message::default()
        },
        words: Some(LastWords {
            text,
            this_turn: true,
            acted_on: false,
        }),
    })
}
