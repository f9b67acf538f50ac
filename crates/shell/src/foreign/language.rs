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

impl Language {
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
