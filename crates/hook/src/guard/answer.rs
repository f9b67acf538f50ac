//! What the agent and the person are told about a judgement.
//!
//! Architecture Invariant: the agent hears why, what would be lost and what to do instead, never how to
//! get around it. The way to allow something is for the person alone, in a message that the model does
//! not see.

use bellwether_protocol::reply::{Decision, Reply};
use bellwether_spine::text;

use super::allow;
use super::config::{Config, WhenAsked};
use super::verdict::{Finding, Judgement, Verdict};

/// A reason is no longer than this.
const REASON: usize = 1000;
/// Each part of it is no longer than this.
const PART: usize = 280;
/// More findings than this are counted, not told.
const FINDINGS: usize = 3;
/// A command longer than this is named by its id: nobody types it.
const TYPED: usize = 160;

/// The circumstances of a tool call.
#[derive(Debug, Clone, Copy)]
pub struct Occasion<'a> {
    /// The command, or the file, that it is about, as the agent gave it.
    pub subject: Said<'a>,
    pub permission_mode: Option<&'a str>,
    /// Whether a person sits in front of the session.
    pub attended: bool,
    pub allower: Allower,
}

/// Who can let something happen for a while.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Allower {
    #[default]
    Person,
    /// The administrator of the machine, by sudo.
    Administrator,
    Nobody,
}

/// What a tool call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said<'a> {
    Command(&'a str),
    Path(&'a str),
}

impl Said<'_> {
    pub fn text(&self) -> &str {
        match self {
            Self::Command(text) | Self::Path(text) => text,
        }
    }
}

/// What is said in the end: a question becomes a refusal where nobody would answer it.
pub fn said(judgement: &Judgement, call: &Occasion<'_>, config: &Config) -> Verdict {
    match judgement.verdict {
        Verdict::Ask => match config.answers.to(call.permission_mode, call.attended) {
            WhenAsked::Ask => Verdict::Ask,
            WhenAsked::Deny => Verdict::Deny,
        },
        verdict => verdict,
    }
}

/// The reply to a tool call. Nothing is ever allowed by it.
pub fn reply(judgement: &Judgement, call: &Occasion<'_>, config: &Config) -> Reply {
    match said(judgement, call, config) {
        Verdict::Silent => Reply::default(),
        // The client's own dialog tells the person: what is at stake first, then why.
        Verdict::Ask => Reply {
            decision: Some(Decision::Ask(question(judgement))),
            ..Reply::default()
        },
        Verdict::Deny => {
            let opening = if judgement.verdict == Verdict::Ask {
                "bellwether would ask a person first, but nobody can be asked now, so this is refused"
            } else {
                "bellwether refuses this"
            };
            Reply {
                decision: Some(Decision::Deny(reason(opening, judgement))),
                message: Some(message(judgement, call)),
                ..Reply::default()
            }
        }
    }
}

/// One sentence about each finding.
fn reason(opening: &str, judgement: &Judgement) -> String {
    let mut stops = judgement.findings.iter();
    let mut text = opening.to_owned();
    for finding in stops.by_ref().take(FINDINGS) {
        let separator = if text.len() == opening.len() {
            ": "
        } else {
            " Also: "
        };
        text.push_str(separator);
        text.push_str(&told(finding));
    }
    let rest = match stops.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let room = REASON - rest.len();
    format!("{}{rest}", text::line(&text, room))
}

fn told(finding: &Finding) -> String {
    let mut text = sentence(&finding.reason);
    if let Some(lost) = &finding.lost {
        text = format!("{text} What would be lost: {}", sentence(lost));
    }
    if let Some(instead) = &finding.instead {
        text = format!("{text} Instead: {}", sentence(instead));
    }
    match finding.via.first() {
        Some(via) => format!("{text} (It comes from `{}`.)", text::shown(via, PART / 4)),
        None => text,
    }
}

/// One part of a reason: one line, masked, bounded, with a full stop.
fn sentence(text: &str) -> String {
    let text = text::shown(text, PART);
    let text = text.trim_end_matches('.');
    format!("{text}.")
}

/// The question that the person reads.
fn question(judgement: &Judgement) -> String {
    let mut told = judgement.clone();
    let lost = told
        .findings
        .first_mut()
        .and_then(|first| first.lost.take());
    let opening = match lost {
        Some(lost) => format!(
            "{} bellwether asks first",
            sentence(&format!("You would lose {lost}"))
        ),
        None => "bellwether asks first".to_owned(),
    };
    reason(&opening, &told)
}

/// What a person must know at a glance: what is lost, or else what is done.
fn at_stake(finding: &Finding) -> String {
    match &finding.lost {
        Some(lost) => sentence(&format!("you would lose {lost}")),
        None => sentence(&finding.reason),
    }
}

/// What only the person is told: that something was refused, and how to allow it once.
fn message(judgement: &Judgement, call: &Occasion<'_>) -> String {
    let why = judgement
        .findings
        .first()
        .map_or_else(String::new, at_stake);
    let words = words_for(call.subject);
    match call.allower {
        Allower::Person => format!(
            "bellwether refused: {why} To allow this for 10 minutes, run in your own terminal: bellwether guard allow {words} --for 10m"
        ),
        Allower::Administrator => format!(
            "bellwether refused: {why} To allow this for 10 minutes, run in your own terminal: sudo bellwether guard allow {words} --for 10m --managed"
        ),
        Allower::Nobody => format!("bellwether refused: {why} This machine's policy forbids it."),
    }
}

