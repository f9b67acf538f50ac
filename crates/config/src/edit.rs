//! Changes single values in the text of a file, so that everything else in it stays byte for byte:
//! comments, order, indentation.
//!
//! Architecture Invariant: what comes out is read again, and means what the old text meant with the change
//! and nothing else; else there is no change. So the places that the parser tells only need to be right
//! mostly.

use std::path::Path;

use bellwether_spine::config::{Node, Value as Meant};
use saphyr::{LoadableYamlNode as _, MarkedYaml, Marker, Scalar, YamlData};
use serde_json::{Map, Value, json};

use crate::yaml;

/// The text with a value at a path; none when it is written in a way that is not understood here.
pub(crate) fn set(text: &str, path: &[&str], value: &Value) -> Option<String> {
    let new = with_value(text, path, value)?;
    let meant = |text: &str| yaml::parse(Path::new("config.yaml"), text).ok();
    let mut wanted = meaning(&meant(text)?);
    put(&mut wanted, path, value);
    (meaning(&meant(&new)?) == wanted).then_some(new)
}

/// The text without what stands at a path, and without the sections that are then empty; none when it is written in a way
/// that is not understood here.
pub(crate) fn unset(text: &str, path: &[&str]) -> Option<String> {
    let documents = MarkedYaml::load_from_str(text).ok()?;
    let new = Paper::new(text).cut(documents.first()?, path)?;
    let meant = |text: &str| yaml::parse(Path::new("config.yaml"), text).ok();
    let mut wanted = meaning(&meant(text)?);
    take(&mut wanted, path);
    (meaning(&meant(&new)?) == wanted).then_some(new)
}

fn with_value(text: &str, path: &[&str], value: &Value) -> Option<String> {
    let documents = MarkedYaml::load_from_str(text).ok()?;
    let page = Paper::new(text);
    match documents.first().map(|document| &document.data) {
        None | Some(YamlData::Value(Scalar::Null)) => Some(page.append(path, value)),
        Some(YamlData::Mapping(_)) => {
            let document = documents.first()?;
            page.walk(document, path, value, 0)
        }
        Some(_) => None,
    }
}

/// A text whose places are counted in characters.
struct Paper<'a> {
    text: &'a str,
    /// Where each character begins, and where the text ends.
    starts: Vec<usize>,
    line_end: &'static str,
}

impl<'a> Paper<'a> {
    fn new(text: &'a str) -> Self {
        let starts = text.char_indices().map(|(at, _)| at);
        Self {
            text,
            starts: starts.chain([text.len()]).collect(),
            line_end: if text.contains("\r\n") { "\r\n" } else { "\n" },
        }
    }

    fn at(&self, marker: &Marker) -> usize {
        let last = self.text.len();
        self.starts.get(marker.index()).copied().unwrap_or(last)
    }

    /// Follows the path, and changes what is at its end or adds it where it stops.
    fn walk(
        &self,
        map: &MarkedYaml<'_>,
        path: &[&str],
        value: &Value,
        depth: usize,
    ) -> Option<String> {
        let YamlData::Mapping(entries) = &map.data else {
            return None;
        };
        let (name, rest) = path.split_first()?;
        let found = entries.iter().find(
            |(key, _)| matches!(&key.data, YamlData::Value(Scalar::String(text)) if text == name),
        );
        match found {
            None if depth == 0 && !self.is_flow(map) => Some(self.append(path, value)),
            None => self.add(map, path, value),
            Some((key, node)) if rest.is_empty() => self.replace(key, node, value),
            Some((key, node)) => match &node.data {
                YamlData::Mapping(_) => self.walk(node, rest, value, depth + 1),
                YamlData::Value(Scalar::Null) => self.fill(key, node, rest, value),
                _ => None,
            },
        }
    }

