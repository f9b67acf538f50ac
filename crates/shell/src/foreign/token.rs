//! The tokens of a source.

/// A token and where it stands.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// A name or a keyword, with its sigil: `os`, `$x`, `@list`.
    Word,
    Number,
    Text(Vec<Part>),
    /// A string that a shell runs: backticks, `qx`, `%x`.
    Shell(Vec<Part>),
    /// A pattern of file names: Perl's `<*.c>`.
    Glob(Vec<Part>),
    /// Words of a list: `qw(a b)`, `%w[a b]`.
    Words(Vec<String>),
    /// A regular expression, which is never looked into.
    Regex,
    /// The end of a line, where that may matter.
    Newline,
    /// An opening bracket and the index of its partner, or of the end.
    Open(usize),
    /// A closing bracket.
    Close,
    Mark,
}

/// A part of a string.
#[derive(Debug)]
pub(super) enum Part {
    /// Text that means itself.
    Plain(String),
    /// Code whose value stands there.
    Code(Vec<Token>),
}

/// The first characters of a source, on one line.
pub(super) fn snippet(source: &str) -> String {
    const MOST: usize = 60;
    let source = source.trim_start();
    let end = source.char_indices().nth(MOST).map(|(end, _)| end);
    let mut shown = source[..end.unwrap_or(source.len())].trim_end().to_owned();
    if shown.contains(char::is_control) {
        shown = shown.replace(char::is_control, " ");
    }
    if end.is_some() {
        shown.push('…');
    }
    shown
}

/// Tells every opening bracket where its partner is.
pub(super) fn pair(tokens: &mut [Token]) {
    let (mut open, end) = (Vec::new(), tokens.len());
    for at in 0..end {
        match &mut tokens[at].kind {
            Kind::Open(partner) => {
                *partner = end;
                open.push(at);
            }
            Kind::Close => {
                if let Some(from) = open.pop() {
                    tokens[from].kind = Kind::Open(at);
                }
            }
            _ => {}
        }
    }
}
