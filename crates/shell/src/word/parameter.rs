//! `$x`, `${x:-y}`, `${x%.*}`, `$1`, `"$@"` and the like.

use rable::{Node, NodeKind};

use crate::matching::matches;
use crate::parse;
use crate::run::Runner;
use crate::text::{Fill, Piece, Text};

/// The longest value that is cut or replaced.
const LONGEST_CUT: usize = 512;

pub(super) enum Found {
    /// One text, which may be split.
    Text(Text),
    /// Several words: `$@`, an array.
    List(Vec<Text>),
}

pub(super) fn value(runner: &mut Runner<'_>, part: &Node) -> Found {
    match &part.kind {
        NodeKind::ParamExpansion { param, op, arg } => expansion(
            runner,
            param,
            op.as_deref(),
            arg.as_deref().unwrap_or_default(),
        ),
        NodeKind::ParamIndirect { param, .. } => {
            let name = runner
                .variable(param)
                .and_then(|text| text.known().map(str::to_owned));
            match name {
                Some(name) => expansion(runner, &name, None, ""),
                None => Found::Text(Text::hole(format!("${{!{param}}}"), Fill::Anything)),
            }
        }
        NodeKind::ParamLength { param } => {
            Found::Text(Text::hole(format!("${{#{param}}}"), Fill::Name))
        }
        _ => Found::Text(Text::hole("…", Fill::Anything)),
    }
}

fn expansion(runner: &mut Runner<'_>, param: &str, op: Option<&str>, arg: &str) -> Found {
    if let Some(texts) = list(runner, param) {
        let texts = match op {
            Some(":") => {
                let from = arg
                    .trim()
                    .split(':')
                    .next()
                    .and_then(|from| from.parse().ok());
                texts.into_iter().skip(from.unwrap_or(0)).collect()
            }
            _ => texts,
        };
        return Found::List(texts);
    }
    let now = runner.variable(param);
    Found::Text(match op {
        None => now.unwrap_or_else(|| unknown(param)),
        Some(op) => operated(runner, param, now, op, arg),
    })
}

/// `$@`, `$*` and arrays.
fn list(runner: &Runner<'_>, param: &str) -> Option<Vec<Text>> {
    match param {
        "@" | "*" => Some(runner.arguments()),
        _ => {
            let name = param
                .strip_suffix("[@]")
                .or_else(|| param.strip_suffix("[*]"))?;
            runner.list(name)
        }
    }
}

/// What is not set here may be set outside, and then to anything.
fn unknown(param: &str) -> Text {
    Text::hole(format!("${param}"), Fill::Anything)
}

fn operated(runner: &mut Runner<'_>, param: &str, now: Option<Text>, op: &str, arg: &str) -> Text {
    let guessed = now.as_ref().is_some_and(
        |text| matches!(text.pieces(), [Piece::Hole(hole)] if hole.fill == Fill::Temporary),
    );
    let set = now.is_some() && !runner.is_unset(param) && !guessed;
    let filled = now.as_ref().is_some_and(|text| !text.is_empty()) && !guessed;
    match op {
        ":-" | ":=" if filled => now.unwrap_or_default(),
        "-" | "=" if set => now.unwrap_or_default(),
        ":-" | "-" => argument(runner, arg),
        ":=" | "=" => {
            let text = argument(runner, arg);
            runner.set(param, text.clone());
            text
        }
        ":+" if filled => argument(runner, arg),
        "+" if set => argument(runner, arg),
        ":+" | "+" => Text::default(),
        _ => match now {
            Some(text) => changed(runner, param, text, op, arg),
            None => unknown(param),
        },
    }
}

fn argument(runner: &mut Runner<'_>, arg: &str) -> Text {
    if arg.is_empty() {
        return Text::default();
    }
    match parse::as_word(arg) {
        Some(word) => super::text(runner, &word),
        None => Text::hole(arg, Fill::Anything),
    }
}

/// A known value cut, replaced or cased.
fn changed(runner: &mut Runner<'_>, param: &str, text: Text, op: &str, arg: &str) -> Text {
    let known = match text.known() {
        // Cutting tries every place: what is longer is no name of anything.
        Some(known) if known.len() > LONGEST_CUT => return unknown(param),
        Some(known) => known.to_owned(),
        // A question only checks: the value is what it is.
        None if matches!(op, ":?" | "?") => return text,
        None => return unknown(param),
    };
    let pattern = |runner: &mut Runner<'_>, arg: &str| {
        argument(runner, arg)
            .literal()
            .map(std::borrow::Cow::into_owned)
    };
    let new = match op {
        ":?" | "?" => Some(known),
        "#" | "##" => pattern(runner, arg).map(|pattern| cut_start(&known, &pattern, op == "##")),
        "%" | "%%" => pattern(runner, arg).map(|pattern| cut_end(&known, &pattern, op == "%%")),
        "/" | "//" => replaced(runner, &known, arg, op == "//"),
        ":" => substring(&known, arg),
        "^^" => Some(known.to_uppercase()),
        ",," => Some(known.to_lowercase()),
        "^" => Some(first_cased(&known, char::to_ascii_uppercase)),
        "," => Some(first_cased(&known, char::to_ascii_lowercase)),
        _ => None,
    };
    new.map_or_else(|| unknown(param), Text::plain)
}

fn first_cased(text: &str, case: fn(&char) -> char) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| case(&first));
    first.into_iter().chain(characters).collect()
}

/// The shortest or longest match at the start is taken away.
fn cut_start(text: &str, pattern: &str, longest: bool) -> String {
    let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    ends.push(text.len());
    if longest {
        ends.reverse();
    }
    let end = ends.into_iter().find(|end| matches(pattern, &text[..*end]));
    text[end.unwrap_or(0)..].to_owned()
}

fn cut_end(text: &str, pattern: &str, longest: bool) -> String {
    let mut starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    starts.push(text.len());
    if !longest {
        starts.reverse();
    }
    let start = starts
        .into_iter()
        .find(|start| matches(pattern, &text[*start..]));
    text[..start.unwrap_or(text.len())].to_owned()
}

fn replaced(runner: &mut Runner<'_>, known: &str, arg: &str, all: bool) -> Option<String> {
    let (from, to) = arg.split_once('/').unwrap_or((arg, ""));
    let from = argument(runner, from).known()?.to_owned();
    let to = argument(runner, to).known()?.to_owned();
    if from.is_empty() {
        return None;
    }
    Some(if all {
        known.replace(&from, &to)
    } else {
        known.replacen(&from, &to, 1)
    })
}

fn substring(known: &str, arg: &str) -> Option<String> {
    let mut numbers = arg.split(':').map(|number| number.trim().parse::<i64>());
    let length = i64::try_from(known.chars().count()).ok()?;
    let from = numbers.next()?.ok()?;
    let from = if from < 0 {
        (length + from).max(0)
    } else {
        from
    };
    let count = match numbers.next() {
        None => length,
        Some(count) => {
            let count = count.ok()?;
            if count < 0 {
                length + count - from
            } else {
                count
            }
        }
    };
    let (from, count) = (usize::try_from(from).ok()?, usize::try_from(count).ok()?);
    Some(known.chars().skip(from).take(count).collect())
}