    /// Cuts out what a path leads to. A section that holds nothing else goes with it.
    fn cut(&self, map: &MarkedYaml<'_>, path: &[&str]) -> Option<String> {
        let (key, node) = entry(map, path.first()?)?;
        let rest = path.get(1..).unwrap_or_default();
        if !leads_only(node, rest) {
            return self.cut(node, rest);
        }
        let (start, end) = (self.at(&key.span.start), self.end(node));
        let end = end.max(self.behind_colon(key)?);
        if self.is_flow(map) {
            return Some(self.cut_inline(start, end));
        }
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..start].trim().is_empty().then_some(())?;
        let end = self.text[end..]
            .find('\n')
            .map_or(self.text.len(), |at| end + at + 1);
        Some(self.with(line..end, ""))
    }

    /// Cuts out one entry of a map in braces, with the comma that parts it from the next, or from the one before.
    fn cut_inline(&self, start: usize, end: usize) -> String {
        let behind = &self.text[end..];
        let rest = behind.trim_start();
        if let Some(next) = rest.strip_prefix(',') {
            let end = self.text.len() - next.trim_start().len();
            return self.with(start..end, "");
        }
        let before = self.text[..start].trim_end();
        let before = before.strip_suffix(',').unwrap_or(before);
        self.with(before.len()..end, "")
    }

    /// Adds to the end of the text.
    fn append(&self, path: &[&str], value: &Value) -> String {
        let text = self.text.trim_end_matches([' ', '\t']);
        let gap = match text {
            "" => "",
            text if text.ends_with('\n') => "",
            _ => self.line_end,
        };
        let lines = self.lines(path, value, 0);
        format!("{text}{gap}{lines}{}", self.line_end)
    }

    /// Adds to the end of a map inside another.
    fn add(&self, map: &MarkedYaml<'_>, path: &[&str], value: &Value) -> Option<String> {
        let YamlData::Mapping(entries) = &map.data else {
            return None;
        };
        if self.is_flow(map) {
            let inside = self.inside(map)?;
            let [key] = path else {
                return None;
            };
            let comma = if entries.is_empty() { "" } else { ", " };
            let piece = format!("{comma}{key}: {}", written(value));
            return Some(self.with(inside.len()..inside.len(), &piece));
        }
        let (first, _) = entries.iter().next()?;
        let (key, last) = entries.iter().next_back()?;
        let end = self.end_of_line(self.end(last).max(self.at(&key.span.end)));
        let lines = self.lines(path, value, first.span.start.col());
        Some(self.with(end..end, &format!("{}{lines}", self.line_end)))
    }

    /// A map in braces up to its end, without the brace, which may or may not be counted to it.
    fn inside(&self, map: &MarkedYaml<'_>) -> Option<&str> {
        let (to, behind) = self.text.split_at(self.at(&map.span.end));
        match to.trim_end().strip_suffix('}') {
            Some(inside) => Some(inside.trim_end()),
            None if behind.trim_start().starts_with('}') => Some(to.trim_end()),
            None => None,
        }
    }

    /// Puts something below a key that has nothing yet.
    fn fill(
        &self,
        key: &MarkedYaml<'_>,
        node: &MarkedYaml<'_>,
        path: &[&str],
        value: &Value,
    ) -> Option<String> {
        let (from, to) = (self.behind_colon(key)?, self.end(node));
        // `~` and `null` say nothing too.
        let said = self.text.get(from..to.max(from))?.trim();
        (said.is_empty()).then_some(())?;
        let end = self.end_of_line(from);
        let lines = self.lines(path, value, key.span.start.col() + 2);
        Some(self.with(end..end, &format!("{}{lines}", self.line_end)))
    }

    /// Puts a value in the place of another.
    fn replace(
        &self,
        key: &MarkedYaml<'_>,
        node: &MarkedYaml<'_>,
        value: &Value,
    ) -> Option<String> {
        let behind = self.behind_colon(key)?;
        let (start, end) = (
            self.at(&node.span.start).max(behind),
            self.end(node).max(behind),
        );
        let old = self.text.get(start..end)?;
        let is_block = matches!(node.data, YamlData::Mapping(_) | YamlData::Sequence(_))
            && !self.is_flow(node);
        let is_plain = !old.is_empty() && !old.contains('\n') && !is_block;
        if is_plain {
            return Some(self.with(start..end, &written(value)));
        }
        // What spans lines goes as a whole, unless somebody has written something beside it.
        let whole = self.text.get(behind..end)?;
        (!whole.contains('#')).then_some(())?;
        Some(self.with(behind..end, &format!(" {}", written(value))))
    }

    fn with(&self, range: std::ops::Range<usize>, piece: &str) -> String {
        let mut text = self.text.to_owned();
        text.replace_range(range, piece);
        text
    }

    fn is_flow(&self, node: &MarkedYaml<'_>) -> bool {
        self.text[self.at(&node.span.start)..].starts_with(['{', '['])
    }

    fn behind_colon(&self, key: &MarkedYaml<'_>) -> Option<usize> {
        let end = self.at(&key.span.end);
        let colon = self.text[end..].find(':')?;
        self.text[end..end + colon]
            .trim()
            .is_empty()
            .then_some(end + colon + 1)
    }

    /// Where a value ends, without the white space behind it.
    fn end(&self, node: &MarkedYaml<'_>) -> usize {
        let end = match &node.data {
            YamlData::Mapping(entries) if !self.is_flow(node) => entries
                .iter()
                .next_back()
                .map(|(key, value)| self.end(value).max(self.at(&key.span.end))),
            YamlData::Sequence(items) if !self.is_flow(node) => {
                items.last().map(|item| self.end(item))
            }
            _ => None,
        };
        let end = end.unwrap_or_else(|| self.at(&node.span.end));
        let end = self.text[..end].trim_end().len();
        self.closed(node, end)
    }

    /// The end of a value in brackets with its last one, which may or may not be counted to it.
    fn closed(&self, node: &MarkedYaml<'_>, end: usize) -> usize {
        let start = &self.text[self.at(&node.span.start)..];
        let bracket = match (&node.data, start.chars().next()) {
            (YamlData::Sequence(_), Some('[')) => ']',
            (YamlData::Mapping(_), Some('{')) => '}',
            _ => return end,
        };
        let behind = &self.text[end..];
        let rest = behind.trim_start();
        if self.text[..end].ends_with(bracket) || !rest.starts_with(bracket) {
            return end;
        }
        end + behind.len() - rest.len() + 1
    }

    fn end_of_line(&self, at: usize) -> usize {
        let end = self.text[at..]
            .find('\n')
            .map_or(self.text.len(), |end| at + end);
        self.text[..end].trim_end_matches('\r').len()
    }

    /// A path and its value as lines, without the end of the last one.
    fn lines(&self, path: &[&str], value: &Value, indent: usize) -> String {
        let mut lines = Vec::new();
        for (depth, name) in path.iter().enumerate() {
            let margin = " ".repeat(indent + 2 * depth);
            let is_last = depth + 1 == path.len();
            let said = if is_last {
                format!(" {}", written(value))
            } else {
                String::new()
            };
            lines.push(format!("{margin}{name}:{said}"));
        }
        lines.join(self.line_end)
    }
}

