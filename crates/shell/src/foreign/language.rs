//! The languages that are read.

/// A language whose source is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    Python,
    /// JavaScript and TypeScript.
    JavaScript,
    Perl,
    Ruby,
    Php,
    Awk,
    Lua,
}

/// Programs, without the version that may follow their names.
const PROGRAMS: &[(&str, Language)] = &[
    ("python", Language::Python),
    ("pypy", Language::Python),
    ("ipython", Language::Python),
    ("node", Language::JavaScript),
    ("nodejs", Language::JavaScript),
    ("deno", Language::JavaScript),
    ("bun", Language::JavaScript),
    ("tsx", Language::JavaScript),
    ("ts-node", Language::JavaScript),
    ("perl", Language::Perl),
    ("ruby", Language::Ruby),
    ("jruby", Language::Ruby),
    ("php", Language::Php),
    ("awk", Language::Awk),
    ("gawk", Language::Awk),
    ("mawk", Language::Awk),
    ("nawk", Language::Awk),
    ("lua", Language::Lua),
    ("luajit", Language::Lua),
];

impl Language {
    /// The language that a program runs: `python3.12`, `node`, `gawk`.
    pub fn of_program(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".exe").unwrap_or(name);
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
        PROGRAMS
            .iter()
            .find(|(program, _)| *program == bare)
            .map(|(_, language)| *language)
    }

    /// Whether a line's end may end a statement.
    pub(super) fn has_lines(self) -> bool {
        !matches!(self, Self::Perl | Self::Php)
    }

    /// Whether a known function takes arguments without parentheses.
    pub(super) fn calls_bare(self) -> bool {
        matches!(self, Self::Perl | Self::Ruby | Self::Lua)
    }

    /// The mark that joins texts.
    pub(super) fn joiner(self) -> &'static str {
        match self {
            Self::Perl | Self::Php => ".",
            Self::Lua => "..",
            _ => "+",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn programs_are_known_with_and_without_versions() {
        for name in ["python", "python3", "python3.12", "pypy3", "python.exe"] {
            assert_eq!(Language::of_program(name), Some(Language::Python), "{name}");
        }
        for name in ["node", "node-20", "nodejs", "deno", "bun", "tsx", "ts-node"] {
            assert_eq!(
                Language::of_program(name),
                Some(Language::JavaScript),
                "{name}"
            );
        }
        for name in ["lua5.4", "luajit", "lua"] {
            assert_eq!(Language::of_program(name), Some(Language::Lua), "{name}");
        }
        for name in ["bash", "pythonista", "", "3"] {
            assert_eq!(Language::of_program(name), None, "{name}");
        }
    }
}
