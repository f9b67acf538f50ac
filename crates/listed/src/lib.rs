//! Lists that are made of `mod` lines.
//!
//! Handlers, rules, checks and routes are one file each and one line in a list. That line is the plain `mod name;`, so
//! that `cargo fmt` and editors find the file; [`modules!`] reads those lines and hands the names to a macro, which makes
//! of them whatever the list is for. A file that no line names does not compile.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro::TokenStream;

/// `modules!(handlers, "src/handlers/mod.rs")` calls `handlers! { observe, guard, … }` with the modules that the file
/// declares, in its order. With `camel` behind the path each name comes as a pair: `embedded Embedded`.
#[proc_macro]
pub fn modules(input: TokenStream) -> TokenStream {
    let text = match read(&input.to_string()) {
        Ok(text) => text,
        Err(problem) => format!("compile_error!({problem:?});"),
    };
    text.parse().unwrap_or_default()
}

fn read(input: &str) -> Result<String, String> {
    let parts: Vec<&str> = input.split(',').map(str::trim).collect();
    let (name, path, camel) = match parts[..] {
        [name, path] => (name, path, false),
        [name, path, "camel"] => (name, path, true),
        _ => return Err("expected `modules!(macro, \"path/of/mod.rs\")`".to_owned()),
    };
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let file = root.unwrap_or_default().join(path.trim_matches('"'));
    let source = std::fs::read_to_string(&file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let modules = declared(&source);
    undeclared(&file, &modules)?;
    let words = modules.iter().map(|&module| {
        if camel {
            format!("{module} {}", capitals(module))
        } else {
            module.to_owned()
        }
    });
    Ok(format!(
        "{name}! {{ {} }}",
        words.collect::<Vec<_>>().join(", ")
    ))
}

/// The modules that `mod name;` declares at the margin of a file; those behind an attribute are not part of the list.
fn declared(source: &str) -> Vec<&str> {
    let mut attributed = false;
    let mut found = Vec::new();
    for line in source.lines() {
        let module = module_of(line).filter(|_| !attributed);
        attributed = line.starts_with("#[");
        found.extend(module);
    }
    found
}

fn module_of(line: &str) -> Option<&str> {
    let rest = ["mod ", "pub mod ", "pub(crate) mod ", "pub(super) mod "]
        .iter()
        .find_map(|start| line.strip_prefix(start))?;
    rest.strip_suffix(';')
}

fn undeclared(file: &Path, modules: &[&str]) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let files: BTreeSet<String> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|stem| stem != "mod" && stem != "tests" && !modules.contains(&stem.as_str()))
        .collect();
    match files.first() {
        None => Ok(()),
        Some(stem) => Err(format!(
            "{stem}.rs is not in the list: add `mod {stem};` to {}",
            file.display()
        )),
    }
}

fn capitals(name: &str) -> String {
    name.split('_')
        .filter_map(|word| {
            let (first, rest) = word.split_at_checked(1)?;
            Some(first.to_uppercase() + rest)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_at_the_margin_are_the_list() {
        let source = "mod a;\npub mod b;\npub(crate) mod c_d;\n#[cfg(test)]\nmod tests;\nmod inline {\n    mod e;\n}\n";
        assert_eq!(declared(source), ["a", "b", "c_d"]);
    }

    #[test]
    fn words_become_a_type_name() {
        assert_eq!(capitals("eleven_labs"), "ElevenLabs");
    }

    #[test]
    fn a_file_that_no_line_names_is_an_error() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mod.rs");
        assert!(undeclared(&file, &["lib"]).is_ok());
        let problem = undeclared(&file, &[]).unwrap_err();
        assert!(
            problem.starts_with("lib.rs is not in the list"),
            "{problem}"
        );
    }

    #[test]
    fn a_wrong_call_says_what_is_expected() {
        assert!(read("one").unwrap_err().contains("expected"));
        assert!(
            read("one, \"no/such/file.rs\"")
                .unwrap_err()
                .contains("cannot read")
        );
    }
}
