//! What the guard stopped, from its chain.

use bellwether_flock::{has_all, search_terms};
use bellwether_hook::guard::Verdict;
use bellwether_hook::guard::audit::Entry;
use bellwether_spine::{Home, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{BEFORE, LIMIT, limit};

/// One refusal or question, as it stands in the chain. What stands there is masked.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Stopped {
    /// Its place in the chain.
    seq: u64,
    /// When, in UTC.
    at: String,
    /// What the agent was told: `deny` or `ask`.
    said: String,
    /// What the rules said: a question that nobody could answer was refused.
    verdict: String,
    /// The rules that were against it.
    rules: Vec<String>,
    /// How bad it would have been.
    severity: String,
    /// Why.
    reason: String,
    /// The session.
    session_id: Option<String>,
    /// The subagent or teammate.
    agent_id: Option<String>,
    /// The project's folder.
    project: Option<String>,
    /// The client's permission mode.
    mode: Option<String>,
    /// The tool.
    tool: String,
    /// The command or the file.
    subject: String,
    /// The hash of the command or the file as it was given: what `guard allow` takes.
    subject_hash: String,
}

/// What the guard stopped.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct Audit {
    /// The refusals and questions, the newest first.
    entries: Vec<Stopped>,
    /// Give this as `before` to read on; none when there is nothing more.
    next: Option<u64>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/audit",
    about: "Lists what the guard stopped, the newest first",
    more: "",
    access: Access::Key,
    parameters: &[BEFORE, LIMIT],
    takes: None,
    gives: Gives::Json(shape::<Audit>),
    refuses: &[],
    handle: |ask| Box::pin(async move { audit(&ask).await }),
};

async fn audit(ask: &Ask) -> Result<Answer, Fault> {
    let before = ask
        .values
        .number(BEFORE.name)
        .map_or(u64::MAX, i64::unsigned_abs);
    let (limit, home) = (limit(ask), ask.state.home.clone());
    let read = tokio::task::spawn_blocking(move || {
        let chain = chain(&home)?;
        Ok::<_, std::io::Error>(page(&chain, before, limit))
    });
    let page = read.await.map_err(Fault::ours)?.map_err(Fault::ours)?;
    Ok(ok(&page))
}

/// The whole chain; empty when nothing was ever stopped.
fn chain(home: &Home) -> std::io::Result<String> {
    match std::fs::read_to_string(home.audit()) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

/// The newest of what the guard stopped in which all words of a search stand.
pub(super) fn find(home: &Home, search: &str, limit: usize) -> std::io::Result<Vec<Stopped>> {
    let (terms, chain) = (search_terms(search), chain(home)?);
    // Words stand in a line before they stand in one of its parts; most lines are not read.
    let lines = chain.lines().rev().filter(|line| has_all(&terms, &[line]));
    let found = lines.filter_map(Stopped::read).filter(|stopped| {
        let mut texts = vec![
            stopped.subject.as_str(),
            &stopped.reason,
            &stopped.tool,
            &stopped.severity,
        ];
        texts.extend(stopped.rules.iter().map(String::as_str));
        texts.extend(stopped.session_id.as_deref());
        texts.extend(stopped.project.as_deref());
        has_all(&terms, &texts)
    });
    Ok(found.take(limit).collect())
}

fn page(chain: &str, before: u64, limit: usize) -> Audit {
    let lines = chain.lines().rev().filter_map(Stopped::read);
    let mut fitting = lines.filter(|line| line.seq < before);
    let entries: Vec<Stopped> = fitting.by_ref().take(limit).collect();
    let next = fitting.next().and(entries.last().map(|last| last.seq));
    Audit { entries, next }
}

impl Stopped {
    fn read(line: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Place {
            seq: u64,
        }
        let Place { seq } = serde_json::from_str(line).ok()?;
        let entry: Entry = serde_json::from_str(line).ok()?;
        // What passed because of an earlier yes was not stopped.
        (entry.said > Verdict::Silent).then_some(())?;
        let word = |word: &dyn erased::Word| word.word();
        Some(Self {
            seq,
            at: entry.at,
            said: word(&entry.said),
            verdict: word(&entry.verdict),
            rules: entry.rules,
            severity: word(&entry.severity),
            reason: text::shown(&entry.reason, 1000),
            session_id: entry.session.map(id),
            agent_id: entry.agent.map(id),
            project: entry.project.map(id),
            mode: entry.mode.map(id),
            tool: id(entry.tool),
            subject: text::shown_block(&entry.subject),
            subject_hash: entry.subject_hash,
        })
    }
}

/// A name or an id as it may be shown.
fn id(text: impl AsRef<str>) -> String {
    text::shown_id(text.as_ref()).into_owned()
}

mod erased {
    /// Something that is one word in JSON.
    pub(super) trait Word {
        fn word(&self) -> String;
    }

    impl<T: serde::Serialize> Word for T {
        fn word(&self) -> String {
            let word = serde_json::to_value(self).ok();
            word.and_then(|word| word.as_str().map(str::to_owned))
                .unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(lines: std::ops::RangeInclusive<u64>) -> String {
        let line = |seq: u64| {
            format!(
                r#"{{"seq":{seq},"at":"2026-01-01T00:00:00Z","said":"deny","verdict":"ask","rules":["rm"],"severity":"high","reason":"r","session":"s","agent":null,"project":null,"mode":null,"tool":"Bash","subject":"rm -rf x TOKEN=abc","subject_hash":"h","prev":"p","hash":"q"}}"#
            )
        };
        lines.map(|seq| line(seq) + "\n").collect()
    }

    #[test]
    fn pages_go_back_to_the_beginning() {
        let text = lines_of(1..=5) + "rubbish\n";
        let seqs = |page: &Audit| {
            page.entries
                .iter()
                .map(|entry| entry.seq)
                .collect::<Vec<_>>()
        };
        let first = page(&text, u64::MAX, 2);
        assert_eq!((seqs(&first), first.next), (vec![5, 4], Some(4)));
        let last = page(&text, 2, 2);
        assert_eq!((seqs(&last), last.next), (vec![1], None));
        let entry = &first.entries[0];
        assert_eq!(
            (
                entry.said.as_str(),
                entry.verdict.as_str(),
                entry.severity.as_str()
            ),
            ("deny", "ask", "high")
        );
        assert_eq!(entry.subject, "rm -rf x TOKEN=[masked]");
    }
}
