//! What functions give that only work with values.

use super::call::{Arguments, environment};
use super::code;
use super::import::module;
use super::parse::Reader;
use crate::text::{Fill, Text};

use super::value::{HOME, Value, below, entry, expand_home, join, parent, pattern};

#[derive(Debug, Clone, Copy)]
pub(super) enum Give {
    /// Always the same text.
    Text(&'static str),
    /// The same, without a call.
    Constant(&'static str),
    /// Always the same path.
    Path(&'static str),
    /// The home folder.
    Home,
    /// The home folder as a path.
    HomePath,
    /// An environment variable.
    Environment,
    /// Its arguments as one path; an absolute one begins anew.
    Join,
    /// Its arguments as one path, whatever they begin with.
    JoinAll,
    /// Its arguments as a path object.
    AsPath,
    /// Its first argument.
    Same,
    /// Its first argument as a string.
    AsText,
    /// Its first argument with the home folder for a tilde.
    ExpandHome,
    /// The folder of its first argument.
    Parent,
    /// What matches a pattern.
    Glob,
    /// What matches a pattern in a folder.
    GlobIn,
    /// What matches a pattern anywhere below a folder.
    GlobBelow,
    /// Every folder below one, with the names in it.
    Walk,
    /// Everything below a folder.
    Below,
    /// Numbers, which are part of a name at most.
    Count,
    /// The names in a folder.
    Names,
    /// The entries of a folder, as paths.
    Entries,
    /// Characters of numbers.
    Characters,
    /// What base64 stands for.
    Base64,
    /// What hexadecimal digits stand for.
    Hex,
    /// What its first argument stands for in the encoding that the second names.
    Decode,
    /// What its second argument stands for in the encoding that the first names.
    Unpack,
    Reverse,
    /// With one text for another.
    Replace,
    /// With arguments for the marks in it.
    Format,
    /// A list, joined by its first argument.
    JoinedBy,
    /// A list, joined by its second argument.
    Joined,
    /// Its first argument in parts.
    Split,
    /// Its words, as a shell takes them.
    Words,
    Module,
    /// A member, named by the second argument.
    Member,
}

impl Reader<'_> {
    /// What a function gives, when that can be told.
    pub(super) fn give(&mut self, give: Give, arguments: &Arguments) -> Option<Value> {
        let listed = arguments.listed.as_slice();
        let first = listed.first();
        match give {
            Give::Text(text) | Give::Constant(text) => Some(Value::plain(text)),
            Give::Path(text) => Some(as_path(Value::plain(text))),
            Give::Home => Some(Value::plain(HOME.to_string())),
            Give::HomePath => Some(as_path(Value::plain(HOME.to_string()))),
            Give::Environment => Some(environment(&first?.known()?)),
            Give::Join => joined(listed, true),
            Give::JoinAll => joined(listed, false),
            Give::AsPath => joined(listed, true)
                .or(Some(Value::plain(".")))
                .map(as_path),
            Give::Same => first.map(|value| self.copy(value)),
            Give::AsText => first?.map_texts(|text| Some(text.clone())).map(as_text),
            Give::ExpandHome => first?.map_texts(|text| Some(expand_home(text))),
            Give::Parent => first?.map_texts(parent),
            Give::Glob => Some(glob(arguments.get(0, "pathname")?)),
            Give::GlobIn => Some(listed_in(first?, &glob(listed.get(1)?))),
            Give::GlobBelow => {
                let name = listed.get(1)?.known()?;
                let name = (name != "*").then_some(name);
                Some(Value::List(vec![below(first?, name)]))
            }
            Give::Walk => {
                let names = Value::List(vec![entry()]);
                let triple = vec![below(first?, None), names.clone(), names];
                Some(Value::List(vec![Value::List(triple)]))
            }
            Give::Below => Some(Value::List(vec![below(first?, None)])),
            Give::Count => {
                let number = Text::hole("<number>", Fill::Name);
                Some(Value::List(vec![Value::Text(number)]))
            }
            Give::Names => Some(Value::List(vec![entry()])),
            Give::Entries => Some(Value::List(vec![as_path(join(first?, &entry(), true))])),
            other => give_text(other, arguments).or_else(|| Self::give_module(other, listed)),
        }
    }

    fn give_module(give: Give, listed: &[Value]) -> Option<Value> {
        match (give, listed) {
            (Give::Module, [name, ..]) => Some(Value::Name(module(&name.known()?))),
            (Give::Member, [Value::Name(of), member, ..]) => {
                Some(Value::Name(format!("{of}.{}", member.known()?)))
            }
            _ => None,
        }
    }
}

fn give_text(give: Give, arguments: &Arguments) -> Option<Value> {
    let listed = arguments.listed.as_slice();
    let first = listed.first()?;
    match give {
        Give::Characters => code::characters(listed),
        Give::Base64 => code::base64(first),
        Give::Hex => code::hex(first),
        Give::Decode => code::decode(first, listed.get(1)),
        Give::Unpack => code::decode(listed.get(1)?, Some(first)),
        Give::Reverse => code::reversed(first),
        Give::Replace => code::replaced(first, listed.get(1)?, listed.get(2)?),
        Give::Format => Some(code::format(first, listed.get(1..)?)),
        Give::JoinedBy => code::joined(listed.get(1..)?, first),
        Give::Joined => code::joined(
            std::slice::from_ref(first),
            listed.get(1).unwrap_or(&Value::plain(",")),
        ),
        Give::Split => code::split(first, listed.get(1)),
        Give::Words => code::split(first, None),
        _ => None,
    }
}

fn joined(parts: &[Value], restarts: bool) -> Option<Value> {
    let mut parts = parts.iter();
    let first = parts.next()?.clone();
    Some(parts.fold(first, |path, part| join(&path, part, restarts)))
}

/// What matches a pattern, as a list of one.
pub(super) fn glob(text: &Value) -> Value {
    let matched = text.map_texts(|text| Some(pattern(text)));
    Value::List(vec![matched.unwrap_or_else(Value::nothing)])
}

fn listed_in(root: &Value, names: &Value) -> Value {
    let Value::List(names) = names else {
        return Value::nothing();
    };
    Value::List(names.iter().map(|name| join(root, name, true)).collect())
}

fn as_path(value: Value) -> Value {
    match value {
        Value::Text(text) => Value::Path(text),
        Value::Either(values) => Value::Either(values.into_iter().map(as_path).collect()),
        Value::Name(_) | Value::Unknown(_) | Value::Number(_) => {
            value.texts().into_iter().next().map_or(value, Value::Path)
        }
        other => other,
    }
}

fn as_text(value: Value) -> Value {
    match value {
        Value::Path(text) => Value::Text(text),
        other => other,
    }
}
