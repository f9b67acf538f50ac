//! `bellwether guard replay`: what the guard would have stopped in past sessions.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use bellwether_hook::guard::Verdict;
use bellwether_spine::{Home, text};
use bellwether_transcript::{Projects, past_calls};
use clap::Args;
use serde_json::json;

use crate::guard::replay::{OfProject, Replay, WouldStop};
use crate::output::{self, Bar, many};

#[derive(Args)]
#[command(after_help = "\
Every command and every change of a file is judged where it was made, on the files as they are now.

Examples:
  bellwether guard replay                     this project's sessions
  bellwether guard replay --all --json        every project's, as a table for programs")]
pub(crate) struct Arguments {
    /// Transcripts of the client; without any, those of this project.
    #[arg(value_name = "TRANSCRIPT")]
    transcripts: Vec<PathBuf>,
    /// Every session of every project.
    #[arg(long, conflicts_with = "transcripts")]
    all: bool,
    /// Print JSON: {calls, asked, refused, `left_out`, projects}, with {project, calls, asked, refused, `per_thousand`, stops} for each, and
    /// {verdict, rule, reason, subject, times, `first_ms`} for each stop.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let transcripts = arguments.chosen()?;
    let sizes = transcripts.iter().filter_map(|path| path.metadata().ok());
    let mut bar = Bar::new("judging", sizes.map(|seen| seen.len()).sum());
    let mut replay = Replay::new(home);
    for path in &transcripts {
        let judged = past_calls(path, |call| replay.add(call), |bytes| bar.add(bytes));
        match judged {
            // One of many that went away meanwhile is no reason to stop.
            Err(error) if arguments.transcripts.is_empty() => note!("{error}"),
            judged => judged?,
        }
    }
    drop(bar);
    if arguments.json {
        return output::show_json(&text::shown_json(&as_json(&replay)));
    }
    show(&replay);
    Ok(())
}

impl Arguments {
    fn chosen(&self) -> anyhow::Result<Vec<PathBuf>> {
        if !self.transcripts.is_empty() {
            return Ok(self.transcripts.clone());
        }
        let projects = Projects::of_user();
        if self.all {
            let all = projects.transcripts();
            ensure!(!all.is_empty(), "the client keeps no session of yours");
            return Ok(all);
        }
        let here = std::env::current_dir().context("the current folder")?;
        let found = projects.transcripts_of(&here);
        found.context("name a transcript, or say --all for every project")
    }
}

fn show(replay: &Replay<'_>) {
    // Where the guard would be felt most comes first.
    let mut projects: Vec<_> = replay.projects.iter().collect();
    projects.sort_by(|(_, one), (_, other)| other.rate().total_cmp(&one.rate()));
    for (project, found) in projects {
        tell!("{}", text::shown(&project.display().to_string(), 200));
        tell!("  {}", summary(found));
        for stop in &found.stops {
            tell!("    {}", line(stop));
        }
    }
    let all = total(replay);
    tell!(
        "{}: {}",
        many(replay.projects.len(), "project"),
        summary(&all)
    );
    if replay.left_out > 0 {
        let calls = many(replay.left_out, "call");
        tell!("{calls} left out: the folder is gone");
    }
}

fn summary(found: &OfProject) -> String {
    format!(
        "{}, {} would be asked about, {} refused ({:.1} in 1,000)",
        many(found.calls, "call"),
        found.asked,
        found.refused,
        found.rate()
    )
}

fn line(stop: &WouldStop) -> String {
    let said = match stop.verdict {
        Verdict::Deny => "refused",
        Verdict::Ask | Verdict::Silent => "asked",
    };
    let times = match stop.times {
        1 => String::new(),
        times => format!(" ({times} times)"),
    };
    text::shown(
        &format!(
            "{said:8} {:16} {}{times}: {}",
            stop.rule, stop.subject, stop.reason
        ),
        400,
    )
}

fn total(replay: &Replay<'_>) -> OfProject {
    let mut all = OfProject::default();
    for found in replay.projects.values() {
        all.calls += found.calls;
        all.asked += found.asked;
        all.refused += found.refused;
    }
    all
}

fn as_json(replay: &Replay<'_>) -> serde_json::Value {
    let all = total(replay);
    let projects = replay.projects.iter().map(|(project, found)| {
        json!({
            "project": project.display().to_string(),
            "calls": found.calls, "asked": found.asked, "refused": found.refused,
            "per_thousand": found.rate(),
            "stops": found.stops,
        })
    });
    json!({
        "calls": all.calls, "asked": all.asked, "refused": all.refused,
        "left_out": replay.left_out,
        "projects": projects.collect::<Vec<_>>(),
    })
}
