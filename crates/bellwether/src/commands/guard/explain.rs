//! `bellwether guard explain`: what a command would do, and what the guard says to it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bellwether_hook::guard::judge::{self, Call, Judged};
use bellwether_hook::guard::{self, Config, Finding, Mode, Verdict, machine};
use bellwether_protocol::event::Deed;
use bellwether_spine::{Home, text};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::guard::{analysis, consents};
use crate::{config, managed, output};

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether guard explain 'git push --force origin main'
  bellwether guard explain --mode strict 'git reset --hard'
  bellwether guard explain --file .env")]
pub(crate) struct Arguments {
    /// The command, as an agent would give it to its shell.
    #[arg(value_name = "COMMAND", required_unless_present = "file")]
    command: Option<String>,
    /// A file that would be written, instead of a command.
    #[arg(long, value_name = "PATH", conflicts_with = "command")]
    file: Option<PathBuf>,
    #[command(flatten)]
    setting: Setting,
    /// Print JSON: {verdict, findings, analysis}, and what a yes would be worth.
    #[arg(long)]
    json: bool,
}

/// Where and how it is judged.
#[derive(Args, Clone)]
pub(crate) struct Setting {
    /// The folder it would run in; this one when not given.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Use this mode instead of the configured one.
    #[arg(long, value_enum)]
    pub mode: Option<GivenMode>,
}

/// How strictly to judge.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum GivenMode {
    /// By what would be lost.
    Loss,
    /// By what is done.
    Strict,
}

impl From<GivenMode> for Mode {
    fn from(given: GivenMode) -> Self {
        match given {
            GivenMode::Loss => Self::Loss,
            GivenMode::Strict => Self::Strict,
        }
    }
}

impl Setting {
    /// The folder, and the configuration that counts in it.
    pub(crate) fn find(&self, home: &Home) -> anyhow::Result<(PathBuf, Config)> {
        let cwd = match &self.cwd {
            Some(folder) => std::path::absolute(folder)?,
            None => std::env::current_dir()?,
        };
        let own = config::load(home, Some(&cwd), &|_| None).config.guard;
        let mut config = managed::standing(own);
        config.mode = self.mode.map_or(config.mode, Mode::from);
        Ok((cwd, config))
    }
}

/// Judges what a tool would do in a folder. The repository around it is taken for the project; without one, the folder.
pub(crate) fn judged(home: &Home, cwd: &Path, config: &Config, deed: &Deed<'_>) -> Judged {
    let user = machine::user();
    let root = guard::root_of(cwd);
    let call = Call {
        deed,
        cwd,
        project: Some(root.as_deref().unwrap_or(cwd)),
        home,
        user: user.as_deref(),
        transcript: None,
    };
    judge::explain(&call, config)
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let (cwd, config) = arguments.setting.find(home)?;
    let deed = match (&arguments.command, &arguments.file) {
        (_, Some(file)) => Deed::change(file.to_string_lossy()),
        (command, None) => Deed::command(command.as_deref().unwrap_or_default()),
    };
    let judged = judged(home, &cwd, &config, &deed);
    let again = (judged.judgement.verdict == Verdict::Ask)
        .then(|| consents::after_a_yes(&deed, &cwd, &judged, &config));
    if arguments.json {
        let shown = json!({
            "verdict": judged.judgement.verdict,
            "after_a_yes": again,
            "mode": config.mode,
            "enabled": config.enabled,
            "findings": judged.judgement.findings,
            "analysis": judged.analysis.as_ref().map(analysis::json),
        });
        output::show_json(&text::shown_json(&shown))?;
    } else {
        let shown = text(&judged, &config, again.as_deref());
        output::show_text(&text::shown_block(&shown));
    }
    Ok(())
}

/// For a person: the verdict, why, and what was understood.
fn text(judged: &Judged, config: &Config, again: Option<&str>) -> String {
    let verdict = match judged.judgement.verdict {
        Verdict::Silent => "allowed: the guard has no objection",
        Verdict::Ask => "ask: the person is asked first",
        Verdict::Deny => "deny: it is refused",
    };
    let mut out = format!("{:15} {verdict}\n", "verdict");
    if !config.enabled {
        out.push_str("                the guard is off: nothing is checked\n");
    }
    if let Some(again) = again {
        // Writing into a string does not fail.
        let _ = writeln!(out, "{:15} {again}", "after a yes");
    }
    for finding in &judged.judgement.findings {
        out.push_str(&told(finding));
    }
    match &judged.analysis {
        Some(analysis) => out + &analysis::text(analysis),
        None => out,
    }
}

fn told(finding: &Finding) -> String {
    let mut out = String::new();
    let mut row = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            // Writing into a string does not fail.
            let _ = writeln!(out, "{name:15} {value}");
        }
    };
    row("rule", Some(&finding.rule));
    row("  against", Some(&finding.subject));
    row("  because", Some(&finding.reason));
    row("  would be lost", finding.lost.as_deref());
    row("  instead", finding.instead.as_deref());
    row(
        "  comes from",
        Some(finding.via.join(" → ").as_str()).filter(|via| !via.is_empty()),
    );
    out
}
