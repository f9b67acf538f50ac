//! The parser behind bounds.

use rable::{Node, NodeKind};

use crate::bounds::{self, Excess};

/// Why a source has no tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unparsed {
    /// It is more than is parsed.
    Excess(Excess),
    /// It is no shell: what the parser says.
    Syntax(String),
}

/// The commands of what the agent gives.
pub(crate) fn command(text: &str) -> Result<Vec<Node>, Unparsed> {
    bounds::check(text).map_err(Unparsed::Excess)?;
    source(text)
}

/// The commands of a source that is reached from there: it may be a script.
pub(crate) fn source(text: &str) -> Result<Vec<Node>, Unparsed> {
    bounds::check_script(text).map_err(Unparsed::Excess)?;
    rable::parse(text, true)
        .or_else(|_| rable::parse(text, false))
        .map_err(|error| Unparsed::Syntax(error.to_string()))
}

/// The words of a line that is known to be nothing else.
pub(crate) fn words(text: &str) -> Option<Vec<Node>> {
    let nodes = source(&format!(": {text}")).ok()?;
    match nodes.into_iter().next()?.kind {
        NodeKind::Command { mut words, .. } => {
            words.remove(0);
            Some(words)
        }
        _ => None,
    }
}

/// A text in which expansions are done as in double quotes, as one word: the body of a
/// here-document, the inside of an arithmetic expression.
pub(crate) fn as_quoted(text: &str) -> Option<Node> {
    words(&format!("\"{}\"", text.replace('"', "\\\"")))?
        .into_iter()
        .next()
}

/// The argument of `${x:-argument}` as one word; blanks in it are kept.
pub(crate) fn as_word(text: &str) -> Option<Node> {
    let mut escaped = String::with_capacity(text.len() + 8);
    let (mut single, mut double, mut escape, mut depth) = (false, false, false, 0_usize);
    for character in text.chars() {
        let quoted = single || double || escape || depth > 0;
        if !quoted && " \t\n;&|<>()#".contains(character) && !escaped.ends_with('$') {
            escaped.push('\\');
        }
        match character {
            '\'' if !double && !escape => single = !single,
            '"' if !single && !escape => double = !double,
            '(' | '{' if escaped.ends_with('$') && !single => depth += 1,
            ')' | '}' if !single => depth = depth.saturating_sub(1),
            _ => {}
        }
        escape = character == '\\' && !escape && !single;
        escaped.push(character);
    }
    words(&escaped)?.into_iter().next()
}
