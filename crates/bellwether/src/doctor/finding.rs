//! What a check finds: how grave it is, what it is, what to do about it, and a fix if there is one.

use bellwether_spine::text;
use serde::Serialize;

/// A finding is one line.
pub(super) const LINE: usize = 600;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Level {
    /// As it should be.
    Good,
    Note,
    /// Works, but not as well as it could.
    Warning,
    /// Does not work.
    Problem,
}

/// One thing that a check found.
pub(crate) struct Finding {
    pub level: Level,
    /// What it is, in a sentence.
    pub text: String,
    /// What to do about it: a command or a step.
    pub advice: Option<String>,
    /// What `--fix` would do about it.
    pub fix: Option<Fix>,
}

/// Something that mends a finding.
pub(crate) struct Fix {
    /// What it does, in a few words.
    pub about: String,
    pub apply: Box<dyn FnOnce() -> anyhow::Result<()>>,
}

impl Finding {
    pub(crate) fn good(text: impl AsRef<str>) -> Self {
        Self::new(Level::Good, text.as_ref())
    }

    pub(crate) fn note(text: impl AsRef<str>) -> Self {
        Self::new(Level::Note, text.as_ref())
    }

    /// Works, but not as well as it could.
    pub(crate) fn warning(text: impl AsRef<str>) -> Self {
        Self::new(Level::Warning, text.as_ref())
    }

    pub(crate) fn problem(text: impl AsRef<str>) -> Self {
        Self::new(Level::Problem, text.as_ref())
    }

    /// Every text of a finding passes here: paths, commands and errors are foreign.
    pub(super) fn new(level: Level, text: &str) -> Self {
        Self {
            level,
            text: text::shown(text, LINE),
            advice: None,
            fix: None,
        }
    }

    pub(crate) fn advise(mut self, advice: impl AsRef<str>) -> Self {
        self.advice = Some(text::shown(advice.as_ref(), LINE));
        self
    }

    /// Says what `--fix` does, in words that follow "--fix will".
    pub(crate) fn fix(
        mut self,
        about: impl AsRef<str>,
        apply: impl FnOnce() -> anyhow::Result<()> + 'static,
    ) -> Self {
        self.fix = Some(Fix {
            about: text::shown(about.as_ref(), LINE),
            apply: Box::new(apply),
        });
        self
    }
}

/// The findings, or the good one when there are none.
pub(crate) fn or_good(findings: Vec<Finding>, text: impl AsRef<str>) -> Vec<Finding> {
    if findings.is_empty() {
        return vec![Finding::good(text)];
    }
    findings
}
