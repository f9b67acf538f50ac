//! `bellwether transcript show`: a session in the terminal.

use std::io::{BufWriter, Write as _};

use bellwether_spine::Home;
use bellwether_transcript::Session;
use bellwether_transcript::render::{Figures, Paint, Terminal};
use clap::Args;

use super::Known;
use super::chosen::Chosen;
use crate::output;
use crate::output::Bar;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Show outputs and changes whole.
    #[arg(long)]
    full: bool,
    /// Print JSON: the overview, then one thing a line.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let transcript = arguments.chosen.open()?;
    let mut bar = Bar::new("reading", transcript.length());
    let known = Known::of(home, &transcript);
    let session = known.survey(transcript, arguments.full, &mut bar)?;
    drop(bar);
    if arguments.json {
        return print_json(&session);
    }
    let paint = if output::in_colour() {
        Paint::Colours
    } else {
        Paint::Plain
    };
    let out = BufWriter::new(output::stdout());
    let mut terminal = Terminal::new(out, Figures::default(), paint);
    if arguments.full {
        terminal = terminal.whole();
    }
    Ok(session.render(&mut terminal, &mut |_| {})?)
}

fn print_json(session: &Session<'_>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(output::stdout());
    writeln!(out, "{}", output::json_line(&session.overview())?)?;
    session.walk(&mut |_| {}, &mut |item| {
        let line = output::json_line(&item).map_err(std::io::Error::other)?;
        writeln!(out, "{line}")
    })?;
    Ok(out.flush()?)
}
