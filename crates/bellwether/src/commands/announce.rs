//! `bellwether announce`: what is told of what happens, and why not.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

use bellwether_announce::Outcome;
use bellwether_daemon::Decided;
use bellwether_daemon::control::Client;
use bellwether_flock::{DecisionFilter, Reader, StoreReader as _};
use bellwether_spine::{Home, text};
use clap::Args;

use crate::{output, replay};

/// So many are shown.
const SHOWN: usize = 200;
/// How long to wait for the next daemon before looking again.
const RECONNECT_AFTER: Duration = Duration::from_millis(200);

#[derive(Args)]
pub(crate) struct Arguments {
    /// Run recorded events with their times through the announcer and print what would be said when:
    /// one JSON object a line, as `bellwether events --json` prints them.
    #[arg(long, value_name = "FILE", conflicts_with = "follow")]
    replay: Option<PathBuf>,
    /// Also show what is not said, and why.
    #[arg(long)]
    all: bool,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Keep showing new ones until interrupted.
    #[arg(long, short)]
    follow: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = BufWriter::new(output::stdout());
    if let Some(file) = &arguments.replay {
        let decided = replay::run(home, file)?;
        let begun = decided.first().map_or(0, |first| first.at_ms);
        let since = |at_ms: u64| format!("{:>9.3} s", seconds(at_ms.saturating_sub(begun)));
        return show(&decided, arguments, &since, &mut out);
    }
    let stored = stored(home, arguments.all)?;
    show(&stored, arguments, &output::moment, &mut out)?;
    if !arguments.follow {
        if stored.is_empty() && !arguments.json {
            note!("{}", nothing(arguments.all));
        }
        return Ok(());
    }
    let mut last = stored.last().map_or(0, |last| last.number);
    loop {
        if let Some(client) = Client::connect(home)? {
            for decided in client.listen()? {
                let decided = decided?;
                if decided.number > last {
                    last = decided.number;
                    show(&[decided], arguments, &output::moment, &mut out)?;
                }
            }
        }
        std::thread::sleep(RECONNECT_AFTER);
    }
}

fn nothing(all: bool) -> &'static str {
    if all {
        "nothing has happened yet that could be announced"
    } else {
        "nothing has been announced yet; --all shows what was not, and why"
    }
}

/// What was announced lately, by the daemon that runs and by those before it.
fn stored(home: &Home, all: bool) -> anyhow::Result<Vec<Decided>> {
    if let Some(mut client) = Client::connect(home)?
        && let Err(error) = client.sync()
    {
        note!("bellwether: the newest announcements are not stored yet: {error}");
    }
    let Some(reader) = Reader::open(&home.database())? else {
        return Ok(Vec::new());
    };
    let filter = DecisionFilter {
        said: !all,
        after: 0,
    };
    let found = reader.decisions(filter, SHOWN)?;
    Ok(found.iter().filter_map(Decided::stored).collect())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds of a recorded session are far from the limits of a double"
)]
fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

fn show(
    decided: &[Decided],
    arguments: &Arguments,
    time: &dyn Fn(u64) -> String,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let wanted = |decided: &&Decided| arguments.all || decided.is_said();
    for decided in decided.iter().filter(wanted) {
        if arguments.json {
            let json = serde_json::to_string(decided)?;
            writeln!(out, "{}", text::escaped_json(&json))?;
        } else {
            writeln!(out, "{}", line(decided, &time(decided.at_ms)))?;
        }
    }
    Ok(out.flush()?)
}

fn line(decided: &Decided, at: &str) -> String {
    let session: String = decided.session.chars().take(8).collect();
    let session = bellwether_spine::text::shown(&session, 8);
    let what = match &decided.outcome {
        Outcome::Said(said) => {
            let effect = said
                .sound
                .as_ref()
                .map(|sound| sound.effect_name().to_owned());
            let words = said.voice.as_ref().map(|_| format!("“{}”", said.text));
            let parts: Vec<String> = effect
                .map(|name| format!("♪ {name}"))
                .into_iter()
                .chain(words)
                .collect();
            parts.join("  ")
        }
        Outcome::Silent(silence) => format!("silent: {silence}"),
    };
    format!("{at}  {session:8}  {:18}  {what}", decided.event)
}
