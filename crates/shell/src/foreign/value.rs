//! What an expression is worth, as far as it can be told without running it.

use crate::text::{Fill, Hole, Piece, Text};

/// Stands for the home folder until a deed is told.
pub(super) const HOME: char = '\u{f0000}';
/// A name that temporary files and folders have.
pub(super) const TEMPORARY: &str = "/tmp/tmp.XXXXXXXX";
/// The most values that a place may hold, one of which it will.
pub(super) const MOST_EITHER: usize = 16;
/// The longest text that is put together.
const LONGEST: usize = 64 * 1024;
/// The most pieces of a text that is put together.
const MOST_PIECES: usize = 128;

/// The value of an expression.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(Text),
    /// An object that stands for a path: `Path('x')`, `Pathname.new('x')`.
    Path(Text),
    List(Vec<Value>),
    /// A dictionary, an object.
    Map(Vec<(String, Value)>),
    /// A function, a module or a variable that nothing was assigned to: `os.system`.
    Name(String),
    /// A whole number.
    Number(i64),
    Either(Vec<Value>),
    /// Anything: the source that stands for it.
    Unknown(String),
}

impl Value {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self::Text(Text::plain(text))
    }

    /// Nothing known, and nothing to show for it.
    pub(super) fn nothing() -> Self {
        Self::Unknown(String::new())
    }

    pub(super) fn either(mut values: Vec<Self>) -> Self {
        values.truncate(MOST_EITHER);
        match values.pop() {
            Some(only) if values.is_empty() => only,
            Some(last) => {
                values.push(last);
                Self::Either(values)
            }
            None => Self::nothing(),
        }
    }

    fn of_texts(texts: Vec<Text>) -> Self {
        Self::either(texts.into_iter().map(Self::Text).collect())
    }

    /// The strings that it may be.
    pub(super) fn texts(&self) -> Vec<Text> {
        match self {
            Self::Text(text) | Self::Path(text) => vec![text.clone()],
            Self::Number(number) => vec![Text::plain(number.to_string())],
            Self::Name(shown) | Self::Unknown(shown) => {
                vec![Text::hole(shown.clone(), Fill::Anything)]
            }
            Self::Either(values) => {
                let texts = values.iter().flat_map(Self::texts);
                texts.take(MOST_EITHER).collect()
            }
            Self::List(_) => vec![Text::hole("[…]", Fill::Anything)],
            Self::Map(_) => vec![Text::hole("{…}", Fill::Anything)],
        }
    }

    /// The strings in it, of which each is one of many: items of lists count on their own.
    pub(super) fn flat(&self) -> Vec<Text> {
        match self {
            Self::List(values) | Self::Either(values) => {
                values.iter().flat_map(Self::flat).collect()
            }
            Self::Map(_) => Vec::new(),
            other => other.texts(),
        }
    }

    fn is_one(&self) -> bool {
        !matches!(self, Self::Either(_))
    }

    /// The string, when it is known.
    pub(super) fn known(&self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Path(text) => text.known().map(str::to_owned),
            _ => None,
        }
    }

    /// Whether it says no: `False`, `null`, `0`.
    pub(super) fn is_off(&self) -> bool {
        match self {
            Self::Name(name) => matches!(
                name.as_str(),
                "False" | "false" | "None" | "null" | "nil" | "undefined"
            ),
            Self::Number(number) => *number == 0,
            _ => false,
        }
    }

    /// What a loop over it holds at a time.
    pub(super) fn items(self) -> Self {
        match self {
            Self::List(values) => Self::either(values),
            Self::Either(values) => Self::either(values.into_iter().map(Self::items).collect()),
            Self::Unknown(shown) | Self::Name(shown) => Self::Unknown(shown),
            other => other,
        }
    }

    /// About how many bytes a copy of it takes.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Text(text) | Self::Path(text) => weight(text),
            Self::List(values) | Self::Either(values) => {
                8 + values.iter().map(Self::weight).sum::<usize>()
            }
            Self::Map(values) => {
                8 + values
                    .iter()
                    .map(|(_, value)| value.weight())
                    .sum::<usize>()
            }
            Self::Name(name) | Self::Unknown(name) => 8 + name.len(),
            Self::Number(_) => 8,
        }
    }

    /// The value with its strings changed.
    pub(super) fn map_texts(&self, change: impl Fn(&Text) -> Option<Text>) -> Option<Self> {
        let texts: Option<Vec<Text>> = self.texts().iter().map(&change).collect();
        let path = matches!(self, Self::Path(_));
        texts.map(|texts| match Self::of_texts(texts) {
            Self::Text(text) if path => Self::Path(text),
            other => other,
        })
    }

    /// One after the other: strings, lists, or a sum.
    pub(super) fn add(self, next: Self) -> Self {
        match (self, next) {
            (Self::List(mut left), Self::List(right)) => {
                left.extend(right);
                Self::List(left)
            }
            (Self::Number(left), Self::Number(right)) => Self::Number(left.wrapping_add(right)),
            (Self::Text(mut left), right) if right.is_one() => {
                let next = right.texts().pop().unwrap_or_default();
                if !fits(&left, &next) {
                    return Self::nothing();
                }
                left.append(next);
                Self::Text(left)
            }
            (left @ Self::Path(_), right) => join(&left, &right, true),
            (left, right) => pairs(&left, &right, |left, right| {
                let mut text = left.clone();
                text.append(right.clone());
                text
            }),
        }
    }
}

