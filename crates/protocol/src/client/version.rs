//! Versions of a client, and what is known since when.
//!
//! Support is not monotonic: an event can come, vanish for some versions and come back, so nothing
//! outside this module compares versions to ask whether something is there.

use std::fmt;

/// A version of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// A version nobody told us. It is taken for the newest: clients update themselves, and those
    /// that leave no trace of their version in the hook's environment are rare.
    pub const UNKNOWN: Self = Self(u32::MAX, u32::MAX, u32::MAX);

    /// Reads `2.1.325`, or `2.1.325 (Claude Code)` as `--version` prints it.
    pub fn parse(text: &str) -> Option<Self> {
        Self::triple(text.trim().split([' ', '-', '+']).next()?.split('.'))
    }

    pub(super) fn triple<'a>(mut parts: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut number = || parts.next()?.parse().ok();
        let version = Self(number()?, number()?, number()?);
        parts.next().is_none().then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            &Self::UNKNOWN => f.write_str("unknown"),
            Self(major, minor, patch) => write!(f, "{major}.{minor}.{patch}"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Support {
    /// The first version that does.
    pub since: Version,
    /// First and last version of each later range that does not.
    pub gaps: &'static [(Version, Version)],
}

impl Support {
    /// Known in that version and in every later one.
    pub const fn since(since: Version) -> Self {
        Self { since, gaps: &[] }
    }

    /// Whether that version knows it.
    pub fn has(&self, version: Version) -> bool {
        let missing = |&(first, last): &(Version, Version)| (first..=last).contains(&version);
        version >= self.since && !self.gaps.iter().any(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_form_the_client_writes() {
        for text in [
            "2.1.325",
            "2.1.325 (Claude Code)",
            " 2.1.325\n",
            "2.1.325-beta.1",
        ] {
            assert_eq!(Version::parse(text), Some(Version(2, 1, 325)), "{text}");
        }
        for text in [
            "",
            "2.1",
            "2.1.3.4",
            "2.x.1",
            "codex_2-1-325_harness",
            "99999999999.1.1",
        ] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }

    #[test]
    fn sorts_by_number_and_puts_the_unknown_last() {
        assert!(Version(2, 1, 9) < Version(2, 1, 10));
        assert!(Version(2, 1, 325) < Version::UNKNOWN);
        assert_eq!(Version(1, 0, 23).to_string(), "1.0.23");
        assert_eq!(Version::UNKNOWN.to_string(), "unknown");
    }

    #[test]
    fn knows_the_gaps() {
        let support = Support {
            since: Version(2, 1, 64),
            gaps: &[(Version(2, 1, 65), Version(2, 1, 68))],
        };
        for (patch, has) in [
            (63, false),
            (64, true),
            (65, false),
            (68, false),
            (69, true),
        ] {
            assert_eq!(support.has(Version(2, 1, patch)), has, "{patch}");
        }
    }
}
