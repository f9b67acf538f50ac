//! What the guard stopped, on record: a line in `security.log` for people and their tools, and a line
//! in `audit.jsonl` that cannot be changed unseen.
//!
//! Architecture Invariant: the verdict has been said before anything here is tried. What cannot be
//! written is a trouble and a gap that the next line tells, never another verdict.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;

use bellwether_spine::chain::{self, Appended, Head};
use bellwether_spine::meta::Ruling;
use bellwether_spine::trouble::Troubles;
use bellwether_spine::{Home, SpineError, clock, text};
use serde::{Deserialize, Serialize};

use super::allow;
use super::answer::Said;
use super::consent::Consent;
use super::verdict::{Judgement, Severity, Verdict};

/// A subject is no longer than this in the record.
const SUBJECT: usize = 2000;
/// A reason is no longer than this in the record.
const REASON: usize = 400;

/// One refusal or question, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub at: String,
    /// What the agent was told: `deny` or `ask`; `silent` where the person had answered the same question with yes.
    pub said: Verdict,
    /// What the rules said: a question that nobody could answer was refused.
    pub verdict: Verdict,
    /// The rules that were against it.
    pub rules: Vec<String>,
    /// How bad it would have been.
    pub severity: Severity,
    pub reason: String,
    pub session: Option<String>,
    pub agent: Option<String>,
    pub project: Option<String>,
    pub mode: Option<String>,
    pub tool: String,
    /// The client's own name for this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// Whether the policy of a machine was asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub managed: bool,
    /// The call for which the person has answered the same question with yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<String>,
    /// The command or the file, masked.
    pub subject: String,
    /// The hash of the command or the file as it was given.
    pub subject_hash: String,
    /// Whether the subject is a command; only the line of the log says so.
    #[serde(skip)]
    is_command: bool,
}

/// Who called which tool, for the record.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    pub session: Option<String>,
    pub agent: Option<String>,
    pub project: Option<String>,
    pub mode: Option<String>,
    pub tool: String,
    pub call: Option<String>,
    pub managed: bool,
}

impl Entry {
    /// The record of a judgement; `None` when it stopped nothing.
    pub fn new(
        caller: Caller,
        subject: Said<'_>,
        judgement: &Judgement,
        said: Verdict,
    ) -> Option<Self> {
        let first = judgement.findings.first()?;
        let mut rules: Vec<String> = judgement
            .findings
            .iter()
            .map(|it| it.rule.clone())
            .collect();
        rules.dedup();
        Some(Self {
            at: clock::utc(clock::wall_ms()),
            said,
            verdict: judgement.verdict,
            rules,
            severity: first.severity,
            reason: text::shown(&first.reason, REASON),
            session: caller.session,
            agent: caller.agent,
            project: caller.project,
            mode: caller.mode,
            tool: caller.tool,
            call: caller.call,
            managed: caller.managed,
            earlier: None,
            subject: text::shown(subject.text(), SUBJECT),
            subject_hash: allow::hash_of(subject.text()),
            is_command: matches!(subject, Said::Command(_)),
        })
    }

    /// The same for what passes because of an earlier yes.
    #[must_use]
    pub fn passing(self, earlier: &Consent) -> Self {
        Self {
            said: Verdict::Silent,
            earlier: Some(earlier.call.clone()),
            ..self
        }
    }

