//! `bellwether doctor`: what is wrong, and what to do about it.

use std::io::{IsTerminal as _, Write as _};

use bellwether_spine::Home;
use clap::Args;

use crate::person;

use crate::doctor::{self, Colour, Report};
use crate::exit::AlreadyTold;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print JSON: an array of findings {check, about, level, text, advice, fix}.
    #[arg(long)]
    json: bool,
    /// Do what can be done about it, and look again.
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
        report.fix(|line| eprintln!("{line}"));
        report = doctor::examine(home);
    }
    show(&report, arguments.json)?;
    if report.has_problem() {
        return Err(AlreadyTold.into());
    }
    Ok(())
}

fn show(report: &Report, json: bool) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", report.json()?)?;
    } else {
        let colour = colour(out.is_terminal(), std::env::var_os("NO_COLOR"));
        write!(out, "{}", report.text(colour))?;
    }
    Ok(())
}

/// Colours are for a terminal whose person has not said no (<https://no-color.org>).
fn colour(terminal: bool, no_color: Option<std::ffi::OsString>) -> Colour {
    if terminal && no_color.is_none_or(|said| said.is_empty()) {
        Colour::Yes
    } else {
        Colour::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_want_them() {
        assert_eq!(colour(true, None), Colour::Yes);
        assert_eq!(colour(true, Some("".into())), Colour::Yes);
        assert_eq!(colour(true, Some("1".into())), Colour::No);
        assert_eq!(colour(false, None), Colour::No);
    }
}
