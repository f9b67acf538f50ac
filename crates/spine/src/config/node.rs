//! A tree of values that knows where each came from.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Where a value was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Our own defaults, or a preset.
    BuiltIn(&'static str),
    File(Arc<PathBuf>),
    /// A variable of the environment.
    Variable(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(name) => f.write_str(name),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Variable(name) => write!(f, "${name}"),
        }
    }
}

/// A place in an origin; lines and columns count from one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub origin: Origin,
    /// The line, or 0 where there are none.
    pub line: usize,
    /// The column, or 0 where there are none.
    pub column: usize,
}

impl Place {
    /// A place that has no lines.
    pub fn in_whole(origin: Origin) -> Self {
        Self {
            origin,
            line: 0,
            column: 0,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.origin),
            line => write!(f, "{}:{line}:{}", self.origin, self.column),
        }
    }
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub value: Value,
    pub place: Place,
}

/// A key of a map and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub text: String,
    pub place: Place,
}

/// What can be written in a configuration file.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing: the key stands there without a value.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Float(f64),
    Text(String),
    List(Vec<Node>),
    /// A map, in the order in which it was written.
    Map(Vec<(Key, Node)>),
}

impl Node {
    pub fn empty(place: Place) -> Self {
        Self {
            value: Value::Map(Vec::new()),
            place,
        }
    }

    /// The value under a key of a map.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries()
            .iter()
            .find(|(found, _)| found.text == key)
            .map(|(_, node)| node)
    }

    /// The entries of a map; none for anything else.
    pub fn entries(&self) -> &[(Key, Node)] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The value at a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The same, to be changed.
    pub fn at_mut(&mut self, path: &[&str]) -> Option<&mut Node> {
        path.iter().try_fold(self, |node, key| {
            let Value::Map(entries) = &mut node.value else {
                return None;
            };
            let found = entries.iter_mut().find(|(found, _)| found.text == *key);
            found.map(|(_, node)| node)
        })
    }

    /// Removes what stands at a path and returns it. `*` stands for every key.
    pub fn remove(&mut self, path: &[&str]) -> Vec<(String, Node)> {
        let (Value::Map(entries), Some((first, rest))) = (&mut self.value, path.split_first())
        else {
            return Vec::new();
        };
        if rest.is_empty() {
            let matches = |(key, _): &(Key, Node)| *first == "*" || key.text == *first;
            let (gone, kept): (Vec<_>, Vec<_>) =
                std::mem::take(entries).into_iter().partition(matches);
            *entries = kept;
            return gone
                .into_iter()
                .map(|(key, node)| (key.text, node))
                .collect();
        }
        let mut removed = Vec::new();
        for (key, node) in entries
            .iter_mut()
            .filter(|(key, _)| *first == "*" || key.text == *first)
        {
            let found = node.remove(rest);
            removed.extend(
                found
                    .into_iter()
                    .map(|(path, node)| (format!("{}.{path}", key.text), node)),
            );
        }
        removed
    }

    /// A tree made of anything that serialises, all of it at one place.
    pub fn from_json(value: &serde_json::Value, place: &Place) -> Self {
        use serde_json::Value as Json;
        let value = match value {
            Json::Null => Value::Null,
            Json::Bool(flag) => Value::Bool(*flag),
            Json::Number(number) => match number.as_i64() {
                Some(number) => Value::Integer(number),
                None => Value::Float(number.as_f64().unwrap_or_default()),
            },
            Json::String(text) => Value::Text(text.clone()),
            Json::Array(items) => Value::List(
                items
                    .iter()
                    .map(|item| Self::from_json(item, place))
                    .collect(),
            ),
            Json::Object(entries) => Value::Map(
                entries
                    .iter()
                    .map(|(key, value)| {
                        let key = Key {
                            text: key.clone(),
                            place: place.clone(),
                        };
                        (key, Self::from_json(value, place))
                    })
                    .collect(),
            ),
        };
        Self {
            value,
            place: place.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tree(value: &serde_json::Value) -> Node {
        Node::from_json(value, &Place::in_whole(Origin::BuiltIn("test")))
    }

    #[test]
    fn values_are_found_and_removed_by_path() {
        let mut node = tree(
            &json!({"hooks": {"stop": {"sound": {"file": "x", "volume": 1}}, "other": {"sound": {"file": "y"}}}}),
        );
        assert_eq!(
            node.at(&["hooks", "stop", "sound", "volume"])
                .unwrap()
                .value,
            Value::Integer(1)
        );
        let removed = node.remove(&["hooks", "*", "sound", "file"]);
        let paths: Vec<&str> = removed.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["hooks.other.sound.file", "hooks.stop.sound.file"]);
        assert!(node.at(&["hooks", "stop", "sound", "file"]).is_none());
        assert!(node.remove(&["hooks", "none", "x"]).is_empty());
    }

    #[test]
    fn places_read_like_a_compiler_s() {
        let file = Origin::File(Arc::new("/a/b.yaml".into()));
        assert_eq!(
            Place {
                origin: file,
                line: 3,
                column: 7
            }
            .to_string(),
            "/a/b.yaml:3:7"
        );
        assert_eq!(
            Place::in_whole(Origin::Variable("HOOK_DEBUG")).to_string(),
            "$HOOK_DEBUG"
        );
    }
}
