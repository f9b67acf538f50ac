//! What `bellwether doctor --json` says.

use std::process::Output;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// What the doctor found, and its exit code.
pub struct Said {
    pub findings: Vec<Value>,
    pub exit: Option<i32>,
}

impl Said {
    /// Reads what it printed.
    pub fn by(output: &Output) -> Result<Self> {
        let findings = serde_json::from_slice(&output.stdout)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        Ok(Self {
            findings,
            exit: output.status.code(),
        })
    }

    pub fn of(&self, check: &str) -> Vec<&Value> {
        let wanted = |finding: &&Value| finding["check"] == check;
        self.findings.iter().filter(wanted).collect()
    }

    /// Whether a check has nothing but good to say.
    pub fn is_good(&self, check: &str) -> bool {
        let found = self.of(check);
        !found.is_empty() && found.iter().all(|finding| finding["level"] == "good")
    }

    /// # Panics
    ///
    /// When a check has something else than good to say.
    #[track_caller]
    pub fn assert_good(&self, check: &str) {
        assert!(self.is_good(check), "{:#?}", self.of(check));
    }

    /// The finding of a check that has this level and these words.
    pub fn finds(&self, check: &str, level: &str, words: &str) -> Result<&Value> {
        let has = |finding: &Value| {
            finding["text"]
                .as_str()
                .is_some_and(|text| text.contains(words))
        };
        let found = self.of(check);
        let finding = found
            .iter()
            .find(|finding| finding["level"] == level && has(finding));
        let finding = finding.with_context(|| format!("no {level} with {words:?}: {found:#?}"))?;
        Ok(finding)
    }
}
