//! Programs that only pass text on: what they print is known when what they get is.

use crate::options::Options;
use crate::program::{Does, Program, program, unknown};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::{Fill, Piece, Text};

const FILTER: &str = "o|output= n|lines= c|bytes= k|key= t= S= T= w=";

pub(super) const PROGRAMS: &[Program] = &[
    program("echo", "", |_, call, _| Stream::Text(echo(&call.words))).prints(),
    program("printf", "", |_, call, _| Stream::Text(printf(&call.words))).prints(),
    program("cat bat", "", files).prints(),
    program("rev", "", |_, call, _| {
        changed(call, |text| Some(text.chars().rev().collect()))
    })
    .prints(),
    program("tr", "d|delete", translate).prints(),
    program("base64", "w|i|wrap= d|D|decode", decode_base64).prints(),
    program("xxd", "r|revert", decode_hex).prints(),
    program("head tail uniq tac fold", FILTER, filtered).prints(),
    program("sort", FILTER, filtered)
        .prints()
        .does(&[Does::Writes(&["output"])]),
    program("yes", "", |_, _, _| Stream::plain("y\n")).prints(),
    // They only read, whatever they are given.
    program(
        "jq gojq diff cmp comm stat file wc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum \
         shasum md5 hexdump od strings tree du df eza exa lsd lsof getfacl lsattr locate more zcat zless zgrep \
         xmllint yamllint jsonlint shellcheck ack ag ugrep delta code cursor subl zed open xdg-open nano micro \
         pgrep pidof nvidia-smi glow mdcat",
        "",
        unknown,
    )
    .prints(),
    // Some of the lines, or the lines with something added: which is not known.
    program("grep egrep fgrep rg cut nl column ts errno", "", unknown).prints(),
];

fn echo(words: &[Text]) -> Text {
    let mut words = words.iter().peekable();
    let (mut escapes, mut newline) = (false, true);
    while let Some(option) = words.next_if(|word| {
        word.known().is_some_and(|word| {
            word.len() > 1 && word.starts_with('-') && word[1..].chars().all(|c| "neE".contains(c))
        })
    }) {
        let option = option.shown();
        escapes |= option.contains('e');
        newline &= !option.contains('n');
    }
    let mut text = Text::default();
    for (at, word) in words.enumerate() {
        if at > 0 {
            text.push_plain(" ");
        }
        text.append(if escapes {
            unescaped(word)
        } else {
            word.clone()
        });
    }
    if newline {
        text.push_plain("\n");
    }
    text
}

/// The text of `printf format words`.
pub(crate) fn printf(words: &[Text]) -> Text {
    let words = match words.first() {
        Some(word) if word.is("--") => &words[1..],
        _ => words,
    };
    let Some((format, rest)) = words.split_first() else {
        return Text::default();
    };
    let Some(format) = format.known() else {
        return Text::hole(format.shown(), Fill::Anything);
    };
    let mut text = Text::default();
    let mut rest = rest.iter();
    // The format is used again while there are words; a bound keeps a long list short.
    for round in 0..64 {
        let left = rest.len();
        if round > 0 && left == 0 {
            break;
        }
        formatted(format, &mut rest, &mut text);
        if rest.len() == left {
            break;
        }
    }
    text
}

fn formatted<'a>(format: &str, words: &mut impl Iterator<Item = &'a Text>, into: &mut Text) {
    let mut plain = String::new();
    let mut characters = format.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '%' {
            plain.push(character);
            continue;
        }
        let mut flags = String::new();
        while let Some(flag) = characters.next_if(|c| c.is_ascii_digit() || "-+ #.*'".contains(*c))
        {
            flags.push(flag);
        }
        into.append(escapes(&plain));
        plain.clear();
        match characters.next() {
            Some('%') => into.push_plain("%"),
            Some('b') => into.append(words.next().map(unescaped).unwrap_or_default()),
            Some(kind @ ('o' | 'x' | 'X')) => {
                let word = words.next().cloned().unwrap_or_default();
                into.append(
                    word.known()
                        .and_then(|word| in_base(word, kind, &flags))
                        .map_or(word, Text::plain),
                );
            }
            Some(_) => into.append(words.next().cloned().unwrap_or_default()),
            None => {}
        }
    }
    into.append(escapes(&plain));
}

/// A number in octal or hexadecimal digits.
fn in_base(word: &str, kind: char, flags: &str) -> Option<String> {
    let number: u32 = match word.strip_prefix(['\'', '"']) {
        // `'c` stands for the number of a character.
        Some(character) => u32::from(character.chars().next()?),
        None => word.parse().ok()?,
    };
    let digits = match kind {
        'o' => format!("{number:o}"),
        'x' => format!("{number:x}"),
        _ => format!("{number:X}"),
    };
    let width = flags
        .trim_start_matches(['-', '0', '#'])
        .parse()
        .unwrap_or(0);
    let padding = usize::saturating_sub(width, digits.len()).min(16);
    let fill = if flags.starts_with('0') { "0" } else { " " };
    Some(fill.repeat(padding) + &digits)
}

fn unescaped(text: &Text) -> Text {
    let mut new = Text::default();
    for piece in text.pieces() {
        match piece {
            Piece::Plain(plain) => new.append(escapes(plain)),
            other => new.push(other.clone()),
        }
    }
    new
}

