//! Whether what a hook starts is there and can be started.

use std::io::Read as _;
use std::path::Path;

use rustix::fs::{CWD, OFlags};

use super::{Looked, Remark};
use crate::doctor::file;
use crate::doctor::finding::Level;
use crate::settings::check::FileKind;

/// Interpreters that a line for a shell may begin with. Another mere name may be a word of the shell.
const INTERPRETERS: &[&str] = &[
    "python", "python3", "node", "bun", "deno", "uv", "uvx", "npx", "tsx", "ruby", "perl", "php",
    "pwsh", "jq",
];
/// No first line of a script is longer.
const SHEBANG: u64 = 256;
/// What only plugins know.
const OF_PLUGINS: [&str; 2] = ["${CLAUDE_PLUGIN_ROOT}", "${CLAUDE_PLUGIN_DATA}"];

const REMOVE: &str = "put the program there, or remove the hook";

pub(super) fn remark(hook: &Looked<'_>) -> Option<Remark> {
    let written = hook.entry.command()?;
    let of_plugin = OF_PLUGINS.iter().find(|name| written.contains(*name));
    if let Some(name) = of_plugin.filter(|_| hook.kind == FileKind::Settings) {
        let what = format!("{name} is known to plugins only; Claude Code does not start the hook");
        return Some(Remark::new(Level::Warning, what, "write the path instead"));
    }
    let command = hook.command.as_ref()?;
    if let Some(script) = command.script()
        && !Path::new(script).exists()
    {
        // An interpreter then exits with 2, which the client takes for a refusal of everything.
        let what = format!("{script} does not exist; this may block the agent");
        let advice = "put the script there, or remove the hook";
        return Some(Remark::new(Level::Problem, what, advice));
    }
    let program = command.program()?;
    if program.starts_with('/') {
        return unstartable(program);
    }
    let is_name = !program.contains('/');
    let is_certain = hook.arguments().is_some() || INTERPRETERS.contains(&program);
    (is_name && is_certain && !program.is_empty() && file::on_path(program).is_none()).then(|| {
        let what = format!("no program {program} is on PATH, so the hook does not start");
        Remark::new(
            Level::Warning,
            what,
            format!("install {program}, or remove the hook"),
        )
    })
}

fn unstartable(program: &str) -> Option<Remark> {
    let path = Path::new(program);
    match file::runnable(path) {
        Err("is not executable") => {
            let what = format!("{program} is not executable");
            let advice = format!("chmod +x {}", crate::settings::shell_quoted(program));
            Some(Remark::new(Level::Warning, what, advice))
        }
        Err(why) => Some(Remark::new(
            Level::Warning,
            format!("{program} {why}"),
            REMOVE,
        )),
        Ok(()) => shebang(path).and_then(|line| of_shebang(program, &line)),
    }
}

/// The first line of a script, without its mark.
fn shebang(path: &Path) -> Option<String> {
    let file = file::open_regular(CWD, path, OFlags::empty()).ok()?;
    let mut begin = Vec::new();
    file.take(SHEBANG).read_to_end(&mut begin).ok()?;
    let line = begin.strip_prefix(b"#!")?;
    let end = line.iter().position(|byte| *byte == b'\n')?;
    Some(String::from_utf8_lossy(&line[..end]).into_owned())
}

/// What is wrong with the interpreter that a script names.
fn of_shebang(program: &str, line: &str) -> Option<Remark> {
    if line.ends_with('\r') {
        let what = format!(
            "{program} has the line ends of Windows: its interpreter is looked for under a name that ends in a CR"
        );
        let advice = format!(
            "sed -i 's/\\r$//' {}",
            crate::settings::shell_quoted(program)
        );
        return Some(Remark::new(Level::Warning, what, advice));
    }
    let mut words = line.split_ascii_whitespace();
    let interpreter = words.next()?;
    let missing = |name: &str| {
        let what = format!("{program} needs {name}, which is not there");
        Remark::new(
            Level::Warning,
            what,
            format!("install {name}, or remove the hook"),
        )
    };
    if let Err(why) = file::runnable(Path::new(interpreter)) {
        let what = format!("{program} needs {interpreter}, which {why}");
        return Some(Remark::new(Level::Warning, what, REMOVE));
    }
    if !interpreter.ends_with("/env") {
        return None;
    }
    let name = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    (!name.contains('/') && file::on_path(name).is_none()).then(|| missing(name))
}
