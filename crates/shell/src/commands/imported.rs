//! Modules of the project that a script imports: they run as it starts.

use std::path::{Path, PathBuf};

use crate::foreign::Language;
use crate::lookup;
use crate::program::Program;
use crate::run::Runner;
use crate::stream::Stream;
use crate::text::Text;

/// This kind has no programs of its own.
pub(super) const PROGRAMS: &[Program] = &[];

/// The most modules of one script that are read.
const MOST: usize = 8;

/// Follows what stands beside a script and is imported by it. Of a module only what has a known target counts: its
/// functions are called with arguments that are not known here.
pub(super) fn follow(runner: &mut Runner<'_>, interpreter: &str, script: &Text, content: &Stream) {
    let (Some(language), Some(path)) = (lookup::language(interpreter), runner.path(script)) else {
        return;
    };
    let mut open = vec![(
        path.clone(),
        content.text().known().unwrap_or_default().to_owned(),
    )];
    let mut seen: Vec<PathBuf> = vec![path];
    while let Some((file, text)) = open.pop() {
        let folder = file.parent().unwrap_or(&file).to_owned();
        for module in modules(language, &text, &folder) {
            if seen.len() > MOST || seen.contains(&module) {
                continue;
            }
            let Ok(Stream::Text(text)) = runner.content(&module) else {
                continue;
            };
            seen.push(module.clone());
            let by = module.display().to_string();
            let code = runner.code_file(&module, None);
            runner.in_file(code, |runner| {
                runner.only_known(|runner| {
                    runner.through(&by, |runner| runner.foreign(language, &text, &[]));
                });
            });
            open.push((module, text.known().unwrap_or_default().to_owned()));
        }
    }
}

/// The files that a text may import from its folder.
fn modules(language: Language, text: &str, folder: &Path) -> Vec<PathBuf> {
    let lines = text.lines().map(str::trim);
    match language {
        Language::Python => lines
            .flat_map(of_python)
            .map(|name| folder.join(name))
            .collect(),
        Language::JavaScript => lines
            .filter_map(of_javascript)
            .flat_map(|name| {
                let endings = ["", ".js", ".mjs", ".cjs", ".ts", "/index.js"];
                endings.map(|ending| crate::path::normal(&folder.join(format!("{name}{ending}"))))
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// `import a, b.c`, `from .a import b`.
fn of_python(line: &str) -> Vec<String> {
    let names: Vec<&str> = if let Some(rest) = line.strip_prefix("import ") {
        rest.split(',').collect()
    } else if let Some(rest) = line.strip_prefix("from ") {
        rest.split(" import").take(1).collect()
    } else {
        return Vec::new();
    };
    let plain = names.iter().map(|name| {
        let name = name.split_whitespace().next().unwrap_or_default();
        name.trim_start_matches('.').replace('.', "/")
    });
    plain
        .filter(|name| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|char| char.is_alphanumeric() || "_/".contains(char))
        })
        .flat_map(|name| [format!("{name}.py"), format!("{name}/__init__.py")])
        .collect()
}

/// `require('./a')`, `import x from './a'`, `import './a'`.
fn of_javascript(line: &str) -> Option<&str> {
    let imports =
        line.starts_with("import ") || line.starts_with("export ") || line.contains("require(");
    imports.then_some(())?;
    let mut quoted = line.split(['"', '\'', '`']).skip(1).step_by(2);
    quoted.find(|name| name.starts_with("./") || name.starts_with("../"))
}