    /// What goes with the event, where something was said.
    pub fn ruling(&self) -> Option<Ruling<'static>> {
        let rules = self.rules.clone();
        match self.said {
            Verdict::Deny => Some(Ruling::refusal(rules)),
            Verdict::Ask => Some(Ruling::question(rules)),
            Verdict::Silent => None,
        }
    }

    /// Keeps it in both files, and returns where the chain stands now. Where two registrations judge one call, what both
    /// say is kept once.
    pub fn keep(&self, home: &Home) -> Result<Head, SpineError> {
        let same = |line: &str| self.is_same(line);
        let chained = chain::append(&home.audit(), &home.audit_gaps(), self, same);
        if let Ok(Appended::Known(head)) = chained {
            return Ok(head);
        }
        let logged = self.log(home);
        let chained = chained.map(Appended::head);
        if let Err(error) = &chained {
            note(home, error);
            // What cannot even be counted was noted, if anything can be.
            let _ = chain::miss(&home.audit_gaps());
        }
        if let Err(error) = &logged {
            note(home, error);
        }
        logged.and(chained)
    }

    /// Whether a line of the chain says this of the same call, by the other of a machine's and a user's registration.
    fn is_same(&self, line: &str) -> bool {
        let key = |entry: &Self| {
            let Self {
                call,
                session,
                said,
                subject_hash,
                ..
            } = entry.clone();
            (call, session, said, subject_hash)
        };
        self.call.is_some()
            && serde_json::from_str(line)
                .is_ok_and(|other: Self| other.managed != self.managed && key(&other) == key(self))
    }

    /// The line of `security.log`.
    pub fn line(&self) -> String {
        let word = match self.said {
            Verdict::Deny => "BLOCKED",
            Verdict::Ask => "ASKED",
            Verdict::Silent => "PASSED",
        };
        let by = if self.is_command {
            "validate-bash"
        } else {
            "protect-files"
        };
        format!(
            "[{}] {word} {by} {} {}\n",
            self.at,
            json(&self.reason),
            json(&self.subject)
        )
    }

    fn log(&self, home: &Home) -> Result<(), SpineError> {
        let path = home.security_log();
        let failed = |source| SpineError::io("append to", &path, source);
        let file = File::options()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&path);
        file.and_then(|mut file| file.write_all(self.line().as_bytes()))
            .map_err(failed)
    }
}

/// A text as JSON has it: one line, whatever is in it.
fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

fn note(home: &Home, error: &SpineError) {
    let text = format!("what the guard stopped could not be put on record: {error}");
    let _ = Troubles(home).note("audit_not_written", &text);
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::super::verdict::Finding;
    use super::*;

    fn entry(said: Verdict, tool: &str, subject: &str) -> Entry {
        let judgement = Judgement::of(vec![Finding {
            rule: "force-push".into(),
            severity: Severity::High,
            verdict: Verdict::Deny,
            reason: "Force push to main/master".into(),
            lost: None,
            instead: None,
            subject: subject.into(),
            via: vec![],
        }]);
        let subject = match tool {
            "Bash" => Said::Command(subject),
            _ => Said::Path(subject),
        };
        let caller = Caller {
            session: Some("s".into()),
            tool: tool.into(),
            ..Caller::default()
        };
        Entry {
            at: "2026-02-18T14:30:22Z".into(),
            ..Entry::new(caller, subject, &judgement, said).unwrap()
        }
    }

    #[test]
    fn a_line_of_the_log_keeps_its_format() {
        assert_eq!(
            entry(Verdict::Deny, "Bash", "git push --force main").line(),
            "[2026-02-18T14:30:22Z] BLOCKED validate-bash \"Force push to main/master\" \"git push --force main\"\n"
        );
        assert_eq!(
            entry(Verdict::Ask, "Write", ".env\"\nTOKEN=abc").line(),
            "[2026-02-18T14:30:22Z] ASKED protect-files \"Force push to main/master\" \".env\\\" TOKEN=[masked]\"\n"
        );
    }

    #[test]
    fn both_records_are_kept_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        let first = entry(Verdict::Deny, "Bash", "one").keep(&home).unwrap();
        let second = entry(Verdict::Ask, "Bash", "PASSWORD=hunter2")
            .keep(&home)
            .unwrap();
        assert_eq!((first.seq, second.seq), (1, 2));
        let text = std::fs::read_to_string(home.audit()).unwrap();
        assert!(!text.contains("hunter2"));
        let found = chain::verify(&text, &[first, second]);
        assert!(found.holds(), "{found:?}");
        for path in [home.audit(), home.security_log()] {
            let mode = path.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", path.display());
        }
        assert_eq!(
            std::fs::read_to_string(home.security_log())
                .unwrap()
                .lines()
                .count(),
            2
        );
    }

    #[test]
    fn what_cannot_be_written_is_a_trouble_and_a_gap() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        std::fs::create_dir(home.audit()).unwrap();
        assert!(entry(Verdict::Deny, "Bash", "one").keep(&home).is_err());
        assert_eq!(Troubles(&home).recent().len(), 1);
        std::fs::remove_dir(home.audit()).unwrap();
        entry(Verdict::Deny, "Bash", "two").keep(&home).unwrap();
        let text = std::fs::read_to_string(home.audit()).unwrap();
        assert!(
            text.contains("1 before this could not be written"),
            "{text}"
        );
    }
}