fn weight(text: &Text) -> usize {
    let pieces = text.pieces().iter().map(|piece| match piece {
        Piece::Plain(text) | Piece::Pattern(text) => 8 + text.len(),
        // A hole counts even when it shows nothing, so that no number of them is free.
        Piece::Hole(hole) => 8 + hole.shown.len(),
    });
    8 + pieces.sum::<usize>()
}

/// Whether two texts may be put together.
fn fits(left: &Text, right: &Text) -> bool {
    left.pieces().len() + right.pieces().len() <= MOST_PIECES
        && weight(left) + weight(right) <= LONGEST
}

fn pairs(left: &Value, right: &Value, put: impl Fn(&Text, &Text) -> Text) -> Value {
    let (lefts, rights) = (left.texts(), right.texts());
    let mut texts = Vec::new();
    for left in &lefts {
        for right in &rights {
            if !fits(left, right) {
                return Value::nothing();
            }
            if texts.len() == MOST_EITHER {
                break;
            }
            texts.push(put(left, right));
        }
    }
    texts.dedup();
    Value::of_texts(texts)
}

/// A path below another. When `restarts`, an absolute second path stands alone.
pub(super) fn join(left: &Value, right: &Value, restarts: bool) -> Value {
    let path = matches!(left, Value::Path(_));
    let joined = pairs(left, right, |left, right| join_texts(left, right, restarts));
    match joined {
        Value::Text(text) if path => Value::Path(text),
        other => other,
    }
}

fn join_texts(left: &Text, right: &Text, restarts: bool) -> Text {
    let absolute = right.lead().starts_with(['/', HOME]);
    if left.is_empty() || (absolute && restarts) {
        return right.clone();
    }
    if right.is_empty() || right.is(".") || (is_below(left) && is_named(right)) {
        return left.clone();
    }
    let mut text = left.clone();
    let slashed = matches!(left.pieces().last(), Some(Piece::Plain(plain)) if plain.ends_with('/'));
    if !slashed && !right.lead().starts_with('/') {
        text.push_plain("/");
    }
    if slashed && absolute {
        text.append(right.strip_prefix("/").unwrap_or_default());
    } else {
        text.append(right.clone());
    }
    text
}

fn is_below(text: &Text) -> bool {
    let last = text.pieces().last();
    matches!(
        last,
        Some(Piece::Hole(Hole {
            fill: Fill::Below(_),
            ..
        }))
    )
}

fn is_named(text: &Text) -> bool {
    matches!(
        text.pieces(),
        [Piece::Hole(Hole {
            fill: Fill::Name | Fill::Below(_),
            ..
        })]
    )
}

/// Everything below a folder, at any depth; when a pattern is given, only what matches.
pub(super) fn below(root: &Value, pattern: Option<String>) -> Value {
    let shown = pattern.clone().unwrap_or_else(|| "**".to_owned());
    let hole = Text::hole(shown, Fill::Below(pattern));
    join(root, &Value::Text(hole), true)
}

/// An entry of a folder, whose name is not known.
pub(super) fn entry() -> Value {
    Value::Text(Text::hole("<entry>", Fill::Name))
}

/// A text whose pattern characters match names of files.
pub(super) fn pattern(text: &Text) -> Text {
    let mut made = Text::default();
    for piece in text.pieces() {
        match piece {
            Piece::Plain(plain) => push_pattern(&mut made, plain),
            other => made.push(other.clone()),
        }
    }
    made
}

fn push_pattern(made: &mut Text, plain: &str) {
    if let Some((root, rest)) = plain.split_once("**/") {
        made.push_plain(root);
        let name = rest.rsplit('/').next().unwrap_or(rest);
        let named = (name != "*" && name != "**").then(|| name.to_owned());
        made.push(Piece::Hole(Hole {
            shown: format!("**/{rest}"),
            fill: Fill::Below(named),
        }));
        return;
    }
    let mut rest = plain;
    while let Some(at) = rest.find(['*', '?', '[']) {
        made.push_plain(&rest[..at]);
        rest = &rest[at..];
        let length = match rest.find(']') {
            Some(end) if rest.starts_with('[') => end + 1,
            _ if rest.starts_with('[') => rest.len(),
            _ => rest.find(|c| c != '*' && c != '?').unwrap_or(rest.len()),
        };
        made.push(Piece::Pattern(rest[..length].to_owned()));
        rest = &rest[length..];
    }
    made.push_plain(rest);
}

/// A text without its last name.
pub(super) fn parent(text: &Text) -> Option<Text> {
    let known = text.known()?.trim_end_matches('/');
    Some(match known.rsplit_once('/') {
        Some(("", _)) => Text::plain("/"),
        Some((parent, _)) => Text::plain(parent),
        None if known.is_empty() => Text::plain("/"),
        None if known.starts_with(HOME) => Text::plain(format!("{HOME}/..")),
        None => Text::plain("."),
    })
}

/// A text whose leading tilde stands for the home folder.
pub(super) fn expand_home(text: &Text) -> Text {
    text.strip_prefix("~").map_or_else(
        || text.clone(),
        |rest| {
            let mut home = Text::plain(HOME.to_string());
            home.append(rest);
            home
        },
    )
}
