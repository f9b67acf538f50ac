//! What a project has on paper: the report of a check, and what a phase must leave behind.
//!
//! Paths come from the configuration and names from the agent, so what is read is a regular file of the project, of a
//! bounded size, without following links.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};

use rustix::fs::OFlags;

use crate::rate::stated;

/// A report has kilobytes.
const LARGEST: u64 = 256 << 10;
/// Stands for the feature in a path.
const FEATURE: &str = "{feature}";
/// A file system's clock may be behind ours by this much, and a report is written in the moment that a phase begins.
const SLACK_MS: u64 = 1000;

/// What a report says of the match rate.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// There is no report of this phase, or it states no rate.
    Nothing,
    Percent(f64),
    /// It states several, so none counts.
    Several(Vec<f64>),
}

/// Where reports and other papers can be looked up.
pub trait Papers {
    /// The rate in the report on a feature that was written since that time.
    fn rate(&self, feature: &str, since_ms: u64) -> Reading;

    /// Whether a phase has left behind what it must; the path says what it is.
    fn has(&self, path: &str, feature: &str) -> bool;

    /// Where the report on a feature is looked for.
    fn report(&self, feature: &str) -> String;
}

/// The papers in a project's folder.
#[derive(Debug, Clone, Copy)]
pub struct Folder<'a> {
    pub project: &'a Path,
    /// Where reports are, in the project; `{feature}` stands for the feature.
    pub report: &'a str,
}

impl Papers for Folder<'_> {
    fn rate(&self, feature: &str, since_ms: u64) -> Reading {
        let Some(text) = self.text(&self.report(feature), since_ms) else {
            return Reading::Nothing;
        };
        let rates = stated(&text);
        match rates.as_slice() {
            [] => Reading::Nothing,
            [rate] => Reading::Percent(*rate),
            _ => Reading::Several(rates),
        }
    }

    fn has(&self, path: &str, feature: &str) -> bool {
        let path = self.inside(&filled(path, feature));
        let seen = path.and_then(|path| std::fs::symlink_metadata(path).ok());
        seen.is_some_and(|seen| seen.is_file() && seen.len() > 0)
    }

    fn report(&self, feature: &str) -> String {
        filled(self.report, feature)
    }
}

impl Folder<'_> {
    /// A place in the project; `None` where the path leads out of it.
    fn inside(&self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path);
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        path.components()
            .all(plain)
            .then(|| self.project.join(path))
    }

    fn text(&self, path: &str, since_ms: u64) -> Option<String> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
        let file = File::options()
            .read(true)
            .custom_flags(i32::try_from(flags).unwrap_or_default())
            .open(self.inside(path)?)
            .ok()?;
        let seen = file.metadata().ok()?;
        let written_ms = u64::try_from(seen.mtime() * 1000 + seen.mtime_nsec() / 1_000_000).ok()?;
        let counts = seen.is_file() && seen.len() <= LARGEST && written_ms + SLACK_MS >= since_ms;
        let mut bytes = Vec::new();
        file.take(LARGEST)
            .read_to_end(&mut bytes)
            .ok()
            .filter(|_| counts)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A path with the feature's name in it.
fn filled(path: &str, feature: &str) -> String {
    path.replace(FEATURE, &file_name(feature))
}

/// A feature's name as a file can be called.
pub(crate) fn file_name(feature: &str) -> String {
    let fits = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    let words = feature.split(|letter| !fits(letter));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_counts_in_its_project_and_since_its_phase_began() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        std::fs::create_dir_all(project.join("docs")).unwrap();
        let papers = Folder {
            project: &project,
            report: "docs/{feature}.md",
        };
        assert_eq!(papers.report("log in / out"), "docs/log-in-out.md");
        assert_eq!(papers.rate("login", 0), Reading::Nothing);
        std::fs::write(project.join("docs/login.md"), "Match Rate: 93%\n").unwrap();
        assert_eq!(papers.rate("login", 0), Reading::Percent(93.0));
        assert!(papers.has("docs/{feature}.md", "login"));
        let now = std::time::SystemTime::now();
        let now = now.duration_since(std::time::UNIX_EPOCH).unwrap();
        let later = u64::try_from(now.as_millis()).unwrap() + 60_000;
        assert_eq!(papers.rate("login", later), Reading::Nothing, "it is old");
        std::fs::write(folder.path().join("out.md"), "Match Rate: 93%\n").unwrap();
        std::os::unix::fs::symlink("../../out.md", project.join("docs/link.md")).unwrap();
        assert_eq!(papers.rate("link", 0), Reading::Nothing);
        let outside = Folder {
            report: "../out.md",
            ..papers
        };
        assert_eq!(outside.rate("login", 0), Reading::Nothing);
        assert!(!outside.has("../out.md", "login"));
        rustix::fs::mkfifoat(
            rustix::fs::CWD,
            project.join("docs/pipe.md"),
            rustix::fs::Mode::RUSR,
        )
        .unwrap();
        assert_eq!(papers.rate("pipe", 0), Reading::Nothing);
        std::fs::write(project.join("docs/two.md"), "match rate: 1\nmatch rate: 2").unwrap();
        assert_eq!(papers.rate("two", 0), Reading::Several(vec![1.0, 2.0]));
    }
}
