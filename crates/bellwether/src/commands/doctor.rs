//! `bellwether doctor`: what is wrong, and what to do about it.

use std::io::Write as _;

use bellwether_spine::Home;
use clap::Args;

use crate::doctor::{self, Colour, Report};
use crate::exit::AlreadyTold;
use crate::{output, person};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print JSON: an array of findings {check, about, level, text, advice, fix}.
    #[arg(long)]
    json: bool,
    /// Fix what can be fixed, and check again.
    #[arg(long)]
    fix: bool,
    /// Only play something, listen to what the sound server plays, and say what was heard.
    #[arg(long, conflicts_with = "fix")]
    sound: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let mut report = if arguments.sound {
        doctor::listen(home)
    } else {
        doctor::examine(home)
    };
    if arguments.fix {
        person::refuse_agents(home, "mending")?;
        report.fix(|line| note!("{line}"));
        report = doctor::examine(home);
    }
    show(&report, arguments.json)?;
    if report.has_problem() {
        return Err(AlreadyTold.into());
    }
    Ok(())
}

fn show(report: &Report, json: bool) -> anyhow::Result<()> {
    if json {
        return Ok(writeln!(output::stdout(), "{}", report.json()?)?);
    }
    let colour = if output::in_colour() {
        Colour::Yes
    } else {
        Colour::No
    };
    Ok(write!(output::stdout(), "{}", report.text(colour))?)
}
