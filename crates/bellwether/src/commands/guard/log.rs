//! `bellwether guard log`: what was stopped, and whether that record holds.

use std::io::{IsTerminal as _, Write};
use std::time::Duration;

use anyhow::ensure;
use bellwether_spine::chain::Verified;
use bellwether_spine::{Home, text as shown};
use clap::Args;
use serde_json::{Value, json};

use crate::exit::AlreadyTold;
use crate::guard::log::{self, Follow};
use crate::guard::reviews::{Reviews, Stopped};
use crate::output::key;
use crate::{installation, output};

/// How often new lines are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(200);

#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command"
)]
pub(crate) struct Arguments {
    /// At most so many, counted from the newest; 0 for all.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    limit: usize,
    /// One JSON object a line, as it stands in audit.jsonl; characters that steer a terminal are escaped.
    #[arg(long)]
    json: bool,
    /// Keep showing what is stopped until interrupted.
    #[arg(long, short)]
    follow: bool,
    /// Only check that the record is intact: no line changed, removed or added, and nothing missing that the daemon has
    /// seen. Exits 1 if not. With --json: {holds, lines, gaps, faults, missing, trouble}.
    #[arg(long, conflicts_with_all = ["follow", "limit"])]
    verify: bool,
    /// Say of each stop whether it was right, with one key; the newest first. It is kept on this machine, for `guard stats`.
    #[arg(long, conflicts_with_all = ["follow", "json", "verify"])]
    review: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.verify {
        return verify(home, arguments.json);
    }
    if arguments.review {
        return review(home, arguments.limit);
    }
    let mut out = output::stdout();
    let text = log::read(home)?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let from = match arguments.limit {
        0 => 0,
        limit => lines.len().saturating_sub(limit),
    };
    for line in &lines[from..] {
        show(&mut out, line, arguments.json)?;
    }
    if !arguments.follow {
        if lines.is_empty() {
            note!("nothing has been stopped yet");
        }
        return Ok(());
    }
    let mut follow = Follow::new(&home.audit(), text.len());
    loop {
        for line in follow.lines()? {
            show(&mut out, &line, arguments.json)?;
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

fn show(out: &mut impl Write, line: &str, json: bool) -> anyhow::Result<()> {
    if json {
        writeln!(out, "{}", shown::escaped_json(line))?;
    } else {
        writeln!(out, "{}", log::shown(line))?;
    }
    Ok(out.flush()?)
}

/// Has the person say what was right, as long as they like.
fn review(home: &Home, limit: usize) -> anyhow::Result<()> {
    ensure!(
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal(),
        "a review needs a person at a terminal"
    );
    let (text, mut reviews) = (log::read(home)?, Reviews::load(home)?);
    let stops = text.lines().rev().filter_map(Stopped::parse);
    let open: Vec<Stopped<'_>> = stops
        .filter(|stopped| !stopped.is_demo() && reviews.of(stopped).is_none())
        .take(if limit == 0 { usize::MAX } else { limit })
        .collect();
    let mut said = 0;
    for stopped in &open {
        note!("{}", log::shown(stopped.line));
        match key::ask(
            "Was it right to stop this? y yes, n no, s skip, q quit: ",
            &['y', 'n', 's', 'q'],
        )? {
            'q' => break,
            's' => continue,
            key => reviews.add(home, stopped, key == 'y')?,
        }
        said += 1;
    }
    match (open.len(), said) {
        (0, _) => note!("nothing is left to review"),
        (_, said) => note!(
            "{} reviewed; `bellwether guard stats` counts them",
            output::many(said, "stop")
        ),
    }
    Ok(())
}

fn verify(home: &Home, json: bool) -> anyhow::Result<()> {
    // What the daemon has not read yet it cannot have kept.
    if home.database().exists() {
        installation::up_to_date(home)?;
    }
    let (found, trouble) = log::verify(home)?;
    if json {
        output::show_json(&verified(&found, trouble.as_deref()))?;
        return if found.holds() {
            Ok(())
        } else {
            Err(AlreadyTold.into())
        };
    }
    for (line, fault) in &found.faults {
        tell!("{}:{line}: {fault}", home.audit().display());
    }
    for head in &found.missing {
        tell!(
            "number {} is missing, though the daemon has seen it",
            head.seq
        );
    }
    if let Some(trouble) = trouble {
        tell!("cannot compare it with the daemon's copy: {trouble}");
    }
    if found.gaps > 0 {
        tell!(
            "{} told by the lines behind them",
            output::many(usize::try_from(found.gaps)?, "gap")
        );
    }
    let count = output::many(usize::try_from(found.lines)?, "line");
    if found.holds() {
        tell!("{count}, the chain is intact");
        return Ok(());
    }
    tell!("{count}, the chain is broken");
    Err(AlreadyTold.into())
}

/// How the record is, for programs.
fn verified(found: &Verified, trouble: Option<&str>) -> Value {
    let faults = found.faults.iter();
    let faults = faults.map(|(line, fault)| json!({"line": line, "fault": fault.to_string()}));
    json!({
        "holds": found.holds(),
        "lines": found.lines,
        "gaps": found.gaps,
        "faults": faults.collect::<Vec<_>>(),
        "missing": found.missing.iter().map(|head| head.seq).collect::<Vec<_>>(),
        "trouble": trouble,
    })
}
