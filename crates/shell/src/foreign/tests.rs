//! Sources and what they do. A bug adds a row.

mod hostile;
mod javascript;
mod others;
mod python;

use super::{Deed, Language};
use crate::text::Text;

/// Reads with all the time in the world.
fn read(language: Language, source: &str) -> Vec<Deed> {
    super::read(language, source, &|| false)
}

/// A source, and its deeds as they are shown, one after the other.
type Row = (&'static str, &'static str);

fn shown(deed: &Deed) -> String {
    match deed {
        Deed::Shell(line) => format!("sh<{}>", line.shown()),
        Deed::Exec(words) => {
            let words: Vec<String> = words.iter().map(Text::shown).collect();
            format!("exec<{}>", words.join("|"))
        }
        Deed::Delete { path, recursive } => {
            let how = if *recursive { "tree" } else { "del" };
            format!("{how}<{}>", path.shown())
        }
        Deed::Write { path, append } => {
            let how = if *append { "append" } else { "write" };
            format!("{how}<{}>", path.shown())
        }
        Deed::Move { from, to } => format!("mv<{}|{}>", from.shown(), to.shown()),
        Deed::Permission {
            path,
            what,
            recursive,
        } => {
            let how = if *recursive { "modes" } else { "mode" };
            format!("{how}<{what}|{}>", path.shown())
        }
        Deed::Run(code) => format!("run<{}>", code.shown()),
    }
}

fn check(language: Language, rows: &[Row]) {
    let mut wrong = Vec::new();
    for (source, expected) in rows {
        let deeds: Vec<String> = read(language, source).iter().map(shown).collect();
        let found = deeds.join(" ");
        if found != *expected {
            wrong.push(format!("{source}\n    is {found}\n  want {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{language:?}\n{}", wrong.join("\n"));
}
