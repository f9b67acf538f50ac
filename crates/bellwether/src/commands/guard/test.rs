//! `bellwether guard test`: a table of commands with what is expected of the guard.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use anyhow::Context as _;
use bellwether_hook::guard::{Judgement, Verdict};
use bellwether_protocol::event::Deed;
use bellwether_spine::{Home, text};
use clap::Args;
use serde::Deserialize;
use serde_json::json;

use super::explain::{GivenMode, Setting, judged};
use crate::exit::AlreadyTold;
use crate::output;

#[derive(Args)]
#[command(after_help = "\
A row is one JSON object a line; empty lines and lines that begin with # are skipped:
  {\"command\": \"git push -f origin main\", \"expect\": \"deny\"}
  {\"command\": \"rm -rf node_modules\", \"expect\": \"silent\", \"cwd\": \"/home/me/shop\"}
  {\"file\": \".env\", \"expect\": \"stop\", \"mode\": \"strict\"}
`expect` is deny, ask, silent, or stop for deny or ask.")]
pub(crate) struct Arguments {
    /// The table; stdin when no file is named.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    setting: Setting,
    /// Print JSON: {rows, wrong}, with {line, what, verdict, rule, reason, via} for each that is not as expected.
    #[arg(long)]
    json: bool,
}

/// One row.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    command: Option<String>,
    file: Option<String>,
    expect: Expected,
    cwd: Option<PathBuf>,
    mode: Option<bellwether_hook::guard::Mode>,
    /// What the row shows, for whoever reads the table.
    #[serde(default, rename = "about")]
    _about: Option<String>,
}

/// What is expected.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Deny,
    Ask,
    Silent,
    /// Deny or ask.
    Stop,
}

impl Expected {
    fn is(self, verdict: Verdict) -> bool {
        match self {
            Self::Deny => verdict == Verdict::Deny,
            Self::Ask => verdict == Verdict::Ask,
            Self::Silent => verdict == Verdict::Silent,
            Self::Stop => verdict > Verdict::Silent,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Silent => "silent",
            Self::Stop => "stop",
        }
    }
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let (name, table): (String, Box<dyn BufRead>) = match &arguments.file {
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).with_context(|| name.clone())?;
            (name, Box::new(BufReader::new(file)))
        }
        None => ("stdin".to_owned(), Box::new(std::io::stdin().lock())),
    };
    let (mut rows, mut wrong) = (0, Vec::new());
    for (number, line) in (1..).zip(table.lines()) {
        let line = line.with_context(|| name.clone())?;
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let row = serde_json::from_str(&line).with_context(|| format!("{name}:{number}"))?;
        rows += 1;
        if let Some(complaint) = check(home, &arguments.setting, &row)? {
            let what = text::shown(&complaint.what, 300);
            if !arguments.json {
                tell!("{name}:{number}: {what}");
            }
            let first = complaint.judgement.findings.first();
            wrong.push(text::shown_json(&json!({
                "line": number,
                "what": what,
                "verdict": complaint.judgement.verdict,
                "rule": first.map(|finding| &finding.rule),
                "reason": first.map(|finding| &finding.reason),
                "via": first.map(|finding| &finding.via),
            })));
        }
    }
    if arguments.json {
        output::show_json(&json!({"rows": rows, "wrong": wrong}))?;
    } else {
        let rows = output::many(rows, "row");
        tell!("{rows}, {} not as expected", wrong.len());
    }
    if !wrong.is_empty() {
        return Err(AlreadyTold.into());
    }
    Ok(())
}

/// What is not as expected in a row.
struct Complaint {
    what: String,
    judgement: Judgement,
}

fn check(home: &Home, setting: &Setting, row: &Row) -> anyhow::Result<Option<Complaint>> {
    let setting = Setting {
        cwd: row.cwd.clone().or_else(|| setting.cwd.clone()),
        mode: row.mode.map(given).or(setting.mode),
    };
    let (cwd, config) = setting.find(home)?;
    let (what, deed) = match (&row.command, &row.file) {
        (Some(command), None) => (command, Deed::command(command)),
        (None, Some(file)) => (file, Deed::change(file)),
        _ => anyhow::bail!("a row has either a command or a file"),
    };
    let judgement = judged(home, &cwd, &config, &deed).judgement;
    if row.expect.is(judgement.verdict) {
        return Ok(None);
    }
    let found = match judgement.findings.first() {
        Some(finding) => format!("{:?} by {}", judgement.verdict, finding.rule).to_lowercase(),
        None => "silent".to_owned(),
    };
    let what = format!("expected {}, is {found}: {what}", row.expect.word());
    Ok(Some(Complaint { what, judgement }))
}

fn given(mode: bellwether_hook::guard::Mode) -> GivenMode {
    match mode {
        bellwether_hook::guard::Mode::Loss => GivenMode::Loss,
        bellwether_hook::guard::Mode::Strict => GivenMode::Strict,
    }
}
