//! What a word becomes: quotes, variables, substitutions, braces, tildes and patterns.

mod braces;
mod literal;
mod parameter;
mod raw;

use rable::{Node, NodeKind};

use crate::parse;
use crate::run::Runner;
use crate::stream::Stream;
use crate::text::{BLANKS, Fill, Piece, Text};
use literal::Quotes;

/// The fields that a word becomes: none, one or several.
pub(crate) fn fields(runner: &mut Runner<'_>, word: &Node) -> Vec<Text> {
    let NodeKind::Word { value, parts, .. } = &word.kind else {
        return vec![other(runner, word)];
    };
    // Most words are plain, and need nothing of all this.
    if let [part] = parts.as_slice()
        && let NodeKind::WordLiteral { value } = &part.kind
        && literal::is_plain(value)
    {
        return vec![Text::plain(value.as_str())];
    }
    let again = taken_apart(value, parts);
    let parts = again.as_deref().unwrap_or(parts);
    braces::variants(value, parts)
        .into_iter()
        .flat_map(|(value, parts)| expand(runner, &value, &parts, Use::Word))
        .collect()
}

/// The one text of a word that is not split: the right side of an assignment, a redirection's target,
/// the word of a `case`.
pub(crate) fn text(runner: &mut Runner<'_>, word: &Node) -> Text {
    let NodeKind::Word { value, parts, .. } = &word.kind else {
        return other(runner, word);
    };
    let again = taken_apart(value, parts);
    let parts = again.as_deref().unwrap_or(parts);
    let fields = expand(runner, value, parts, Use::Text);
    fields
        .into_iter()
        .reduce(|mut all, next| {
            all.push_plain(" ");
            all.append(next);
            all
        })
        .unwrap_or_default()
}

/// The parts of a word that the parser has left whole: it does not look into what is nested deeply, nor
/// into the `"$@"` of a loop without words.
fn taken_apart(value: &str, parts: &[Node]) -> Option<Vec<Node>> {
    let whole = |part: &Node| match &part.kind {
        NodeKind::WordLiteral { value } => literal::has_expansion(value),
        _ => false,
    };
    let left = parts.is_empty() && literal::has_expansion(value);
    if !left && !parts.iter().any(whole) {
        return None;
    }
    match parse::words(value)?.into_iter().next()?.kind {
        NodeKind::Word { parts, .. } => Some(parts),
        _ => None,
    }
}

/// The text of a source in which expansions are done as in double quotes.
pub(crate) fn quoted(runner: &mut Runner<'_>, source: &str) -> Text {
    if !source.contains(['$', '`', '\\']) {
        return Text::plain(source);
    }
    match parse::as_quoted(source) {
        Some(word) => text(runner, &word),
        None => Text::hole(source, Fill::Anything),
    }
}

/// What an expansion is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// A word of a command: it is split, and patterns are matched.
    Word,
    /// A value: it is not.
    Text,
}

/// A node in the place of a word that is none.
fn other(runner: &mut Runner<'_>, node: &Node) -> Text {
    let mut fields = Fields::new(runner, Use::Text);
    fields.part(runner, node, None);
    fields.finish().into_iter().next().unwrap_or_default()
}

fn expand(runner: &mut Runner<'_>, value: &str, parts: &[Node], used: Use) -> Vec<Text> {
    let mut fields = Fields::new(runner, used);
    let mut raw = raw::Raw::new(value);
    for part in parts {
        let source = raw.next(part);
        fields.part(runner, part, source);
    }
    fields.finish()
}

struct Fields {
    used: Use,
    quotes: Quotes,
    done: Vec<Text>,
    now: Option<Text>,
    /// What unquoted text is split at: `IFS`.
    marks: Vec<char>,
}

impl Fields {
    fn new(runner: &Runner<'_>, used: Use) -> Self {
        let marks = runner
            .known("IFS")
            .map_or_else(|| BLANKS.to_vec(), |marks| marks.chars().collect());
        Self {
            used,
            quotes: Quotes::default(),
            done: Vec::new(),
            now: None,
            marks,
        }
    }

    fn part(&mut self, runner: &mut Runner<'_>, part: &Node, source: Option<&str>) {
        match &part.kind {
            NodeKind::WordLiteral { value } => self.literal(runner, value),
            NodeKind::CommandSubstitution { command, .. } => {
                let text = substituted(runner, command, source);
                self.expanded(text);
            }
            NodeKind::ProcessSubstitution { direction, command } => {
                let text = runner.process_substitution(direction, command);
                self.whole(text);
            }
            NodeKind::AnsiCQuote { decoded, .. } if !self.quotes.double => {
                self.whole(Text::plain(decoded.as_str()));
            }
            NodeKind::LocaleString { inner, .. } => {
                let text = quoted(runner, inner);
                self.whole(text);
            }
            NodeKind::ArithmeticExpansion { .. } | NodeKind::ArithDeprecated { .. } => {
                let text = arithmetic(runner, source);
                self.whole(text);
            }
            NodeKind::AnsiCQuote { content, .. } | NodeKind::BraceExpansion { content } => {
                self.whole(Text::plain(content.as_str()));
            }
            _ => self.parameter(runner, part),
        }
    }