/// The words behind `guard allow` that name a subject. One that is long, has lines, or holds what is
/// masked is named by its id.
fn words_for(subject: Said<'_>) -> String {
    match subject {
        Said::Path(path) if is_plain(path) => format!("--path {}", quoted(path)),
        Said::Command(command) if is_plain(command) => quoted(command.trim()),
        _ => format!("--id {}", allow::id_of(subject.text())),
    }
}

fn is_plain(text: &str) -> bool {
    let trimmed = text.trim();
    text::shown(trimmed, TYPED) == trimmed
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Severity;
    use super::*;

    fn judgement(verdict: Verdict, count: usize) -> Judgement {
        let finding = |number: usize| Finding {
            rule: format!("rule-{number}"),
            severity: Severity::High,
            verdict,
            reason: format!("it deletes folder {number} with TOKEN=abc \x1b[31m"),
            lost: Some("3 files that git has never seen".into()),
            instead: Some("move it to /tmp".into()),
            subject: "rm -rf x".into(),
            via: vec!["make clean".into()],
        };
        Judgement::of((0..count).map(finding).collect())
    }

    fn call(command: &str) -> Occasion<'_> {
        Occasion {
            subject: Said::Command(command),
            permission_mode: None,
            attended: true,
            allower: Allower::Person,
        }
    }

    #[test]
    fn the_person_is_told_who_can_allow_it() {
        let told = |allower| {
            let call = Occasion {
                allower,
                ..call("rm -rf x")
            };
            let reply = reply(&judgement(Verdict::Deny, 1), &call, &Config::default());
            reply.message.unwrap()
        };
        let by_sudo = told(Allower::Administrator);
        assert!(by_sudo.ends_with("sudo bellwether guard allow 'rm -rf x' --for 10m --managed"));
        assert!(!told(Allower::Nobody).contains("guard allow"));
    }

    #[test]
    fn a_refusal_says_what_is_lost_and_what_to_do_and_never_the_way_around() {
        let reply = reply(
            &judgement(Verdict::Deny, 1),
            &call("rm -rf x"),
            &Config::default(),
        );
        let Some(Decision::Deny(reason)) = &reply.decision else {
            panic!("{reply:?}")
        };
        assert_eq!(
            reason,
            "bellwether refuses this: it deletes folder 0 with TOKEN=[masked]. What would be lost: 3 files that git has never seen. Instead: move it to /tmp. (It comes from `make clean`.)"
        );
        let message = reply.message.unwrap();
        let opening =
            "bellwether refused: you would lose 3 files that git has never seen. To allow this";
        assert!(
            message.starts_with(opening)
                && message.ends_with("bellwether guard allow 'rm -rf x' --for 10m"),
            "{message}"
        );
        assert!(!reason.contains("guard allow"));
    }

    #[test]
    fn a_question_is_asked_by_the_client_or_becomes_a_refusal() {
        let config = Config::default();
        let asked = judgement(Verdict::Ask, 1);
        let attended = reply(&asked, &call("x"), &config);
        let Some(Decision::Ask(question)) = &attended.decision else {
            panic!("{attended:?}")
        };
        assert_eq!(
            question,
            "You would lose 3 files that git has never seen. bellwether asks first: it deletes folder 0 with TOKEN=[masked]. Instead: move it to /tmp. (It comes from `make clean`.)"
        );
        assert_eq!(attended.message, None);
        for call in [
            Occasion {
                attended: false,
                ..call("x")
            },
            Occasion {
                permission_mode: Some("bypassPermissions"),
                ..call("x")
            },
        ] {
            let refused = reply(&asked, &call, &config);
            let Some(Decision::Deny(reason)) = refused.decision else {
                panic!("{call:?}")
            };
            assert!(reason.contains("nobody can be asked"), "{reason}");
            assert!(refused.message.is_some());
        }
    }

    #[test]
    fn nothing_found_says_nothing() {
        assert_eq!(
            reply(&Judgement::default(), &call("ls"), &Config::default()),
            Reply::default()
        );
    }

    #[test]
    fn a_reason_is_bounded_and_counts_the_rest() {
        let reply = reply(&judgement(Verdict::Deny, 9), &call("x"), &Config::default());
        let reason = reply.decision.unwrap().reason().unwrap().to_owned();
        assert!(reason.chars().count() <= REASON);
        assert!(reason.contains("(and 6 more)"), "{reason}");
    }

    #[test]
    fn what_nobody_can_type_is_named_by_its_id() {
        assert_eq!(words_for(Said::Command("echo 'a'")), r"'echo '\''a'\'''");
        assert_eq!(words_for(Said::Path(".env")), "--path '.env'");
        for odd in ["a\nb", "PASSWORD=hunter2 x", &"x".repeat(500)] {
            let words = words_for(Said::Command(odd));
            assert_eq!(words, format!("--id {}", allow::id_of(odd)));
        }
    }
}
