//! `git config`: what it sets is run later, so it is read now.

use super::hooked::skip;
use crate::git::call::Git;
use crate::git::config::command;
use crate::options::Options;
use crate::text::Text;

const CONFIG: &str = "global system local worktree f|file= blob= get get-all get-regexp get-urlmatch get-color \
    get-colorbool add replace-all unset unset-all l|list rename-section remove-section \
    e|edit type= t= bool int path z|null name-only show-origin show-scope default= includes \
    comment= value= all fixed-value append regexp";
const READING: &[&str] = &[
    "get",
    "get-all",
    "get-regexp",
    "get-urlmatch",
    "get-color",
    "get-colorbool",
    "list",
    "rename-section",
    "edit",
];

pub(super) fn config(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, CONFIG);
    let operands = options.operands.clone();
    if options.help || READING.iter().any(|one| options.has(one)) {
        return;
    }
    let word = operands.first().and_then(Text::known).unwrap_or_default();
    let (sub, operands) = match word {
        "get" | "list" | "rename-section" | "edit" => return,
        "set" | "unset" | "remove-section" => (word, &operands[1..]),
        _ => ("", operands.as_slice()),
    };
    let Some(key) = operands.first().and_then(Text::known) else {
        return;
    };
    let key = key.to_ascii_lowercase();
    let unset = ["unset", "unset-all", "remove-section"];
    if unset.contains(&sub) || unset.iter().any(|one| options.has(one)) {
        if key == "core.hookspath" {
            skip(git, "git config --unset core.hooksPath".to_owned(), true);
        }
        return;
    }
    if let Some(value) = operands.get(1) {
        set(git, &key, value);
    }
}

fn set(git: &mut Git<'_>, key: &str, value: &Text) {
    if let Some(name) = key.strip_prefix("alias.") {
        git.expand(name, value, &[]);
    } else if key == "core.hookspath" {
        if value.is("") || value.lead().starts_with("/dev/") {
            skip(git, format!("core.hooksPath={}", value.shown()), true);
        }
    } else if let Some(command) = command(key, value) {
        git.script(command, Vec::new(), &format!("git config {key}"));
    }
}
