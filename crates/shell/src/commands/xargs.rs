//! `xargs` and `parallel`: words from a stream become arguments.

use super::wrapper::joined;
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::{Fill, Piece, Text};

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "xargs",
        "+ a|arg-file= d|delimiter= I|J= i|replace? L|max-lines= n|max-args= P|max-procs= \
         s|max-chars= E= R= S= process-slot-var=",
        xargs,
    ),
    program(
        "parallel rush",
        "+ j|jobs= a|arg-file= S|sshlogin= N|n|max-args= I= P= d= E= L= u= results= joblog= delay= \
         timeout= retries= env= tmpdir= workdir= colsep=",
        parallel,
    ),
    program(
        "parallel-moreutils moreutils-parallel parallel.moreutils",
        "",
        parallel_of_moreutils,
    ),
];

/// The most items that are followed.
const MOST: usize = 24;

fn xargs(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let input = match options.value("arg-file") {
        Some(file) => runner.read_from(file),
        None => call.stdin.clone(),
    };
    let replaced = placeholder(options);
    let by_line = replaced.is_some() || options.has("delimiter") || options.has("max-lines");
    let items = items(&input, by_line);
    let echo = [Text::plain("echo")];
    let command = if options.operands.is_empty() {
        &echo[..]
    } else {
        &options.operands[..]
    };
    each(runner, call, command, replaced.as_deref(), &items)
}

/// What stands for an item.
fn placeholder(options: &Options) -> Option<String> {
    let option = ["I", "replace"]
        .into_iter()
        .find(|name| options.has(name))?;
    let mark = options.value(option).map(Text::shown);
    let mark = mark.filter(|mark| !mark.is_empty());
    Some(mark.unwrap_or_else(|| "{}".to_owned()))
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

/// `parallel -j 2 COMMAND -- ITEM ITEM`, or `parallel -- 'command line' 'command line'`.
fn parallel_of_moreutils(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let mark = call.words.iter().position(|word| word.is("--"));
    let (before, items) = match mark {
        Some(at) => (&call.words[..at], &call.words[at + 1..]),
        None => (call.words.as_slice(), &[][..]),
    };
    let command = Options::read(before, "+ j|l|n= i").operands;
    let replaces = before.iter().any(|word| word.is("-i"));
    for item in items.iter().take(MOST) {
        if command.is_empty() {
            runner.apart(|runner| runner.source_text(item, &Stream::Nothing));
        } else if replaces {
            each(
                runner,
                call,
                &command,
                Some("{}"),
                std::slice::from_ref(item),
            );
        } else {
            each(runner, call, &command, None, std::slice::from_ref(item));
        }
    }
    Stream::Unknown(call.shown())
}

fn parallel(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    // Both are called `parallel`, and only the one of moreutils has its items behind this mark.
    let is_other = call.words.iter().any(|word| word.is("--"))
        && !call.words.iter().any(|word| word.lead().starts_with(":::"));
    if call.name == "parallel" && is_other {
        return parallel_of_moreutils(runner, call, options);
    }
    let mark = options
        .operands
        .iter()
        .position(|word| word.lead().starts_with(":::"));
    let (command, items) = match mark {
        Some(at) => {
            let items = options.operands[at + 1..]
                .iter()
                .filter(|word| !word.lead().starts_with(":::"))
                .take(MOST)
                .cloned()
                .collect();
            (options.operands[..at].to_vec(), items)
        }
        None => (options.operands.clone(), items(&call.stdin, true)),
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