/// The entry of a map that has a name.
fn entry<'a, 'b>(
    map: &'a MarkedYaml<'b>,
    name: &str,
) -> Option<(&'a MarkedYaml<'b>, &'a MarkedYaml<'b>)> {
    let YamlData::Mapping(entries) = &map.data else {
        return None;
    };
    entries
        .iter()
        .find(|(key, _)| matches!(&key.data, YamlData::Value(Scalar::String(text)) if text == name))
}

/// Whether a value holds nothing but what the path leads to.
fn leads_only(node: &MarkedYaml<'_>, path: &[&str]) -> bool {
    let Some((name, rest)) = path.split_first() else {
        return true;
    };
    let is_single = matches!(&node.data, YamlData::Mapping(entries) if entries.len() == 1);
    is_single && entry(node, name).is_some_and(|(_, node)| leads_only(node, rest))
}

/// A value as YAML: JSON is, and a plain word needs no quotes.
fn written(value: &Value) -> String {
    const SPECIAL: [&str; 10] = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan",
    ];
    match value.as_str() {
        Some(word)
            if word.starts_with(|first: char| first.is_ascii_alphabetic())
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && !SPECIAL.contains(&word.to_ascii_lowercase().as_str()) =>
        {
            word.to_owned()
        }
        _ => match value.as_array() {
            Some(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                format!("[{}]", items.join(", "))
            }
            None => value.to_string(),
        },
    }
}