/// Text with `\n`, `\x41`, `\101` and the like worked out.
pub(crate) fn escapes(text: &str) -> Text {
    if !text.contains('\\') {
        return Text::plain(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let Some((&kind, after)) = rest.split_first() else {
            bytes.push(b'\\');
            break;
        };
        rest = after;
        match kind {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'a' | b'b' | b'f' | b'v' | b'c' => {}
            b'e' => bytes.push(0x1b),
            b'x' => rest = number(rest, 16, 2, &mut bytes),
            b'0' => rest = number(rest, 8, 3, &mut bytes),
            b'1'..=b'7' => {
                let whole = &text.as_bytes()[text.len() - rest.len() - 1..];
                rest = number(whole, 8, 3, &mut bytes);
            }
            b'\\' => bytes.push(b'\\'),
            other => bytes.extend([b'\\', other]),
        }
    }
    Text::plain(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads digits as one byte, which wraps as the shell's does.
fn number<'a>(text: &'a [u8], base: u32, most: usize, into: &mut Vec<u8>) -> &'a [u8] {
    let digits = text
        .iter()
        .take(most)
        .take_while(|byte| char::from(**byte).is_digit(base))
        .count();
    let value = text[..digits].iter().fold(0_u32, |value, byte| {
        value * base + char::from(*byte).to_digit(base).unwrap_or(0)
    });
    if digits > 0 {
        into.push((value & 0xff) as u8);
    }
    &text[digits..]
}

/// What stands in the files that are named, or what comes in.
fn files(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let operands = &options.operands;
    if operands.is_empty() {
        return call.stdin.clone();
    }
    operands.iter().fold(Stream::Nothing, |all, file| {
        let content = if file.is("-") {
            call.stdin.clone()
        } else {
            runner.read_from(file)
        };
        all.then(content)
    })
}

/// Part of what comes in, or of a file. All of it is taken: what is dangerous in the whole may be in
/// the part.
fn filtered(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    match options.operands.first() {
        Some(file) if !file.lead().starts_with('+') => runner.read_from(file),
        _ => call.stdin.clone(),
    }
}

fn changed(call: &Call, change: impl Fn(&str) -> Option<String>) -> Stream {
    match &call.stdin {
        Stream::Text(text) => match text.known() {
            Some(known) => {
                let lines: Option<Vec<String>> = known.lines().map(change).collect();
                lines.map_or_else(
                    || Stream::Unknown(call.shown()),
                    |lines| Stream::plain(lines.join("\n") + "\n"),
                )
            }
            None => Stream::Unknown(call.shown()),
        },
        other => other.clone(),
    }
}

/// `tr a-z n-za-m`, `tr -d x`.
fn translate(_: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let sets: Vec<Vec<char>> = options
        .operands
        .iter()
        .filter_map(|set| set.literal().map(|set| characters(&set)))
        .collect();
    let deletes = options.has("delete");
    changed(call, |text| {
        let from = sets.first()?;
        if deletes {
            return Some(text.chars().filter(|c| !from.contains(c)).collect());
        }
        let to = sets.get(1)?;
        let translated =
            text.chars().map(
                |character| match from.iter().position(|c| *c == character) {
                    Some(at) => to.get(at).or(to.last()).copied().unwrap_or(character),
                    None => character,
                },
            );
        Some(translated.collect())
    })
}

/// The characters of a set: ranges, classes and escapes.
fn characters(set: &str) -> Vec<char> {
    let set = set
        .replace("[:lower:]", "a-z")
        .replace("[:upper:]", "A-Z")
        .replace("[:digit:]", "0-9")
        .replace("[:space:]", " \t\n");
    let set: Vec<char> = escapes(&set).shown().chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while at < set.len() && all.len() < 512 {
        if at + 2 < set.len() && set[at + 1] == '-' {
            all.extend(set[at]..=set[at + 2]);
            at += 3;
        } else {
            all.push(set[at]);
            at += 1;
        }
    }
    all
}

fn decode_base64(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if !options.has("decode") {
        return Stream::Unknown(call.shown());
    }
    let input = match options.operands.first() {
        Some(file) => runner.read_from(file),
        None => call.stdin.clone(),
    };
    decoded(call, &input, |text| {
        crate::base64::decode(&text.split_whitespace().collect::<String>())
    })
}

fn decode_hex(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if !options.has("revert") {
        return Stream::Unknown(call.shown());
    }
    let input = match options.operands.first() {
        Some(file) => runner.read_from(file),
        None => call.stdin.clone(),
    };
    decoded(call, &input, |text| {
        let digits: Vec<u32> = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| c.to_digit(16))
            .collect::<Option<_>>()?;
        let bytes = digits.chunks_exact(2);
        bytes
            .map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok())
            .collect()
    })
}

fn decoded(call: &Call, input: &Stream, decode: impl Fn(&str) -> Option<Vec<u8>>) -> Stream {
    let Stream::Text(text) = input else {
        return match input {
            Stream::Download(from) => Stream::Download(from.clone()),
            _ => Stream::Unknown(call.shown()),
        };
    };
    text.known()
        .and_then(decode)
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .map_or_else(|| Stream::Unknown(call.shown()), Stream::plain)
}
