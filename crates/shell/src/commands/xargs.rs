//! `xargs` and `parallel`: words from a stream become arguments.

use super::wrapper::joined;
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::{Fill, Piece, Text};

pub(super) const NAMES: &[&str] = &["xargs", "parallel", "rush"];

/// The most items that are followed.
const MOST: usize = 24;

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    match call.name.as_str() {
        "xargs" => xargs(runner, call),
        _ => parallel(runner, call),
    }
}

fn xargs(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "adEILnPsRSJ",
        words: &[
            "--arg-file",
            "--delimiter",
            "--max-lines",
            "--max-args",
            "--max-procs",
            "--max-chars",
            "--process-slot-var",
        ],
        stops: true,
    });
    let input = match arguments.value(&["a", "--arg-file"]) {
        Some(file) => runner.read_from(&file.clone()),
        None => call.stdin.clone(),
    };
    let replaced = placeholder(call, &arguments);
    let by_line = replaced.is_some() || arguments.has(&["d", "--delimiter", "L"]);
    let items = items(&input, by_line);
    let command = if arguments.operands.is_empty() {
        vec![Text::plain("echo")]
    } else {
        arguments.operands
    };
    each(runner, call, &command, replaced.as_deref(), &items)
}

/// What stands for an item.
fn placeholder(call: &Call, arguments: &crate::run::Arguments) -> Option<String> {
    let replace = arguments
        .options
        .iter()
        .find(|(option, _)| matches!(option.as_str(), "I" | "i" | "--replace" | "J"))?;
    // `-i` and `--replace` take their mark only when it is joined to them.
    let joined = call
        .words
        .iter()
        .filter_map(Text::known)
        .find_map(|word| word.strip_prefix("-i").filter(|mark| !mark.is_empty()));
    let mark = replace
        .1
        .as_ref()
        .map(Text::shown)
        .filter(|mark| !mark.is_empty());
    Some(
        mark.or_else(|| joined.map(str::to_owned))
            .unwrap_or_else(|| "{}".to_owned()),
    )
}

/// The items in a stream.
fn items(input: &Stream, by_line: bool) -> Vec<Text> {
    let text = match input {
        Stream::Nothing => return vec![Text::hole("what is typed", Fill::Anything)],
        Stream::Text(text) => text.clone(),
        Stream::Download(what) | Stream::Unknown(what) => {
            return vec![Text::hole(format!("each of: {what}"), Fill::Anything)];
        }
    };
    let mut items = if by_line {
        text.lines()
    } else {
        text.split(&[' ', '\t', '\n', '\0'])
    };
    items.truncate(MOST);
    // Quotes in the input are removed as a shell does.
    items
        .into_iter()
        .map(|item| match item.known() {
            Some(known) => Text::plain(known.replace(['"', '\'', '\0'], "")),
            None => item,
        })
        .collect()
}

fn each(
    runner: &mut Runner<'_>,
    call: &Call,
    command: &[Text],
    mark: Option<&str>,
    items: &[Text],
) -> Stream {
    let Some(mark) = mark else {
        let words = [command, items].concat();
        return runner.run_words_with(&words, call.variables.clone(), Stream::Nothing);
    };
    for item in items {
        let words: Vec<Text> = command
            .iter()
            .map(|word| replaced(word, mark, item))
            .collect();
        runner.run_words_with(&words, call.variables.clone(), Stream::Nothing);
    }
    Stream::Unknown(call.shown())
}

/// A word with an item in the place of its mark.
pub(super) fn replaced(word: &Text, mark: &str, item: &Text) -> Text {
    let mut new = Text::default();
    for piece in word.pieces() {
        let Piece::Plain(plain) = piece else {
            new.push(piece.clone());
            continue;
        };
        for (at, part) in plain.split(mark).enumerate() {
            if at > 0 {
                new.append(item.clone());
            }
            new.push_plain(part);
        }
    }
    new
}

fn parallel(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "jaSINPndELu",
        words: &[
            "--jobs",
            "--arg-file",
            "--sshlogin",
            "--results",
            "--joblog",
            "--delay",
            "--timeout",
            "--retries",
            "--env",
            "--tmpdir",
            "--workdir",
            "--colsep",
            "--max-args",
        ],
        stops: true,
    });
    let mark = arguments
        .operands
        .iter()
        .position(|word| word.lead().starts_with(":::"));
    let (command, items) = match mark {
        Some(at) => {
            let items = arguments.operands[at + 1..]
                .iter()
                .filter(|word| !word.lead().starts_with(":::"))
                .take(MOST)
                .cloned()
                .collect();
            (arguments.operands[..at].to_vec(), items)
        }
        None => (arguments.operands.clone(), items(&call.stdin, true)),
    };
    for item in &items {
        let mut line = joined(&command);
        let shown = line.shown();
        let placed = ["{}", "{1}", "{.}", "{/}", "{//}"]
            .into_iter()
            .find(|mark| shown.contains(mark));
        if let Some(mark) = placed {
            line = replaced(&line, mark, item);
        } else {
            line.push_plain(if command.is_empty() { "" } else { " " });
            line.append(item.clone());
        }
        for (name, value) in &call.variables {
            runner.set(name, value.clone());
        }
        runner.apart(|runner| runner.source_text(&line, &Stream::Nothing));
    }
    Stream::Unknown(call.shown())
}
