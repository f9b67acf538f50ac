//! The doctor: looks for what keeps bellwether from working, says what to do about it, and does it
//! when asked to.
//!
//! A check is one file in `checks/` and one line in its list. Checks look and change nothing; what
//! can be mended is a fix in a finding.

pub(crate) mod checks;
mod setup;
pub(crate) mod file;
mod finding;
mod lint;
mod marketplaces;
mod owners;
mod peers;
mod plugins;
mod report;
mod settings_files;
mod trial;
mod windows;

use bellwether_spine::Home;

use checks::Check;
pub(crate) use finding::{Finding, Level};
pub(crate) use plugins::Plugins;
pub(crate) use report::{Colour, Report};
pub(crate) use settings_files::SettingsFile;
#[cfg(test)]
pub(crate) use setup::settings_file;
pub(crate) use setup::{Setup, plugins_here, settings_here};
pub(crate) use trial::listen;

pub(crate) struct Examined {
    check: &'static Check,
    /// Its findings, at least one.
    findings: Vec<Finding>,
}

impl Examined {
    fn worst(&self) -> Level {
        let levels = self.findings.iter().map(|finding| finding.level);
        levels.max().unwrap_or(Level::Good)
    }
}

pub(crate) fn examine(home: &Home) -> Report {
    let setup = Setup::gather(home);
    let examined = checks::ALL.iter().map(|check| Examined {
        check,
        findings: (check.run)(&setup),
    });
    Report(examined.collect())
}
