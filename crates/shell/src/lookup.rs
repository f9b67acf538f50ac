//! Finds the row of a program by its name.
//!
//! Every command that an agent gives is asked about word by word before anything is parsed, so the names stand in one
//! list that the compiler makes, in the order of their first letters, and nothing is allocated.

use crate::commands::TABLE;
use crate::foreign::Language;
use crate::program::Program;

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

/// Every name, in the order of first letters.
struct Index {
    names: [&'static str; COUNT],
    /// Where the row of each name stands in the table.
    rows: [(u8, u8); COUNT],
    /// Where the names with each first letter begin.
    starts: [u16; LETTERS + 1],
}

const LETTERS: usize = 256;

static INDEX: Index = index();

fn exact(name: &[u8]) -> Option<&'static Program> {
    let first = usize::from(*name.first()?);
    let start = usize::from(INDEX.starts[first]);
    let names = &INDEX.names[start..usize::from(INDEX.starts[first + 1])];
    let at = names.iter().position(|known| known.as_bytes() == name)?;
    let (kind, row) = INDEX.rows[start + at];
    Some(&TABLE[usize::from(kind)][usize::from(row)])
}

/// How many names the table has.
const COUNT: usize = {
    let (mut count, mut kind) = (0, 0);
    while kind < TABLE.len() {
        let mut row = 0;
        while row < TABLE[kind].len() {
            let names = TABLE[kind][row].names.as_bytes();
            let mut at = 0;
            while at < names.len() {
                count += (names[at] == b' ') as usize;
                at += 1;
            }
            (count, row) = (count + 1, row + 1);
        }
        kind += 1;
    }
    count
};

/// Every name as the table has them, with its kind and its row.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a constant has no other conversion, and a name that led astray would fail a test"
)]
static NAMES: [(&str, u8, u8); COUNT] = {
    let mut names = [("", 0, 0); COUNT];
    let (mut count, mut kind) = (0, 0);
    while kind < TABLE.len() {
        let mut row = 0;
        while row < TABLE[kind].len() {
            let text = TABLE[kind][row].names;
            let (mut start, mut end) = (0, 0);
            while end <= text.len() {
                if end == text.len() || text.as_bytes()[end] == b' ' {
                    let name = text.split_at(end).0.split_at(start).1;
                    names[count] = (name, kind as u8, row as u8);
                    (count, start) = (count + 1, end + 1);
                }
                end += 1;
            }
            row += 1;
        }
        kind += 1;
    }
    names
};

const fn index() -> Index {
    let mut index = Index {
        names: [""; COUNT],
        rows: [(0, 0); COUNT],
        starts: [0; LETTERS + 1],
    };
    let mut of = 0;
    while of < COUNT {
        index.starts[NAMES[of].0.as_bytes()[0] as usize + 1] += 1;
        of += 1;
    }
    let mut letter = 0;
    while letter < LETTERS {
        index.starts[letter + 1] += index.starts[letter];
        letter += 1;
    }
    let mut next = index.starts;
    let mut of = 0;
    while of < COUNT {
        let (name, kind, row) = NAMES[of];
        let letter = name.as_bytes()[0] as usize;
        let at = next[letter] as usize;
        assert!(
            !is_listed(&index, index.starts[letter] as usize, at, name.as_bytes()),
            "a program stands twice in the table"
        );
        (index.names[at], index.rows[at]) = (name, (kind, row));
        next[letter] += 1;
        of += 1;
    }
    index
}

/// Whether a name stands between two places already.
const fn is_listed(index: &Index, start: usize, end: usize, name: &[u8]) -> bool {
    let mut at = start;
    while at < end {
        if is_same(index.names[at].as_bytes(), name) {
            return true;
        }
        at += 1;
    }
    false
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Every name in the table.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    INDEX.names.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_its_row() {
        assert!(names().count() > 400);
        for rows in TABLE {
            for row in *rows {
                for name in row.names.split(' ') {
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
