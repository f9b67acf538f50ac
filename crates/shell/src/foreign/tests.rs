//! Sources and what they do: `tables/foreign`. A bug adds a row there.

mod hostile;

use super::{Deed, Language};
use crate::effect::How;
use crate::text::{Fill, Hole, Piece, Text};

/// Each language that is read, with its rows.
const TABLES: [(Language, &str); 7] = [
    (
        Language::Python,
        include_str!("../../tables/foreign/python.tsv"),
    ),
    (
        Language::JavaScript,
        include_str!("../../tables/foreign/javascript.tsv"),
    ),
    (
        Language::Perl,
        include_str!("../../tables/foreign/perl.tsv"),
    ),
    (
        Language::Ruby,
        include_str!("../../tables/foreign/ruby.tsv"),
    ),
    (Language::Php, include_str!("../../tables/foreign/php.tsv")),
    (Language::Awk, include_str!("../../tables/foreign/awk.tsv")),
    (Language::Lua, include_str!("../../tables/foreign/lua.tsv")),
];

/// Reads with all the time in the world.
fn read(language: Language, source: &str) -> Vec<Deed> {
    let told = super::read(language, source, &[], &|| false).into_iter();
    told.map(|told| told.deed).collect()
}

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
        Deed::Write { path, how } => {
            let how = match how {
                How::Appended => "append",
                How::Truncated => "empty",
                _ => "write",
            };
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

#[test]
fn every_source_does_what_its_row_says() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (language, table) in TABLES {
        for (source, expected) in crate::tests::rows(table) {
            count += 1;
            let deeds: Vec<String> = read(language, &source).iter().map(shown).collect();
            let found = deeds.join(" ");
            if found != expected {
                wrong.push(format!(
                    "{language:?} {source}\n    is {found}\n  want {expected}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 291, "only {count} rows");
}

#[test]
fn a_loop_variable_keeps_the_pattern_that_it_came_from() {
    let deeds = read(
        Language::Python,
        "import os,glob\nfor f in glob.glob('/x/*'): os.remove(f)",
    );
    let Some(Deed::Delete { path, .. }) = deeds.first() else {
        panic!("{deeds:?}");
    };
    assert_eq!(path.pieces()[1], Piece::Pattern("*".into()));
    let deeds = read(
        Language::Python,
        "import os\nfor r, d, fs in os.walk('/x'):\n for f in fs: os.remove(os.path.join(r, f))",
    );
    let Some(Deed::Delete { path, .. }) = deeds.first() else {
        panic!("{deeds:?}");
    };
    let below = |piece: &Piece| {
        matches!(
            piece,
            Piece::Hole(Hole {
                fill: Fill::Below(None),
                ..
            })
        )
    };
    assert!(below(&path.pieces()[1]), "{path:?}");
}
