//! The border around the clients, read off the tree: what a client calls its events and tools stands in
//! this crate alone. Tests and fixtures play the client, so they are not looked at.

use std::fs;
use std::path::{Path, PathBuf};

use super::Product;

/// Words that are also ordinary ones.
const ORDINARY: &[&str] = &["glob", "replace"];
/// The folders of words for people.
const WORDS: &[&str] = &["tests", "language", "words"];
/// What else bears such a name.
const OTHERS: &[(&str, &str)] = &[
    ("crates/audio/src/voice/system/sapi.rs", "Stop"),
    ("web/src/notices.svelte.ts", "Notification"),
];

/// Every name that some client gives to an event or a tool.
fn names() -> Vec<&'static str> {
    let of_client = |product: &&Product| {
        let wire = product.wire();
        let events = wire.catalog.iter().map(|entry| entry.name);
        let tools = wire
            .tools
            .listed
            .iter()
            .flat_map(|(_, names)| names.iter().copied());
        events.chain(tools).collect::<Vec<_>>()
    };
    let mut names: Vec<&str> = Product::ALL
        .iter()
        .flat_map(|product| of_client(&product))
        .collect();
    names.retain(|name| !ORDINARY.contains(name));
    names.sort_unstable();
    names.dedup();
    names
}

/// The source files below a folder that are not tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !WORDS.contains(&name) {
            sources(&path, found);
        }
        let is_source = [".rs", ".ts", ".svelte"]
            .iter()
            .any(|ending| name.ends_with(ending));
        if is_source && !name.ends_with("tests.rs") && name != "story.rs" {
            found.push(path);
        }
    }
}

/// A file's text up to its tests.
fn production(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end].to_owned()
}

fn crossings(text: &str) -> Vec<String> {
    let quoted = |name: &&&str| {
        [format!("\"{name}\""), format!("'{name}'")]
            .iter()
            .any(|quoted| text.contains(quoted.as_str()))
    };
    let names = names();
    let mut found: Vec<String> = names
        .iter()
        .filter(quoted)
        .map(|name| (*name).to_owned())
        .collect();
    for &product in Product::ALL {
        let path = format!("{}::", product.name());
        found.extend(text.contains(&path).then_some(path));
    }
    found
}

#[test]
fn no_name_of_a_client_crosses_the_border() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.ends_with("protocol") {
            sources(&folder.join("src"), &mut files);
        }
    }
    sources(&root.join("web/src"), &mut files);
    assert!(files.len() > 300, "only {} files were found", files.len());
    let crossed = files.iter().flat_map(|path| {
        let shown = path.strip_prefix(&root).unwrap().display().to_string();
        let mut found = crossings(&production(path));
        found.retain(|name| !OTHERS.contains(&(shown.as_str(), name)));
        found
            .into_iter()
            .map(move |name| format!("{shown}: {name}"))
    });
    let crossed: Vec<String> = crossed.collect();
    assert!(
        crossed.is_empty(),
        "names of a client outside of protocol:\n{}",
        crossed.join("\n")
    );
}

#[test]
fn a_crossing_is_seen() {
    assert_eq!(crossings(r#"tool == "Bash""#), ["Bash"]);
    assert_eq!(crossings("event === 'BeforeTool'"), ["BeforeTool"]);
    assert_eq!(crossings("use protocol::claude::parse;"), ["claude::"]);
    assert!(crossings("Bash in a comment, Kind::PreToolUse in code").is_empty());
}
