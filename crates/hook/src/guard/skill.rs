//! Commands that stand in a text which the client loads: they run as it is loaded, without a call of their own.
//!
//! They are found as the client finds them: in the project, in the person's folder, in plugins.

use std::fs;
use std::path::{Path, PathBuf};

/// A text larger than this is not read further.
const MOST_BYTES: u64 = 256 * 1024;
/// The most folders of plugins that are looked through.
const MOST_FOLDERS: usize = 512;
/// How deep plugins stand below their folder.
const DEEPEST: usize = 6;

/// All commands in the text of a name, one after the other; `None` when there are none.
pub(crate) fn commands(
    name: &str,
    arguments: &str,
    project: &Path,
    folders: &[PathBuf],
) -> Option<String> {
    let name = name.trim_start_matches('/');
    is_name(name).then_some(())?;
    let texts = files(name, project, folders)
        .into_iter()
        .filter_map(|file| read(&file));
    let all: Vec<String> = texts.flat_map(|text| inline(&text, arguments)).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// A name leads nowhere else.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains("..") && !name.starts_with('/')
}

/// The files that a name may stand for.
fn files(name: &str, project: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let last = name.rsplit(':').next().unwrap_or(name);
    let ends = [
        format!("skills/{last}/SKILL.md"),
        format!("commands/{}.md", name.replace(':', "/")),
        format!("commands/{last}.md"),
    ];
    let mut roots = vec![project.join(".claude")];
    roots.extend(folders.iter().cloned());
    let mut found: Vec<PathBuf> = Vec::new();
    for root in &roots {
        found.extend(
            ends.iter()
                .map(|end| root.join(end))
                .filter(|file| file.is_file()),
        );
    }
    for root in folders {
        in_plugins(&root.join("plugins"), &ends, &mut found);
    }
    found.dedup();
    found
}

fn in_plugins(folder: &Path, ends: &[String], found: &mut Vec<PathBuf>) {
    let mut open = vec![(folder.to_owned(), 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = open.pop() {
        seen += 1;
        if seen > MOST_FOLDERS {
            return;
        }
        let files = ends.iter().map(|end| folder.join(end));
        found.extend(files.filter(|file| file.is_file()));
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        let folders = entries.filter_map(Result::ok).map(|entry| entry.path());
        let hidden = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with('.') || name == "node_modules"
        };
        let folders = folders.filter(|path| depth < DEEPEST && path.is_dir() && !hidden(path));
        open.extend(folders.map(|path| (path, depth + 1)));
    }
}

fn read(file: &Path) -> Option<String> {
    use std::io::Read as _;
    let mut text = Vec::new();
    let file = fs::File::open(file).ok()?;
    file.take(MOST_BYTES).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The commands of a text: ``!`command` `` anywhere, and blocks that begin with three backticks and `!`.
fn inline(text: &str, arguments: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut block: Option<String> = None;
    for line in text.lines() {
        let fence = line.trim_start().strip_prefix("```");
        match (&mut block, fence) {
            (Some(_), Some(_)) => all.extend(block.take()),
            (Some(lines), None) => {
                lines.push_str(line);
                lines.push('\n');
            }
            (None, Some(rest)) if rest.trim_start().starts_with('!') => block = Some(String::new()),
            _ => all.extend(spans(line).map(str::to_owned)),
        }
    }
    all.extend(block);
    all.iter()
        .map(|command| command.replace("$ARGUMENTS", arguments))
        .collect()
}

fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split("!`")
        .skip(1)
        .filter_map(|rest| rest.split('`').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_a_text_are_found() {
        let text = "# Status\nNow: !`git status` and !`git log -1 $ARGUMENTS`\n```!\nrm -rf ~\n```\n```sh\nrm x\n```\nwell done!\n";
        let expected = ["git status", "git log -1 --oneline", "rm -rf ~\n"];
        assert_eq!(inline(text, "--oneline"), expected);
        assert!(inline("no `command` here!", "").is_empty());
    }

    #[test]
    fn texts_are_found_where_the_client_finds_them() {
        let folder = tempfile::tempdir().unwrap();
        let (project, user) = (folder.path().join("app"), folder.path().join("user"));
        let write = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(project.join(".claude/skills/a/SKILL.md"), "!`one`");
        write(project.join(".claude/commands/b.md"), "!`two`");
        write(user.join("skills/c/SKILL.md"), "!`three`");
        write(
            user.join("plugins/marketplaces/m/plugins/p/skills/d/SKILL.md"),
            "!`four`",
        );
        write(project.join(".claude/skills/e/SKILL.md"), "nothing");
        let found = |name: &str| commands(name, "", &project, std::slice::from_ref(&user));
        assert_eq!(found("a").as_deref(), Some("one"));
        assert_eq!(found("/b").as_deref(), Some("two"));
        assert_eq!(found("c").as_deref(), Some("three"));
        assert_eq!(found("p:d").as_deref(), Some("four"));
        assert_eq!(found("e"), None);
        assert_eq!(found("../../x"), None);
    }
}
