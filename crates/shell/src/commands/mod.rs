//! What programs do: a table of them, one file for each kind and one `mod` line below.
//!
//! A file has its rows (`PROGRAMS`): names, options, what calls do, and code only for what a row cannot
//! say. A name that stands in two rows does not compile. Which words make a command worth parsing derives
//! from the table.

mod archive;
mod client;
mod cloud;
mod copy;
pub(crate) mod delete;
pub(crate) mod device;
mod download;
mod editor;
mod find;
mod generator;
mod git;
mod interpreter;
mod make;
mod moving;
mod other;
pub(crate) mod output;
pub(crate) mod own;
mod packages;
mod paths;
mod permission;
mod remote;
pub(crate) mod shell;
mod system;
mod task;
mod wrapper;
mod write;
mod xargs;

use crate::foreign::Language;
use crate::program::Program;

macro_rules! table {
    ($($name:ident),* $(,)?) => {
        const TABLE: &[&[Program]] = &[$($name::PROGRAMS),*];
    };
}

bellwether_listed::modules!(table, "src/commands/mod.rs");

/// The row of a program, when it is known. Names are taken without the case and the ending that Windows and
/// macOS do not mind, interpreters without their version.
pub(crate) fn find(name: &str) -> Option<&'static Program> {
    let mut buffer = [0; LONGEST];
    let lower = buffer.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    let name = lower.strip_suffix(b".exe").unwrap_or(lower);
    if let Some(program) = exact(name) {
        return Some(program);
    }
    if name.starts_with(b"mkfs.") || name.starts_with(b"newfs") {
        return exact(b"mkfs");
    }
    let is_version = |byte: &u8| byte.is_ascii_digit() || b".-".contains(byte);
    let bare = name.iter().rposition(|byte| !is_version(byte))? + 1;
    let program = (bare < name.len()).then(|| exact(&name[..bare]))??;
    program.language.is_some().then_some(program)
}

/// Whether a name is that of a program whose call is a reason to look closer.
pub(crate) fn is_known(name: &str) -> bool {
    find(name).is_some_and(|program| program.matters)
}

/// The language that a program runs, when it is one that is read: `python3.12`, `node`, `gawk`.
pub(crate) fn language(name: &str) -> Option<Language> {
    find(name)?.language
}

/// No name is longer, with the ending of Windows.
const LONGEST: usize = 32;

/// Where a name stands in the table.
#[derive(Clone, Copy)]
struct Listed {
    kind: u8,
    row: u8,
    name: u8,
}

impl Listed {
    const fn name(self) -> &'static [u8] {
        let program = &TABLE[self.kind as usize][self.row as usize];
        program.names[self.name as usize].as_bytes()
    }
}

/// Every name, in the order of first letters. It is made by the compiler: every command that is looked at asks
/// for each of its words.
struct Index {
    entries: [Listed; COUNT],
    /// Where the names with each first letter begin.
    starts: [u16; 257],
}

static INDEX: Index = index();

fn exact(name: &[u8]) -> Option<&'static Program> {
    let first = usize::from(*name.first()?);
    let range = usize::from(INDEX.starts[first])..usize::from(INDEX.starts[first + 1]);
    let entry = INDEX.entries[range]
        .iter()
        .find(|entry| entry.name() == name)?;
    Some(&TABLE[usize::from(entry.kind)][usize::from(entry.row)])
}

const COUNT: usize = {
    let (mut count, mut kind) = (0, 0);
    while kind < TABLE.len() {
        let mut row = 0;
        while row < TABLE[kind].len() {
            count += TABLE[kind][row].names.len();
            row += 1;
        }
        kind += 1;
    }
    count
};

/// All names as the table has them.
const ENTRIES: [Listed; COUNT] = {
    let none = Listed {
        kind: 0,
        row: 0,
        name: 0,
    };
    let mut entries = [none; COUNT];
    let (mut at, mut kind) = (0, 0);
    while kind < TABLE.len() {
        let mut row = 0;
        while row < TABLE[kind].len() {
            let mut name = 0;
            while name < TABLE[kind][row].names.len() {
                entries[at] = Listed {
                    kind: kind as u8,
                    row: row as u8,
                    name: name as u8,
                };
                at += 1;
                name += 1;
            }
            row += 1;
        }
        kind += 1;
    }
    entries
};

const fn index() -> Index {
    let mut starts = [0_u16; 257];
    let mut entries = ENTRIES;
    let (mut at, mut letter) = (0, 0);
    while letter < 256 {
        starts[letter] = at as u16;
        let mut from = 0;
        while from < COUNT {
            let entry = ENTRIES[from];
            if entry.name()[0] as usize == letter {
                let mut other = starts[letter] as usize;
                while other < at {
                    if is_same(entries[other].name(), entry.name()) {
                        panic!("a program stands twice in the table");
                    }
                    other += 1;
                }
                entries[at] = entry;
                at += 1;
            }
            from += 1;
        }
        letter += 1;
    }
    starts[256] = at as u16;
    Index { entries, starts }
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Every name in the table.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let rows = TABLE.iter().flat_map(|rows| rows.iter());
    rows.flat_map(|row| row.names.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_its_row() {
        assert!(names().count() > 400);
        for rows in TABLE {
            for row in *rows {
                for name in row.names {
                    let found = find(name).unwrap();
                    assert_eq!(found.names, row.names, "{name}");
                    assert!(name.len() + 4 <= LONGEST, "{name}");
                }
            }
        }
    }

    #[test]
    fn names_are_known_by_case_ending_and_version() {
        for name in [
            "RM",
            "rm.exe",
            "Rscript",
            "mkfs.ext4",
            "newfs_hfs",
            "python3.12",
        ] {
            assert!(is_known(name), "{name}");
        }
        for name in [
            "",
            "echo",
            "ls",
            "3",
            "rm5",
            "pythonista",
            "x".repeat(99).as_str(),
        ] {
            assert!(!is_known(name), "{name}");
        }
    }

    #[test]
    fn languages_are_known_with_and_without_versions() {
        for name in ["python", "python3", "python3.12", "pypy3", "python.exe"] {
            assert_eq!(language(name), Some(Language::Python), "{name}");
        }
        for name in ["node", "node-20", "nodejs", "deno", "bun", "tsx", "ts-node"] {
            assert_eq!(language(name), Some(Language::JavaScript), "{name}");
        }
        for name in ["lua5.4", "luajit", "lua"] {
            assert_eq!(language(name), Some(Language::Lua), "{name}");
        }
        for name in ["bash", "pythonista", "", "3"] {
            assert_eq!(language(name), None, "{name}");
        }
    }
}