    fn literal(&mut self, runner: &Runner<'_>, value: &str) {
        let mut starts = self.now.is_none();
        let pieces = self.quotes.read(value);
        for (at, piece) in pieces.into_iter().enumerate() {
            match piece {
                literal::Read::Empty => {
                    self.now.get_or_insert_default();
                }
                literal::Read::Tilde(user) if starts || at > 0 => {
                    let text = runner.tilde(&user);
                    self.whole(text);
                }
                literal::Read::Tilde(user) => self.whole(Text::plain(format!("~{user}"))),
                literal::Read::Piece(piece) => self.now.get_or_insert_default().push(piece),
            }
            starts = false;
        }
    }

    fn parameter(&mut self, runner: &mut Runner<'_>, part: &Node) {
        let found = parameter::value(runner, part);
        match found {
            parameter::Found::Text(text) => self.expanded(text),
            parameter::Found::List(texts) if self.used == Use::Word => self.list(texts),
            parameter::Found::List(texts) => {
                for (at, text) in texts.into_iter().enumerate() {
                    if at > 0 {
                        self.whole(Text::plain(" "));
                    }
                    self.whole(text);
                }
            }
        }
    }

    /// `"$@"`: the first goes to what stands before it, the last to what comes after.
    fn list(&mut self, texts: Vec<Text>) {
        for (at, text) in texts.into_iter().enumerate() {
            if at > 0 {
                self.done.extend(self.now.take());
            }
            self.expanded(text);
            if self.quotes.double {
                self.now.get_or_insert_default();
            }
        }
    }

    /// Text that is not split.
    fn whole(&mut self, text: Text) {
        self.now.get_or_insert_default().append(text);
    }

    /// What an expansion gave: split unless it stands in quotes.
    fn expanded(&mut self, text: Text) {
        if self.quotes.double || self.used == Use::Text {
            return self.whole(text);
        }
        let begins = text.lead().starts_with(self.marks.as_slice());
        let ends = matches!(text.pieces().last(), Some(Piece::Plain(last)) if last.ends_with(self.marks.as_slice()));
        if begins {
            self.done.extend(self.now.take());
        }
        for (at, field) in text.split(&self.marks).into_iter().enumerate() {
            if at > 0 {
                self.done.extend(self.now.take());
            }
            self.whole(with_patterns(field));
        }
        if ends {
            self.done.extend(self.now.take());
        }
    }

    fn finish(mut self) -> Vec<Text> {
        self.done.extend(self.now);
        self.done
    }
}

/// Pattern characters that come out of an unquoted expansion are matched too: `x='*'; rm $x`.
fn with_patterns(text: Text) -> Text {
    if !text
        .pieces()
        .iter()
        .any(|piece| matches!(piece, Piece::Plain(text) if text.contains(['*', '?', '['])))
    {
        return text;
    }
    let mut matched = Text::default();
    for piece in text.pieces() {
        match piece {
            Piece::Plain(plain) => literal::patterns(plain, &mut matched),
            other => matched.push(other.clone()),
        }
    }
    matched
}

/// The output of a command, without the newlines at its end.
fn substituted(runner: &mut Runner<'_>, command: &Node, source: Option<&str>) -> Text {
    let stream = match source.and_then(raw::inside_backticks) {
        Some(inside) => runner.substitute_source(&inside),
        None => runner.substitute(command),
    };
    let shown = source.unwrap_or("$(…)");
    match stream {
        Stream::Text(text) => without_last_newlines(&text),
        Stream::Nothing => Text::default(),
        Stream::Download(from) => Text::hole(from, Fill::Downloaded),
        Stream::Unknown(_) => Text::hole(shown, Fill::Anything),
    }
}

fn without_last_newlines(text: &Text) -> Text {
    let count = text.pieces().len();
    let mut trimmed = Text::default();
    for (at, piece) in text.pieces().iter().enumerate() {
        match piece {
            Piece::Plain(plain) if at + 1 == count => {
                trimmed.push_plain(plain.trim_end_matches('\n'));
            }
            other => trimmed.push(other.clone()),
        }
    }
    trimmed
}

/// A number. What is substituted in it runs all the same.
fn arithmetic(runner: &mut Runner<'_>, source: Option<&str>) -> Text {
    let source = source.unwrap_or("$((…))");
    runner.substitutions_in(source);
    Text::hole(source, Fill::Name)
}
