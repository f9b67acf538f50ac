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
    if let Some(file) = options.value("file") {
        git.writes(file);
    }
    if let Some(value) = operands.get(1) {
        set(git, &key, value);
        let lasts = options.has("global") || options.has("system");
        if lasts && is_startup(&key, value) {
            git.sets_command(format!("git config {key} {}", value.shown()));
        }
    }
}

/// Whether a setting of the person makes git run something that nobody typed. The name of an editor, a pager or a
/// tool is what people set all the time.
fn is_startup(key: &str, value: &Text) -> bool {
    if let Some(name) = key.strip_prefix("alias.") {
        return !name.is_empty() && value.lead().starts_with('!');
    }
    let named = [
        "core.editor",
        "core.pager",
        "sequence.editor",
        "gpg.program",
    ]
    .contains(&key)
        || key.starts_with("pager.")
        || key.starts_with("difftool.")
        || key.starts_with("mergetool.")
        || key.starts_with("filter.lfs.")
        || key == "interactive.difffilter";
    if named {
        let shown = value.shown();
        return shown.contains([';', '|', '&', '`', '>', '<'])
            || shown.contains("$(")
            || shown.contains("/tmp/");
    }
    key == "core.hookspath" || key == "include.path" || command(key, value).is_some()
}

fn set(git: &mut Git<'_>, key: &str, value: &Text) {
    git.later(|git| set_now(git, key, value));
}

fn set_now(git: &mut Git<'_>, key: &str, value: &Text) {
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