/// What a tree says, without its places.
pub(crate) fn meaning(node: &Node) -> Value {
    match &node.value {
        Meant::Null => Value::Null,
        Meant::Bool(flag) => json!(flag),
        Meant::Integer(number) => json!(number),
        Meant::Float(number) => json!(number),
        Meant::Text(text) => json!(text),
        Meant::List(items) => items.iter().map(meaning).collect(),
        Meant::Map(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(key, node)| (key.text.clone(), meaning(node)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}

fn put(tree: &mut Value, path: &[&str], value: &Value) {
    let Some((name, rest)) = path.split_first() else {
        value.clone_into(tree);
        return;
    };
    if !tree.is_object() {
        *tree = json!({});
    }
    put(&mut tree[*name], rest, value);
}

/// Takes a value out, and what is empty without it.
fn take(tree: &mut Value, path: &[&str]) {
    let (Some((name, rest)), Some(entries)) = (path.split_first(), tree.as_object_mut()) else {
        return;
    };
    let Some(inner) = entries.get_mut(*name) else {
        return;
    };
    take(inner, rest);
    let is_empty = inner.as_object().is_some_and(Map::is_empty);
    if rest.is_empty() || is_empty {
        entries.remove(*name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_goes_and_all_else_stays() {
        let text = "# mine\npreset: calm # quiet\naudio:\n    # not too loud\n    volume: 0.5\n    pack: 'x'\nquiet:\n  hours:\n    - 22:00-07:30\nguard: {mode: strict, enabled: true}\n";
        for (key, gone, instead) in [
            ("preset", "preset: calm # quiet\n", ""),
            ("audio.volume", "    volume: 0.5\n", ""),
            ("audio.pack", "    pack: 'x'\n", ""),
            ("quiet.hours", "quiet:\n  hours:\n    - 22:00-07:30\n", ""),
            ("quiet", "quiet:\n  hours:\n    - 22:00-07:30\n", ""),
            ("guard.mode", "mode: strict, ", ""),
            ("guard.enabled", ", enabled: true", ""),
        ] {
            let path: Vec<&str> = key.split('.').collect();
            let left = unset(text, &path);
            assert_eq!(
                left.as_deref(),
                Some(text.replace(gone, instead).as_str()),
                "{key}"
            );
        }
        // A section of which nothing is left goes too.
        assert_eq!(
            unset("a:\n  b:\n    c: 1\n", &["a", "b", "c"]).as_deref(),
            Some("")
        );
        assert_eq!(
            unset("x: 1\na: {b: {c: 1}}", &["a", "b", "c"]).as_deref(),
            Some("x: 1\n")
        );
        assert_eq!(
            unset("x: 1\r\ny: 2\r\n", &["x"]).as_deref(),
            Some("y: 2\r\n")
        );
        for none in ["preset.x", "nothing", "audio.nothing"] {
            let path: Vec<&str> = none.split('.').collect();
            assert_eq!(unset(text, &path), None, "{none}");
        }
    }

    #[track_caller]
    fn changed(text: &str, key: &str, value: &Value) -> String {
        let path: Vec<&str> = key.split('.').collect();
        set(text, &path, value).unwrap_or_else(|| "refused".to_owned())
    }

    #[test]
    fn a_value_changes_and_all_else_stays() {
        let text = "# mine\npreset: calm # quiet\naudio:\n    volume:   0.5   # not too loud\n    pack: 'x'\nlanguage: ko\n";
        assert_eq!(
            changed(text, "audio.volume", &json!(0.25)),
            text.replace("0.5 ", "0.25 ")
        );
        assert_eq!(
            changed(text, "preset", &json!("full")),
            text.replace("calm", "full")
        );
        assert_eq!(
            changed(text, "audio.pack", &json!("a: b")),
            text.replace("'x'", "\"a: b\"")
        );
        assert_eq!(
            changed(text, "audio.enabled", &json!(false)),
            text.replace("'x'\n", "'x'\n    enabled: false\n")
        );
        assert_eq!(
            changed(text, "quiet.hours", &json!(["22:00-07:30"])),
            format!("{text}quiet:\n  hours: [\"22:00-07:30\"]\n")
        );
    }

    #[test]
    fn files_of_all_shapes() {
        for (text, key, wanted) in [
            ("", "a", "a: 7\n"),
            ("# only this", "a.b", "# only this\na:\n  b: 7\n"),
            ("a:\n", "a.b", "a:\n  b: 7\n"),
            (
                "a: # nothing\nc: 1\n",
                "a.b",
                "a: # nothing\n  b: 7\nc: 1\n",
            ),
            ("a:\n  b:\nc: 1\n", "a.b", "a:\n  b: 7\nc: 1\n"),
            ("a: {b: 1, c: 2} # x\n", "a.b", "a: {b: 7, c: 2} # x\n"),
            ("a: {c: 2}\n", "a.b", "a: {c: 2, b: 7}\n"),
            ("a: {}\n", "a.b", "a: {b: 7}\n"),
            (
                "a:\n  c:\n    d: 1\n\n# end\ne: 2",
                "a.b",
                "a:\n  c:\n    d: 1\n  b: 7\n\n# end\ne: 2",
            ),
            (
                "a:\n  b:\n    - 1\n    - 2\nc: 3\n",
                "a.b",
                "a:\n  b: 7\nc: 3\n",
            ),
            ("a:\n  b:\n  - 1\nc: 3\n", "a.b", "a:\n  b: 7\nc: 3\n"),
            ("a:\n  b: [1,\n    2]\nc: 3\n", "a.b", "a:\n  b: 7\nc: 3\n"),
            ("a: [1, 2] # x\n", "a", "a: 7 # x\n"),
            ("a: []\nb: 1\n", "a", "a: 7\nb: 1\n"),
            ("a: {b: [\"x\"], c: 1}\n", "a.b", "a: {b: 7, c: 1}\n"),
            ("a:\r\n  b: 1\r\n", "a.c", "a:\r\n  b: 1\r\n  c: 7\r\n"),
            ("ä: é\na: 한국 # ü\n", "a", "ä: é\na: 7 # ü\n"),
            ("\"a\": 'x'\n", "a", "\"a\": 7\n"),
            (
                "b: |\n  text\n  more\na: 1\n",
                "a",
                "b: |\n  text\n  more\na: 7\n",
            ),
            (
                "a:\n  c: |\n    text\n\nd: 1\n",
                "a.b",
                "a:\n  c: |\n    text\n  b: 7\n\nd: 1\n",
            ),
        ] {
            assert_eq!(changed(text, key, &json!(7)), wanted, "{text:?}");
        }
    }

    #[test]
    fn what_cannot_be_changed_without_a_loss_is_refused() {
        for (text, key) in [
            ("a:\n  - 1 # one\n  - 2\n", "a"),
            ("a: 1\n", "a.b"),
            ("- a\n", "a"),
            ("a: [\n", "a"),
            ("{c: 1}\n", "a.b"),
            ("c: 1\n...\n", "a"),
        ] {
            assert_eq!(changed(text, key, &json!(7)), "refused", "{text:?}");
        }
    }

    #[test]
    fn words_are_quoted_where_they_would_mean_something_else() {
        for word in [
            "", "no", "7", "a b", "a: b", "# x", "~", "유나", "\u{7}\"", "- x", "Null",
        ] {
            let text = changed("a: x\n", "a", &json!(word));
            let node = yaml::parse(Path::new("c"), &text).unwrap();
            assert_eq!(meaning(&node), json!({"a": word}), "{text}");
        }
    }
}
