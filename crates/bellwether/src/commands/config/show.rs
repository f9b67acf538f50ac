//! `bellwether config show`, `get` and `path`: what counts, and where it was set.

use std::io::Write as _;
use std::path::Path;

use bellwether_spine::Home;
use bellwether_spine::config::{Node, Value, sources};
use serde_json::json;

use crate::config::{Loaded, known};
use crate::{exit, output};

pub(super) fn run(loaded: &Loaded, changed: bool, json: bool) -> anyhow::Result<()> {
    match (changed, json) {
        (false, true) => output::show_json(&loaded.config),
        (false, false) => Ok(write!(output::stdout(), "{}", tree(&loaded.tree, 0))?),
        (true, _) => show_changed(loaded, json),
    }
}

fn show_changed(loaded: &Loaded, json: bool) -> anyhow::Result<()> {
    let mut changed = Vec::new();
    gather("", &loaded.tree, Some(&loaded.preset), &mut changed);
    if json {
        let rows = changed.iter().map(|one| {
            json!({"key": one.key, "value": meant(&one.now.value), "preset": one.preset.map(|node| meant(&node.value)),
                   "place": one.now.place.to_string()})
        });
        return output::show_json(&rows.collect::<Vec<_>>());
    }
    if changed.is_empty() {
        note!("nothing differs from the preset");
    }
    let mut out = output::stdout();
    for one in changed {
        let line = format!("{}: {}", one.key, scalar(&one.now.value));
        writeln!(out, "{line:48} # {}", one.now.place)?;
    }
    Ok(())
}

/// A setting that is not as the preset has it.
struct Changed<'a> {
    key: String,
    now: &'a Node,
    preset: Option<&'a Node>,
}

fn gather<'a>(path: &str, now: &'a Node, preset: Option<&'a Node>, found: &mut Vec<Changed<'a>>) {
    for (key, node) in now.entries() {
        let before = preset.and_then(|preset| preset.get(&key.text));
        let path = format!("{path}{}", key.text);
        match &node.value {
            Value::Map(entries) if !entries.is_empty() => {
                gather(&format!("{path}."), node, before, found);
            }
            _ if before.is_some_and(|before| means_the_same(&before.value, &node.value)) => {}
            _ => found.push(Changed {
                key: path,
                now: node,
                preset: before,
            }),
        }
    }
}

/// Equal but for where it stands; `1` is as much as `1.0`.
fn means_the_same(one: &Value, other: &Value) -> bool {
    let (one, other) = (meant(one), meant(other));
    match (one.as_f64(), other.as_f64()) {
        #[expect(
            clippy::float_cmp,
            reason = "both were written by somebody, none was computed"
        )]
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// A setting or a section by its key.
pub(super) fn one(loaded: &Loaded, key: &str, json: bool) -> anyhow::Result<()> {
    let path: Vec<&str> = key.split('.').collect();
    let node = loaded
        .tree
        .at(&path)
        .ok_or_else(|| exit::usage(known::unknown(key)))?;
    if json {
        let place = node.place.to_string();
        return output::show_json(
            &json!({"key": key, "value": meant(&node.value), "place": place}),
        );
    }
    let shown = match &node.value {
        Value::Map(_) => tree(node, 0),
        Value::Text(text) => format!("{text}\n"),
        value => format!("{}\n", scalar(value)),
    };
    Ok(write!(output::stdout(), "{shown}")?)
}

pub(super) fn paths(home: &Home, project: Option<&Path>, json: bool) -> anyhow::Result<()> {
    let paths = sources(home, project);
    if json {
        let rows = paths
            .iter()
            .map(|path| json!({"path": path, "exists": path.exists()}));
        return output::show_json(&rows.collect::<Vec<_>>());
    }
    let mut out = output::stdout();
    for path in paths {
        let there = if path.exists() { "" } else { "  (not there)" };
        writeln!(out, "{}{there}", path.display())?;
    }
    Ok(())
}

/// YAML with the place of each value behind it.
fn tree(node: &Node, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    node.entries()
        .iter()
        .fold(String::new(), |text, (key, node)| match &node.value {
            Value::Map(entries) if !entries.is_empty() => {
                format!("{text}{indent}{}:\n{}", key.text, tree(node, depth + 1))
            }
            value => {
                let line = format!("{indent}{}: {}", key.text, scalar(value));
                format!("{text}{line:48} # {}\n", node.place)
            }
        })
}

/// A value in one line.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "~".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| scalar(&item.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(key, node)| format!("{}: {}", key.text, scalar(&node.value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A value for programs.
pub(super) fn meant(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(flag) => json!(flag),
        Value::Integer(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::List(items) => items.iter().map(|item| meant(&item.value)).collect(),
        Value::Map(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(key, node)| (key.text.clone(), meant(&node.value)));
            serde_json::Value::Object(entries.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        std::fs::create_dir_all(home.config()).unwrap();
        std::fs::write(home.config_file(), text).unwrap();
        let loaded = crate::config::load(&home, None, &|_| None);
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
        let mut found = Vec::new();
        gather("", &loaded.tree, Some(&loaded.preset), &mut found);
        let line = |one: &Changed<'_>| format!("{} = {}", one.key, scalar(&one.now.value));
        found.iter().map(line).collect()
    }

    #[test]
    fn only_what_differs_from_the_preset_is_changed() {
        assert!(changed("").is_empty());
        // Said, and said by the preset too.
        assert!(changed("preset: calm\naudio: {volume: 1}\n").is_empty());
        assert_eq!(
            changed("audio: {volume: 0.5}\nguard: {rules: {protect-secrets: {enabled: false}}}\n"),
            [
                "audio.volume = 0.5",
                "guard.rules.protect-secrets.enabled = false"
            ]
        );
        assert!(
            changed("preset: full\n").is_empty(),
            "the preset is what is compared with"
        );
    }
}
