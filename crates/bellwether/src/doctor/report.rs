//! What the doctor says: a line a check, or JSON.

use std::fmt::Write as _;

use bellwether_spine::text;
use serde::Serialize;

use super::Examined;
use super::finding::{Finding, LINE, Level};
use crate::exit;
use crate::output::many;

pub(crate) struct Report(pub(super) Vec<Examined>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    /// For a terminal.
    Yes,
    /// For a file, or for a person who does not want it.
    No,
}

#[derive(Serialize)]
struct CheckRow<'a> {
    check: &'static str,
    about: &'static str,
    level: Level,
    text: &'a str,
    advice: Option<&'a str>,
    fix: Option<&'a str>,
}

impl Report {
    /// Whether something does not work.
    pub(crate) fn has_problem(&self) -> bool {
        self.0.iter().any(|one| one.worst() == Level::Problem)
    }

    /// Mends what can be mended, saying what was done.
    pub(crate) fn fix(self, mut say: impl FnMut(String)) {
        let fixes = self
            .0
            .into_iter()
            .flat_map(|one| one.findings)
            .filter_map(|finding| finding.fix);
        for fix in fixes {
            say(match (fix.apply)() {
                Ok(()) => format!("done: {}", fix.about),
                Err(error) => text::shown(
                    &format!("could not {}: {}", fix.about, exit::told(&error)),
                    LINE,
                ),
            });
        }
    }

    pub(crate) fn json(&self) -> serde_json::Result<String> {
        let rows = self.0.iter().flat_map(|one| {
            one.findings.iter().map(|finding| CheckRow {
                check: one.check.name,
                about: one.check.about,
                level: finding.level,
                text: &finding.text,
                advice: finding.advice.as_deref(),
                fix: finding.fix.as_ref().map(|fix| fix.about.as_str()),
            })
        });
        crate::output::json(&rows.collect::<Vec<_>>())
    }

    /// A line a check, with what is not good below it.
    pub(crate) fn text(&self, colour: Colour) -> String {
        let mut out = String::new();
        for one in &self.0 {
            // Writing into a string does not fail.
            let _ = write_check(&mut out, one, colour);
        }
        let _ = writeln!(out, "\n{}", self.summary());
        out
    }

    fn summary(&self) -> String {
        let count = |level| {
            let findings = self.0.iter().flat_map(|one| &one.findings);
            findings.filter(|finding| finding.level == level).count()
        };
        let fixable = self
            .0
            .iter()
            .flat_map(|one| &one.findings)
            .filter(|finding| finding.fix.is_some())
            .count();
        let said = match (count(Level::Problem), count(Level::Warning)) {
            (0, 0) => "no problems found".to_owned(),
            (problems, warnings) => {
                format!(
                    "{}, {}",
                    many(problems, "problem"),
                    many(warnings, "warning")
                )
            }
        };
        match fixable {
            0 => said,
            _ => format!("{said}; `bellwether doctor --fix` fixes {fixable} of them"),
        }
    }
}

/// The gravest finding stands beside the check's name, the others below it.
fn write_check(out: &mut String, one: &Examined, colour: Colour) -> std::fmt::Result {
    let worst = one.worst();
    let first = one
        .findings
        .iter()
        .position(|finding| finding.level == worst);
    let Some(first) = first else { return Ok(()) };
    let head = &one.findings[first];
    let name = one.check.name;
    writeln!(out, "{} {name:13} {}", mark(worst, colour), head.text)?;
    write_steps(out, head)?;
    for (index, finding) in one.findings.iter().enumerate() {
        if index == first || finding.level == Level::Good {
            continue;
        }
        writeln!(
            out,
            "{:14}{} {}",
            "",
            mark(finding.level, colour),
            finding.text
        )?;
        write_steps(out, finding)?;
    }
    Ok(())
}

fn write_steps(out: &mut String, finding: &Finding) -> std::fmt::Result {
    if let Some(advice) = &finding.advice {
        writeln!(out, "{:16}→ {advice}", "")?;
    }
    if let Some(fix) = &finding.fix {
        writeln!(out, "{:16}→ --fix will {}", "", fix.about)?;
    }
    Ok(())
}

fn mark(level: Level, colour: Colour) -> String {
    let (mark, code) = match level {
        Level::Good => ("✓", 32),
        Level::Note => ("·", 36),
        Level::Warning => ("!", 33),
        Level::Problem => ("✗", 31),
    };
    match colour {
        Colour::Yes => format!("\u{1b}[{code}m{mark}\u{1b}[0m"),
        Colour::No => mark.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::Check;

    const fn check(name: &'static str) -> Check {
        Check {
            name,
            about: "",
            run: |_| Vec::new(),
        }
    }

    static ONE: Check = check("one");
    static TWO: Check = check("two");

    fn report() -> Report {
        let mended = Finding::problem("broken \u{1b}[31mTOKEN=abc")
            .advise("mend it")
            .fix("mend it", || Ok(()));
        Report(vec![
            Examined {
                check: &ONE,
                findings: vec![Finding::good("fine")],
            },
            Examined {
                check: &TWO,
                findings: vec![Finding::note("by the way"), mended, Finding::good("a part")],
            },
        ])
    }

    #[test]
    fn the_gravest_finding_stands_first() {
        insta::assert_snapshot!(report().text(Colour::No), @"
        ✓ one           fine
        ✗ two           broken TOKEN=[masked]
                        → mend it
                        → --fix will mend it
                      · by the way

        1 problem, 0 warnings; `bellwether doctor --fix` fixes 1 of them
        ");
        assert!(
            report()
                .text(Colour::Yes)
                .contains("\u{1b}[31m✗\u{1b}[0m two")
        );
        assert!(report().has_problem());
    }

    #[test]
    fn json_has_every_finding() {
        let rows: serde_json::Value = serde_json::from_str(&report().json().unwrap()).unwrap();
        assert_eq!(rows.as_array().unwrap().len(), 4);
        assert_eq!(rows[2]["text"], "broken TOKEN=[masked]");
        assert_eq!(rows[2]["fix"], "mend it");
        assert_eq!(rows[3]["level"], "good");
    }

    #[test]
    fn a_fix_that_fails_is_said() {
        let mut said = Vec::new();
        let failing = Finding::problem("x").fix("mend it", || anyhow::bail!("no \u{1b}[31mway"));
        Report(vec![Examined {
            check: &ONE,
            findings: vec![failing],
        }])
        .fix(|line| said.push(line));
        report().fix(|line| said.push(line));
        assert_eq!(said, ["could not mend it: no way", "done: mend it"]);
    }
}
